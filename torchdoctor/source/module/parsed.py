"""A parsed module with indexes of its nodes, scopes, names and assignments."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar, cast

from torchdoctor.source.module.bindings import BINDING_NODES, Binding, find_assignments
from torchdoctor.source.module.names import find_bound_names, read_imports, simplify
from torchdoctor.source.module.nodes import FUNCTIONS, Function, parameter_names
from torchdoctor.source.module.walking import find_depth, is_deeper, walk

T = TypeVar("T")

Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPE_KINDS = frozenset({ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda})
_MAX_CHAIN = 8
# A class of a person has fewer bases; each of them is asked about.
_MOST_BASES = 40


class Place(Protocol):
    """Where the file of a module is in its project, from which its imports are found."""

    @property
    def path(self) -> str:
        """The path of the file."""

    @property
    def has_loaders(self) -> bool:
        """Whether files that it imports make loaders or start processes."""

    def has_text(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether the text of the file has what a pattern looks for."""

    def find_module(self, dotted: str, words: Sequence[str]) -> "ParsedModule | None":
        """Return the module of that name, if it is another file and has one of the words and a loader."""

    def find_definition(self, dotted: str) -> "tuple[ParsedModule, Function | ast.ClassDef] | None":
        """Return the function or class of another file that a dotted name of this module stands for."""

    def find_name(self, dotted: str) -> "tuple[ParsedModule, str, Sequence[str]] | None":
        """Return the other file that a dotted name leads to, the name there, and the parts that follow."""

    def find_value(self, dotted: str) -> "tuple[ParsedModule, ast.expr] | None":
        """Return the value of a name of another file, or of an attribute of a class there, if it has one."""


