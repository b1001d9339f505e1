"""Replaces background threads of a loader subclass by direct reads, if the threads only pass batches on."""

from __future__ import annotations

import dis
import queue
import threading
import types

from .messages import print_once
from .scope import find_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# The names that a thread that only passes batches on may use, besides its own attributes.
_PASSING_NAMES = frozenset(
    {
        *("torch", "cuda", "set_device", "put", "get", "set", "is_set", "iter", "next", "queue", "Queue"),
        *("full", "empty", "Full", "Empty", "sleep", "time", "timeout"),
        *("StopIteration", "Exception", "BaseException"),
    }
)
# Prefixes of the instructions that may change a batch. Building a tuple is not one of them: __next__ takes
# (True, batch) apart again.
_CHANGING_INSTRUCTIONS = (
    "BINARY",
    "INPLACE",
    "BUILD_LIST",
    "BUILD_MAP",
    "BUILD_SET",
    "BUILD_STRING",
    "YIELD",
    "STORE_SUBSCR",
)
_QUEUE_TYPES = (queue.Queue, queue.SimpleQueue)


def watch() -> None:
    """Examine each thread that is started inside a scope, and replace it if it only passes batches on."""
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
            print_once(f"{scope.name} reads its batches without its background thread {name}")
            _read_directly(self, source)
            return None
        print_once(f"{scope.name} keeps its background thread {name}: it does more than pass batches on")
        self.run = scope.wrap(self.run)  # type: ignore[method-assign]
        return original(self)

    start.is_watched = True  # type: ignore[attr-defined]
    threading.Thread.start = start  # type: ignore[method-assign]


def _find_source(thread: threading.Thread) -> Iterable[Any] | None:
    """Return the iterable whose items the thread passes on unchanged, or None if it does more than that."""
    cls = type(thread)
    run = getattr(cls, "run", None)
    if not hasattr(cls, "__next__") or not isinstance(run, types.FunctionType):
        return None
    attributes = vars(thread)
    if not any(isinstance(value, _QUEUE_TYPES) for value in attributes.values()):
        return None
    sources = [
        value
        for name, value in attributes.items()
        if name in run.__code__.co_names and hasattr(type(value), "__iter__") and not isinstance(value, str)
    ]
    if len(sources) != 1 or set(run.__code__.co_names) - _PASSING_NAMES - attributes.keys():
        return None
    changes_items = any(i.opname.startswith(_CHANGING_INSTRUCTIONS) for i in dis.get_instructions(run))
    has_nested_code = any(isinstance(constant, types.CodeType) for constant in run.__code__.co_consts)
    return None if changes_items or has_nested_code else sources[0]


def _read_directly(thread: threading.Thread, source: Iterable[Any]) -> None:
    """Make the thread an iterator over the source that cannot be started."""
    items = iter(source)

    def read_next(self: object) -> Any:
        return next(items)

    cls = type(thread)
    thread.__class__ = type(
        cls.__name__,
        (cls,),
        {
            "__module__": cls.__module__,
            "__iter__": lambda self: self,
            "__next__": read_next,
            "next": read_next,
            "start": lambda self: None,
            "join": lambda self, timeout=None: None,
            "is_alive": lambda self: False,
        },
    )
