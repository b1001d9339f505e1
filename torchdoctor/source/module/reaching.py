"""The assignments whose value a name can have where it is used, on Windows."""

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.conditions import leaves_block
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import windows_verdict

# So many statements of a block are looked at; generated code has blocks of thousands.
_MOST_STATEMENTS = 200
# A name that so many assignments may reach is one of generated code.
_MOST_BINDINGS = 10
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@record
class _Index:
    """The assignments to one name in one scope by the nodes that make them, and their lines, sorted."""

    by_node: Mapping[ast.AST, Binding]
    lines: Sequence[int]


@record
class _Passed:
    """The assignments that can reach the end of a block; `is_certain` if no earlier one can."""

    bindings: Sequence[Binding] = ()
    is_certain: bool = False


def find_reaching_bindings(module: ParsedModule, name: ast.Name) -> Sequence[Binding]:
    """Return the assignments that may give a name its value, with each `+=` that may add to it.

    Assignments in other branches, in those for other systems and those that are replaced before are left out.
    Empty if the order is not known, as for a name of an outer scope that is assigned several times.
    """
    if (own := _find_comprehension(module, name)) is not None:
        return (own,)
    scope, bindings = module.find_scope(name), module.find_bindings(name)
    if len(bindings) < 2:
        return bindings
    index = module.ask_once(_make_index, scope, name.id)
    if any(isinstance(each, ast.NamedExpr) for each in index.by_node):
        return ()
    return _find_reaching(module, name, scope, index)


def find_reaching_assignments(module: ParsedModule, attribute: ast.Attribute) -> Sequence[Binding]:
    """Return the assignments to an attribute of `self`, in the same function, that may give it its value."""
    scope = module.find_scope(attribute)
    index = module.ask_once(_make_attribute_index, scope, attribute.attr)
    return _find_reaching(module, attribute, scope, index)


def find_lasting_assignments(module: ParsedModule, owner: ast.ClassDef, name: str) -> Sequence[Binding]:
    """Return the assignments to an attribute of `self` that reach the end of a method, or are the class's."""
    found = [*module.bindings.get((owner, name), ())]
    for function in module.ask_once(_index_assigning).get((owner, name), ()):
        found += _find_last_assignments(module, function, name)
    return tuple(dict.fromkeys(found))


def _find_last_assignments(module: ParsedModule, scope: ast.AST, attribute: str) -> Sequence[Binding]:
    """Return the assignments to an attribute of `self` that may reach the end of a function."""
    index = module.ask_once(_make_attribute_index, scope, attribute)
    return _scan_block(module, index, getattr(scope, "body", ())).bindings


def _index_assigning(module: ParsedModule) -> Mapping[tuple[ast.AST | None, str], Sequence[ast.AST]]:
    """Return the methods that assign to each attribute of `self`, by the class and the attribute."""
    found: dict[tuple[ast.AST | None, str], dict[ast.AST, None]] = {}
    for name, targets in module.attributes.items():
        for target, _ in targets:
            if isinstance(target.value, ast.Name) and target.value.id == "self":
                found.setdefault((module.find_class(target), name), {})[module.find_scope(target)] = None
    return {key: tuple(functions) for key, functions in found.items()}


def _find_reaching(module: ParsedModule, used: ast.expr, scope: ast.AST, index: _Index) -> Sequence[Binding]:
    """Return those of the assignments in a scope that may reach an expression."""
    found: list[Binding] = []
    node: ast.AST = module.find_statement(used)
    while node is not scope and (parent := module.parents.get(node)) is not None:
        before, after = _split_block(parent, node)
        passed = _scan_block(module, index, before)
        found += passed.bindings
        if passed.is_certain:
            break
        own = _find_own(index, parent)
        if isinstance(parent, _LOOPS) and not own:
            found += _scan_block(module, index, after).bindings
        found += own
        if own:
            break
        node = parent
    is_known = index.lines and len(found) <= _MOST_BINDINGS
    return sorted(dict.fromkeys(found), key=_find_line) if is_known else ()


def _find_comprehension(module: ParsedModule, name: ast.Name) -> Binding | None:
    """Return what binds a name in the comprehension around it, or None."""
    scope, is_iterated = module.find_scope(name), False
    child: ast.AST = name
    for parent in module.ancestors(name):
        if isinstance(parent, ast.stmt) or parent is scope:
            return None
        if isinstance(parent, ast.comprehension):
            is_iterated = child is parent.iter
        elif generators := getattr(parent, "generators", ()):
            # A list is looked up before what its items are bound to.
            end = generators.index(child) + (not is_iterated) if child in generators else len(generators)
            index = module.ask_once(_make_index, scope, name.id)
            found = (index.by_node[each] for each in reversed(generators[:end]) if each in index.by_node)
            if (own := next(found, None)) is not None:
                return own
        child = parent
    return None


def _make_index(module: ParsedModule, scope: ast.AST, name: str) -> _Index:
    return _index_by_node(module.bindings.get((scope, name), ()))


