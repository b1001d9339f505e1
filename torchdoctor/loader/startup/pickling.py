"""Tries whether a spawned worker could be sent what it needs, without keeping or sharing anything."""

import io
import os
import pickle
import sys
from multiprocessing import context
from multiprocessing.reduction import ForkingPickler


def try_pickling(values: dict) -> tuple:
    """Give the size in bytes that a worker would be sent, and what stands against it (None: nothing)."""
    size = 0
    for name, value in values.items():
        sink = _Sink()
        tried = _TrialPickler(sink)
        previous = context.get_spawning_popen()
        context.set_spawning_popen(_NobodyYet())
        try:
            tried.dump(value)
        except _OnGpu:
            return size, "its %s holds a CUDA tensor, which Windows cannot share with a worker" % name
        except Exception as error:
            words = " ".join(str(error).split())[:200]
            return size, "its %s cannot be sent to a worker (%s: %s)" % (name, type(error).__name__, words)
        finally:
            context.set_spawning_popen(previous)
        if tried.homeless:
            return size, "its %s uses %s of a main module that no worker can import" % (name, tried.homeless)
        size += sink.size + tried.outside
    return size, None


class _OnGpu(Exception):
    pass


class _NobodyYet:
    """Stands for the process to be started while locks, queues and handles are pickled."""

    def duplicate_for_child(self, handle):
        return handle

    DupFd = duplicate_for_child


class _Sink(io.RawIOBase):
    """Counts what is written, and keeps nothing."""

    size = 0

    def writable(self):
        return True

    def write(self, data):
        self.size += len(data)
        return len(data)


class _TrialPickler(pickle.Pickler):
    def __init__(self, sink):
        self.outside = 0
        super().__init__(sink, 5, buffer_callback=self._count)
        # What multiprocessing and torch registered; tensors never reach it (see reducer_override).
        self.dispatch_table = ForkingPickler(io.BytesIO()).dispatch_table
        self.homeless = None
        self._main_has_file = os.path.isfile(getattr(sys.modules.get("__main__"), "__file__", None) or "")

    def _count(self, buffer):
        self.outside += buffer.raw().nbytes
        return False

    def reducer_override(self, value):
        torch = sys.modules["torch"]
        if isinstance(value, torch.Tensor):
            if value.is_cuda:
                raise _OnGpu
            # Real pickling would move it to shared memory.
            return int, ()
        if isinstance(value, (torch.UntypedStorage, torch.storage.TypedStorage)):
            return int, ()
        if not self._main_has_file and getattr(value, "__module__", None) == "__main__":
            self.homeless = getattr(value, "__qualname__", type(value).__qualname__)
        return NotImplemented
