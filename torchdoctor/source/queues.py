"""Which names are queues or pipes between processes, not between threads."""

import ast

from torchdoctor.source.view import Function, View, keyword

_QUEUES = frozenset(
    {
        "multiprocessing.Queue",
        "multiprocessing.SimpleQueue",
        "multiprocessing.JoinableQueue",
        "multiprocessing.queues.Queue",
        "multiprocessing.queues.SimpleQueue",
        "multiprocessing.Pipe",
    }
)


def is_process_queue(view: View, node: ast.expr) -> bool:
    """Tell whether an expression is a queue or pipe of multiprocessing, also inside a process's target."""
    match node:
        case ast.Name():
            if any(_makes_queue(view, each.value) for each in view.find_bindings(node)):
                return True
            function = view.find_parameter(node)
            return function is not None and _is_passed_queue(view, function, node.id)
        case ast.Attribute(attr=name):
            return any(
                _makes_queue(view, binding.value) for _, binding in view.attributes.get(name, ())
            ) or any(_is_queue_parameter(view, binding.value) for _, binding in view.attributes.get(name, ()))
        case ast.Subscript(value=value):
            return is_process_queue(view, value)
    return False


def _makes_queue(view: View, value: ast.expr | None) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(value=base, attr="Queue" | "JoinableQueue" | "SimpleQueue")):
            return view.canonical(value.func) in _QUEUES or _makes_manager(view, base)
        case ast.Call(func=func):
            return view.canonical(func) in _QUEUES
        case ast.ListComp(elt=element):
            return _makes_queue(view, element)
        case ast.List(elts=[first, *_]):
            return _makes_queue(view, first)
    return False


def _makes_manager(view: View, node: ast.expr) -> bool:
    bindings = view.find_bindings(node) if isinstance(node, ast.Name) else ()
    values = [node, *(each.value for each in bindings)]
    return any(
        isinstance(each, ast.Call) and view.canonical(each.func) == "multiprocessing.Manager"
        for each in values
    )


def _is_queue_parameter(view: View, value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Name):
        return False
    function = view.find_parameter(value)
    return function is not None and _is_passed_queue(view, function, value.id)


def _is_passed_queue(view: View, function: Function, name: str) -> bool:
    """Tell whether a process is started on the function with a queue in the parameter's place."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    for call in view.calls:
        values = _arguments_of_process(view, call, function)
        if (
            name in names
            and len(values) > names.index(name)
            and _is_bound_queue(view, values[names.index(name)])
        ):
            return True
    return False


def _is_bound_queue(view: View, node: ast.expr) -> bool:
    if _makes_queue(view, node):
        return True
    if isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and any(
        _makes_queue(view, each.value) for each in view.find_bindings(node)
    )


def _arguments_of_process(view: View, call: ast.Call, function: Function) -> list[ast.expr]:
    name = view.canonical(call.func)
    passed = keyword(call, "args")
    values = list(passed.elts) if isinstance(passed, (ast.Tuple, ast.List)) else []
    target = keyword(call, "target")
    if name == "multiprocessing.Process":
        return values if isinstance(target, ast.Name) and target.id == function.name else []
    if name in ("multiprocessing.spawn", "multiprocessing.start_processes") and call.args:
        first = call.args[0]
        return [first, *values] if isinstance(first, ast.Name) and first.id == function.name else []
    return list(call.args) if isinstance(call.func, ast.Name) and call.func.id == function.name else []
