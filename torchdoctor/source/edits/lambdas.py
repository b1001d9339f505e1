"""The edit that gives a lambda a name at module level, where a spawned worker finds it."""

import ast
import builtins

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.changes import find_span, line_end
from torchdoctor.source.lines import find_line_starts
from torchdoctor.source.module.parsed import ParsedModule, parameter_names
from torchdoctor.source.source_file import SourceFile


def make_naming_edit(source: SourceFile, node: ast.AST, purpose: str) -> Edit | None:
    """Make the edit that turns a lambda into a function; None where it uses names that only exist locally."""
    module = source.module
    if source.is_notebook or not isinstance(node, ast.Lambda) or not _stands_alone(module, node):
        return None
    top: ast.AST = node
    while module.parents[top] is not module.tree:
        top = module.parents[top]
    if not isinstance(top, ast.stmt) or top.col_offset:
        return None
    lines = [top.lineno, *(each.lineno for each in getattr(top, "decorator_list", ()))]
    name = _free_name(source, purpose)
    start, end = find_span(source, node)
    place = find_line_starts(source.text)[min(lines) - 1]
    written = _write_function(source, node, name)
    replacements = (Replacement(place, place, written), Replacement(start, end, name))
    return Edit(source.path, f"make the lambda a function {name}()", replacements)


def _stands_alone(module: ParsedModule, node: ast.Lambda) -> bool:
    """Tell whether a lambda uses only its parameters, builtins, and what the module's top level defines."""
    own = parameter_names(node)
    for each in ast.walk(node):
        if isinstance(each, (ast.Yield, ast.Await, ast.NamedExpr)) or (
            isinstance(each, ast.Lambda) and each is not node
        ):
            return False
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            bound = {
                name.id
                for name in ast.walk(node)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
            if each.id not in own | bound and not _is_module_level(module, each.id):
                return False
    return True


def _is_module_level(module: ParsedModule, name: str) -> bool:
    for statement in module.tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            if name in {(each.asname or each.name).partition(".")[0] for each in statement.names}:
                return True
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == name:
            return True
    return hasattr(builtins, name)


def _free_name(source: SourceFile, purpose: str) -> str:
    taken = {each.id for each in ast.walk(source.tree) if isinstance(each, ast.Name)} | set(
        source.module.functions
    )
    base = f"apply_{purpose}" if purpose.isidentifier() else "apply"
    number = 1
    name = base
    while name in taken or name in source.module.aliases or name in source.text:
        number += 1
        name = f"{base}_{number}"
    return name


def _write_function(source: SourceFile, node: ast.Lambda, name: str) -> str:
    end = line_end(source.text)
    start, stop = find_span(source, node.body)
    body = source.text[start:stop]
    if "\n" in body or "\r" in body:
        body = f"({body})"
    return f"def {name}({ast.unparse(node.args)}):{end}    return {body}{end}{end}{end}"
