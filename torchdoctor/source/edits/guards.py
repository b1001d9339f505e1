"""The edit that puts the work of a script under `if __name__ == "__main__":`."""

import ast
from collections.abc import Sequence

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.blocks import indent_lines
from torchdoctor.source.edits.changes import apply_replacements, find_line_end
from torchdoctor.source.idioms.process_starts import find_starts
from torchdoctor.source.lines import split_lines
from torchdoctor.source.module.parsed import ParsedModule, is_constant_statement
from torchdoctor.source.source_file import SourceFile

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
# Calls that make a class, which has to be where workers can import it.
_CLASS_MAKERS = frozenset((
    "collections.namedtuple", "typing.NamedTuple", "typing.TypedDict", "dataclasses.make_dataclass",
    "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "type",
))  # fmt: skip
_GUARD = 'if __name__ == "__main__":'


def make_guard_edit(source: SourceFile, first: ast.stmt) -> Edit | None:
    """Return the edit that guards the work of a script, or None if that is not safe.

    `first` is the first statement of the module that starts processes. Functions, classes and the names
    that they use stay above the guard, because workers may need them. There is no function around the work:
    its names stay those of the module, whatever reads them.
    """
    body = source.tree.body
    index = _find_work_start(source.module, body.index(first))
    tail = body[index:]
    if any(_defines(source.module, statement) or _is_star_import(statement) for statement in tail):
        return None
    if tail[0].col_offset or (index and body[index - 1].end_lineno == tail[0].lineno):
        return None
    replacements = _wrap(source, tail)
    if replacements is None:
        return None
    after = apply_replacements(source.text, replacements)
    try:
        guarded = ast.parse(after)
    except SyntaxError:
        return None
    if find_starts(ParsedModule(guarded, source.module.place)):
        return None
    return Edit(source.path, f"run lines {tail[0].lineno} to the end under a main guard", tuple(replacements))


def _find_work_start(module: ParsedModule, index: int) -> int:
    """Return the index of the first statement of the continuous work that ends with the one at `index`.

    The work begins after a definition, an import, an `if`, `try` or `with` statement, a docstring, or a
    statement that binds a name used in a definition. It never begins in the middle of a line.
    """
    used = _names_in_definitions(module)
    while index > 0:
        before = module.tree.body[index - 1]
        if (
            isinstance(before, (*_IMPORTS, ast.If, ast.Try, ast.With))
            or _defines(module, before)
            or _bound_names(before) & used
            or is_constant_statement(before)
            or before.end_lineno == module.tree.body[index].lineno
        ):
            break
        index -= 1
    return index


def _defines(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement defines a function or a class, also by a call such as `namedtuple(...)`."""
    if isinstance(statement, _DEFINITIONS):
        return True
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    # `type(x)` asks for a class, `type(name, bases, members)` makes one.
    return (
        isinstance(value, ast.Call)
        and len(value.args) + len(value.keywords) > 1
        and module.find_dotted_name(value.func) in _CLASS_MAKERS
    )


def _is_star_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(each.name == "*" for each in statement.names)


def _names_in_definitions(module: ParsedModule) -> set[str]:
    """Return the names that appear in functions, classes and lambdas."""
    definitions = [node for kind in (*_DEFINITIONS, ast.Lambda) for node in module.nodes.get(kind, ())]
    return {
        node.id for definition in definitions for node in ast.walk(definition) if isinstance(node, ast.Name)
    }


def _bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds by assignment, import or definition."""
    names: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, _IMPORTS):
            names |= {(each.asname or each.name).partition(".")[0] for each in node.names}
        elif isinstance(node, (*_DEFINITIONS, ast.ExceptHandler)):
            names.add(node.name or "")
    return names


def _wrap(source: SourceFile, tail: Sequence[ast.stmt]) -> list[Replacement] | None:
    """Return the replacements that put the work under a guard, or None if the text cannot be tokenized."""
    lines, first, line_end = split_lines(source.text), tail[0].lineno, find_line_end(source.text)
    indented = indent_lines(source, first, len(lines))
    if not indented:
        return None
    head = f"{_GUARD}{line_end}{indented[0].text}"
    return [Replacement(indented[0].start, indented[0].end, head), *indented[1:]]
