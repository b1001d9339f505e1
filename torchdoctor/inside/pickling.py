"""Pickling as for a spawned worker, without starting one."""

from __future__ import annotations

import io
import os
import pickle
import sys
from multiprocessing import context
from multiprocessing.reduction import ForkingPickler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# A copy of the pickle up to this size is kept, to be read back as a worker reads it.
KEPT_BYTES = 256 << 20


class SpawnStandIn:
    """Stands for the process that is being started: locks and pipes ask for it when they are pickled."""

    def __init__(self, is_read_back: bool) -> None:
        """Duplicate handles where the pickle is read back: whoever unpickles one closes it."""
        self._is_read_back = is_read_back

    def duplicate_for_child(self, handle: int) -> int:
        """Return the handle for the child."""
        if os.name != "nt" or not self._is_read_back:
            return handle
        from multiprocessing import reduction

        duplicated: int = reduction.duplicate(handle)  # type: ignore[attr-defined, unused-ignore]
        return duplicated

    def DupFd(self, descriptor: int) -> object:
        """Return what a file descriptor is pickled as; the resource sharer works within a process too."""
        if not self._is_read_back:
            return descriptor
        from multiprocessing import resource_sharer

        return resource_sharer.DupFd(descriptor)  # type: ignore[attr-defined, unused-ignore]


class spawning:
    """A context in which objects can be pickled that may be sent only to a process being started."""

    def __init__(self, is_read_back: bool = True) -> None:
        """Say whether the pickle is read back in this process."""
        self._stand_in = SpawnStandIn(is_read_back)

    def __enter__(self) -> None:
        self._previous = context.get_spawning_popen()
        context.set_spawning_popen(self._stand_in)  # type: ignore[arg-type]

    def __exit__(self, *exception: object) -> None:
        context.set_spawning_popen(self._previous)


class CountingSink(io.RawIOBase):
    """A file that counts the bytes written to it and keeps them up to a limit."""

    def __init__(self, kept_bytes: int = 0) -> None:
        """Keep nothing, or up to so many bytes; `kept` is None once there were more."""
        self.count = 0
        self._limit = kept_bytes
        self.kept: bytearray | None = bytearray() if kept_bytes else None

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Count the data."""
        size = memoryview(data).nbytes
        self.count += size
        if self.kept is not None:
            if self.count > self._limit:
                self.kept = None
            else:
                self.kept += data
        return size


def copy_as_sent(value: Any) -> Any:
    """Return a copy as a worker receives it."""
    with spawning():
        data = ForkingPickler.dumps(value)
    return ForkingPickler.loads(data)


def try_pickling(values: Mapping[str, object]) -> tuple[int, str | None]:
    """Return how many bytes a worker would be sent, and why it cannot be sent them (None: it can).

    Nothing is kept or moved to shared memory. torch must be imported.
    """
    size = 0
    for name, value in values.items():
        sink = CountingSink()
        pickler = _TrialPickler(sink)
        try:
            with spawning(is_read_back=False):
                pickler.dump(value)
        except _OnGpu:
            return size, f"its {name} holds a CUDA tensor, which Windows cannot share with a worker"
        except Exception as error:
            message = " ".join(str(error).split())[:200]
            return size, f"its {name} cannot be sent to a worker ({type(error).__name__}: {message})"
        if pickler.main_object:
            return size, f"its {name} uses {pickler.main_object} of a main module that no worker can import"
        size += sink.count + pickler.buffer_bytes
    return size, None


class _OnGpu(Exception):
    pass


class _TrialPickler(pickle.Pickler):
    def __init__(self, sink: CountingSink) -> None:
        self.buffer_bytes = 0
        super().__init__(sink, 5, buffer_callback=self._count)
        # What multiprocessing and torch registered; tensors never reach it (see reducer_override).
        self.dispatch_table = ForkingPickler(io.BytesIO()).dispatch_table
        # The first object of a main module that has no file.
        self.main_object: str | None = None
        self._main_has_file = os.path.isfile(getattr(sys.modules.get("__main__"), "__file__", None) or "")

    def _count(self, buffer: Any) -> bool:
        self.buffer_bytes += buffer.raw().nbytes
        return False

    def reducer_override(self, value: Any) -> Any:
        torch = sys.modules["torch"]
        if isinstance(value, torch.Tensor):
            if value.is_cuda:
                raise _OnGpu
            # Really pickling it would move it to shared memory.
            return int, ()
        if isinstance(value, (torch.UntypedStorage, torch.storage.TypedStorage)):
            return int, ()
        if not self._main_has_file and getattr(value, "__module__", None) == "__main__":
            self.main_object = getattr(value, "__qualname__", type(value).__qualname__)
        return NotImplemented
