"""Which expressions are CUDA devices, and which values are on a CUDA device."""

import ast
import re
from collections.abc import Iterator, Sequence

from torchdoctor.source.idioms.queues import find_passed_values
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 6
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


def is_cuda_device(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> bool:
    """Return whether an expression can be a CUDA device, as far as this file shows."""
    if node is None or depth > _MAX_DEPTH:
        return False
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return is_cuda_device(module, body, depth + 1) or is_cuda_device(module, orelse, depth + 1)
        case ast.Call(func=func, args=[first, *_]) if module.find_dotted_name(func) == "torch.device":
            return is_cuda_device(module, first, depth + 1)
        case ast.Call(func=func):
            if module.find_dotted_name(func) == "torch.cuda.current_device":
                return True
            returned = find_returned_values(module, node)
            return any(is_cuda_device(owner, value, depth + 1) for owner, value in returned)
        case ast.JoinedStr(values=[ast.Constant(value=str() as start), *_]):
            return start.startswith("cuda")
        case ast.BinOp(left=left):
            return is_cuda_device(module, left, depth + 1)
        case ast.Name():
            values = [binding.value for binding in module.find_bindings(node) if binding.index is None]
            if any(is_cuda_device(module, value, depth + 1) for value in values):
                return True
        case ast.Attribute():
            if any(
                is_cuda_device(module, value, depth + 1) for value in _find_attribute_values(module, node)
            ):
                return True
    return any(
        isinstance(value, str) and value.startswith("cuda")
        for value in find_possible_values(module, node, depth)
    )


def find_returned_values(module: ParsedModule, call: ast.Call) -> Iterator[tuple[ParsedModule, ast.expr]]:
    """Yield what a function of this or another file returns, each with the module of the function."""
    name = module.find_dotted_name(call.func)
    if (own := module.functions.get(name)) is not None:
        yield from ((module, value) for value in module.find_returned_values(own))
    elif (found := module.find_imported(name)) is not None:
        owner, function = found
        if not isinstance(function, ast.ClassDef):
            yield from ((owner, value) for value in owner.find_returned_values(function))


def _find_attribute_values(module: ParsedModule, node: ast.Attribute) -> Iterator[ast.expr | None]:
    """Yield the values that the same class assigns to an attribute."""
    settled = _find_last_assignment(module, node)
    for target, binding in _find_assignments(module, node):
        if settled is None or _is_between(module, settled, target, node):
            yield binding.value


def _find_assignments(module: ParsedModule, node: ast.Attribute) -> Iterator[tuple[ast.Attribute, Binding]]:
    owner, name = module.find_class(node), ast.unparse(node.value)
    for target, binding in module.attributes.get(node.attr, ()):
        if ast.unparse(target.value) == name and module.find_class(target) is owner:
            yield target, binding


def _find_last_assignment(module: ParsedModule, node: ast.Attribute) -> ast.stmt | None:
    """Return the last statement that assigns an attribute on every way to its use in the same function."""
    function = module.find_function(node)
    blocks: list[tuple[Sequence[ast.stmt], ast.AST]] = []
    child: ast.AST = node
    for parent in module.ancestors(node):
        blocks += [(block, child) for block in _list_blocks(parent) if child in block]
        child = parent
        if parent is function:
            break
    assigned = [
        statement
        for target, _ in _find_assignments(module, node)
        if function is not None and target is not node and module.find_function(target) is function
        if isinstance(statement := module.find_statement(target), ast.stmt)
    ]
    before = [
        statement
        for statement in assigned
        for block, inner in blocks
        if statement in block and inner in block[block.index(statement) + 1 :]
    ]
    return max(before, key=lambda statement: statement.lineno, default=None)


def _list_blocks(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def moves_to_cuda(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call puts something on a CUDA device: `.cuda()`, `.to("cuda")`, `device="cuda"`."""
    name = module.find_dotted_name(call.func)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
    if name.startswith("torch.cuda.") and name.endswith("Tensor"):
        return True
    if name.startswith("torch.") and last in _TENSOR_FACTORIES:
        return is_cuda_device(module, find_keyword(call, "device")) or is_cuda_device(
            module, find_keyword(call, "map_location")
        )
    if name != "torch.device" and is_cuda_device(module, find_keyword(call, "device")):
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    if last == "cuda":
        return not name.startswith("torch.")
    if last == "to":
        device = find_argument(call, "device", 0)
        # The number of a device is one of CUDA.
        if isinstance(device, ast.Constant) and type(device.value) is int:
            return True
        number = getattr(device, "attr", getattr(device, "id", ""))
        return bool(_DEVICE_NUMBER.search(number)) or is_cuda_device(module, device)
    return False


def is_on_cuda(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> bool:
    """Return whether a value was put on a CUDA device in this file."""
    if node is None or depth > _MAX_DEPTH:
        return False
    match node:
        case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _CPU_METHODS:
            return False
        case ast.Call():
            if moves_to_cuda(module, node):
                return True
            return _is_result_on_cuda(module, node, depth)
        case ast.Name():
            return _is_name_on_cuda(module, node, depth)
        case ast.Attribute(value=value, attr=name):
            if name in ("shape", "device", "dtype", "T", "data", "grad"):
                return name in ("T", "data", "grad") and is_on_cuda(module, value, depth + 1)
            if any(is_on_cuda(module, each, depth + 1) for each in _find_attribute_values(module, node)):
                return True
            settled = _find_last_assignment(module, node)
            return any(
                ast.unparse(target) == ast.unparse(node)
                and module.find_class(target) is module.find_class(node)
                and (settled is None or _is_between(module, settled, target, node))
                for target in module.ask_once(_find_moved_attributes)
            )
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return any(is_on_cuda(module, each, depth + 1) for each in items)
        case ast.Dict(values=items):
            return any(is_on_cuda(module, each, depth + 1) for each in items)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return is_on_cuda(module, value, depth + 1)
        case ast.IfExp(body=body, orelse=orelse):
            return is_on_cuda(module, body, depth + 1) or is_on_cuda(module, orelse, depth + 1)
    return False


def _is_between(module: ParsedModule, first: ast.stmt, node: ast.expr, last: ast.expr) -> bool:
    is_in_function = module.find_function(node) is module.find_function(last)
    return is_in_function and first.lineno <= node.lineno <= last.lineno


def _find_moved_attributes(module: ParsedModule) -> list[ast.Attribute]:
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
        for block in _list_blocks(parent):
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
    if any(is_on_cuda(module, value, depth + 1) for value in values):
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
