"""Pickles objects as for a spawned worker, without starting one."""

from __future__ import annotations

import io
import os
import pickle
import sys
from multiprocessing import context
from multiprocessing.reduction import ForkingPickler

from .answers import read_message
from .cutting import cut_end
from .limits import PIPE_LIMIT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# A pickle of at most this size is kept, so that it can be read back as a worker reads it.
MAX_KEPT_BYTES = 256 << 20


class SpawnStandIn:
    """Stand-in for the process being started, whose methods are called when locks and pipes are pickled."""

    def __init__(self, is_read_back: bool) -> None:
        """Set whether the pickle is read back: handles are then duplicated, as unpickling closes them."""
        self._is_read_back = is_read_back

    def duplicate_for_child(self, handle: int) -> int:
        """Return the handle for the child process."""
        if os.name != "nt" or not self._is_read_back:
            return handle
        from multiprocessing import reduction

        duplicated: int = reduction.duplicate(handle)  # type: ignore[attr-defined, unused-ignore]
        return duplicated

    def DupFd(self, descriptor: int) -> object:
        """Return the object that a file descriptor is pickled as."""
        if not self._is_read_back:
            return descriptor
        # The resource sharer also works within one process.
        from multiprocessing import resource_sharer

        return resource_sharer.DupFd(descriptor)  # type: ignore[attr-defined, unused-ignore]


class spawning:
    """Context in which objects can be pickled that multiprocessing sends only to a process being started."""

    def __init__(self, is_read_back: bool = True) -> None:
        """Set whether the pickle is read back in this process."""
        self._stand_in = SpawnStandIn(is_read_back)

    def __enter__(self) -> None:
        self._previous = context.get_spawning_popen()
        context.set_spawning_popen(self._stand_in)  # type: ignore[arg-type]

    def __exit__(self, *exception: object) -> None:
        context.set_spawning_popen(self._previous)


class CountingSink(io.RawIOBase):
    """File that counts the bytes written to it, and keeps them up to a limit."""

    def __init__(self, max_kept_bytes: int = 0) -> None:
        """Keep at most `max_kept_bytes` in `kept`, which is None if more are written or nothing is kept."""
        self.count = 0
        self._max_kept_bytes = max_kept_bytes
        self.kept: bytearray | None = bytearray() if max_kept_bytes else None

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Count the data, and keep it up to the limit."""
        size = memoryview(data).nbytes
        self.count += size
        if self.kept is not None:
            if self.count > self._max_kept_bytes:
                self.kept = None
            else:
                self.kept += data
        return size


def copy_as_sent(value: Any) -> Any:
    """Return a copy of a value as a worker receives it."""
    with spawning():
        data = ForkingPickler.dumps(value)
    return ForkingPickler.loads(data)


def try_pickling(values: Mapping[str, object]) -> tuple[int, str | None]:
    """Return the number of bytes a worker would be sent, and why sending would fail (None if it would not).

    Nothing is kept or moved to shared memory. torch must be imported.
    """
    size = 0
    for name, value in values.items():
        value_bytes, obstacle = _measure(name, value)
        if obstacle:
            return size, obstacle
        size += value_bytes
        if sys.platform == "win32" and size >= PIPE_LIMIT_BYTES:
            return size, describe_excess(name, value, size)
    return size, None


def _measure(name: str, value: object) -> tuple[int, str | None]:
    """Return the number of bytes of a value as a worker is sent it, and why sending would fail."""
    sink = CountingSink()
    pickler = _MeasuringPickler(sink)
    try:
        with spawning(is_read_back=False):
            pickler.dump(value)
    except _CudaTensorFound:
        return 0, f"its {name} holds a CUDA tensor, which Windows cannot share with a worker"
    except Exception as error:
        message = cut_end(" ".join(read_message(error).split()), 200)
        return 0, f"its {name} cannot be sent to a worker ({type(error).__name__}: {message})"
    if pickler.main_object:
        return 0, f"its {name} uses {pickler.main_object} of a main module that no worker can import"
    return sink.count + pickler.buffer_bytes, None


def measure_attributes(value: object) -> list[tuple[int, str, object]]:
    """Return the bytes, the name and the value of each attribute that can be sent, largest first."""
    attributes = list(getattr(value, "__dict__", {}).items())
    sizes = [(_measure(name, member)[0], name, member) for name, member in attributes]
    return sorted((row for row in sizes if row[0]), key=lambda row: -row[0])


def describe_excess(name: str, value: object, size: int) -> str:
    """Return why a value of this many bytes cannot be sent, with its largest attribute if it has any."""
    text = f"its {name} is a copy of {size / 2.0**30:.1f} GiB for each worker"
    for member_bytes, attribute, member in measure_attributes(value)[:1]:
        kind = type(member).__name__
        text += f", of which {member_bytes / 2.0**30:.1f} GiB are {name}.{attribute} ({kind})"
    return text + "; above 2 GiB the pipe to a worker fails on Windows"


class _CudaTensorFound(Exception):
    """A value to be pickled contains a CUDA tensor."""


class _MeasuringPickler(pickle.Pickler):
    """Pickler that counts the bytes of buffers, and leaves out the contents of tensors."""

    def __init__(self, sink: CountingSink) -> None:
        self.buffer_bytes = 0
        super().__init__(sink, 5, buffer_callback=self._count_buffer)
        # The reducers that multiprocessing and torch registered; reducer_override handles tensors first.
        self.dispatch_table = ForkingPickler(io.BytesIO()).dispatch_table
        # The name of an object that is defined in a main module without a file.
        self.main_object: str | None = None
        self._main_has_file = os.path.isfile(getattr(sys.modules.get("__main__"), "__file__", None) or "")

    def _count_buffer(self, buffer: Any) -> bool:
        self.buffer_bytes += buffer.raw().nbytes
        # A false result keeps the buffer out of the pickle.
        return False

    def reducer_override(self, value: Any) -> Any:
        torch = sys.modules["torch"]
        if isinstance(value, torch.Tensor):
            if value.is_cuda:
                raise _CudaTensorFound
            # Pickling the tensor itself would move it to shared memory.
            return int, ()
        if isinstance(value, (torch.UntypedStorage, torch.storage.TypedStorage)):
            return int, ()
        if not self._main_has_file and getattr(value, "__module__", None) == "__main__":
            self.main_object = getattr(value, "__qualname__", type(value).__qualname__)
        return NotImplemented
