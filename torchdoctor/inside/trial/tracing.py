"""Finds the path to each object that cannot be sent to a worker, is on a GPU or is large.

torch is used only if it is already imported.
"""

from __future__ import annotations

import copyreg
import pickle
import re
import sys
import threading
import types
from collections import namedtuple
from multiprocessing.reduction import ForkingPickler

from ..pickling import CountingSink, spawning
from . import MAX_MEMBERS
from .kinds import (
    describe_error,
    find_kind,
    is_on_device,
    name_device,
    name_device_kind,
    name_kind,
    name_type,
    shorten_key,
)
from .places import describe_place, find_assignment, find_definition, find_raising_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # By the id of an object: the object, so that the id stays valid, and the object it is saved for.
    Owners = dict[int, tuple[object, object]]

# Members of at least this size are reported as large, up to this number of them.
HEAVY_BYTES = 10 << 20
MAX_HEAVY = 5
# The tracing pickler is written in Python, and needs several frames for each level of nesting.
RECURSION_LIMIT = 30000
# On Windows, a stack of 256 MiB or more is refused.
STACK_BYTES = 128 << 20
# Millions of small objects take minutes to trace; what is found within this time is reported.
MAX_SECONDS = 20.0


class TraceTimeout(BaseException):
    """The trace takes too long."""


class Step(namedtuple("Step", ("text", "owner", "attribute"), defaults=(None, None))):
    """The step of a path from an object to one it holds: its text, and the owner and name of an attribute."""

    __slots__ = ()


_NO_STEP = Step("")
# Methods of the pickler written in Python, which typeshed omits.
_SAVE = pickle._Pickler.save  # type: ignore[attr-defined]
_SAVE_REDUCE = pickle._Pickler.save_reduce  # type: ignore[attr-defined]


def trace(value: object, name: str, answer: dict[str, Any]) -> None:
    """Add to the answer the members that cannot be sent, are on a GPU or are large, each with its path."""
    sink = CountingSink()
    tracer = Tracer(sink, name)

    def run() -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            with spawning():
                tracer.dump(value)
        except (Exception, TraceTimeout):
            # What was found before is still reported.
            pass
        finally:
            sys.setrecursionlimit(limit)

    previous_stack_size = threading.stack_size(STACK_BYTES if sys.maxsize > 2**32 else 0)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    threading.stack_size(previous_stack_size)
    thread.join(MAX_SECONDS)
    tracer.has_timed_out = True
    thread.join()
    answer["unpicklable"] = tracer.unpicklable[:MAX_MEMBERS]
    answer["on_device"] = tracer.on_device[:MAX_MEMBERS]
    heaviest = sorted(tracer.heavy, key=lambda member: -member["pickled_bytes"])
    answer["heavy"] = heaviest[:MAX_HEAVY]


def _read_dispatch_table() -> dict[Any, Any]:
    table = dict(copyreg.dispatch_table)
    table.update(ForkingPickler._extra_reducers)  # type: ignore[attr-defined]
    return table


