"""Which expressions are CUDA devices, and which values stand on one."""

import ast
from collections.abc import Iterator

from torchdoctor.source.module.constants import possible_values
from torchdoctor.source.module.parsed import ParsedModule, argument, keyword

_DEEPEST = 6
# Calls whose result is on the CPU whatever they are given.
_BACK = frozenset({"cpu", "numpy", "item", "tolist", "size", "dim", "numel", "state_dict", "detach_cpu"})
_MAKERS = frozenset(
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
    """Tell whether an expression can be a CUDA device, as far as this file decides it."""
    if node is None or depth > _DEEPEST:
        return False
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return is_cuda_device(module, body, depth + 1) or is_cuda_device(module, orelse, depth + 1)
        case ast.Call(func=func, args=[first, *_]) if module.canonical(func) == "torch.device":
            return is_cuda_device(module, first, depth + 1)
        case ast.Call(func=func):
            return module.canonical(func) == "torch.cuda.current_device"
        case ast.JoinedStr(values=[ast.Constant(value=str() as start), *_]):
            return start.startswith("cuda")
        case ast.BinOp(left=left):
            return is_cuda_device(module, left, depth + 1)
        case ast.Name():
            bound = [each.value for each in module.find_bindings(node) if each.index is None]
            if any(is_cuda_device(module, value, depth + 1) for value in bound):
                return True
        case ast.Attribute():
            if any(is_cuda_device(module, value, depth + 1) for value in _attribute_values(module, node)):
                return True
    return any(
        isinstance(each, str) and each.startswith("cuda") for each in possible_values(module, node, depth)
    )


def _attribute_values(module: ParsedModule, node: ast.Attribute) -> Iterator[ast.expr | None]:
    owner = module.enclosing_class(node)
    for target, binding in module.attributes.get(node.attr, ()):
        if ast.unparse(target.value) == ast.unparse(node.value) and module.enclosing_class(target) is owner:
            yield binding.value


def moves_to_cuda(module: ParsedModule, call: ast.Call) -> bool:
    """Tell whether a call makes something on a CUDA device: `.cuda()`, `.to("cuda")`, `device="cuda"`."""
    name = module.canonical(call.func)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
    if name.startswith("torch.cuda.") and name.endswith("Tensor"):
        return True
    if name.startswith("torch.") and last in _MAKERS:
        return is_cuda_device(module, keyword(call, "device")) or is_cuda_device(
            module, keyword(call, "map_location")
        )
    if name != "torch.device" and is_cuda_device(module, keyword(call, "device")):
        return True
    if not isinstance(call.func, ast.Attribute):
        return False
    if last == "cuda":
        return not name.startswith("torch.")
    if last == "to":
        return is_cuda_device(module, argument(call, "device", 0))
    return False


def is_on_cuda(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> bool:
    """Tell whether a value was put on a CUDA device in this file."""
    if node is None or depth > _DEEPEST:
        return False
    match node:
        case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _BACK:
            return False
        case ast.Call():
            if moves_to_cuda(module, node):
                return True
            return _comes_from_cuda(module, node, depth)
        case ast.Name():
            return _name_is_on_cuda(module, node, depth)
        case ast.Attribute(value=value, attr=name):
            if name in ("shape", "device", "dtype", "T", "data", "grad"):
                return name in ("T", "data", "grad") and is_on_cuda(module, value, depth + 1)
            return any(is_on_cuda(module, each, depth + 1) for each in _attribute_values(module, node))
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return any(is_on_cuda(module, each, depth + 1) for each in items)
        case ast.Dict(values=items):
            return any(is_on_cuda(module, each, depth + 1) for each in items)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return is_on_cuda(module, value, depth + 1)
        case ast.IfExp(body=body, orelse=orelse):
            return is_on_cuda(module, body, depth + 1) or is_on_cuda(module, orelse, depth + 1)
    return False


def _comes_from_cuda(module: ParsedModule, call: ast.Call, depth: int) -> bool:
    """Tell whether a call's result is where its receiver or its model is: `net(x)`, `x.detach()`."""
    match call.func:
        case ast.Attribute(
            value=value, attr="detach" | "clone" | "contiguous" | "view" | "reshape" | "squeeze" | "float"
        ):
            return is_on_cuda(module, value, depth + 1)
        case ast.Name(id=name) if name not in module.functions and name not in module.classes:
            return is_on_cuda(module, call.func, depth + 1)
    return False


def _name_is_on_cuda(module: ParsedModule, name: ast.Name, depth: int) -> bool:
    bindings = module.find_bindings(name)
    if any(is_on_cuda(module, each.value, depth + 1) for each in bindings if each.index is None):
        return True
    # `model.cuda()` as a statement moves a module in place.
    for statement in module.nodes.get(ast.Expr, ()):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=found))) as call) if (
                found == name.id
            ):
                if module.scope(statement) in (module.scope(name), module.tree) and moves_to_cuda(
                    module, call
                ):
                    return True
    return False
