"""Which values are on a CUDA device, and which calls put them there."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.source.idioms.cuda.device_arguments import Receiver, find_receiver, is_device_name
from torchdoctor.source.idioms.cuda.devices import (
    find_attribute_values,
    find_last_assignment,
    is_between,
    is_cuda_device,
    list_blocks,
)
from torchdoctor.source.idioms.loading.datasets import (
    find_constructor_methods,
    find_self_attribute,
    find_stored_values,
)
from torchdoctor.source.idioms.processes.started_functions import find_passed_values
from torchdoctor.source.module.arguments import find_definition, find_passed_argument
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 6
# A device is followed through so many calls.
_MAX_CALLS = 3
# Classes of these packages put what they make on the device that they are given.
_TORCH = ("torch.", "torchvision.", "torchaudio.")
_DEVICE_NUMBER = re.compile(r"^(?:local_|global_)?rank$|^gpu(?:_?id)?$")
# A value of such a name, called with a tensor, returns one on the same device.
_MODEL = re.compile(r"model|net(?:work)?$|encoder|decoder|policy|actor|critic|backbone", re.IGNORECASE)
# Methods whose result is on the CPU, wherever their object is.
_CPU_METHODS = frozenset(
    {"cpu", "numpy", "item", "tolist", "size", "dim", "numel", "state_dict", "detach_cpu"}
)
# Functions of torch that create tensors on the device in their `device` or `map_location` argument.
_TENSOR_FACTORIES = frozenset(
    {
        "tensor",
        "zeros",
        "ones",
        "empty",
        "full",
        "rand",
        "randn",
        "randint",
        "arange",
        "as_tensor",
        "eye",
        "linspace",
        "zeros_like",
        "ones_like",
        "empty_like",
        "load",
        "randperm",
    }
)


def moves_to_cuda(
    module: ParsedModule, call: ast.Call, devices: frozenset[str] = frozenset(), depth: int = 0
) -> bool:
    """Return whether a call puts something on a CUDA device: `.cuda()`, `.to("cuda")`, `device="cuda"`.

    `devices` are expressions that are a CUDA device as well, because a call from elsewhere passes one.
    """

    def is_device(node: ast.expr | None) -> bool:
        return is_device_name(module, node, devices) or is_cuda_device(module, node)

    name = module.find_dotted_name(call.func)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
    if name.startswith("torch.cuda.") and name.endswith("Tensor"):
        return True
    if name.startswith("torch.") and last in _TENSOR_FACTORIES:
        return is_device(find_keyword(call, "device")) or is_device(find_keyword(call, "map_location"))
    if last == "to" and isinstance(call.func, ast.Attribute):
        device = find_argument(call, "device", 0)
        # The number of a device is one of CUDA.
        if isinstance(device, ast.Constant) and type(device.value) is int:
            return True
        number = getattr(device, "attr", getattr(device, "id", ""))
        return bool(_DEVICE_NUMBER.search(number)) or is_device(device)
    if last == "cuda" and isinstance(call.func, ast.Attribute):
        return not name.startswith("torch.")
    receiver = find_receiver(module, call, is_device) if depth < _MAX_CALLS else None
    if receiver is not None:
        return _keeps_on_cuda(receiver, depth) if receiver.is_class else _moves_anything(receiver, depth)
    # What a class of another package does with its device is not known; a function makes something on it.
    is_class = last[:1].isupper() and not name.startswith(_TORCH)
    return name != "torch.device" and not is_class and is_device(find_keyword(call, "device"))


def _moves_anything(receiver: Receiver, depth: int) -> bool:
    calls = _list_calls(receiver)
    return any(moves_to_cuda(receiver.module, call, receiver.devices, depth + 1) for call in calls)


def _list_calls(receiver: Receiver) -> Iterator[ast.Call]:
    for function in receiver.functions:
        yield from (node for node in ast.walk(function) if isinstance(node, ast.Call))


def _keeps_on_cuda(receiver: Receiver, depth: int) -> bool:
    """Return whether a constructor puts the object, or something that the object keeps, on a CUDA device."""
    return any(
        _is_put_on_cuda(receiver, value, depth) for _, value in find_stored_values([*receiver.functions])
    ) or any(
        (isinstance(moved, ast.Name) and moved.id == "self") or find_self_attribute(moved) is not None
        for moved in _list_moved(receiver, depth)
    )


def _returns_on_cuda(receiver: Receiver, depth: int) -> bool:
    return any(
        _is_put_on_cuda(receiver, value, depth)
        for function in receiver.functions
        for value in receiver.module.find_returned_values(function)
    )


def _list_moved(receiver: Receiver, depth: int) -> Iterator[ast.expr]:
    """Yield what the code of a call moves in place, as `model.to(device).eval()` does."""
    for call in _list_calls(receiver):
        if isinstance(call.func, ast.Attribute) and moves_to_cuda(
            receiver.module, call, receiver.devices, depth + 1
        ):
            statement = receiver.module.find_statement(call)
            if isinstance(statement, ast.Expr):
                yield call.func.value


def _is_put_on_cuda(receiver: Receiver, value: ast.expr, depth: int, names: int = 0) -> bool:
    """Return whether the code of a call puts a value of it on a CUDA device."""
    if names > _MAX_DEPTH:
        return False
    match value:
        case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _CPU_METHODS:
            return False
        case ast.Call(func=function):
            if moves_to_cuda(receiver.module, value, receiver.devices, depth + 1):
                return True
            inner = function.value if isinstance(function, ast.Attribute) else None
            return inner is not None and _is_put_on_cuda(receiver, inner, depth, names + 1)
        case ast.Name():
            bindings = receiver.module.find_bindings(value)
            values = [each.value for each in bindings if each.index is None and each.value is not None]
            return any(_is_put_on_cuda(receiver, each, depth, names + 1) for each in values) or any(
                isinstance(moved, ast.Name)
                and moved.id == value.id
                and receiver.module.find_scope(moved) is receiver.module.find_scope(value)
                for moved in _list_moved(receiver, depth)
            )
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Dict(values=items):
            return any(_is_put_on_cuda(receiver, each, depth, names + 1) for each in items)
        case ast.IfExp(body=body, orelse=orelse):
            return any(_is_put_on_cuda(receiver, each, depth, names + 1) for each in (body, orelse))
    return False


def is_on_cuda(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> bool:
    """Return whether a value was put on a CUDA device in this file."""
    if node is None or depth > _MAX_DEPTH:
        return False
    match node:
        case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _CPU_METHODS:
            return False
        case ast.Call():
            receiver = find_receiver(module, node, lambda value: is_cuda_device(module, value))
            if receiver is not None and not receiver.is_class:
                return _returns_on_cuda(receiver, 0)
            if moves_to_cuda(module, node) or _keeps_given_value(module, node, depth):
                return True
            return _is_result_on_cuda(module, node, depth)
        case ast.Name():
            return _is_name_on_cuda(module, node, depth)
        case ast.Attribute(value=value, attr=name):
            if name in ("shape", "device", "dtype", "T", "data", "grad"):
                return name in ("T", "data", "grad") and is_on_cuda(module, value, depth + 1)
            if any(is_on_cuda(module, each, depth + 1) for each in find_attribute_values(module, node)):
                return True
            settled = find_last_assignment(module, node)
            return any(
                ast.unparse(target) == ast.unparse(node)
                and module.find_class(target) is module.find_class(node)
                and (settled is None or is_between(module, settled, target, node))
                for target in module.ask_once(find_moved_attributes)
            )
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return any(is_on_cuda(module, each, depth + 1) for each in items)
        case ast.Dict(values=items):
            return any(is_on_cuda(module, each, depth + 1) for each in items)
        case ast.ListComp(elt=item) | ast.DictComp(value=item):
            return is_on_cuda(module, item, depth + 1)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return is_on_cuda(module, value, depth + 1)
        case ast.IfExp(body=body, orelse=orelse):
            return is_on_cuda(module, body, depth + 1) or is_on_cuda(module, orelse, depth + 1)
    return False


def _keeps_given_value(module: ParsedModule, call: ast.Call, depth: int) -> bool:
    """Return whether a call makes an object of the project that keeps a CUDA value that it is given."""
    match find_definition(module, module.find_dotted_name(call.func)):
        case (owner, ast.ClassDef() as made):
            constructors = find_constructor_methods(owner, made)[:1]
        case _:
            return False
    return any(
        given is not None and is_on_cuda(module, given, depth + 1)
        for constructor in constructors
        for _, value in find_stored_values(constructors)
        if isinstance(value, ast.Name)
        for given in (find_passed_argument(module, call, constructor, value.id),)
    )


def find_moved_attributes(module: ParsedModule) -> list[ast.Attribute]:
    """Return the attributes that a statement such as `self.model.cuda()` moves in place."""
    found = []
    for statement in module.nodes.get(ast.Expr, ()):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as moved)) as call):
                if moves_to_cuda(module, call):
                    found.append(moved)
    return found


def _is_result_on_cuda(module: ParsedModule, call: ast.Call, depth: int) -> bool:
    """Return whether a result is on a CUDA device because the model or tensor is: `net(x)`, `x.detach()`."""
    match call.func:
        case ast.Attribute(
            value=value, attr="detach" | "clone" | "contiguous" | "view" | "reshape" | "squeeze" | "float"
        ):
            return is_on_cuda(module, value, depth + 1)
        case _ if call.args and module.find_dotted_name(call.func) in ("copy.deepcopy", "copy.copy"):
            return is_on_cuda(module, call.args[0], depth + 1)
        case ast.Name(id=name) if name not in module.functions and name not in module.classes:
            if _MODEL.search(name) and any(is_on_cuda(module, each, depth + 1) for each in call.args):
                return True
            return is_on_cuda(module, call.func, depth + 1)
    return False


def _is_later(module: ParsedModule, statement: ast.AST, name: ast.Name) -> bool:
    """Return whether a statement of the same function runs only after a use of a name: no loop has both."""
    function = module.find_function(name)
    line = getattr(statement, "lineno", 0)
    if module.find_function(statement) is not function or line <= name.lineno:
        return False
    loops = [each for each in module.ancestors(name) if isinstance(each, (ast.For, ast.AsyncFor, ast.While))]
    return not any((each.end_lineno or line) >= line for each in loops)


def _find_move_to_cpu(module: ParsedModule, name: ast.Name) -> ast.stmt | None:
    """Return the last statement on every way to a use of a name that puts its value on the CPU.

    That is `x = x.cpu()`, and for modules, which move in place, `x.cpu()`.
    """
    function = module.find_function(name)
    child: ast.AST = name
    for parent in module.ancestors(name):
        for block in list_blocks(parent):
            before = block[: block.index(child)] if child in block else []
            for statement in reversed(before):
                if _puts_on_cpu(module, statement, name.id):
                    return statement
        if parent is function:
            return None
        child = parent
    return None


def _puts_on_cpu(module: ParsedModule, statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call() as call):
            pass
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=target))) as call):
            pass
        case _:
            return False
    match call.func:
        case ast.Attribute(attr="cpu"):
            return target == name
        case ast.Attribute(attr="to"):
            device = find_argument(call, "device", 0)
            if isinstance(device, ast.Call) and module.find_dotted_name(device.func) == "torch.device":
                device = device.args[0] if device.args else None
            return target == name and isinstance(device, ast.Constant) and device.value == "cpu"
    return False


def _is_name_on_cuda(module: ParsedModule, name: ast.Name, depth: int) -> bool:
    moved = _find_move_to_cpu(module, name)
    if moved is not None:
        between = range(moved.lineno + 1, name.lineno + 1)
        return any(
            is_on_cuda(module, binding.value, depth + 1)
            for binding in module.find_bindings(name)
            if binding.index is None and getattr(binding.statement, "lineno", 0) in between
        ) or any(
            isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id == name.id
            and call.lineno in between
            and moves_to_cuda(module, call)
            for call in (*module.calls_by_name.get("cuda", ()), *module.calls_by_name.get("to", ()))
        )
    values = [
        binding.value
        for binding in module.find_bindings(name)
        if binding.index is None and not _is_later(module, binding.statement, name)
    ]
    items = [
        binding.statement.iter
        for binding in module.find_bindings(name)
        if isinstance(binding.statement, ast.For) and isinstance(binding.statement.target, ast.Name)
    ]
    if any(is_on_cuda(module, value, depth + 1) for value in (*values, *items)):
        return True
    # The statement `model.cuda()` moves a module in place.
    for statement in module.nodes.get(ast.Expr, ()):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=found))) as call) if (
                found == name.id
            ):
                is_same = module.find_scope(statement) in (module.find_scope(name), module.tree)
                if is_same and not _is_later(module, statement, name) and moves_to_cuda(module, call):
                    return True
    function = module.find_parameter(name)
    return function is not None and any(
        is_on_cuda(module, value, depth + 1) for value in find_passed_values(module, function, name.id)
    )
