"""What stands in a syntax tree, by kind, by name and by scope; each index is made when it is first used."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from torchdoctor.source.module.bindings import BINDING_NODES, Binding, find_assignments
from torchdoctor.source.module.names import find_bound_names, read_imports
from torchdoctor.source.module.nodes import FUNCTIONS, Function, parameter_names
from torchdoctor.source.module.walking import find_depth, is_deeper, walk

Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPE_KINDS = frozenset({ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda})


@dataclass(frozen=True)
class SyntaxIndex:
    """The indexes of the syntax tree of a module."""

    tree: ast.Module

    @cached_property
    def nodes(self) -> Mapping[type[ast.AST], Sequence[ast.AST]]:
        """All nodes by type, in source order."""
        found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in self.walked:
            found[node.__class__].append(node)
        return found

    @property
    def walked(self) -> Sequence[ast.AST]:
        """All nodes except the module, in source order."""
        return self._walked[0]

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """The parent of each node except the module."""
        return self._walked[1]

    @cached_property
    def _walked(self) -> tuple[Sequence[ast.AST], Mapping[ast.AST, ast.AST]]:
        return walk(self.tree)

    def is_deeper(self, most: int) -> bool:
        """Return whether there are more levels below the module; an `elif` is on the level of its `if`."""
        return is_deeper(self.tree, self.walked, self.parents, most)

    @cached_property
    def depth(self) -> int:
        """The number of levels below the module."""
        return find_depth(self.tree, self.walked, self.parents)

    @cached_property
    def statements(self) -> Sequence[ast.stmt]:
        """All statements, in the order of their beginnings."""
        return sorted((node for node in self.walked if isinstance(node, ast.stmt)), key=find_position)

    @cached_property
    def calls(self) -> Sequence[ast.Call]:
        """All calls, in source order."""
        return [node for node in self.nodes.get(ast.Call, ()) if isinstance(node, ast.Call)]

    @cached_property
    def calls_by_name(self) -> Mapping[str, Sequence[ast.Call]]:
        """The calls of each function or method by the last part of its name."""
        found: dict[str, list[ast.Call]] = defaultdict(list)
        for call in self.calls:
            match call.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    found[name].append(call)
        return found

    @cached_property
    def uses(self) -> Mapping[str, Sequence[ast.Name]]:
        """The nodes that are a name, by the name."""
        found: dict[str, list[ast.Name]] = defaultdict(list)
        for node in self.nodes.get(ast.Name, ()):
            if isinstance(node, ast.Name):
                found[node.id].append(node)
        return found

    @cached_property
    def attribute_reads(self) -> Mapping[str, Sequence[ast.Attribute]]:
        """The attributes that are read, by their name."""
        found: dict[str, list[ast.Attribute]] = defaultdict(list)
        for node in self.nodes.get(ast.Attribute, ()):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found[node.attr].append(node)
        return found

    @cached_property
    def top_level_names(self) -> frozenset[str]:
        """The names of the imports, functions and classes at the top level of the module."""
        kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
        statements = (each for each in self.tree.body if isinstance(each, kinds))
        return frozenset(name for each in statements for name in find_bound_names(each))

    @cached_property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        """All classes by name, including nested ones."""
        return {
            node.name: node for node in self.nodes.get(ast.ClassDef, ()) if isinstance(node, ast.ClassDef)
        }

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The functions at the top level of the module, also inside `if` and `try`, by name."""
        return {node.name: node for node in self._functions if self.find_scope(node) is self.tree}

    @cached_property
    def methods(self) -> Mapping[str, Sequence[Function]]:
        """The methods of all classes by name."""
        found: dict[str, list[Function]] = defaultdict(list)
        for node in self._functions:
            if isinstance(self.find_scope(node), ast.ClassDef):
                found[node.name].append(node)
        return found

    @cached_property
    def _functions(self) -> Sequence[Function]:
        return [
            node for kind in FUNCTIONS for node in self.nodes.get(kind, ()) if isinstance(node, FUNCTIONS)
        ]

    @cached_property
    def local_functions(self) -> Mapping[ast.AST, Sequence[Function]]:
        """The functions defined inside each function."""
        found: dict[ast.AST, list[Function]] = defaultdict(list)
        for node in self._functions:
            if isinstance(scope := self.find_scope(node), FUNCTIONS):
                found[scope].append(node)
        return found

    @cached_property
    def returns(self) -> Mapping[ast.AST, Sequence[ast.Return]]:
        """The return statements of each function."""
        found: dict[ast.AST, list[ast.Return]] = defaultdict(list)
        for node in self.nodes.get(ast.Return, ()):
            if isinstance(node, ast.Return):
                found[self.find_scope(node)].append(node)
        return found

    def find_returned_values(self, function: Function) -> Sequence[ast.expr]:
        """Return the expressions that a function returns."""
        return [node.value for node in self.returns.get(function, ()) if node.value is not None]

    @cached_property
    def yields(self) -> Mapping[ast.AST, Sequence[ast.Yield | ast.YieldFrom]]:
        """The `yield` expressions of each generator function, and behind them those with `from`."""
        found: dict[ast.AST, list[ast.Yield | ast.YieldFrom]] = defaultdict(list)
        for node in (*self.nodes.get(ast.Yield, ()), *self.nodes.get(ast.YieldFrom, ())):
            if isinstance(node, (ast.Yield, ast.YieldFrom)):
                found[self.find_scope(node)].append(node)
        return found

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The dotted names for the names that imports bind, anywhere in the module."""
        imports = [*self.nodes.get(ast.Import, ()), *self.nodes.get(ast.ImportFrom, ())]
        return read_imports(node for node in imports if isinstance(node, (ast.Import, ast.ImportFrom)))

    @cached_property
    def star_imports(self) -> Sequence[str]:
        """The dotted names of the modules of which everything is imported, the last one first."""
        statements = [each for each in self.nodes.get(ast.ImportFrom, ()) if isinstance(each, ast.ImportFrom)]
        return [
            "." * each.level + (each.module or "")
            for each in reversed(statements)
            if any(alias.name == "*" for alias in each.names)
        ]

    @cached_property
    def bindings(self) -> Mapping[tuple[ast.AST, str], Sequence[Binding]]:
        """The assignments to each name in each scope."""
        found: dict[tuple[ast.AST, str], list[Binding]] = defaultdict(list)
        for target, binding in self._assignments:
            if isinstance(target, ast.Name):
                found[(self.find_binding_scope(target), target.id)].append(binding)
        return found

    @cached_property
    def bound_names(self) -> frozenset[str]:
        """The names that are assigned in any scope."""
        return frozenset(name for _, name in self.bindings)

    @cached_property
    def attributes(self) -> Mapping[str, Sequence[tuple[ast.Attribute, Binding]]]:
        """The assignments to attributes (`self.x = ...`, `args.x = ...`) by the attribute's name."""
        found: dict[str, list[tuple[ast.Attribute, Binding]]] = defaultdict(list)
        for target, binding in self._assignments:
            if isinstance(target, ast.Attribute):
                found[target.attr].append((target, binding))
        return found

    @cached_property
    def _assignments(self) -> Sequence[tuple[ast.expr, Binding]]:
        nodes = [node for kind in BINDING_NODES for node in self.nodes.get(kind, ())]
        return [assignment for node in nodes for assignment in find_assignments(node)]

    @cached_property
    def _global_names(self) -> Mapping[ast.AST, frozenset[str]]:
        found: dict[ast.AST, frozenset[str]] = defaultdict(frozenset)
        for node in self.nodes.get(ast.Global, ()):
            if isinstance(node, ast.Global):
                found[self.find_scope(node)] |= frozenset(node.names)
        return found

    def find_binding_scope(self, name: ast.Name) -> ast.AST:
        """Return the scope in which an assignment binds the name; after a `global` statement, the module."""
        scope = self.find_scope(name)
        names = self._global_names
        return self.tree if names and name.id in names.get(scope, ()) else scope

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the ancestors of a node, from its parent up to the module."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def find_scope(self, node: ast.AST) -> Scope:
        """Return the innermost function, lambda, class or module around the node."""
        cache, parents = self._scope_cache, self.parents
        path = []
        while (scope := cache.get(node)) is None:
            path.append(node)
            node = parents.get(node, self.tree)
            if node.__class__ in _SCOPE_KINDS:
                scope = cast(Scope, node)
                break
        for each in path:
            cache[each] = scope
        return scope

    @cached_property
    def _scope_cache(self) -> dict[ast.AST, Scope]:
        return {self.tree: self.tree}

    def find_statement(self, node: ast.AST) -> ast.AST:
        """Return the innermost statement that contains the node, or is the node."""
        while not isinstance(node, ast.stmt) and node in self.parents:
            node = self.parents[node]
        return node

    def find_bindings(self, name: ast.Name) -> Sequence[Binding]:
        """Return the assignments in the innermost scope that binds the name; parameters are left out."""
        scope: ast.AST = self.find_binding_scope(name)
        while True:
            if found := self.bindings.get((scope, name.id)):
                return found
            if scope is self.tree or name.id in parameter_names(scope):
                return ()
            scope = self.find_scope(scope)
            while isinstance(scope, ast.ClassDef):
                scope = self.find_scope(scope)

    def find_only_value(self, name: ast.Name) -> ast.expr | None:
        """Return the value of a name that is assigned once, as a whole; None for any other."""
        bindings = self.find_bindings(name)
        return bindings[0].value if len(bindings) == 1 and bindings[0].index is None else None

    def find_parameter(self, name: ast.Name) -> Function | None:
        """Return the function that has the name as a parameter, or None."""
        scope: ast.AST = self.find_scope(name)
        while scope is not self.tree:
            if isinstance(scope, FUNCTIONS) and name.id in parameter_names(scope):
                return scope
            if (scope, name.id) in self.bindings:
                return None
            scope = self.find_scope(scope)
        return None


def find_position(node: ast.expr | ast.stmt) -> tuple[int, int, int, int]:
    """Return what sorts nodes by their start, and those with the same start from the outermost inwards."""
    return node.lineno, node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0)
