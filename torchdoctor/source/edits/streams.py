"""The edit that makes a loader use CUDA streams and devices only where there is a GPU."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TypeGuard

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.blocks import put_under_condition
from torchdoctor.source.edits.changes import find_span
from torchdoctor.source.module.conditions import is_conditional
from torchdoctor.source.module.nodes import FUNCTIONS
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

# The arguments of Tensor.to() and Tensor.cuda() that say where to, and change nothing else.
_PLACE_ARGUMENTS = frozenset({"device", "non_blocking"})
_DEVICE = re.compile(r"device|rank|gpu", re.IGNORECASE)
# Calls that only matter where there is a GPU: of torch.cuda, and of a stream, an event or a tensor.
_CUDA_ONLY = frozenset({"torch.cuda.set_device", "torch.cuda.synchronize", "torch.cuda.empty_cache"})
_STREAM_METHODS = frozenset({"wait_stream", "wait_event", "record_stream", "synchronize"})
_CURRENT_STREAM = frozenset({"torch.cuda.current_stream", "torch.cuda.default_stream"})
# Functions and methods that change nothing.
_PURE_FUNCTIONS = frozenset({"isinstance", "hasattr", "len", "range", "enumerate", "list", "is_tensor"})
_PURE_METHODS = frozenset({"items", "keys", "values", "is_tensor"})
# The nodes of an expression that only reads names, attributes, members and constants.
_PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Load)


def make_stream_edit(source: SourceFile, calls: Sequence[ast.Call]) -> Edit | None:
    """Return the edit that makes calls of torch.cuda depend on a GPU, or None if that is not safe.

    A stream that is made becomes None without a GPU; a statement that uses a stream or chooses a device is
    left out. So is a block that runs in a stream, if all it does is to move values to the GPU: a batch then
    stays where it is, and has the same values. Anything else that needs a GPU is no reason for an edit that
    only seems to repair the file.
    """
    module, prefixes = source.module, {_find_prefix(source.module, call) for call in calls}
    [prefix] = prefixes if len(prefixes) == 1 else (None,)
    scopes = tuple(dict.fromkeys(_find_scope(module, call) for call in calls))
    if source.is_notebook or prefix is None or not all(map(_is_definition, scopes)):
        return None
    condition = f"{prefix}.is_available()"
    replacements: list[Replacement] = []
    statements: dict[ast.AST, None] = {}
    streams: set[str] = set()
    for call in calls:
        parent = module.parents[call]
        if isinstance(parent, (ast.Assign, ast.AnnAssign)) and parent.value is call:
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            streams |= {ast.unparse(target) for target in targets}
            _, end = find_span(source, call)
            replacements.append(Replacement(end, end, f" if {condition} else None"))
            if isinstance(module.parents[parent], ast.ClassDef):
                return None
        else:
            statements[module.find_statement(call)] = None
    for scope in scopes:
        statements.update(dict.fromkeys(_find_users(module, scope, streams)))
    left_out = tuple(_drop_nested(module, statements))
    if _is_used_elsewhere(module, scopes, streams) or any(_is_caught(module, call) for call in calls):
        return None
    for statement in left_out:
        if not _can_be_left_out(statement, module, streams) or _is_caught(module, statement):
            return None
        wrapped = put_under_condition(source, statement, condition)
        if wrapped is None:
            return None
        replacements += wrapped
    return Edit(source.path, "use CUDA streams only where there is a GPU", tuple(replacements))


def _find_prefix(module: ParsedModule, call: ast.Call) -> str | None:
    """Return how a call of torch.cuda names that module (`torch.cuda`), None if it has no name everywhere."""
    if not isinstance(call.func, ast.Attribute) or module.find_dotted_name(call.func.value) != "torch.cuda":
        return None
    prefix = ast.unparse(call.func.value)
    return prefix if module.ask_once(_is_global_import, prefix.partition(".")[0]) else None


def _is_global_import(module: ParsedModule, root: str) -> bool:
    """Return whether a name means an import everywhere in the file."""
    imports = [node for kind in (ast.Import, ast.ImportFrom) for node in module.nodes.get(kind, ())]
    binding = [
        node
        for node in imports
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and root in {(each.asname or each.name).partition(".")[0] for each in node.names}
    ]
    parameters = {each.arg for each in module.nodes.get(ast.arg, ()) if isinstance(each, ast.arg)}
    is_rebound = any(not isinstance(each.ctx, ast.Load) for each in module.uses.get(root, ()))
    is_global = bool(binding) and all(module.parents[node] is module.tree for node in binding)
    return is_global and not is_rebound and root not in parameters


def _is_definition(scope: ast.AST) -> bool:
    return isinstance(scope, (ast.ClassDef, *FUNCTIONS))


def _is_caught(module: ParsedModule, node: ast.AST) -> bool:
    """Return whether an exception here is caught: the program may ask for a GPU in this way."""
    return any(isinstance(each, ast.Try) for each in module.ancestors(node))


def _find_scope(module: ParsedModule, call: ast.Call) -> ast.AST:
    return module.find_class(call) or module.find_function(call) or module.tree


def _find_users(module: ParsedModule, scope: ast.AST, streams: Set[str]) -> Iterator[ast.AST]:
    """Yield the statements in a class or function that fail without a GPU, or with None as the stream.

    The functions of this file that the scope calls count as well.
    """
    called = (node.func for node in ast.walk(scope) if isinstance(node, ast.Call))
    names = {func.id for func in called if isinstance(func, ast.Name)}
    helpers = [module.functions[name] for name in sorted(names & module.functions.keys())]
    for node in (node for part in (scope, *helpers) for node in ast.walk(part)):
        is_use = _is_stream(node, streams)
        if is_use and isinstance(module.parents[node], ast.Compare):
            continue
        if (is_use or _needs_cuda(module, node)) and not _is_tested(module, node, streams):
            yield module.find_statement(node)


def _is_stream(node: ast.AST, streams: Set[str]) -> bool:
    """Return whether a stream is read here."""
    is_read = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    return is_read and ast.unparse(node) in streams


def _is_used_elsewhere(module: ParsedModule, scopes: Iterable[ast.AST], streams: Iterable[str]) -> bool:
    """Return whether another class or function of the file reads an attribute that has a stream's name."""
    names = {stream.rpartition(".")[2] for stream in streams if "." in stream}
    inside = {node for scope in scopes for node in ast.walk(scope)}
    return any(
        isinstance(node, ast.Attribute) and node.attr in names and node not in inside
        and module.find_dotted_name(node) != f"torch.cuda.{node.attr}"
        for node in module.nodes.get(ast.Attribute, ())
    )  # fmt: skip


