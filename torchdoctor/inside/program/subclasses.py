"""Makes DataLoader subclasses that require CUDA streams or background threads work as plain ones.

A subclass keeps its own code. Where there is no CUDA device, stand-ins replace the members of torch.cuda that
it uses. A thread of its own that only passes batches on is not started: its source is read directly.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types

from . import threads
from .scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_METHODS = ("__init__", "__iter__", "__next__", "__del__", "next")


def watch(loader_class: Any) -> None:
    """Adapt each subclass of the loader class that is defined from now on."""

    def __init_subclass__(cls: Any, **arguments: Any) -> None:
        super(loader_class, cls).__init_subclass__(**arguments)
        if not (cls.__module__ or "").startswith("torch."):
            _adapt(cls)

    loader_class.__init_subclass__ = classmethod(__init_subclass__)  # type: ignore[arg-type]


def _adapt(cls: type) -> None:
    """Make the methods that produce batches run in a scope."""
    names = {name for value in vars(cls).values() for name in _find_names(value)}
    uses_cuda = bool(names & {"cuda", "Stream"})
    if not uses_cuda and "__iter__" not in vars(cls):
        return
    scope = Scope(_name_class(cls), uses_cuda)
    for name in _METHODS:
        method = vars(cls).get(name)
        if isinstance(method, types.FunctionType):
            setattr(cls, name, _wrap(method, scope))
    threads.watch()


def _name_class(cls: type) -> str:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or cls.__module__
    name = file.replace("\\", "/").rpartition("/")[2]
    return f"{cls.__qualname__} of {name}"


def _find_names(value: Any) -> Iterator[str]:
    """Yield the global and attribute names that a function and its nested functions use."""
    value = getattr(value, "__func__", value)
    codes = [value.__code__] if isinstance(value, types.FunctionType) else []
    while codes:
        code = codes.pop()
        yield from code.co_names
        codes.extend(constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _wrap(method: Callable[..., Any], scope: Scope) -> Callable[..., Any]:
    """Return a method that runs the given one in the scope; a generator leaves it between two batches."""
    if not inspect.isgeneratorfunction(method):
        return scope.wrap(method)

    @functools.wraps(method)
    def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
        batches = method(*args, **kwargs)
        while True:
            with scope:
                try:
                    batch = next(batches)
                except StopIteration:
                    return
            yield batch

    return generate
