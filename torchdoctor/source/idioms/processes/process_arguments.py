"""What processes and pools are given that cannot be sent to them."""

import ast
from collections.abc import Iterator, Sequence

from torchdoctor.source.idioms.loading.datasets import (
    find_constructor_methods,
    find_self_attribute,
    find_stored_values,
    has_custom_pickling,
    is_dropped_later,
)
from torchdoctor.source.idioms.pickling.generators import is_generator
from torchdoctor.source.idioms.pickling.handles import describe_handle, find_handle
from torchdoctor.source.idioms.pickling.unpicklable import find_unpicklable, is_guarded
from torchdoctor.source.idioms.processes.guarded_names import find_missing_names
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule

# The methods of a pool and of an executor that give their processes a function.
SENDING_METHODS = frozenset(
    {
        "map",
        "imap",
        "imap_unordered",
        "starmap",
        "apply",
        "apply_async",
        "map_async",
        "starmap_async",
        "submit",
    }
)
_PROCESS = "multiprocessing.Process"
# Calls that start processes with an initializer, and the position of that.
POOLS = {"multiprocessing.Pool": 1, "concurrent.futures.ProcessPoolExecutor": 2}
# Objects of the process itself, tried with each on Windows Python 3.11. Those of multiprocessing can be sent.
_OWN_OBJECTS = frozenset(
    {
        "threading.Thread",
        "threading.Event",
        "threading.Condition",
        "threading.Semaphore",
        "threading.Timer",
        "queue.Queue",
        "queue.PriorityQueue",
        "queue.LifoQueue",
        "concurrent.futures.ThreadPoolExecutor",
        "concurrent.futures.ProcessPoolExecutor",
        "multiprocessing.Pool",
    }
)
# They have a pickler of their own.
_OTHER_PACKAGES = ("multiprocess", "pathos", "billiard", "loky", "ray", "dill", "cloudpickle")

Problem = tuple[ast.AST, str]


def find_unsendable(module: ParsedModule, *, is_notebook: bool) -> Iterator[Problem]:
    """Yield what started processes are given that cannot be sent to them, each with a description."""
    if any(name.partition(".")[0] in _OTHER_PACKAGES for name in _find_imported_packages(module)):
        return
    for call in module.calls:
        name = module.find_dotted_name(call.func)
        if name == _PROCESS:
            yield from _find_in_process(module, call, is_notebook=is_notebook)
        elif name in POOLS:
            yield from _find_in_initializer(module, call, name)
        elif name in module.classes and _is_process(module, module.classes[name]):
            yield from _find_in_call_of_subclass(module, call, name)
        elif getattr(call.func, "attr", "") in SENDING_METHODS and call.args:
            yield from _find_in_pool(module, call, is_notebook=is_notebook)
    for owner in module.classes.values():
        if _is_process(module, owner):
            yield from _find_stored(module, owner, f"{owner.name}, a subclass of Process,")


def _is_process(module: ParsedModule, owner: ast.ClassDef) -> bool:
    return _PROCESS in module.find_base_names(owner) and not has_custom_pickling(module, owner)


def _find_imported_packages(module: ParsedModule) -> Iterator[str]:
    for node in [*module.nodes.get(ast.Import, ()), *module.nodes.get(ast.ImportFrom, ())]:
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str() as name, level=0):
                yield name


def _find_in_process(module: ParsedModule, call: ast.Call, *, is_notebook: bool) -> Iterator[Problem]:
    target = find_argument(call, "target", 1)
    for node, what in find_unpicklable(module, target):
        yield node, f"the target of a process is {what.rstrip(',')}"
    if not is_notebook and isinstance(target, ast.expr):
        yield from _find_missing(module, target, "the target of a process is")
    match target:
        case ast.Name(id=name) if is_notebook and name in module.functions:
            yield target, f"the target of a process is {name}(), defined in the notebook"
        case ast.Attribute(value=ast.Name(id="self"), attr=method):
            owner = module.find_class(call)
            if owner is not None and not has_custom_pickling(module, owner):
                yield from _find_in_owner(module, call, owner, method)
    for value in (*_find_items(find_argument(call, "args", 3)), *_find_items(find_keyword(call, "kwargs"))):
        for node, what in _find_unsendable_value(module, value):
            yield node, f"an argument of a process is {what}"


def _find_items(node: ast.expr | None) -> Sequence[ast.expr]:
    match node:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Dict(values=items):
            return items
    return ()


def _find_unsendable_value(module: ParsedModule, value: ast.expr) -> Iterator[Problem]:
    """Yield the value, or what it keeps, if it cannot be sent."""
    if is_generator(module, value):
        yield value, "a generator"
    elif (handle := find_handle(module, value)) is not None:
        yield value, describe_handle(handle)
    elif (own := _find_own_object(module, value)) is not None:
        yield value, own
    else:
        yield from ((node, what.rstrip(",")) for node, what in find_unpicklable(module, value))


def _find_own_object(module: ParsedModule, value: ast.expr) -> str | None:
    made = module.find_only_value(value) if isinstance(value, ast.Name) else value
    name = module.find_dotted_name(made.func) if isinstance(made, ast.Call) else ""
    return f"a {name}" if name in _OWN_OBJECTS else None


