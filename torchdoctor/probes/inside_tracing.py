"""Runs in the examined interpreter: finds the way to each object that cannot be sent to a worker.

Standard library only, Python 3.8 syntax. torch is used where the caller has imported it.
"""

import copyreg
import pickle
import re
import sys
import threading
import types

from torchdoctor.probes.inside_kinds import (
    describe_error,
    find_kind,
    is_on_device,
    name_device,
    name_device_kind,
    name_kind,
    name_type,
    short,
)
from torchdoctor.probes.inside_places import (
    describe_place,
    find_assignment,
    find_definition,
    find_raising_place,
)
from torchdoctor.probes.inside_spawning import Counter, spawning

# What is called heavy in a large pickle, and how many such members are named.
HEAVY_BYTES = 10 << 20
HEAVY_SHOWN = 5
SHOWN = 50
# The tracing pickler is written in Python: it needs several frames for each level of nesting.
RECURSION_LIMIT = 30000
# Windows refuses 256 MiB and more.
STACK_BYTES = 128 << 20
# Millions of small objects take minutes to trace; what was found by then is told.
MOST_SECONDS = 20.0


class Late(BaseException):
    """Ends a trace that takes too long."""


def trace(value, name, answer):
    """Fill in the paths of all that fails, lies on a GPU or is heavy."""
    sink = Counter()
    sink.kept = None
    tracer = Tracer(sink, name)

    def run():
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            with spawning():
                tracer.dump(value)
        except (Exception, Late):
            # What was found until then is told all the same.
            pass
        finally:
            sys.setrecursionlimit(limit)

    old = threading.stack_size(STACK_BYTES if sys.maxsize > 2**32 else 0)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    threading.stack_size(old)
    thread.join(MOST_SECONDS)
    tracer.is_late = True
    thread.join()
    answer["unpicklable"] = tracer.unpicklable[:SHOWN]
    answer["on_device"] = tracer.on_device[:SHOWN]
    heaviest = sorted(tracer.heavy, key=lambda member: -member["pickled_bytes"])
    answer["heavy"] = heaviest[:HEAVY_SHOWN]


def _read_dispatch_table():
    from multiprocessing.reduction import ForkingPickler

    table = dict(copyreg.dispatch_table)
    table.update(ForkingPickler._extra_reducers)
    return table


