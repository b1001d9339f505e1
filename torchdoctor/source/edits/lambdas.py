"""The edit that turns a lambda into a module-level function, which a spawned worker can import."""

import ast
import builtins
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.changes import find_line_end, find_span
from torchdoctor.source.lines import find_line_starts
from torchdoctor.source.module.names import find_bound_names
from torchdoctor.source.module.nodes import parameter_names
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_WORD = re.compile(r"\w+")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# They mean something else in another scope.
_SCOPE_NAMES = frozenset({"__class__", "super", "locals", "vars", "dir", "eval", "exec"})


def make_function_edit(source: SourceFile, node: ast.AST, purpose: str) -> Edit | None:
    """Return the edit that turns a lambda into a function named after its purpose.

    Return None if the node is not a lambda, uses local names, or is in a notebook.
    """
    module = source.module
    if source.is_notebook or not isinstance(node, ast.Lambda) or not _is_self_contained(module, node):
        return None
    top: ast.AST = node
    while module.parents[top] is not module.tree:
        top = module.parents[top]
    if not isinstance(top, ast.stmt) or top.col_offset:
        return None
    lines = [top.lineno, *(each.lineno for each in getattr(top, "decorator_list", ()))]
    name = source.module.ask_once(_index_names).find(source, node, purpose)
    start, end = find_span(source, node)
    function_start = find_line_starts(source.text)[min(lines) - 1]
    function = _render_function(source, node, name)
    replacements = (Replacement(function_start, function_start, function), Replacement(start, end, name))
    return Edit(source.path, f"make the lambda a function {name}()", replacements)


def _is_self_contained(module: ParsedModule, node: ast.Lambda) -> bool:
    """Return whether a lambda uses only its parameters, builtins and names defined at module level.

    Defaults are evaluated where the lambda stands, a name like `__x` has another meaning in a class, and some
    builtins read the scope that they are called in.
    """
    defaults = (*node.args.defaults, *node.args.kw_defaults)
    if not all(each is None or isinstance(each, ast.Constant) for each in defaults):
        return False
    local_names = parameter_names(node) | {
        name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    for child in ast.walk(node):
        if isinstance(child, _COMPREHENSIONS) and _iterates_over_its_own_names(child):
            return False
        match child:
            case ast.Yield() | ast.Await() | ast.NamedExpr():
                return False
            case ast.Lambda() if child is not node:
                return False
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if (
                _is_private(name) or name in _SCOPE_NAMES
            ):
                return False
            case ast.Name(id=name, ctx=ast.Load()):
                if name in local_names:
                    continue
                if name not in module.top_level_names and not hasattr(builtins, name):
                    return False
                if _is_bound_around(module, node, name):
                    return False
    return True


def _is_bound_around(module: ParsedModule, node: ast.AST, name: str) -> bool:
    """Return whether a function or class around a node binds a name, or the module one of a builtin."""
    scopes = []
    scope: ast.AST = node
    while scope is not module.tree:
        scope = module.find_scope(scope)
        scopes.append(scope)
    bound = module.ask_once(_index_bound_names)
    return any(
        name in bound.get(each, ()) and (each is not module.tree or name not in module.top_level_names)
        for each in scopes
    )


def _index_bound_names(module: ParsedModule) -> Mapping[ast.AST, set[str]]:
    """Return the names that each scope binds, in whatever way; after `global`, the module binds them."""
    found: dict[ast.AST, set[str]] = defaultdict(set)
    for node in module.walked:
        for name in find_bound_names(node):
            scope = module.find_binding_scope(node) if isinstance(node, ast.Name) else module.find_scope(node)
            found[scope].add(name)
    return found


def _iterates_over_its_own_names(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> bool:
    """Return whether a name of a comprehension has another meaning in its first iterable."""
    bound = {
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return any(isinstance(each, ast.Name) and each.id in bound for each in ast.walk(node.generators[0].iter))


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


class _Names:
    """The names of the functions that lambdas of a module become; each lambda has its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._of_nodes: dict[ast.AST, str] = {}
        self._numbers: dict[str, Iterator[int]] = {}

    def find(self, source: SourceFile, node: ast.AST, purpose: str) -> str:
        """Return the name for a lambda, which does not occur in the source."""
        if not self._taken:
            self._taken = set(_WORD.findall(source.text))
        if node not in self._of_nodes:
            base = f"apply_{purpose}" if purpose.isidentifier() else "apply"
            numbers = self._numbers.setdefault(base, itertools.count(1))
            names = (base if number == 1 else f"{base}_{number}" for number in numbers)
            self._of_nodes[node] = next(name for name in names if name not in self._taken)
            self._taken.add(self._of_nodes[node])
        return self._of_nodes[node]


def _index_names(module: ParsedModule) -> _Names:
    return _Names()


def _render_function(source: SourceFile, node: ast.Lambda, name: str) -> str:
    """Return the source of the function; a body of several lines is put in parentheses."""
    line_end = find_line_end(source.text)
    start, end = find_span(source, node.body)
    body = source.text[start:end]
    if "\n" in body or "\r" in body:
        body = f"({body})"
    return f"def {name}({ast.unparse(node.args)}):{line_end}    return {body}{line_end}{line_end}{line_end}"