class Tracer(pickle._Pickler):
    """Pickler that knows the path to each object, and continues after one that fails, to find all of them."""

    def __init__(self, sink: CountingSink, name: str) -> None:
        """Take a sink for the pickle, and the name of the value to trace."""
        super().__init__(sink)
        self.dispatch_table = _read_dispatch_table()
        self.sink, self.name = sink, name
        # The objects being saved, from the outermost to the innermost.
        self.stack: list[Any] = []
        # The states of objects, and the arguments that rebuild them.
        self.states: Owners = {}
        self.arguments: Owners = {}
        self.unpicklable: list[dict[str, Any]] = []
        self.on_device: list[dict[str, Any]] = []
        self.heavy: list[dict[str, Any]] = []
        # By id, which the reference keeps valid.
        self.reported: dict[int, object] = {}
        # For each object being saved, the size of the largest object inside it.
        self.inner_bytes = [0]
        # Above 0 inside a reported nn.Module, whose tensors are not reported again.
        self.module_depth = 0
        self.has_timed_out = False

    def save(self, obj: Any, *args: Any, **kwargs: Any) -> None:
        """Save an object, or record why it cannot be sent."""
        if self.has_timed_out:
            raise TraceTimeout
        self.stack.append(obj)
        if is_on_device(obj):
            self._record_on_device(obj)
            self.stack.pop()
            _SAVE(self, None)
            return
        is_device_module = self._record_device_module(obj)
        self.module_depth += is_device_module
        start = self.sink.count
        self.inner_bytes.append(0)
        try:
            _SAVE(self, obj, *args, **kwargs)
        except (KeyboardInterrupt, TraceTimeout, RecursionError):
            # A path through thousands of levels says nothing: the attribute is named instead.
            raise
        except BaseException as error:
            self._record_failure(obj, error)
        finally:
            self._record_size(self.sink.count - start)
            self.module_depth -= is_device_module
            self.stack.pop()

    def save_reduce(self, func: Any, args: Any, state: Any = None, *rest: Any, **named: Any) -> None:
        """Save what rebuilds an object, and record that its state and arguments belong to it."""
        owner = named.get("obj")
        if state is not None:
            self.states[id(state)] = (state, owner)
        self.arguments[id(args)] = (args, owner)
        _SAVE_REDUCE(self, func, args, state, *rest, **named)

    def _record_on_device(self, obj: object) -> None:
        if not self.module_depth and id(obj) not in self.reported:
            self.reported[id(obj)] = obj
            self.on_device.append(self._describe(name_device_kind(obj), name_device(obj)))

    def _record_device_module(self, obj: Any) -> bool:
        """Record an nn.Module with tensors on a GPU; return whether a new one was recorded."""
        torch = sys.modules.get("torch")
        module = getattr(getattr(torch, "nn", None), "Module", None)
        if module is None or self.module_depth or not isinstance(obj, module):
            return False
        tensors = [t for t in [*obj.parameters(), *obj.buffers()] if is_on_device(t)]
        if not tensors or id(obj) in self.reported:
            return False
        self.reported[id(obj)] = obj
        count = "1 tensor" if len(tensors) == 1 else f"{len(tensors)} tensors"
        self.on_device.append(
            self._describe(f"{name_type(obj)} with {count} on the GPU", name_device(tensors[0]))
        )
        return True

    def _record_failure(self, obj: object, error: BaseException) -> None:
        stack = self.stack
        # The user stores an archive or a pool as a whole, so that is reported instead of the part that fails.
        container = next((o for o in stack[1:-1] if find_kind(o) and not find_definition(type(o))), None)
        if container is not None:
            self._add_failure_at(container, container, error, "")
            return
        # An instance fails because its class cannot be found by name; the instance is what the user stores.
        if isinstance(obj, type):
            instance = next((o for o in reversed(stack[:-1]) if type(o) is obj), None)
            if instance is not None:
                self._add_failure_at(instance, obj, error, "instance of ")
                return
        self._add_failure(obj, obj, error, "")

    def _add_failure_at(self, obj: object, cause: object, error: BaseException, prefix: str) -> None:
        """Add a failure with the path to an outer object on the stack."""
        stack = self.stack
        self.stack = stack[: next(i for i, o in enumerate(stack) if o is obj) + 1]
        self._add_failure(obj, cause, error, prefix)
        self.stack = stack

    def _add_failure(self, obj: object, cause: object, error: BaseException, prefix: str) -> None:
        """Add a failure of the innermost object on the stack, unless that was reported before."""
        if id(obj) in self.reported:
            return
        self.reported[id(obj)] = obj
        member = self._describe(prefix + name_kind(cause, error), describe_error(error))
        member["defined"] = (
            find_definition(cause)
            or find_raising_place(error)
            or member["defined"]
            or find_definition(type(cause))
            or find_definition(cause, anywhere=True)
        )
        self.unpicklable.append(member)

    def _record_size(self, size: int) -> None:
        inner_bytes = self.inner_bytes.pop()
        self.inner_bytes[-1] = max(self.inner_bytes[-1], size)
        # After a timeout, the size is incomplete. If one object inside has most of the size, it is reported.
        if self.has_timed_out or size < HEAVY_BYTES or inner_bytes >= 0.8 * size:
            return
        member = {
            "path": self.find_path(),
            "kind": name_type(self._find_innermost_object()),
            "pickled_bytes": size,
        }
        if not self.heavy or self.heavy[-1]["path"] != member["path"]:
            self.heavy.append(member)

    def _find_innermost_object(self) -> object:
        """Return the innermost object on the stack that has a step of its own in the path."""
        for i in range(len(self.stack) - 1, 0, -1):
            if self._find_step(i).text:
                return self.stack[i]
        return self.stack[0]

    def _describe(self, kind: str, detail: str) -> dict[str, Any]:
        """Return the innermost object on the stack as a member of the answer."""
        defined = None
        for i in range(len(self.stack) - 1, 0, -1):
            step = self._find_step(i)
            if step.attribute:
                # The user's code does not assign the lock inside an Event, but it assigns the Event.
                defined = describe_place(find_assignment(type(step.owner), step.attribute))
                if defined:
                    break
        return {"path": self.find_path(), "kind": kind, "detail": detail, "defined": defined}

    def find_path(self) -> str:
        """Return the path to the innermost object being saved, as a Python expression."""
        text = self.name + "".join(self._find_step(i).text for i in range(1, len(self.stack)))
        text = re.sub(r"\._(?:modules|parameters|buffers)\['([A-Za-z_]\w*)'\]", r".\1", text)
        return re.sub(r"\._(?:modules|parameters|buffers)\['(\w+)'\]", r"[\1]", text)

    def _find_step(self, i: int) -> Step:
        """Return the step to the i-th object of the stack from the object before it."""
        child, parent = self.stack[i], self.stack[i - 1]
        for table in (self.states, self.arguments):
            if id(child) in table and table[id(child)][1] is parent:
                return _NO_STEP
        for table in (self.states, self.arguments):
            if id(parent) in table:
                return self._find_step_of_owner(table[id(parent)][1], parent, child, table)
        if isinstance(parent, dict):
            return _find_key(parent, child)
        if isinstance(parent, (list, tuple)):
            for index, value in enumerate(parent):
                if value is child:
                    return Step(f"[{index}]")
        if isinstance(parent, (set, frozenset)):
            return Step("{...}")
        name = find_attribute(parent, child)
        if name:
            return Step("." + name, parent, name)
        if isinstance(child, (tuple, dict)):
            # Protocol 4 saves a part of the arguments as a separate tuple.
            self.arguments[id(child)] = (child, parent)
        return _NO_STEP

    def _find_step_of_owner(self, owner: object, parent: Any, child: object, table: Owners) -> Step:
        """Return the step from an owner to an object in `parent`, the state or arguments of the owner."""
        if isinstance(parent, dict) and table is self.states:
            for key, value in parent.items():
                if value is child:
                    return Step("." + str(key), owner, str(key))
            return _NO_STEP
        name = find_attribute(owner, child)
        if name:
            return Step("." + name, owner, name)
        if not isinstance(parent, tuple):
            return _NO_STEP
        index = next((index for index, value in enumerate(parent) if value is child), None)
        if isinstance(child, dict) and table is self.states and index is not None:
            # The state is a tuple of the instance's dictionary and its slots.
            self.states[id(child)] = (child, owner)
            return _NO_STEP
        is_sent_by_name = is_found_by_name(child) or child is type(owner)
        return _NO_STEP if index is None or is_sent_by_name else Step(f"[{index}]")


def _find_key(parent: dict[Any, Any], child: object) -> Step:
    for key, value in parent.items():
        if value is child:
            return Step(f"[{shorten_key(key)}]")
    return Step(f" key {shorten_key(child)}")


def is_found_by_name(value: object) -> bool:
    """Return whether a value is a class or function that is pickled by its name."""
    if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        return False
    return "<" not in getattr(value, "__qualname__", "<")


def find_attribute(owner: object, value: object) -> str | None:
    """Return the name of the attribute that holds a value, or None; properties are not run."""
    attributes = getattr(owner, "__dict__", None)
    if isinstance(attributes, dict):
        for name, item in attributes.items():
            if item is value:
                return str(name)
    if value is None or isinstance(value, (bool, int, str)):
        return None
    for cls in type(owner).__mro__:
        for name, descriptor in list(cls.__dict__.items()):
            if isinstance(descriptor, types.MemberDescriptorType) and not name.startswith("__dict"):
                try:
                    if descriptor.__get__(owner) is value:
                        return str(name)
                except Exception:
                    continue
    return None