class Tracer(pickle._Pickler):
    """A pickler that knows the way to each object, and steps over what fails to find all of it."""

    def __init__(self, sink, name):
        super().__init__(sink)
        self.dispatch_table = _read_dispatch_table()
        self.sink, self.name = sink, name
        self.stack = []
        # What is saved on behalf of an object, by identity: its state, and the arguments that rebuild it.
        self.states, self.arguments = {}, {}
        self.unpicklable, self.on_device, self.heavy = [], [], []
        self.told = {}
        self.inner_bytes = [0]
        self.module_depth = 0
        self.is_late = False

    def save(self, obj, *args, **kwargs):
        """Save one object, or note why not."""
        if self.is_late:
            raise Late
        self.stack.append(obj)
        is_device_module = self._note_device(obj)
        if is_device_module is None:
            self.stack.pop()
            return pickle._Pickler.save(self, None)
        self.module_depth += is_device_module
        start = self.sink.count
        self.inner_bytes.append(0)
        try:
            return pickle._Pickler.save(self, obj, *args, **kwargs)
        except (KeyboardInterrupt, Late):
            raise
        except BaseException as error:
            self._note_failure(obj, error)
        finally:
            self._note_size(obj, self.sink.count - start)
            self.module_depth -= is_device_module
            self.stack.pop()

    def save_reduce(self, func, args, state=None, *rest, **named):
        """Remember whose state and arguments these are."""
        owner = named.get("obj")
        if state is not None:
            self.states[id(state)] = (state, owner)
        self.arguments[id(args)] = (args, owner)
        return pickle._Pickler.save_reduce(self, func, args, state, *rest, **named)

    def _note_device(self, obj):
        """Note what lies on a GPU: None for a leaf that is not to be saved, else 1 for a whole module."""
        if is_on_device(obj):
            if not self.module_depth and id(obj) not in self.told:
                self.told[id(obj)] = obj
                self.on_device.append(self._describe(obj, name_device(obj)))
            return None
        torch = sys.modules.get("torch")
        module = getattr(getattr(torch, "nn", None), "Module", None)
        if module is None or self.module_depth or not isinstance(obj, module):
            return 0
        tensors = [t for t in list(obj.parameters()) + list(obj.buffers()) if is_on_device(t)]
        if not tensors or id(obj) in self.told:
            return 0
        self.told[id(obj)] = obj
        kind = "%s with %d tensor%s on the GPU" % (name_type(obj), len(tensors), "s"[: len(tensors) > 1])
        self.on_device.append(self._describe(obj, name_device(tensors[0]), kind=kind))
        return 1

    def _note_failure(self, obj, error):
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

    def _add_failure_above(self, at, culprit, error, prefix):
        full = self.stack
        self.stack = full[: next(i for i, o in enumerate(full) if o is at) + 1]
        self._add_failure(at, culprit, error, prefix)
        self.stack = full

    def _add_failure(self, at, culprit, error, prefix):
        if id(at) in self.told:
            return
        self.told[id(at)] = at
        detail = describe_error(error)
        found = self._describe(at, detail, kind=prefix + name_kind(culprit, error))
        raising = find_raising_place(error)
        found["defined"] = (
            find_definition(culprit)
            or raising
            or found["defined"]
            or find_definition(type(culprit))
            or find_definition(culprit, anywhere=True)
        )
        self.unpicklable.append(found)

    def _note_size(self, obj, size):
        inner = self.inner_bytes.pop()
        self.inner_bytes[-1] = max(self.inner_bytes[-1], size)
        # A size is told only where all of it was counted.
        if not self.is_late and size >= HEAVY_BYTES and inner < 0.8 * size:
            member = {"path": self.find_path(), "kind": name_type(self._find_named()), "pickled_bytes": size}
            if not self.heavy or self.heavy[-1]["path"] != member["path"]:
                self.heavy.append(member)

    def _find_named(self):
        """Give the innermost object that is not part of how another one is rebuilt."""
        for i in range(len(self.stack) - 1, 0, -1):
            if self._label(i)[0]:
                return self.stack[i]
        return self.stack[0]

    def _describe(self, obj, detail, kind=None):
        defined = None
        for i in range(len(self.stack) - 1, 0, -1):
            _, owner, attribute = self._label(i)
            if attribute:
                # A lock inside an Event is not assigned in the user's code, but the Event is.
                defined = describe_place(find_assignment(type(owner), attribute))
                if defined:
                    break
        return {
            "path": self.find_path(),
            "kind": kind or name_device_kind(obj),
            "detail": detail,
            "defined": defined,
        }

    def find_path(self):
        """Write the way to the object being saved as one would in Python."""
        text = self.name + "".join(self._label(i)[0] for i in range(1, len(self.stack)))
        text = re.sub(r"\._(?:modules|parameters|buffers)\['([A-Za-z_]\w*)'\]", r".\1", text)
        return re.sub(r"\._(?:modules|parameters|buffers)\['(\w+)'\]", r"[\1]", text)

    def _label(self, i):
        """Give how the i-th object hangs on the one before: the text, and owner and attribute."""
        child, parent = self.stack[i], self.stack[i - 1]
        for table in (self.states, self.arguments):
            if id(child) in table and table[id(child)][1] is parent:
                return "", None, None
        for table in (self.states, self.arguments):
            if id(parent) in table:
                return self._label_of_owned(table[id(parent)][1], parent, child, table)
        if isinstance(parent, dict):
            for key, value in parent.items():
                if value is child:
                    return "[%s]" % short(key), None, None
            return " key %s" % short(child), None, None
        if isinstance(parent, (list, tuple)):
            for index, value in enumerate(parent):
                if value is child:
                    return "[%d]" % index, None, None
        if isinstance(parent, (set, frozenset)):
            return "{...}", None, None
        name = find_attribute(parent, child)
        if name:
            return "." + name, parent, name
        if isinstance(child, (tuple, dict)):
            # Protocol 4 saves a part of the arguments as a tuple of its own.
            self.arguments[id(child)] = (child, parent)
        return "", None, None

    def _label_of_owned(self, owner, parent, child, table):
        if isinstance(parent, dict) and table is self.states:
            for key, value in parent.items():
                if value is child:
                    return "." + str(key), owner, str(key)
            return "", None, None
        name = find_attribute(owner, child)
        if name:
            return "." + name, owner, name
        if isinstance(parent, tuple):
            for index, value in enumerate(parent):
                if value is child:
                    if isinstance(child, dict) and table is self.states:
                        # (the instance's dictionary, its slots)
                        self.states[id(child)] = (child, owner)
                        return "", None, None
                    if is_callable_module_level(child) or child is type(owner):
                        return "", None, None
                    return "[%d]" % index, None, None
        return "", None, None


def is_callable_module_level(value):
    """Tell whether this is a class or function that is sent by its name."""
    if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        return False
    return "<" not in getattr(value, "__qualname__", "<")


def find_attribute(owner, value):
    """Give the name of the attribute that holds a value, without running a property."""
    held = getattr(owner, "__dict__", None)
    if isinstance(held, dict):
        for name, item in held.items():
            if item is value:
                return str(name)
    kinds = (types.MemberDescriptorType,)
    if value is None or isinstance(value, (bool, int, str)):
        return None
    for cls in type(owner).__mro__:
        for name, descriptor in list(cls.__dict__.items()):
            if isinstance(descriptor, kinds) and not name.startswith("__dict"):
                try:
                    if descriptor.__get__(owner) is value:
                        return name
                except Exception:
                    continue
    return None
