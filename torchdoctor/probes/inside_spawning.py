"""Runs in the examined interpreter: what stands for the start of a worker while something is pickled for it.

Standard library only, Python 3.8 syntax.
"""

import io
import os

# A copy of the pickle is kept, to be read back as a worker reads it, up to this size.
KEPT_BYTES = 256 << 20


class Spawning:
    """Stands for the process that is being started: locks and pipes ask for it when they are pickled."""

    def duplicate_for_child(self, handle):
        """Duplicate a handle, because whoever unpickles closes it."""
        if os.name != "nt":
            return handle
        from multiprocessing.reduction import duplicate

        return duplicate(handle)

    def DupFd(self, descriptor):
        """Pass a file descriptor on through the resource sharer, which also works within a process."""
        from multiprocessing import resource_sharer

        return resource_sharer.DupFd(descriptor)


class spawning:
    """Lets objects be pickled that may only be sent to a process that is being started."""

    def __enter__(self):
        from multiprocessing import context

        context.set_spawning_popen(Spawning())

    def __exit__(self, *exception):
        from multiprocessing import context

        context.set_spawning_popen(None)


def copy_as_sent(value):
    """Give a copy as a worker gets it."""
    from multiprocessing.reduction import ForkingPickler

    with spawning():
        data = ForkingPickler.dumps(value)
    return ForkingPickler.loads(data)


class Counter(io.RawIOBase):
    """Counts what is written, and keeps it while it is small."""

    def __init__(self):
        self.count = 0
        self.kept = bytearray()

    def writable(self):
        """Say that it can be written to."""
        return True

    def write(self, data):
        """Count the data."""
        size = memoryview(data).nbytes
        self.count += size
        if self.kept is not None:
            if self.count > KEPT_BYTES:
                self.kept = None
            else:
                self.kept += data
        return size