def _needs_cuda(module: ParsedModule, node: ast.AST) -> bool:
    """Return whether a part of an expression raises without a GPU, other than one that makes a stream."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and re.fullmatch(r"cuda(:\d+)?", node.value) is not None
    if not isinstance(node, ast.Attribute):
        return False
    name = module.find_dotted_name(node)
    if name.startswith("torch.cuda."):
        harmless = ("torch.cuda.Stream", "torch.cuda.is_available", "torch.cuda.device_count")
        return name not in harmless
    return isinstance(module.parents[node], ast.Call) and node.attr in ("cuda", "record_stream", "pin_memory")


def _is_tested(module: ParsedModule, node: ast.AST, streams: Set[str]) -> bool:
    """Return whether a node runs only after a test for CUDA or for a stream."""
    return is_conditional(module, node, _tests_for_stream, frozenset(streams))


def _tests_for_stream(module: ParsedModule, condition: ast.expr, streams: frozenset[str]) -> bool:
    nodes = ast.walk(condition)
    return "is_available" in ast.unparse(condition) or any(_is_stream(each, streams) for each in nodes)


def _drop_nested(module: ParsedModule, statements: Iterable[ast.AST]) -> Iterator[ast.AST]:
    kept = set(statements)
    return (each for each in statements if not kept.intersection(module.ancestors(each)))


def _can_be_left_out(statement: ast.AST, module: ParsedModule, streams: Set[str]) -> TypeGuard[ast.stmt]:
    """Return whether a program without a GPU loses nothing without this statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=func, args=args, keywords=[])):
            if module.find_dotted_name(func) in _CUDA_ONLY:
                return all(map(_is_plain, args))
            if not isinstance(func, ast.Attribute) or func.attr not in _STREAM_METHODS:
                return False
            # A method of the class itself can do more.
            is_own = ast.unparse(func.value) == "self"
            parts = (func.value, *args)
            return not is_own and all(_is_plain(each) or _is_current_stream(module, each) for each in parts)
        case ast.With(body=body, items=[ast.withitem(context_expr=entered, optional_vars=None)]):
            is_stream = (
                isinstance(entered, ast.Call)
                and module.find_dotted_name(entered.func) == "torch.cuda.stream"
                and all(ast.unparse(each) in streams for each in entered.args)
            )
            return is_stream and _only_moves(body) and not _binds_for_later(module, statement)
    return False


