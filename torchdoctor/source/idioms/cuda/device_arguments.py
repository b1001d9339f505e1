"""What the functions and classes of a project call the CUDA device that they are given."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.idioms.loading.datasets import find_called_method, find_constructor_methods
from torchdoctor.source.module.arguments import find_definition, find_passed_argument
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_keyword, parameter_names
from torchdoctor.source.module.parsed import ParsedModule

# What an argument that is a device looks like. Others are not followed.
_DEVICE = re.compile(r"device|cuda|gpu", re.IGNORECASE)
# A device has so many names at most, one after the other.
_MAX_NAMES = 4


@record
class Receiver:
    """The code that a call runs, and the expressions in it that are the device that the call gives it.

    `functions` are the function itself, or the constructor of a class with the methods that it calls.
    """

    module: ParsedModule
    functions: Sequence[Function]
    is_class: bool
    devices: frozenset[str]


def find_receiver(
    module: ParsedModule, call: ast.Call, is_device: Callable[[ast.expr], bool]
) -> Receiver | None:
    """Return the code of the project that a call gives a device to; None if it gives none or is not known."""
    given = [value for value in _list_arguments(call) if is_device(value)]
    found = _find_called(module, call) if given else None
    if found is None:
        return None
    owner, definition = found
    if isinstance(definition, FUNCTIONS):
        functions: Sequence[Function] = [definition]
        first: Function | None = definition
    else:
        functions = find_constructor_methods(owner, definition)
        first = next((each for each in functions if each.name == "__init__"), None)
    names = _find_parameters(owner, call, first, given) if first is not None else frozenset[str]()
    return Receiver(
        owner, functions, not isinstance(definition, FUNCTIONS), _add_names(owner, functions, names)
    )


def is_device_name(module: ParsedModule, node: ast.expr | None, devices: frozenset[str]) -> bool:
    """Return whether an expression is one of the devices, also within `torch.device(...)`."""
    match node:
        case ast.Name() | ast.Attribute():
            return bool(devices) and ast.unparse(node) in devices
        case ast.Call(func=func, args=[first, *_]) if module.find_dotted_name(func) == "torch.device":
            return is_device_name(module, first, devices)
        case ast.IfExp(body=first, orelse=second) | ast.BoolOp(values=[first, second]):
            return is_device_name(module, first, devices) or is_device_name(module, second, devices)
    return False


def _list_arguments(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that look like a device."""
    if (device := find_keyword(call, "device")) is not None:
        yield device
    others = [*call.args, *(each.value for each in call.keywords if each.arg != "device")]
    for value in others:
        if isinstance(value, (ast.Name, ast.Attribute, ast.Constant)):
            if _DEVICE.search(ast.unparse(value)):
                yield value
        elif isinstance(value, ast.Call) and ast.unparse(value.func).endswith("device"):
            yield value


def _find_called(module: ParsedModule, call: ast.Call) -> tuple[ParsedModule, Function | ast.ClassDef] | None:
    if (method := find_called_method(module, call)) is not None:
        return module, method
    return find_definition(module, module.find_dotted_name(call.func))


def _find_parameters(
    module: ParsedModule, call: ast.Call, function: Function, given: Sequence[ast.expr]
) -> frozenset[str]:
    """Return the parameters that get one of the given arguments."""
    return frozenset(
        name
        for name in parameter_names(function)
        if find_passed_argument(module, call, function, name) in given
    )


def _add_names(module: ParsedModule, functions: Sequence[Function], names: frozenset[str]) -> frozenset[str]:
    """Return the names with those that the functions give the same device, in variables and attributes."""
    methods = {each.name: each for each in functions}
    for _ in range(_MAX_NAMES if names else 0):
        found = {
            name
            for function in functions
            for node in ast.walk(function)
            for name in _find_names(module, node, names, methods)
        }
        if found <= names:
            break
        names |= found
    return names


def _find_names(
    module: ParsedModule, node: ast.AST, names: frozenset[str], methods: dict[str, Function]
) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets, value=value) if is_device_name(module, value, names):
            yield from (ast.unparse(each) for each in targets if isinstance(each, (ast.Name, ast.Attribute)))
        case ast.AnnAssign(target=target, value=value) if is_device_name(module, value, names):
            yield ast.unparse(target)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=method)) if method in methods:
            given = [each for each in _list_arguments(node) if is_device_name(module, each, names)]
            yield from _find_parameters(module, node, methods[method], given) if given else ()
