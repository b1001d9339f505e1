"""The scope in which the code of a loader subclass runs, with stand-ins where there is no CUDA device."""

from __future__ import annotations

import functools
import threading

from .messages import print_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_thread_state = threading.local()


def find_scope() -> Scope | None:
    """Return the scope that this thread is in, or None."""
    scope: Scope | None = getattr(_thread_state, "scope", None)
    return scope


class Scope:
    """Context that each thread enters to run the code of a loader subclass."""

    def __init__(self, name: str, uses_cuda: bool) -> None:
        """Take the name of the subclass, and whether its code mentions CUDA."""
        self.name = name
        self._uses_cuda = uses_cuda
        self._needs_stand_ins: bool | None = None

    def __enter__(self) -> None:
        outer_scopes = getattr(_thread_state, "outer_scopes", None)
        if outer_scopes is None:
            outer_scopes = _thread_state.outer_scopes = []
        mode = None
        if self._install_stand_ins() and not outer_scopes:
            from . import stand_ins

            mode = stand_ins.StayOnCpu()
            mode.__enter__()  # type: ignore[no-untyped-call]
        outer_scopes.append((find_scope(), mode))
        _thread_state.scope = self

    def __exit__(self, *exception: Any) -> None:
        _thread_state.scope, mode = _thread_state.outer_scopes.pop()
        if mode is not None:
            mode.__exit__(*exception)

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs the given one in this scope, in any thread."""

        @functools.wraps(function)
        def run_in_scope(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return run_in_scope

    def _install_stand_ins(self) -> bool:
        """Install the stand-ins at the first call, if they are needed; return whether they are."""
        if self._needs_stand_ins is None:
            import torch

            self._needs_stand_ins = self._uses_cuda and not torch.cuda.is_available()
            if self._needs_stand_ins:
                from . import stand_ins

                stand_ins.install(find_scope)
                change = "works as a plain DataLoader, its CUDA streams left out: no CUDA device"
                print_once(f"{self.name} {change}")
        return self._needs_stand_ins
