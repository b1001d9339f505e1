"""While code of a loader subclass runs: which one, and stand-ins for CUDA where there is no device."""

import functools
import threading

from _torchdoctor_startup.safe_loader import say

_here = threading.local()


def find_scope():
    """Give the scope that this thread is in, None outside of any."""
    return getattr(_here, "scope", None)


class Scope:
    """Entered by each thread that runs the code of a loader subclass."""

    def __init__(self, name, uses_cuda):
        self.name = name
        self._uses_cuda = uses_cuda
        self._needs_stand_ins = None

    def __enter__(self):
        entered = getattr(_here, "entered", None)
        if entered is None:
            entered = _here.entered = []
        mode = None
        if self._stands_in() and not entered:
            from _torchdoctor_startup import stand_ins

            mode = stand_ins.make_mode()
            mode.__enter__()
        entered.append((find_scope(), mode))
        _here.scope = self

    def __exit__(self, *exception):
        _here.scope, mode = _here.entered.pop()
        if mode is not None:
            mode.__exit__(*exception)

    def run(self, function):
        """Give the function so that it runs in this scope, in whatever thread."""

        @functools.wraps(function)
        def run(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return run

    def _stands_in(self):
        if self._needs_stand_ins is None:
            import torch

            self._needs_stand_ins = self._uses_cuda and not torch.cuda.is_available()
            if self._needs_stand_ins:
                from _torchdoctor_startup import stand_ins

                stand_ins.install()
                say("%s works as a plain DataLoader, its CUDA streams left out: no CUDA device" % self.name)
        return self._needs_stand_ins