def _is_plain(expression: ast.expr) -> bool:
    return all(isinstance(node, _PLAIN) for node in ast.walk(expression))


def _is_current_stream(module: ParsedModule, node: ast.expr) -> bool:
    match node:
        case ast.Call(func=func, args=args, keywords=[]):
            return module.find_dotted_name(func) in _CURRENT_STREAM and all(map(_is_plain, args))
    return False


def _binds_for_later(module: ParsedModule, block: ast.stmt) -> bool:
    """Return whether a name that a block binds is read after it, as a loop's variable can be."""
    names = {node.id for node in ast.walk(block) if isinstance(node, ast.Name) and not _is_load(node)}
    function = module.find_function(block)
    moved = {ast.unparse(node.targets[0]) for node in ast.walk(block) if isinstance(node, ast.Assign)}
    return function is not None and any(
        isinstance(node, ast.Name) and _is_load(node) and node.id in names - moved
        and node.lineno > (block.end_lineno or 0)
        for node in ast.walk(function)
    )  # fmt: skip


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _only_moves(statements: Iterable[ast.stmt]) -> bool:
    """Return whether statements only put values on another device, in the place where they were."""
    for statement in statements:
        match statement:
            case ast.Pass():
                pass
            case (
                ast.For(target=ast.Name() | ast.Tuple(), iter=tested, body=body, orelse=orelse)
                | ast.If(test=tested, body=body, orelse=orelse)
            ):
                if not _changes_nothing(tested) or not _only_moves([*body, *orelse]):
                    return False
            case ast.Assign(targets=[target], value=value) if _is_moved(target, value):
                if not _changes_nothing(value, "to", "cuda"):
                    return False
            case _:
                return False
    return True


def _changes_nothing(expression: ast.expr, *methods: str) -> bool:
    """Return whether an expression calls only what is known to change nothing, and binds no name."""
    for node in ast.walk(expression):
        if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return False
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Attribute(attr=name):
                    is_pure = name in _PURE_METHODS or name in methods
                case function:
                    is_pure = ast.unparse(function) in _PURE_FUNCTIONS
            if not is_pure:
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
            return (
                ast.unparse(moved) == place
                and len(args) <= 1
                and all(map(_is_device, args))
                and all(each.arg in _PLACE_ARGUMENTS for each in keywords)
            )
    return ast.unparse(value) == place


def _is_device(argument: ast.expr) -> bool:
    """Return whether an argument of Tensor.to() is surely a device; it can also be a type or a tensor."""
    match argument:
        case ast.Constant(value=value):
            return isinstance(value, int) or (isinstance(value, str) and value.startswith("cuda"))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _DEVICE.search(name) is not None
    return False
