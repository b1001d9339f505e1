"""The code of a loader subclass while it runs: whose it is, with stand-ins where there is no CUDA device."""

from __future__ import annotations

import functools
import threading

from .safe_loader import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_here = threading.local()


def find_scope() -> Scope | None:
    """Return the scope that this thread is in, None outside of any."""
    scope: Scope | None = getattr(_here, "scope", None)
    return scope


class Scope:
    """Entered by each thread that runs the code of a loader subclass."""

    def __init__(self, name: str, uses_cuda: bool) -> None:
        """Take the subclass's name, and whether its code names CUDA."""
        self.name = name
        self._uses_cuda = uses_cuda
        self._needs_stand_ins: bool | None = None

    def __enter__(self) -> None:
        entered = getattr(_here, "entered", None)
        if entered is None:
            entered = _here.entered = []
        mode = None
        if self._stands_in() and not entered:
            from . import stand_ins

            mode = stand_ins.make_mode()
            mode.__enter__()  # type: ignore[no-untyped-call]
        entered.append((find_scope(), mode))
        _here.scope = self

    def __exit__(self, *exception: Any) -> None:
        _here.scope, mode = _here.entered.pop()
        if mode is not None:
            mode.__exit__(*exception)

    def run(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function so that it runs in this scope, in whatever thread."""

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return run

    def _stands_in(self) -> bool:
        if self._needs_stand_ins is None:
            import torch

            self._needs_stand_ins = self._uses_cuda and not torch.cuda.is_available()
            if self._needs_stand_ins:
                from . import stand_ins

                stand_ins.install()
                say(f"{self.name} works as a plain DataLoader, its CUDA streams left out: no CUDA device")
        return self._needs_stand_ins
