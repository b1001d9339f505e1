"""Find the path to each object that cannot be sent to a worker, lies on a GPU or is large.

torch is used where it is imported already.
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

    # By the identity of an object: the object, which is kept alive so, and the one it is saved for.
    Owners = dict[int, tuple[object, object]]

# Members of this size are reported as large, and so many of them.
HEAVY_BYTES = 10 << 20
MAX_HEAVY = 5
# The tracing pickler is written in Python: it needs several frames for each level of nesting.
RECURSION_LIMIT = 30000
# Windows refuses 256 MiB and more.
STACK_BYTES = 128 << 20
# Millions of small objects take minutes to trace; what was found by then is reported.
MAX_SECONDS = 20.0


class Late(BaseException):
    """Ends a trace that takes too long."""


class Step(namedtuple("Step", ("text", "owner", "attribute"), defaults=(None, None))):
    """The step from an object to the one it holds: its text, and owner and name of an attribute."""

    __slots__ = ()


_NO_STEP = Step("")
# The methods of the pickler that is written in Python, which typeshed leaves out.
_SAVE = pickle._Pickler.save  # type: ignore[attr-defined]
_SAVE_REDUCE = pickle._Pickler.save_reduce  # type: ignore[attr-defined]


def trace(value: object, name: str, answer: dict[str, Any]) -> None:
    """Add to the answer what cannot be sent, what lies on a GPU and what is heavy, each with its path."""
    sink = CountingSink()
    tracer = Tracer(sink, name)

    def run() -> None:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            with spawning():
                tracer.dump(value)
        except (Exception, Late):
            # What was found until then is reported all the same.
            pass
        finally:
            sys.setrecursionlimit(limit)

    old = threading.stack_size(STACK_BYTES if sys.maxsize > 2**32 else 0)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    threading.stack_size(old)
    thread.join(MAX_SECONDS)
    tracer.is_late = True
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
    """A pickler that knows the path to each object, and goes on after one that fails, to find them all."""

    def __init__(self, sink: CountingSink, name: str) -> None:
        """Trace the value that is called by this name."""
        super().__init__(sink)
        self.dispatch_table = _read_dispatch_table()
        self.sink, self.name = sink, name
        # The objects that are being saved, from the outermost to the innermost.
        self.stack: list[Any] = []
        # What is saved for an object: its state, and the arguments that rebuild it.
        self.states: Owners = {}
        self.arguments: Owners = {}
        self.unpicklable: list[dict[str, Any]] = []
        self.on_device: list[dict[str, Any]] = []
        self.heavy: list[dict[str, Any]] = []
        self.reported: dict[int, object] = {}
        self.inner_bytes = [0]
        self.module_depth = 0
        self.is_late = False

    def save(self, obj: Any, *args: Any, **kwargs: Any) -> None:
        """Save one object, or note why not."""
        if self.is_late:
            raise Late
        self.stack.append(obj)
        if is_on_device(obj):
            self._note_on_device(obj)
            self.stack.pop()
            _SAVE(self, None)
            return
        is_device_module = self._note_device_module(obj)
        self.module_depth += is_device_module
        start = self.sink.count
        self.inner_bytes.append(0)
        try:
            _SAVE(self, obj, *args, **kwargs)
        except (KeyboardInterrupt, Late):
            raise
        except BaseException as error:
            self._note_failure(obj, error)
        finally:
            self._note_size(self.sink.count - start)
            self.module_depth -= is_device_module
            self.stack.pop()

    def save_reduce(self, func: Any, args: Any, state: Any = None, *rest: Any, **named: Any) -> None:
        """Save what rebuilds an object, and remember for which one its state and arguments are."""
        owner = named.get("obj")
        if state is not None:
            self.states[id(state)] = (state, owner)
        self.arguments[id(args)] = (args, owner)
        _SAVE_REDUCE(self, func, args, state, *rest, **named)

    def _note_on_device(self, obj: object) -> None:
        if not self.module_depth and id(obj) not in self.reported:
            self.reported[id(obj)] = obj
            self.on_device.append(self._describe(name_device_kind(obj), name_device(obj)))

    def _note_device_module(self, obj: Any) -> bool:
        """Note an nn.Module with tensors on a GPU; return whether it is one that was not noted before."""
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

    def _note_failure(self, obj: object, error: BaseException) -> None:
        stack = self.stack
        # The parts of an archive or a pool are not the user's: the whole is what was put there.
        whole = next((o for o in stack[1:-1] if find_kind(o) and not find_definition(type(o))), None)
        if whole is not None:
            self._add_failure_above(whole, whole, error, "")
            return
        # An instance fails by its class, which cannot be found by name: the instance is what was put there.
        if isinstance(obj, type):
            owner = next((o for o in reversed(stack[:-1]) if type(o) is obj), None)
            if owner is not None:
                self._add_failure_above(owner, obj, error, "instance of ")
                return
        self._add_failure(obj, obj, error, "")

    def _add_failure_above(self, at: object, culprit: object, error: BaseException, prefix: str) -> None:
        full = self.stack
        self.stack = full[: next(i for i, o in enumerate(full) if o is at) + 1]
        self._add_failure(at, culprit, error, prefix)
        self.stack = full

    def _add_failure(self, at: object, culprit: object, error: BaseException, prefix: str) -> None:
        if id(at) in self.reported:
            return
        self.reported[id(at)] = at
        found = self._describe(prefix + name_kind(culprit, error), describe_error(error))
        found["defined"] = (
            find_definition(culprit)
            or find_raising_place(error)
            or found["defined"]
            or find_definition(type(culprit))
            or find_definition(culprit, anywhere=True)
        )
        self.unpicklable.append(found)

    def _note_size(self, size: int) -> None:
        inner = self.inner_bytes.pop()
        self.inner_bytes[-1] = max(self.inner_bytes[-1], size)
        # A size is reported only where all of it was counted.
        if self.is_late or size < HEAVY_BYTES or inner >= 0.8 * size:
            return
        member = {"path": self.find_path(), "kind": name_type(self._find_named()), "pickled_bytes": size}
        if not self.heavy or self.heavy[-1]["path"] != member["path"]:
            self.heavy.append(member)

    def _find_named(self) -> object:
        """Return the innermost object that is not part of how another one is rebuilt."""
        for i in range(len(self.stack) - 1, 0, -1):
            if self._find_step(i).text:
                return self.stack[i]
        return self.stack[0]

    def _describe(self, kind: str, detail: str) -> dict[str, Any]:
        defined = None
        for i in range(len(self.stack) - 1, 0, -1):
            step = self._find_step(i)
            if step.attribute:
                # A lock inside an Event is not assigned in the user's code, but the Event is.
                defined = describe_place(find_assignment(type(step.owner), step.attribute))
                if defined:
                    break
        return {"path": self.find_path(), "kind": kind, "detail": detail, "defined": defined}

    def find_path(self) -> str:
        """Write the path to the object that is being saved as one would in Python."""
        text = self.name + "".join(self._find_step(i).text for i in range(1, len(self.stack)))
        text = re.sub(r"\._(?:modules|parameters|buffers)\['([A-Za-z_]\w*)'\]", r".\1", text)
        return re.sub(r"\._(?:modules|parameters|buffers)\['(\w+)'\]", r"[\1]", text)

    def _find_step(self, i: int) -> Step:
        """Find the step that leads to the i-th object of the stack from the one before."""
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
            # Protocol 4 saves a part of the arguments as a tuple of its own.
            self.arguments[id(child)] = (child, parent)
        return _NO_STEP

    def _find_step_of_owner(self, owner: object, parent: Any, child: object, table: Owners) -> Step:
        """Find the step to an object in the state or arguments of another one."""
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
            # (the instance's dictionary, its slots)
            self.states[id(child)] = (child, owner)
            return _NO_STEP
        is_by_name = is_found_by_name(child) or child is type(owner)
        return _NO_STEP if index is None or is_by_name else Step(f"[{index}]")


def _find_key(parent: dict[Any, Any], child: object) -> Step:
    for key, value in parent.items():
        if value is child:
            return Step(f"[{shorten_key(key)}]")
    return Step(f" key {shorten_key(child)}")


def is_found_by_name(value: object) -> bool:
    """Return whether this is a class or function that is sent by its name."""
    if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        return False
    return "<" not in getattr(value, "__qualname__", "<")


def find_attribute(owner: object, value: object) -> str | None:
    """Find the name of the attribute that holds a value, without running a property."""
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
