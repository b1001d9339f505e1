"""The edit that makes a loader use CUDA streams and devices only where there is a GPU."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.blocks import put_under_condition
from torchdoctor.source.edits.changes import find_span
from torchdoctor.source.module.conditions import find_conditions
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

# The arguments of Tensor.to() and Tensor.cuda() that say where to, and change nothing else.
_PLACE_ARGUMENTS = frozenset({"device", "non_blocking"})


def make_stream_edit(source: SourceFile, calls: Sequence[ast.Call]) -> Edit | None:
    """Return the edit that makes calls of torch.cuda depend on a GPU, or None if that is not safe.

    A stream that is made becomes None without a GPU; a statement that uses a stream or chooses a device is
    left out. So is a block that runs in a stream, if all it does is to move values to the GPU: a batch then
    stays where it is, and has the same values.
    """
    module, prefixes = source.module, {_find_prefix(source.module, call) for call in calls}
    [prefix] = prefixes if len(prefixes) == 1 else (None,)
    if source.is_notebook or prefix is None:
        return None
    condition = f"{prefix}.is_available()"
    replacements: list[Replacement] = []
    statements: dict[ast.stmt, None] = {}
    for call in calls:
        parent = module.parents[call]
        if isinstance(parent, (ast.Assign, ast.AnnAssign)) and parent.value is call:
            _, end = find_span(source, call)
            replacements.append(Replacement(end, end, f" if {condition} else None"))
        else:
            statements[_find_whole_statement(module, call)] = None
    for scope in dict.fromkeys(_find_scope(module, call) for call in calls):
        statements.update(dict.fromkeys(_find_users(module, scope)))
    for statement in _drop_nested(module, statements):
        wrapped = put_under_condition(source, statement, condition) if _can_be_left_out(statement) else None
        if wrapped is None:
            return None
        replacements += wrapped
    return Edit(source.path, "use CUDA streams only where there is a GPU", tuple(replacements))


def _find_prefix(module: ParsedModule, call: ast.Call) -> str | None:
    """Return how a call of torch.cuda names that module (`torch.cuda`), None if it does not name it."""
    if isinstance(call.func, ast.Attribute) and module.find_dotted_name(call.func.value) == "torch.cuda":
        return ast.unparse(call.func.value)
    return None


def _find_scope(module: ParsedModule, call: ast.Call) -> ast.AST:
    return module.find_class(call) or module.find_function(call) or module.tree


def _find_users(module: ParsedModule, scope: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements in a class or function that fail without a GPU, or with None as the stream."""
    streams = {
        ast.unparse(target)
        for node in ast.walk(scope)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _makes_stream(module, node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    for node in ast.walk(scope):
        is_use = (
            isinstance(node, (ast.Name, ast.Attribute))
            and isinstance(node.ctx, ast.Load)
            and ast.unparse(node) in streams
        )
        if (is_use or _needs_cuda(module, node)) and not _is_tested(module, node, streams):
            yield _find_whole_statement(module, node)


def _makes_stream(module: ParsedModule, value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and module.find_dotted_name(value.func) == "torch.cuda.Stream"


def _needs_cuda(module: ParsedModule, node: ast.AST) -> bool:
    """Return whether a call raises without a GPU, other than one that makes a stream or tests for CUDA."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    name = module.find_dotted_name(node.func)
    if name.startswith("torch.cuda."):
        return name not in ("torch.cuda.Stream", "torch.cuda.is_available", "torch.cuda.device_count")
    return node.func.attr in ("cuda", "record_stream", "pin_memory")


def _is_tested(module: ParsedModule, node: ast.AST, streams: Iterable[str]) -> bool:
    """Return whether a node runs only after a test for CUDA or for a stream, or is part of a test for one."""
    tests = [ast.unparse(test) for test in find_conditions(module, node)]
    parent = module.parents[node]
    return isinstance(parent, ast.Compare) or any(
        text in test for test in tests for text in ("is_available", *streams)
    )


def _find_whole_statement(module: ParsedModule, node: ast.AST) -> ast.stmt:
    """Return the statement around a node; for what a `with` statement enters, the whole of that."""
    return next(each for each in (node, *module.ancestors(node)) if isinstance(each, ast.stmt))


def _drop_nested(module: ParsedModule, statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    kept = set(statements)
    return (each for each in statements if not kept.intersection(module.ancestors(each)))


def _can_be_left_out(statement: ast.stmt) -> bool:
    """Return whether a program without a GPU loses nothing without this statement."""
    match statement:
        case ast.Expr(value=ast.Call()):
            return True
        case ast.With(body=body):
            return all(item.optional_vars is None for item in statement.items) and _only_moves(body)
    return False


def _only_moves(statements: Iterable[ast.stmt]) -> bool:
    """Return whether statements only put values on another device, in the place where they were."""
    for statement in statements:
        match statement:
            case ast.Pass():
                pass
            case ast.For(body=body, orelse=orelse) | ast.If(body=body, orelse=orelse):
                if not _only_moves([*body, *orelse]):
                    return False
            case ast.Assign(targets=[target], value=value) if _is_moved(target, value):
                pass
            case _:
                return False
    return True


def _is_moved(target: ast.expr, value: ast.expr) -> bool:
    """Return whether an assignment gives a place its own value, on another device."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            return len(targets) == len(values) and all(map(_is_moved, targets, values))
        case _, ast.ListComp(elt=item, generators=[ast.comprehension(ifs=[]) as loop]):
            return ast.unparse(loop.iter) == ast.unparse(target) and _moves(item, ast.unparse(loop.target))
        case _, ast.DictComp(key=key, value=item, generators=[ast.comprehension(ifs=[]) as loop]):
            pair = ast.unparse(loop.target).strip("()").split(", ")
            is_own = ast.unparse(loop.iter) == f"{ast.unparse(target)}.items()"
            return is_own and len(pair) == 2 and ast.unparse(key) == pair[0] and _moves(item, pair[1])
    return _moves(value, ast.unparse(target))


def _moves(value: ast.expr, place: str) -> bool:
    """Return whether a value is what a place holds, or that on another device."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return _moves(body, place) and _moves(orelse, place)
        case ast.Call(func=ast.Attribute(value=moved, attr="to" | "cuda"), args=args, keywords=keywords):
            # A second positional argument of Tensor.to() is a data type.
            return (
                ast.unparse(moved) == place
                and len(args) <= 1
                and not any(ast.unparse(each).startswith("torch.") for each in args)
                and all(each.arg in _PLACE_ARGUMENTS for each in keywords)
            )
    return ast.unparse(value) == place
