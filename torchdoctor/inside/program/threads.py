"""Threads that a loader subclass starts to fetch batches ahead: read directly where that gives the same."""

from __future__ import annotations

import dis
import queue
import threading
import types

from .safe_loader import say
from .scope import find_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# What a thread that only hands batches on may name, besides attributes of its own.
_HANDING_ON = frozenset(
    {
        *("torch", "cuda", "set_device", "put", "get", "set", "is_set", "iter", "next", "queue", "Queue"),
        *("full", "empty", "Full", "Empty", "sleep", "time", "timeout"),
        *("StopIteration", "Exception", "BaseException"),
    }
)
# Building a tuple is no change: (True, batch) is taken apart again by __next__.
_CHANGING = (
    "BINARY",
    "INPLACE",
    "BUILD_LIST",
    "BUILD_MAP",
    "BUILD_SET",
    "BUILD_STRING",
    "YIELD",
    "STORE_SUBSCR",
)
_QUEUES = (queue.Queue, queue.SimpleQueue)


def watch() -> None:
    """Look at each thread that is started inside a scope."""
    if getattr(threading.Thread.start, "is_watched", False):
        return
    original = threading.Thread.start

    def start(self: threading.Thread) -> None:
        scope = find_scope()
        if scope is None or type(self).__module__.startswith(("torch.", "threading", "multiprocessing.")):
            return original(self)
        source = _find_source(self)
        name = type(self).__name__
        if source is not None:
            say(f"{scope.name} reads its batches without its background thread {name}")
            _read_directly(self, source)
            return None
        say(f"{scope.name} keeps its background thread {name}: it does more than hand batches on")
        self.run = scope.run(self.run)  # type: ignore[method-assign]
        return original(self)

    start.is_watched = True  # type: ignore[attr-defined]
    threading.Thread.start = start  # type: ignore[method-assign]


def _find_source(thread: threading.Thread) -> Iterable[Any] | None:
    """Find the iterable whose items the thread hands on unchanged, None where it does more."""
    kind = type(thread)
    run = getattr(kind, "run", None)
    if not hasattr(kind, "__next__") or not isinstance(run, types.FunctionType):
        return None
    own = vars(thread)
    if not any(isinstance(value, _QUEUES) for value in own.values()):
        return None
    sources = [
        value
        for name, value in own.items()
        if name in run.__code__.co_names and hasattr(type(value), "__iter__") and not isinstance(value, str)
    ]
    if len(sources) != 1 or set(run.__code__.co_names) - _HANDING_ON - own.keys():
        return None
    changes = any(i.opname.startswith(_CHANGING) for i in dis.get_instructions(run))
    nested = any(isinstance(constant, types.CodeType) for constant in run.__code__.co_consts)
    return None if changes or nested else sources[0]


def _read_directly(thread: threading.Thread, source: Iterable[Any]) -> None:
    items = iter(source)

    def read_next(self: object) -> Any:
        return next(items)

    kind = type(thread)
    thread.__class__ = type(
        kind.__name__,
        (kind,),
        {
            "__module__": kind.__module__,
            "__iter__": lambda self: self,
            "__next__": read_next,
            "next": read_next,
            "start": lambda self: None,
            "join": lambda self, timeout=None: None,
            "is_alive": lambda self: False,
        },
    )
