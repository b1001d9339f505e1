"""The edit that turns a lambda into a module-level function, which a spawned worker can import."""

import ast
import bisect
import builtins
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.blocks import find_comment_start, find_indent, find_lines_in_strings
from torchdoctor.source.edits.changes import find_line_end, find_span
from torchdoctor.source.lines import find_line_starts, split_lines
from torchdoctor.source.module.names import find_bound_names
from torchdoctor.source.module.nodes import parameter_names
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_WORD = re.compile(r"\w+")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Parameters that say nothing about what a function is for.
_PLAIN_PARAMETERS = frozenset({"func", "fn", "f", "function", "lambd"})
# Calls whose result is used as the function itself would be.
_WRAPPER = re.compile(
    r"transforms\.|Lambda$|Compose$|(?:^|\.)(?:Random\w+|Sequential|partial|dict|list|tuple)$"
)
# The name of a function that returns what it is given.
_IDENTITY = "identity"
# They mean something else in another scope.
_SCOPE_NAMES = frozenset({"__class__", "super", "locals", "vars", "dir", "eval", "exec"})


def make_function_edit(source: SourceFile, node: ast.AST, purpose: str) -> Edit | None:
    """Return the edit that turns a lambda into a function named after its purpose, or after what keeps it.

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
    start, end = find_span(source, node)
    if (same := _find_same_function(module, node, top)) is not None:
        use = Replacement(start, end, same)
        return Edit(source.path, f"replace the lambda by the function {same}()", (use,))
    name = source.module.ask_once(_index_names).find(source, node, _find_base(module, node, purpose))
    line = _find_place(source, top)
    function_start = find_line_starts(source.text)[line - 1]
    function = _find_blank_lines(source, line) + _render_function(source, node, name)
    replacements = (Replacement(function_start, function_start, function), Replacement(start, end, name))
    return Edit(source.path, f"make the lambda a function {name}()", replacements)


def _find_same_function(module: ParsedModule, node: ast.Lambda, user: ast.stmt) -> str | None:
    """Return the name of a function above the user of a lambda that does what the lambda does, or None."""
    same = module.ask_once(_index_short_functions).get(_describe_work(node.args, node.body), ())
    if not same:
        return None
    meanings = module.ask_once(_count_meanings)
    for function in same:
        name = function.name
        is_above = function.lineno < user.lineno
        if is_above and meanings[name] == 1 and not _is_bound_around(module, node, name):
            return name
    return None


def _describe_work(arguments: ast.arguments, result: ast.expr) -> str:
    return f"{ast.dump(arguments)}: {ast.dump(result)}"


def _index_short_functions(module: ParsedModule) -> Mapping[str, Sequence[ast.FunctionDef]]:
    """Return the functions of a module that only return something, by what they do."""
    found = defaultdict(list)
    for function in module.functions.values():
        match function:
            case ast.FunctionDef(body=[ast.Return(value=ast.expr() as result)], decorator_list=[]) if (
                module.parents[function] is module.tree
            ):
                found[_describe_work(function.args, result)].append(function)
    return found


def _count_meanings(module: ParsedModule) -> Counter[str]:
    """Return how often each name is bound at the top level of a module."""
    return Counter(
        name
        for each in module.walked
        for name in set(find_bound_names(each))
        if module.find_scope(each) is module.tree
    )


def _find_place(source: SourceFile, statement: ast.stmt) -> int:
    """Return the line where a function above a statement begins: above its decorators and comments."""
    line = min((each.lineno for each in getattr(statement, "decorator_list", ())), default=statement.lineno)
    body = source.tree.body
    index = bisect.bisect_left(body, statement.lineno, key=lambda each: each.lineno)
    previous_end = body[index - 1].end_lineno if index else 0
    return find_comment_start(source, min(line, statement.lineno), previous_end or 0)


def _find_blank_lines(source: SourceFile, line: int) -> str:
    """Return the line ends that are missing for two blank lines above a function that begins at a line."""
    above = split_lines(source.text)[max(0, line - 3) : line - 1]
    blank = sum(1 for _ in itertools.takewhile(lambda each: not each.strip(), reversed(above)))
    return find_line_end(source.text) * (2 - blank) if above else ""


def _find_base(module: ParsedModule, node: ast.Lambda, purpose: str) -> str:
    """Return the name of a function: what it is for, or what keeps it, after a verb."""
    has_parameters = bool(node.args.args or node.args.vararg or node.args.kwarg)
    verb = "apply" if has_parameters or purpose else "make"
    name = purpose if purpose not in _PLAIN_PARAMETERS else ""
    name = name or _find_keeper(module, node)
    return f"{verb}_{name}" if name.isidentifier() else verb


def _find_keeper(module: ParsedModule, node: ast.AST) -> str:
    """Return the name of the parameter, variable or attribute that keeps a value, "" without one."""
    while not isinstance(node, ast.stmt):
        parent = module.parents[node]
        match parent:
            case ast.keyword(arg=str(name)) if name not in _PLAIN_PARAMETERS:
                return name.strip("_")
            case ast.arguments(posonlyargs=first, args=rest, defaults=defaults) if node in defaults:
                return [*first, *rest][defaults.index(node) - len(defaults)].arg
            case ast.Call(func=ast.Attribute(value=kept, attr="append" | "insert" | "extend")):
                return _find_last_name(kept)
            case ast.Call(func=function, args=arguments) if node in arguments:
                called = module.find_dotted_name(function)
                if not _WRAPPER.search(called):
                    return _find_parameter(module, called, arguments.index(node))
            case ast.Assign(targets=[kept, *_]) | ast.AnnAssign(target=kept) | ast.AugAssign(target=kept):
                return _find_last_name(kept)
        node = parent
    return ""


def _find_last_name(kept: ast.expr) -> str:
    """Return the name of a variable or attribute, or of the one that a value is an item of."""
    while isinstance(kept, ast.Subscript):
        kept = kept.value
    match kept:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").lower()
    return ""


def _find_parameter(module: ParsedModule, called: str, index: int) -> str:
    """Return the name of a parameter of a class or function; that of `defaultdict` is a default."""
    if called.endswith("defaultdict"):
        return "default"
    definition = module.functions.get(called)
    for member in module.classes[called].body if called in module.classes else ():
        if isinstance(member, ast.FunctionDef) and member.name == "__init__":
            definition, index = member, index + 1
    parameters = definition.args.args if definition is not None else []
    return parameters[index].arg if index < len(parameters) else "argument"


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
    """The names of the functions that lambdas of a module become; equal ones become one function."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._of_kinds: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, Iterator[int]] = {}

    def find(self, source: SourceFile, node: ast.Lambda, base: str) -> str:
        """Return the name for a lambda, which does not occur in the source."""
        if not self._taken:
            self._taken = set(_WORD.findall(source.text))
        kind = (base, ast.dump(node))
        if _returns_its_argument(node):
            kind = ("", kind[1])
        if kind not in self._of_kinds:
            plain = [_IDENTITY] if not kind[0] else []
            numbers = self._numbers.setdefault(base, itertools.count(1))
            names = (base if number == 1 else f"{base}_{number}" for number in numbers)
            name = next(each for each in itertools.chain(plain, names) if each not in self._taken)
            self._of_kinds[kind] = name
            self._taken.add(name)
        return self._of_kinds[kind]