def _make_attribute_index(module: ParsedModule, scope: ast.AST, name: str) -> _Index:
    return module.ask_once(_index_attributes).get((scope, name)) or _Index({}, ())


def _index_attributes(module: ParsedModule) -> Mapping[tuple[ast.AST, str], _Index]:
    """Return an index of the assignments to each attribute of `self`, by their function and the attribute."""
    found: dict[tuple[ast.AST, str], list[Binding]] = defaultdict(list)
    for name, targets in module.attributes.items():
        for target, binding in targets:
            if isinstance(target.value, ast.Name) and target.value.id == "self":
                found[(module.find_scope(target), name)].append(binding)
    return {key: _index_by_node(each) for key, each in found.items()}


def _index_by_node(bindings: Sequence[Binding]) -> _Index:
    # A comprehension binds names for itself alone: no statement finds it.
    by_node = {each.statement: each for each in bindings}
    outside = (each for each in bindings if not isinstance(each.statement, ast.comprehension))
    return _Index(by_node, sorted(map(_find_line, outside)))


def _find_line(binding: Binding) -> int:
    """Return the line in which an assignment begins."""
    node = binding.value if isinstance(binding.statement, ast.withitem) else binding.statement
    line: int = getattr(node, "lineno", 0)
    return line


def _split_block(parent: ast.AST, node: ast.AST) -> tuple[Sequence[ast.stmt], Sequence[ast.stmt]]:
    """Return the statements before and after a node in the block of its parent."""
    if isinstance(node, ast.ExceptHandler) and isinstance(parent, ast.Try):
        return parent.body, ()
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and node in block:
            place = block.index(node)
            before = block[max(0, place - _MOST_STATEMENTS) : place]
            if name == "finalbody" or (name == "orelse" and isinstance(parent, ast.Try)):
                before = [*getattr(parent, "body", []), *before]
            return before, block[place + 1 : place + 1 + _MOST_STATEMENTS]
    return (), ()


def _find_own(index: _Index, node: ast.AST) -> Sequence[Binding]:
    """Return the assignments that a loop or a `with` makes before its block."""
    parts = node.items if isinstance(node, (ast.With, ast.AsyncWith)) else (node,)
    return [index.by_node[each] for each in parts if each in index.by_node]


def _scan_block(module: ParsedModule, index: _Index, block: Sequence[ast.stmt]) -> _Passed:
    found: list[Binding] = []
    for statement in reversed(block):
        passed = _scan_statement(module, index, statement)
        found += passed.bindings
        if passed.is_certain or len(found) > _MOST_BINDINGS:
            return _Passed(tuple(found), is_certain=True)
    return _Passed(tuple(found))


def _scan_statement(module: ParsedModule, index: _Index, statement: ast.stmt) -> _Passed:
    if statement in index.by_node and not isinstance(statement, _LOOPS):
        return _Passed((index.by_node[statement],), not isinstance(statement, ast.AugAssign))
    first = bisect_left(index.lines, statement.lineno)
    if first == len(index.lines) or index.lines[first] > (statement.end_lineno or 0):
        return _Passed()
    match statement:
        case ast.If():
            return _join([_scan_branch(module, index, each) for each in _list_branches(module, statement)])
        case ast.With(body=body) | ast.AsyncWith(body=body):
            passed, own = _scan_block(module, index, body), _find_own(index, statement)
            return passed if passed.is_certain or not own else _Passed((*passed.bindings, *own), True)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            ways = [[*body, *orelse, *final], *([*body[:-1], *each.body, *final] for each in handlers)]
            return _join([_scan_branch(module, index, each) for each in ways])
    blocks = [*_find_blocks(statement)]
    inner = [binding for block in blocks for binding in _scan_block(module, index, block).bindings]
    return _Passed((*inner, *_find_own(index, statement)))


def _list_branches(module: ParsedModule, statement: ast.If) -> Sequence[Sequence[ast.stmt]]:
    """Return the branches of an `if` that Windows can take."""
    verdict = windows_verdict(module, statement.test)
    return {True: [statement.body], False: [statement.orelse], None: [statement.body, statement.orelse]}[
        verdict
    ]


def _scan_branch(module: ParsedModule, index: _Index, block: Sequence[ast.stmt]) -> _Passed:
    """Return what passes the end of a branch: nothing if it leaves the block around it."""
    return _Passed((), is_certain=True) if leaves_block([*block]) else _scan_block(module, index, block)


def _join(ways: Sequence[_Passed]) -> _Passed:
    """Return what passes one of several ways."""
    found = dict.fromkeys(binding for each in ways for binding in each.bindings)
    return _Passed(tuple(found), all(each.is_certain for each in ways))


def _find_blocks(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """Yield the blocks of a loop or a `match`; those of functions and classes are other scopes."""
    match statement:
        case ast.For() | ast.AsyncFor() | ast.While():
            yield statement.body
            yield statement.orelse
        case ast.Match(cases=cases):
            yield from (each.body for each in cases)
