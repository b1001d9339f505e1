"""A parsed module, indexed: who contains what, what names stand for, where they are bound."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from torchdoctor.core.record import record
from torchdoctor.source.module.names import read_imports, simplify

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BINDING = (
    ast.Assign,
    ast.AnnAssign,
    ast.NamedExpr,
    ast.AugAssign,
    ast.For,
    ast.AsyncFor,
    ast.comprehension,
    ast.withitem,
)
_LONGEST_CHAIN = 8
# What has a place of its own; operators and contexts are single nodes that the parser uses everywhere.
_OWN = (
    ast.expr,
    ast.stmt,
    ast.keyword,
    ast.arguments,
    ast.arg,
    ast.withitem,
    ast.comprehension,
    ast.excepthandler,
    ast.match_case,
    ast.pattern,
    ast.alias,
)


@record
class Binding:
    """A name or attribute that gets a value: `statement` binds it, `value` is None where unclear.

    `index` is the place in a tuple that is unpacked, None for the whole value.
    """

    statement: ast.AST
    value: ast.expr | None
    index: int | None = None


@dataclass(frozen=True)
class ParsedModule:
    """The module's indexes; each is computed at its first use, and once."""

    tree: ast.Module

    @cached_property
    def nodes(self) -> Mapping[type[ast.AST], Sequence[ast.AST]]:
        """All nodes by type, in the order of the source."""
        found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in self.parents:
            found[type(node)].append(node)
        return found

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """The parent of each node but the module, in the order of the source."""
        parents: dict[ast.AST, ast.AST] = {}
        stack: list[tuple[ast.AST, ast.AST]] = [(each, self.tree) for each in reversed(self.tree.body)]
        while stack:
            node, parent = stack.pop()
            parents[node] = parent
            stack += [(child, node) for child in _children(node)]
        return parents

    @cached_property
    def depth(self) -> int:
        """How many levels the tree is deep."""
        levels: dict[ast.AST, int] = {self.tree: 0}
        for node, parent in self.parents.items():
            levels[node] = levels[parent] + 1
        return max(levels.values())

    @cached_property
    def calls(self) -> Sequence[ast.Call]:
        """All calls."""
        return [node for node in self.nodes.get(ast.Call, ()) if isinstance(node, ast.Call)]

    @cached_property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        """The classes by name, nested ones included."""
        return {
            node.name: node for node in self.nodes.get(ast.ClassDef, ()) if isinstance(node, ast.ClassDef)
        }

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The functions of the module's top level (also inside `if` and `try`) by name."""
        return {node.name: node for node in self._functions if self.scope(node) is self.tree}

    @cached_property
    def methods(self) -> Mapping[str, Sequence[Function]]:
        """The methods of all classes by name."""
        found: dict[str, list[Function]] = defaultdict(list)
        for node in self._functions:
            if isinstance(self.scope(node), ast.ClassDef):
                found[node.name].append(node)
        return found

    @cached_property
    def _functions(self) -> Sequence[Function]:
        return [
            node for kind in FUNCTIONS for node in self.nodes.get(kind, ()) if isinstance(node, FUNCTIONS)
        ]

    @cached_property
    def local_functions(self) -> Mapping[ast.AST, Sequence[Function]]:
        """The functions that are defined inside each function."""
        found: dict[ast.AST, list[Function]] = defaultdict(list)
        for node in self._functions:
            if isinstance(scope := self.scope(node), FUNCTIONS):
                found[scope].append(node)
        return found

    @cached_property
    def returns(self) -> Mapping[ast.AST, Sequence[ast.Return]]:
        """The return statements of each function."""
        found: dict[ast.AST, list[ast.Return]] = defaultdict(list)
        for node in self.nodes.get(ast.Return, ()):
            if isinstance(node, ast.Return):
                found[self.scope(node)].append(node)
        return found

    def returned_by(self, function: Function) -> Sequence[ast.expr]:
        """Give the expressions that a function returns."""
        return [node.value for node in self.returns.get(function, ()) if node.value is not None]

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """What the names bound by imports, anywhere in the module, stand for."""
        imports = [*self.nodes.get(ast.Import, ()), *self.nodes.get(ast.ImportFrom, ())]
        return read_imports(node for node in imports if isinstance(node, (ast.Import, ast.ImportFrom)))

    @cached_property
    def bindings(self) -> Mapping[tuple[ast.AST, str], Sequence[Binding]]:
        """Where each plain name of each scope is assigned."""
        found: dict[tuple[ast.AST, str], list[Binding]] = defaultdict(list)
        for target, binding in self._targets:
            if isinstance(target, ast.Name):
                found[(self.owner(target), target.id)].append(binding)
        return found

    @cached_property
    def attributes(self) -> Mapping[str, Sequence[tuple[ast.Attribute, Binding]]]:
        """Where each attribute is assigned (`self.x = ...`, `args.x = ...`), by its last name."""
        found: dict[str, list[tuple[ast.Attribute, Binding]]] = defaultdict(list)
        for target, binding in self._targets:
            if isinstance(target, ast.Attribute):
                found[target.attr].append((target, binding))
        return found

    @cached_property
    def _targets(self) -> Sequence[tuple[ast.expr, Binding]]:
        return [pair for kind in _BINDING for node in self.nodes.get(kind, ()) for pair in _targets_of(node)]

    @cached_property
    def _globals(self) -> Mapping[ast.AST, frozenset[str]]:
        found: dict[ast.AST, frozenset[str]] = defaultdict(frozenset)
        for node in self.nodes.get(ast.Global, ()):
            if isinstance(node, ast.Global):
                found[self.scope(node)] |= frozenset(node.names)
        return found

    def owner(self, name: ast.Name) -> ast.AST:
        """Give the scope whose name this is: the module where `global` says so."""
        scope = self.scope(name)
        return self.tree if name.id in self._globals.get(scope, ()) else scope

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Walk from the node's parent up to the module."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def scope(self, node: ast.AST) -> Scope:
        """Give the function, lambda, class or module that the node stands in."""
        known = self._scopes
        if node not in known:
            parent = self.parents.get(node, self.tree)
            known[node] = parent if isinstance(parent, _SCOPES) else self.scope(parent)
        return known[node]

    @cached_property
    def _scopes(self) -> dict[ast.AST, Scope]:
        return {self.tree: self.tree}

    def enclosing_function(self, node: ast.AST) -> Function | None:
        """Give the innermost `def` around the node."""
        return next((each for each in self.ancestors(node) if isinstance(each, FUNCTIONS)), None)

    def enclosing_class(self, node: ast.AST) -> ast.ClassDef | None:
        """Give the innermost class around the node."""
        return next((each for each in self.ancestors(node) if isinstance(each, ast.ClassDef)), None)

    def statement(self, node: ast.AST) -> ast.AST:
        """Give the statement that the node is part of."""
        while not isinstance(node, ast.stmt) and node in self.parents:
            node = self.parents[node]
        return node

    def find_bindings(self, name: ast.Name) -> Sequence[Binding]:
        """Give the assignments of the innermost scope that binds the name (parameters aside)."""
        scope: ast.AST = self.owner(name)
        while True:
            if found := self.bindings.get((scope, name.id)):
                return found
            if scope is self.tree or name.id in parameter_names(scope):
                return ()
            scope = self.scope(scope)
            while isinstance(scope, ast.ClassDef):
                scope = self.scope(scope)

    def find_parameter(self, name: ast.Name) -> Function | None:
        """Give the function of which the name is a parameter."""
        scope: ast.AST = self.scope(name)
        while scope is not self.tree:
            if isinstance(scope, FUNCTIONS) and name.id in parameter_names(scope):
                return scope
            if (scope, name.id) in self.bindings:
                return None
            scope = self.scope(scope)
        return None

    def canonical(self, node: ast.AST) -> str:
        """Give the dotted name of an expression, or "" for what is no name.

        Imports are followed, so are names that were assigned once from another name and contexts
        of multiprocessing: `ctx = mp.get_context("spawn")` makes `ctx.Queue` multiprocessing's.
        """
        known = self._canonical_names
        if node not in known:
            known[node] = self._follow(node, 0)
        return known[node]

    @cached_property
    def _canonical_names(self) -> dict[ast.AST, str]:
        return {}

    def _follow(self, node: ast.AST, depth: int) -> str:
        if isinstance(node, ast.Attribute):
            base = self._follow(node.value, depth)
            return simplify(f"{base}.{node.attr}") if base else ""
        if isinstance(node, ast.Call):
            name = self._follow(node.func, depth)
            return "multiprocessing" if name == "multiprocessing.get_context" else ""
        if not isinstance(node, ast.Name):
            return ""
        if node.id in self.aliases:
            return self.aliases[node.id]
        bindings = self.find_bindings(node) if depth < _LONGEST_CHAIN else ()
        if len(bindings) == 1 and bindings[0].value is not None and bindings[0].index is None:
            value = bindings[0].value
            if isinstance(value, (ast.Name, ast.Attribute, ast.Call)):
                return self._follow(value, depth + 1) or node.id
        return node.id

    def bases(self, node: ast.ClassDef) -> frozenset[str]:
        """Give the dotted names of all bases, those of bases in the same file included."""
        found: set[str] = set()
        pending = [node]
        while pending:
            for base in pending.pop().bases:
                name = self.canonical(base.value if isinstance(base, ast.Subscript) else base)
                local = self.classes.get(name)
                if local is not None and name not in found:
                    pending.append(local)
                found.add(name)
        return frozenset(found - {""})


