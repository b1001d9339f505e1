"""Which names are queues or pipes between processes, not between threads."""

import ast

from torchdoctor.source.module.parsed import Function, ParsedModule, keyword

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


def is_process_queue(module: ParsedModule, node: ast.expr) -> bool:
    """Tell whether an expression is a queue or pipe of multiprocessing, also inside a process's target."""
    match node:
        case ast.Name():
            if any(_makes_queue(module, each.value) for each in module.find_bindings(node)):
                return True
            function = module.find_parameter(node)
            return function is not None and _is_passed_queue(module, function, node.id)
        case ast.Attribute(attr=name):
            return any(
                _makes_queue(module, binding.value) for _, binding in module.attributes.get(name, ())
            ) or any(
                _is_queue_parameter(module, binding.value) for _, binding in module.attributes.get(name, ())
            )
        case ast.Subscript(value=value):
            return is_process_queue(module, value)
    return False


def _makes_queue(module: ParsedModule, value: ast.expr | None) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(value=base, attr="Queue" | "JoinableQueue" | "SimpleQueue")):
            return module.canonical(value.func) in _QUEUES or _makes_manager(module, base)
        case ast.Call(func=func):
            return module.canonical(func) in _QUEUES
        case ast.ListComp(elt=element):
            return _makes_queue(module, element)
        case ast.List(elts=[first, *_]):
            return _makes_queue(module, first)
    return False


def _makes_manager(module: ParsedModule, node: ast.expr) -> bool:
    bindings = module.find_bindings(node) if isinstance(node, ast.Name) else ()
    values = [node, *(each.value for each in bindings)]
    return any(
        isinstance(each, ast.Call) and module.canonical(each.func) == "multiprocessing.Manager"
        for each in values
    )


def _is_queue_parameter(module: ParsedModule, value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Name):
        return False
    function = module.find_parameter(value)
    return function is not None and _is_passed_queue(module, function, value.id)


def _is_passed_queue(module: ParsedModule, function: Function, name: str) -> bool:
    """Tell whether a process is started on the function with a queue in the parameter's place."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    for call in module.calls:
        values = _arguments_of_process(module, call, function)
        if (
            name in names
            and len(values) > names.index(name)
            and _is_bound_queue(module, values[names.index(name)])
        ):
            return True
    return False


def _is_bound_queue(module: ParsedModule, node: ast.expr) -> bool:
    if _makes_queue(module, node):
        return True
    if isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and any(
        _makes_queue(module, each.value) for each in module.find_bindings(node)
    )


def _arguments_of_process(module: ParsedModule, call: ast.Call, function: Function) -> list[ast.expr]:
    name = module.canonical(call.func)
    passed = keyword(call, "args")
    values = list(passed.elts) if isinstance(passed, (ast.Tuple, ast.List)) else []
    target = keyword(call, "target")
    if name == "multiprocessing.Process":
        return values if isinstance(target, ast.Name) and target.id == function.name else []
    if name in ("multiprocessing.spawn", "multiprocessing.start_processes") and call.args:
        first = call.args[0]
        return [first, *values] if isinstance(first, ast.Name) and first.id == function.name else []
    return list(call.args) if isinstance(call.func, ast.Name) and call.func.id == function.name else []
