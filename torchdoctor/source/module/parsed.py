"""A parsed module: what its names stand for, in it and in other files of its project."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

from torchdoctor.source.module.names import simplify
from torchdoctor.source.module.nodes import FUNCTIONS, Function
from torchdoctor.source.module.syntax_index import SyntaxIndex, find_position

T = TypeVar("T")

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
class ParsedModule(SyntaxIndex):
    """A module, whose tree is indexed, and what its names stand for; each answer is found once.

    `place` finds what it imports from other files of its project.
    """

    place: Place | None = None

    def find_calls(self, is_wanted: Callable[[str], bool]) -> Sequence[ast.Call]:
        """Return the calls of functions whose dotted name may have a wanted last part, in source order.

        Calls of names that are assigned anywhere are among them, because those can stand for any function.
        """
        found: list[ast.Call] = []
        for name, calls in self.calls_by_name.items():
            imported = self.aliases.get(name, name).rpartition(".")[2]
            if is_wanted(name) or is_wanted(imported) or name in self.bound_names:
                found += calls
        return sorted(found, key=find_position)

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

    def find_function(self, node: ast.AST) -> Function | None:
        """Return the innermost function around the node, or None."""
        function = self.ask_around(_as_function, node)
        return function if isinstance(function, FUNCTIONS) else None

    def find_class(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the innermost class around the node, or None."""
        return self.ask_around(_as_class, node)

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


def _as_function(_: ParsedModule, parent: ast.AST, __: ast.AST) -> Function | None:
    return parent if isinstance(parent, FUNCTIONS) else None


def _as_class(_: ParsedModule, parent: ast.AST, __: ast.AST) -> ast.ClassDef | None:
    return parent if isinstance(parent, ast.ClassDef) else None