def _children(node: ast.AST) -> list[ast.AST]:
    """Give a node's children, last first; ast.iter_child_nodes takes twice as long."""
    children: list[object] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            children += value
        else:
            children.append(value)
    return [each for each in reversed(children) if isinstance(each, _OWN)]


def parameter_names(scope: ast.AST) -> frozenset[str]:
    """Give the names of the parameters of a function or lambda."""
    if not isinstance(scope, (*FUNCTIONS, ast.Lambda)):
        return frozenset()
    arguments = scope.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    return frozenset(each.arg for each in every if each is not None)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Give the value of a keyword argument."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """Give the value of an argument that may be passed by keyword or by position."""
    value = keyword(call, name)
    before = call.args[: position + 1]
    if value is None and len(before) > position and not any(isinstance(each, ast.Starred) for each in before):
        return before[position]
    return value


def is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a constant alone, as a docstring is."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _targets_of(node: ast.AST) -> Iterator[tuple[ast.expr, Binding]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _unpacked(target, node, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield target, Binding(node, value)
        case ast.NamedExpr(target=target, value=value):
            yield target, Binding(node, value)
        case ast.AugAssign(target=target):
            yield target, Binding(node, None)
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            yield from _unpacked(target, node, None)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield from _unpacked(target, node, value)


def _unpacked(
    target: ast.expr, statement: ast.AST, value: ast.expr | None
) -> Iterator[tuple[ast.expr, Binding]]:
    if isinstance(target, ast.Starred):
        target, value = target.value, None
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, Binding(statement, value)
        return
    parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else ()
    for index, each in enumerate(target.elts):
        if len(parts) == len(target.elts):
            yield from _unpacked(each, statement, parts[index])
        elif isinstance(each, (ast.Tuple, ast.List, ast.Starred)):
            yield from _unpacked(each, statement, None)
        else:
            yield each, Binding(statement, value, index)
