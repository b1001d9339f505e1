"""The names that a function reads in a new process, but that are set only where the script itself runs."""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.idioms.pickling.unpicklable import is_guarded
from torchdoctor.source.module.names import find_bound_names
from torchdoctor.source.module.nodes import FUNCTIONS, Function
from torchdoctor.source.module.parsed import ParsedModule

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__"}
# Calls that can set a name of the module without an assignment.
_SETTERS = frozenset({"globals", "exec"})
# What is in them is not read each time that a function runs.
_CONDITIONAL = (*FUNCTIONS, ast.Lambda, ast.ClassDef, ast.Match, ast.AnnAssign)


@record
class MissingName:
    """A name that a new process does not have; `setter` is the function that sets it, if one does."""

    name: str
    line: int
    setter: str | None = None


def find_missing_names(module: ParsedModule, function: Function) -> Sequence[MissingName]:
    """Return the names that a function of a module reads in any case, and that a new process does not set."""
    if function.decorator_list or module.star_imports or not _SETTERS.isdisjoint(module.calls_by_name):
        return ()
    in_workers = _find_reached(module, [function, *module.ask_once(_find_worker_roots)])
    setters = module.ask_once(_index_setters)
    found = []
    for name in dict.fromkeys(_find_reads(module, function)):
        places = setters.get(name, ())
        if places and not any(_is_set_in_workers(module, each, in_workers) for each in places):
            setter = module.find_function(places[0])
            line = getattr(places[0], "lineno", 0)
            found.append(MissingName(name, line, setter.name if setter is not None else None))
    return found


def _is_set_in_workers(module: ParsedModule, place: ast.AST, in_workers: frozenset[ast.AST]) -> bool:
    scope = module.find_scope(place)
    if scope is module.tree:
        return not is_guarded(module, place)
    # What other files call, methods and inner functions among it, may run in each process.
    return scope in in_workers or scope not in module.ask_once(_find_main_functions)


def _find_main_functions(module: ParsedModule) -> frozenset[ast.AST]:
    """Return the functions and classes that the script itself uses under its guard, and what these use."""
    functions = module.functions.items()
    used = [
        each for name, each in functions if any(_is_in_main(module, use) for use in module.uses.get(name, ()))
    ]
    return _find_reached(module, used)


def _is_in_main(module: ParsedModule, use: ast.Name) -> bool:
    return module.find_scope(use) is module.tree and is_guarded(module, use)


def _index_setters(module: ParsedModule) -> Mapping[str, Sequence[ast.AST]]:
    """Return the nodes that set each name of the module, at its top level or behind a `global` statement."""
    declared: dict[ast.AST, set[str]] = defaultdict(set)
    for node in module.nodes.get(ast.Global, ()):
        if isinstance(node, ast.Global):
            declared[module.find_scope(node)].update(node.names)
    found: dict[str, list[ast.AST]] = defaultdict(list)
    for node in module.walked:
        for name in find_bound_names(node):
            scope = module.find_scope(node)
            if scope is module.tree or name in declared.get(scope, ()):
                found[name].append(node)
    return found


def _find_worker_roots(module: ParsedModule) -> frozenset[Function]:
    """Return the functions that an import runs, and those that are given to something that may run them."""
    found = set()
    for name, function in module.functions.items():
        for use in module.uses.get(name, ()):
            parent = module.parents.get(use)
            is_called = isinstance(parent, ast.Call) and parent.func is use
            is_at_import = module.find_scope(use) is module.tree and not is_guarded(module, use)
            if not is_called or is_at_import:
                found.add(function)
    return frozenset(found)


def _find_reached(module: ParsedModule, roots: Sequence[Function]) -> frozenset[ast.AST]:
    """Return the functions and classes of the module that others name, and those that these name."""
    pending: list[ast.AST] = [*roots]
    found = set[ast.AST]()
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            pending += [module.functions[name] for name in names & module.functions.keys()]
            pending += [module.classes[name] for name in names & module.classes.keys()]
    return frozenset(found)


def _find_reads(module: ParsedModule, function: Function) -> Iterator[str]:
    """Yield the names of the module that a function reads each time that it runs, also through others."""
    pending, seen = [function], set[Function]()
    while pending:
        current = pending.pop(0)
        if current in seen:
            continue
        seen.add(current)
        own = {name for node in ast.walk(current) for name in find_bound_names(node)}
        for node in _find_certain_nodes(current):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                continue
            parent = module.parents.get(node)
            if node.id in module.functions and isinstance(parent, ast.Call) and parent.func is node:
                pending.append(module.functions[node.id])
            if node.id not in own and node.id not in _BUILTINS:
                yield node.id


def _find_certain_nodes(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function that run whenever it runs, the tests of conditions among them."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop(0)
        yield node
        match node:
            case ast.If(test=first) | ast.IfExp(test=first) | ast.While(test=first):
                pending.insert(0, first)
            case ast.BoolOp(values=[first, *_]):
                pending.insert(0, first)
            case ast.AnnAssign(value=ast.expr() as first):
                pending.insert(0, first)
            case ast.Try(body=body, handlers=handlers):
                expected = any(each.type and "NameError" in ast.unparse(each.type) for each in handlers)
                pending[:0] = [] if expected else body
            case ast.Return() | ast.Raise():
                pending = [*ast.iter_child_nodes(node)]
            case _ if not isinstance(node, _CONDITIONAL):
                pending[:0] = ast.iter_child_nodes(node)