@dataclass(frozen=True)
class ParsedModule:
    """A module and its indexes; each index is computed once, when it is first used.

    `place` finds what it imports from other files of its project.
    """

    tree: ast.Module
    place: Place | None = None

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
        return sorted((node for node in self.walked if isinstance(node, ast.stmt)), key=_find_position)

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

    def find_calls(self, is_wanted: Callable[[str], bool]) -> Sequence[ast.Call]:
        """Return the calls of functions whose dotted name may have a wanted last part, in source order.

        Calls of names that are assigned anywhere are among them, because those can stand for any function.
        """
        found: list[ast.Call] = []
        for name, calls in self.calls_by_name.items():
            imported = self.aliases.get(name, name).rpartition(".")[2]
            if is_wanted(name) or is_wanted(imported) or name in self.bound_names:
                found += calls
        return sorted(found, key=_find_position)

    def find_calls_by_name(self, is_wanted: Callable[[str], bool]) -> Mapping[str, Sequence[ast.Call]]:
        """Return the calls of functions whose dotted name has a wanted last part, by that dotted name.

        Names are followed only for calls that can have it, because that takes long.
        """
        found: dict[str, list[ast.Call]] = {}
        candidates = frozenset(self.find_calls(is_wanted))
        for call in self.calls if candidates else ():
            name = self.find_dotted_name(call.func) if call in candidates else ""
            if name and is_wanted(name.rpartition(".")[2]):
                found.setdefault(name, []).append(call)
        return found

    def find_calls_of_name(self, dotted: str) -> Sequence[ast.Call]:
        """Return the calls of the function with a dotted name, in source order."""
        last = dotted.rpartition(".")[2]
        return self.find_calls_by_name(last.__eq__).get(dotted, ())

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

    def ask_once(self, function: Callable[..., T], *arguments: object) -> T:
        """Return `function(self, *arguments)`. It is called only the first time for the same arguments."""
        question = (function, *arguments)
        if question not in self._answers:
            self._answers[question] = function(self, *arguments)
        answer: T = self._answers[question]
        return answer

    def ask_around(
        self, function: "Callable[..., T | None]", node: ast.AST, *arguments: object
    ) -> "T | None":
        """Return the first `function(self, parent, child, *arguments)` from a node upwards that is not None.

        `child` is the node below the ancestor. Each pair is asked about only once.
        """
        known: dict[ast.AST, T | None] = self._answers.setdefault((function, *arguments), {self.tree: None})
        path = []
        while node not in known:
            path.append(node)
            node = self.parents.get(node, self.tree)
        for child in reversed(path):
            answer = function(self, node, child, *arguments)
            known[child] = known[node] if answer is None else answer
            node = child
        return known[node]

    @cached_property
    def _answers(self) -> dict[object, Any]:
        return {}

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

    def find_imported(self, dotted: str) -> "tuple[ParsedModule, Function | ast.ClassDef] | None":
        """Return the function or class of another file of the project that a dotted name stands for."""
        if self.place is None:
            return None
        found = map(self.place.find_definition, self._find_imported_names(dotted))
        return next(filter(None, found), None)

    def find_imported_value(self, dotted: str) -> "tuple[ParsedModule, ast.expr] | None":
        """Return the only value of a name of another file of the project, with the module of that file."""
        if self.place is None:
            return None
        found = map(self.place.find_value, self._find_imported_names(dotted))
        return next(filter(None, found), None)

    def _find_imported_names(self, dotted: str) -> Iterator[str]:
        """Yield the dotted names in other files that a name may stand for, through `import *` as well."""
        if "." in dotted:
            yield dotted
        elif dotted and not (
            dotted in self.bound_names or dotted in self.functions or dotted in self.classes
        ):
            for module in self.star_imports:
                yield f"{module}{'' if module.endswith('.') else '.'}{dotted}"

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

    def find_function(self, node: ast.AST) -> Function | None:
        """Return the innermost function around the node, or None."""
        function = self.ask_around(_as_function, node)
        return function if isinstance(function, FUNCTIONS) else None

    def find_class(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the innermost class around the node, or None."""
        return self.ask_around(_as_class, node)

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

    def find_dotted_name(self, node: ast.AST) -> str:
        """Return the dotted name of an expression, or "" when it is not a name.

        Imports are followed, and names that are assigned once from another name. Contexts of multiprocessing
        count as the module: after `ctx = mp.get_context("spawn")`, `ctx.Queue` is `multiprocessing.Queue`.
        """
        cache = self._canonical_cache
        if node not in cache:
            cache[node] = self._find_canonical(node, 0)
        return cache[node]

    @cached_property
    def _canonical_cache(self) -> dict[ast.AST, str]:
        return {}

    def _find_canonical(self, node: ast.AST, depth: int) -> str:
        if isinstance(node, ast.Attribute):
            if self._is_kept_context(node):
                return "multiprocessing"
            base = self._find_canonical(node.value, depth)
            return simplify(f"{base}.{node.attr}") if base else ""
        if isinstance(node, ast.Call):
            name = self._find_canonical(node.func, depth)
            return "multiprocessing" if name == "multiprocessing.get_context" else ""
        if not isinstance(node, ast.Name):
            return ""
        if node.id in self.aliases:
            return self.aliases[node.id]
        value = self.find_only_value(node) if depth < _MAX_CHAIN else None
        if isinstance(value, (ast.Name, ast.Attribute, ast.Call)):
            return self._find_canonical(value, depth + 1) or node.id
        return node.id

    def _is_kept_context(self, node: ast.Attribute) -> bool:
        """Return whether a node is `self.x`, which its class sets only to a context of multiprocessing."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()) if (
                name in self._kept_contexts
            ):
                owner = self.find_class(node)
                bindings = self.attributes[name]
                values = [binding.value for target, binding in bindings if self.find_class(target) is owner]
                return bool(values) and all(self._is_context(each) for each in values)
        return False

    def _is_context(self, value: ast.expr | None) -> bool:
        """Return whether a value is made by `get_context()` of multiprocessing."""
        match value:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id=root) | ast.Attribute(value=ast.Name(id=root)), attr="get_context"
                )
                | ast.Name(id=root) as function
            ) if root in self.aliases:
                return self.find_dotted_name(function) == "multiprocessing.get_context"
        return False

    @cached_property
    def _kept_contexts(self) -> frozenset[str]:
        """The attributes that are set to a context of multiprocessing."""
        if "get_context" not in self.calls_by_name:
            return frozenset()
        return frozenset(
            name
            for name, bindings in self.attributes.items()
            if any(self._is_context(binding.value) for _, binding in bindings)
        )

    def find_base_names(self, node: ast.ClassDef) -> frozenset[str]:
        """Return the dotted names of a class's bases, including the bases of bases in the same module."""
        return self.ask_once(ParsedModule._find_base_names, node)

    def _find_base_names(self, node: ast.ClassDef) -> frozenset[str]:
        found: set[str] = set()
        pending = [node]
        while pending and len(found) < _MOST_BASES:
            for name in self.ask_once(ParsedModule._name_bases, pending.pop()):
                local = self.classes.get(name)
                known = self._answers.get((ParsedModule._find_base_names, local))
                if known is not None:
                    found |= known
                elif local is not None and name not in found:
                    pending.append(local)
                found.add(name)
        return frozenset(found - {""})

    def _name_bases(self, node: ast.ClassDef) -> tuple[str, ...]:
        return tuple(
            self.find_dotted_name(base.value if isinstance(base, ast.Subscript) else base)
            for base in node.bases
        )


def _find_position(node: ast.expr | ast.stmt) -> tuple[int, int, int, int]:
    """Return what sorts nodes by their start, and those with the same start from the outermost inwards."""
    return node.lineno, node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0)


def _as_function(_: ParsedModule, parent: ast.AST, __: ast.AST) -> Function | None:
    return parent if isinstance(parent, FUNCTIONS) else None


def _as_class(_: ParsedModule, parent: ast.AST, __: ast.AST) -> ast.ClassDef | None:
    return parent if isinstance(parent, ast.ClassDef) else None
