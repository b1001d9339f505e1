"""Which expressions are queues or pipes between processes, not between threads."""

import ast
from collections.abc import Iterator

from torchdoctor.source.idioms.processes.started_functions import find_positional_values
from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.nodes import Function, positional_names
from torchdoctor.source.module.parsed import ParsedModule

# A queue is passed on so often at most.
_MAX_DEPTH = 3
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
    """Return whether an expression is a queue or pipe of multiprocessing.

    A parameter counts if a process is started with a queue as its argument.
    """
    match node:
        case ast.Name():
            if any(_builds_queue(module, binding.value) for binding in module.find_bindings(node)):
                return True
            return _is_queue_parameter(module, node)
        case ast.Attribute(attr=name):
            return any(
                _builds_queue(module, value) or _is_queue_parameter(module, value)
                for value in _find_attribute_values(module, node, name)
            )
        case ast.Subscript(value=value):
            return is_process_queue(module, value)
    return False


def _find_attribute_values(module: ParsedModule, node: ast.Attribute, name: str) -> Iterator[ast.expr | None]:
    """Yield what an attribute is assigned: by its own class and the bases of that, if they do."""
    assigned = module.attributes.get(name, ())
    owner = module.find_class(node) if ast.unparse(node.value) == "self" else None
    names = {owner.name, *module.find_base_names(owner)} if owner is not None else set[str]()
    own = [
        binding.value
        for target, binding in assigned
        if (around := module.find_class(target)) is not None and around.name in names
    ]
    yield from own or [binding.value for _, binding in assigned]


def _builds_queue(module: ParsedModule, value: ast.expr | None) -> bool:
    """Return whether a value is a call that builds a queue, or a list of such calls."""
    match value:
        case ast.Call(func=ast.Attribute(value=base, attr="Queue" | "JoinableQueue" | "SimpleQueue")):
            return module.find_dotted_name(value.func) in _QUEUES or _is_manager(module, base)
        case ast.Call(func=func):
            return module.find_dotted_name(func) in _QUEUES
        case ast.ListComp(elt=element):
            return _builds_queue(module, element)
        case ast.List(elts=[first, *_]):
            return _builds_queue(module, first)
    return False


def _is_manager(module: ParsedModule, node: ast.expr) -> bool:
    bindings = module.find_bindings(node) if isinstance(node, ast.Name) else ()
    values = [node, *(binding.value for binding in bindings)]
    return any(
        isinstance(value, ast.Call) and module.find_dotted_name(value.func) == "multiprocessing.Manager"
        for value in values
    )


def _is_queue_parameter(module: ParsedModule, value: ast.expr | None, depth: int = 0) -> bool:
    if not isinstance(value, ast.Name) or depth > _MAX_DEPTH:
        return False
    function = module.find_parameter(value)
    return function is not None and _receives_queue(module, function, value.id, depth)


def _receives_queue(module: ParsedModule, function: Function, name: str, depth: int) -> bool:
    """Return whether a call passes a queue to this parameter of a function, or of a process's target.

    The calls of a constructor are those of its class.
    """
    if function.name == "__init__":
        passed = (
            find_passed_argument(module, call, function, name) for call in find_calls_of(module, function)
        )
        return any(
            _is_queue_value(module, value) or _is_queue_parameter(module, value, depth + 1)
            for value in passed
            if value is not None
        )
    names = positional_names(function)
    for call in module.calls:
        arguments = find_positional_values(module, call, function)
        if (
            name in names
            and len(arguments) > names.index(name)
            and (
                _is_queue_value(module, value := arguments[names.index(name)])
                or _is_queue_parameter(module, value, depth + 1)
            )
        ):
            return True
    return False


def _is_queue_value(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether an expression builds a queue, or is a name (or an item of a name) bound to one."""
    if _builds_queue(module, node):
        return True
    if isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and any(
        _builds_queue(module, binding.value) for binding in module.find_bindings(node)
    )
