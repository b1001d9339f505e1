"""Threads that a loader subclass starts to fetch batches ahead: read directly where that is the same."""

import dis
import queue
import threading
import types

from _torchdoctor_startup.safe_loader import say
from _torchdoctor_startup.scope import find_scope

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


def watch():
    """Look at each thread that is started inside a scope."""
    if getattr(threading.Thread.start, "watched", False):
        return
    original = threading.Thread.start

    def start(self):
        scope = find_scope()
        if scope is None or type(self).__module__.startswith(("torch.", "threading", "multiprocessing.")):
            return original(self)
        source = _find_source(self)
        if source is not None:
            say("%s reads its batches without its background thread %s" % (scope.name, type(self).__name__))
            _read_directly(self, source)
            return None
        say(
            "%s keeps its background thread %s: it does more than hand batches on"
            % (scope.name, type(self).__name__)
        )
        self.run = scope.run(self.run)
        return original(self)

    start.watched = True
    threading.Thread.start = start


def _find_source(thread):
    """Give the iterable whose items the thread hands on unchanged, None if it does more."""
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


def _read_directly(thread, source):
    items = iter(source)

    def give_next(self):
        return next(items)

    kind = type(thread)
    thread.__class__ = type(
        kind.__name__,
        (kind,),
        {
            "__module__": kind.__module__,
            "__iter__": lambda self: self,
            "__next__": give_next,
            "next": give_next,
            "start": lambda self: None,
            "join": lambda self, timeout=None: None,
            "is_alive": lambda self: False,
        },
    )
