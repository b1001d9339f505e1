"""The edit that puts a script's work below `if __name__ == "__main__":`."""

import ast
import io
import tokenize
from collections.abc import Sequence

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.changes import apply_replacements, line_end
from torchdoctor.source.idioms.process_starts import find_starts
from torchdoctor.source.lines import find_line_starts, split_lines
from torchdoctor.source.module.parsed import ParsedModule, is_text
from torchdoctor.source.source_file import SourceFile

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_LOOKS_AT_SCOPE = frozenset({"exec", "eval", "locals", "globals", "vars", "dir"})
_GUARD = 'if __name__ == "__main__":'


def make_guard_edit(source: SourceFile, first: ast.stmt) -> Edit | None:
    """Make the edit that guards the script from its first work on; None where that is not safe.

    `first` is the first statement of the module that starts processes. What workers may need,
    functions, classes and the names they use, stays where it is.
    """
    body = source.tree.body
    index = _find_work(source.module, body.index(first))
    tail = body[index:]
    if any(isinstance(each, _DEFINITIONS) or _imports_star(each) for each in tail):
        return None
    if tail[0].col_offset or (index and body[index - 1].end_lineno == tail[0].lineno):
        return None
    replacements = _wrap(source, tail, as_function=_can_be_function(source.module, body[:index], tail))
    if replacements is None:
        return None
    after = apply_replacements(source.text, replacements)
    try:
        guarded = ast.parse(after)
    except SyntaxError:
        return None
    if find_starts(ParsedModule(guarded)):
        return None
    return Edit(source.path, f"run lines {tail[0].lineno} to the end under a main guard", tuple(replacements))


def _find_work(module: ParsedModule, index: int) -> int:
    """Give the first statement of the unbroken stretch of work that ends with the one at `index`."""
    used = _names_in_definitions(module)
    while index > 0:
        before = module.tree.body[index - 1]
        plain = not isinstance(before, (*_DEFINITIONS, *_IMPORTS, ast.If, ast.Try, ast.With))
        if (
            not plain
            or _bound_by(before) & used
            or is_text(before)
            or before.end_lineno == module.tree.body[index].lineno
        ):
            break
        index -= 1
    return index


def _imports_star(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(each.name == "*" for each in statement.names)


def _names_in_definitions(module: ParsedModule) -> set[str]:
    definitions = [each for kind in (*_DEFINITIONS, ast.Lambda) for each in module.nodes.get(kind, ())]
    return {node.id for each in definitions for node in ast.walk(each) if isinstance(node, ast.Name)}


def _bound_by(statement: ast.stmt) -> set[str]:
    names = {
        each.id
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    for node in ast.walk(statement):
        if isinstance(node, _IMPORTS):
            names |= {(each.asname or each.name).partition(".")[0] for each in node.names}
        elif isinstance(node, (*_DEFINITIONS, ast.ExceptHandler)):
            names.add(node.name or "")
    return names


def _can_be_function(module: ParsedModule, before: Sequence[ast.stmt], tail: Sequence[ast.stmt]) -> bool:
    """Tell whether the work's names can become local: nothing else binds or reads them."""
    bound = {name for each in tail for name in _bound_by(each)}
    outside = {name for each in before for name in _bound_by(each)}
    if (
        bound & outside
        or bound & _names_in_definitions(module)
        or "main" in outside | bound | set(module.aliases)
    ):
        return False
    for node in (each for statement in tail for each in ast.walk(statement)):
        match node:
            case (
                ast.Global()
                | ast.Await()
                | ast.Yield()
                | ast.YieldFrom()
                | ast.AsyncFor()
                | ast.AsyncWith()
                | ast.Delete()
            ):
                return False
            case ast.Call(func=ast.Name(id=name)) if name in _LOOKS_AT_SCOPE:
                return False
    return True


def _wrap(source: SourceFile, tail: Sequence[ast.stmt], *, as_function: bool) -> list[Replacement] | None:
    starts, lines = find_line_starts(source.text), split_lines(source.text)
    inside = _lines_inside_strings(source.text)
    if inside is None:
        return None
    first, end = tail[0].lineno, line_end(source.text)
    last = len(lines) if lines[-1].strip() else len(lines) - 1
    written = [each for number, each in enumerate(lines[first - 1 : last], first) if number not in inside]
    indent = "\t" if any(each.startswith("\t") for each in written) else "    "
    head = f"def main():{end}" if as_function else f"{_GUARD}{end}"
    head = f"{end}{head}" if as_function and first > 1 and lines[first - 2].strip() else head
    replacements = [Replacement(starts[first - 1], starts[first - 1], head + indent)]
    for number in range(first + 1, last + 1):
        if lines[number - 1].strip() and number not in inside:
            replacements.append(Replacement(starts[number - 1], starts[number - 1], indent))
    if as_function:
        closing = "" if source.text.endswith(("\n", "\r")) else end
        foot = f"{closing}{end}{end}{_GUARD}{end}{indent}main(){end}"
        replacements.append(Replacement(len(source.text), len(source.text), foot))
    return replacements


def _lines_inside_strings(text: str) -> set[int] | None:
    """Give the lines that begin inside a string, whose indentation is part of it."""
    inside: set[int] = set()
    started: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            name = tokenize.tok_name[token.type]
            if name in ("FSTRING_START", "TSTRING_START"):
                started.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END"):
                inside.update(range(started.pop() + 1, token.end[0] + 1))
            elif token.type == tokenize.STRING:
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError, IndexError):
        return None
    return inside