def _returns_its_argument(node: ast.Lambda) -> bool:
    match node:
        case ast.Lambda(
            args=ast.arguments(posonlyargs=[], args=[ast.arg(arg=given)], kwonlyargs=[], defaults=[]),
            body=ast.Name(id=returned),
        ):
            return given == returned and node.args.vararg is None and node.args.kwarg is None
    return False


def _index_names(module: ParsedModule) -> _Names:
    return _Names()


def _render_function(source: SourceFile, node: ast.Lambda, name: str) -> str:
    """Return the source of the function, with blank lines behind it."""
    line_end, indent = find_line_end(source.text), find_indent(source)
    body = _render_body(source, node, len(indent))
    return f"def {name}({ast.unparse(node.args)}):{line_end}{indent}return {body}{line_end * 3}"


def _render_body(source: SourceFile, node: ast.Lambda, indent: int) -> str:
    """Return what the function returns, in parentheses where an end of a line would end the statement."""
    start, end = find_span(source, node.body)
    body = source.text[start:end]
    lines = split_lines(body)
    if len(lines) > 1 and not _has_fixed_lines(source, node.body, lines):
        least = min(map(_find_width, lines[1:]))
        # A bracket that is closed on a line of its own stands below the statement.
        is_closed = lines[-1].lstrip()[:1] in (")", "]", "}") and _find_width(lines[-1]) == least
        shift = (
            indent if is_closed else max(2 * indent, least + len("return ") + indent - node.body.col_offset)
        )
        moved = (" " * (_find_width(line) - least + shift) + line.lstrip() for line in lines[1:])
        body = find_line_end(source.text).join((lines[0], *moved))
    return body if len(lines) == 1 or _is_statement(f"value = {body}") else f"({body})"


def _has_fixed_lines(source: SourceFile, body: ast.expr, lines: Sequence[str]) -> bool:
    """Return whether the indentation of the lines of an expression has to stay."""
    in_strings = find_lines_in_strings(source.text)
    numbers = range(body.lineno + 1, (body.end_lineno or 0) + 1)
    return in_strings is None or not in_strings.isdisjoint(numbers) or any("\t" in each for each in lines)


def _find_width(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_statement(text: str) -> bool:
    """Return whether a text is one statement."""
    try:
        return len(ast.parse(text).body) == 1
    except SyntaxError:
        return False