def _find_in_initializer(module: ParsedModule, call: ast.Call, name: str) -> Iterator[Problem]:
    for node, what in find_unpicklable(module, find_argument(call, "initializer", POOLS[name])):
        yield node, f"the initializer of a pool is {what.rstrip(',')}"
    for value in _find_items(find_argument(call, "initargs", POOLS[name] + 1)):
        for node, what in _find_unsendable_value(module, value):
            yield node, f"an argument of a pool's initializer is {what}"


def _find_in_call_of_subclass(module: ParsedModule, call: ast.Call, name: str) -> Iterator[Problem]:
    for value in (*call.args, *(each.value for each in call.keywords)):
        for node, what in find_unpicklable(module, value):
            yield node, f"an argument of {name}, a subclass of Process, is {what.rstrip(',')}"


def _find_in_owner(
    module: ParsedModule, call: ast.Call, owner: ast.ClassDef, method: str
) -> Iterator[Problem]:
    """Yield what the object keeps on whose method a process is started; it is sent with the method."""
    subject = f"the target of a process is {method}() of {owner.name}, which"
    for node, message in _find_stored(module, owner, subject):
        is_in_same = module.find_function(node) is module.find_function(call)
        # What is stored after the start is not sent.
        if not (is_in_same and getattr(node, "lineno", 0) > call.lineno):
            yield node, message
    if (name := _find_list_of_processes(module, call)) is not None:
        yield call, f"{subject} keeps its started processes in self.{name}"


def _find_stored(module: ParsedModule, owner: ast.ClassDef, subject: str) -> Iterator[Problem]:
    code = find_constructor_methods(module, owner)
    stored = list(find_stored_values(code))
    if any(name == "start" for name, _ in stored):
        # It is not started as a process, at least not always.
        return
    for name, value in stored:
        if is_dropped_later(code, name):
            continue
        for node, what in _find_unsendable_value(module, value):
            yield node, f"{subject} keeps {what} in self.{name}"


def _find_list_of_processes(module: ParsedModule, call: ast.Call) -> str | None:
    """Return the attribute in which several processes are kept; a started one cannot be sent to the next."""
    parent = module.parents.get(call)
    match parent:
        case ast.Assign(targets=[ast.Name(id=name)]):
            scope = module.find_scope(call)
            uses = [each for each in module.uses.get(name, ()) if module.find_scope(each) is scope]
            appended = (_find_list(module.parents.get(use)) for use in uses if _is_repeated(module, call))
            return next((attribute for attribute in appended if attribute), None)
        case ast.Call() if _is_repeated(module, call):
            return _find_list(parent)
        case ast.ListComp():
            match module.parents.get(parent):
                case ast.Assign(targets=[target]):
                    return find_self_attribute(target)
    return None


def _find_list(node: ast.AST | None) -> str | None:
    """Return "x" for `self.x.append(...)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=target, attr="append")):
            return find_self_attribute(target)
    return None


def _is_repeated(module: ParsedModule, node: ast.AST) -> bool:
    function = module.find_function(node)
    for parent in module.ancestors(node):
        if parent is function:
            return False
        if isinstance(parent, (ast.For, ast.While)):
            return True
    return False


def _find_in_pool(module: ParsedModule, call: ast.Call, *, is_notebook: bool) -> Iterator[Problem]:
    """Yield the function that a pool is given, if only a copy of this process would know it."""
    function = call.args[0]
    if not isinstance(call.func, ast.Attribute) or not is_pool(module, call.func.value):
        return
    if not is_notebook:
        yield from _find_missing(module, function, "a pool is given")
    if not isinstance(function, ast.Name):
        return
    definition = module.functions.get(function.id)
    if definition is None or module.find_bindings(function):
        return
    if is_guarded(module, definition):
        yield function, f"a pool is given {function.id}(), a function defined under the main guard"
    elif is_notebook:
        yield function, f"a pool is given {function.id}(), defined in the notebook"


def _find_missing(module: ParsedModule, given: ast.expr, subject: str) -> Iterator[Problem]:
    """Yield the function that a process is given, if it reads a name that the process does not have."""
    if isinstance(given, ast.Call) and module.find_dotted_name(given.func) == "functools.partial":
        given = given.args[0] if given.args else given
    if not isinstance(given, ast.Name):
        return
    function = module.functions.get(given.id)
    # What is defined under the guard is reported for that.
    if function is None or module.find_bindings(given) or is_guarded(module, function):
        return
    missing = find_missing_names(module, function)
    if missing:
        first, others = missing[0], len(missing) - 1
        names = first.name if not others else f"{first.name} and {others} other name{'s' * (others > 1)}"
        setter = f"by {first.setter}() in the main process" if first.setter else "under the main guard"
        yield (
            given,
            f"{subject} {function.name}(), which reads {names}, set only {setter} (line {first.line})",
        )


def is_pool(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether an expression is a pool of processes, or a name that can be one."""
    bindings = module.find_bindings(node) if isinstance(node, ast.Name) else ()
    return any(
        isinstance(value, ast.Call) and module.find_dotted_name(value.func) in POOLS
        for value in (node, *(binding.value for binding in bindings))
    )
