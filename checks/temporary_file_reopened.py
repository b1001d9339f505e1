"""A temporary file is opened by its name while the program still has it open, which Windows refuses."""

import ast
from collections.abc import Iterator, Sequence

from torchdoctor.check import Finding, Severity, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.paths.opened_paths import find_opening, find_uses_between, name_opening
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_EXPECTED_ERRORS = ("OSError", "IOError", "PermissionError", "EnvironmentError")
# The position of `delete` in the signature of NamedTemporaryFile.
_DELETE = 7
# Methods that run after those that use the file.
_LAST_METHODS = ("tearDown", "tearDownClass", "teardown", "teardown_method", "close", "cleanup")
_MOST_USES = 200


@check(words=((b"NamedTemporaryFile", ()),))
def temporary_file_reopened(source: SourceFile) -> Iterator[Finding]:
    """Find open temporary files whose name is handed to something that opens it."""
    module = source.module
    for call in module.find_calls("NamedTemporaryFile".__eq__):
        if module.find_dotted_name(call.func) != "tempfile.NamedTemporaryFile" or _is_kept(call):
            continue
        target = _find_target(module, call)
        opening = _find_opening(module, target) if target is not None else None
        if opening is None or not runs_on_windows(module, opening):
            continue
        if is_error_handled(module, opening, _EXPECTED_ERRORS):
            continue
        name, line = name_opening(module, opening), locate(source, call).line
        message = f"{name} opens the temporary file of line {line} while that is still open"
        yield Finding(message, locate(source, opening), severity=Severity.WARNING, step="close")


def _is_kept(call: ast.Call) -> bool:
    """Return whether the file may be kept when it is closed: only then can it be opened again."""
    return any(not _is_true(each) for each in call.args[_DELETE:]) or any(
        each.arg is None or (each.arg in ("delete", "delete_on_close") and not _is_true(each.value))
        for each in call.keywords
    )


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _find_target(module: ParsedModule, call: ast.Call) -> ast.Name | ast.Attribute | None:
    """Return the name, or the attribute of `self`, that the open file is bound to, or None."""
    parent = module.parents.get(call)
    match parent:
        case (
            ast.Call(func=ast.Attribute(attr="enter_context"))
            | ast.Call(func=ast.Name(id="closing") | ast.Attribute(attr="closing"))
        ):
            call, parent = parent, module.parents.get(parent)
    match parent:
        case ast.withitem(optional_vars=ast.Name() as name) | ast.Assign(targets=[ast.Name() as name]):
            return name
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self")) as attribute]):
            return attribute
    return None


def _find_opening(module: ParsedModule, file: ast.Name | ast.Attribute) -> ast.Call | None:
    """Return the first call that is given the name of the file while the file is open, or None."""
    uses: Sequence[ast.Name | ast.Attribute]
    if isinstance(file, ast.Attribute):
        uses, end = _find_attribute_uses(module, file), _find_last_line(module)
    else:
        end = _find_end(module, file)
        uses = _find_uses(module, file, end)
    for use in uses:
        if use.lineno > end:
            break
        match module.parents.get(use):
            case ast.Attribute(attr="close"):
                return None
            case ast.Attribute(attr="name") as path:
                if (opening := find_opening(module, path, end)) is not None:
                    return opening
            case ast.withitem(context_expr=opened) as item if opened is use:
                end = min(end, getattr(module.parents[item], "end_lineno", end))
        if isinstance(use.ctx, (ast.Store, ast.Del)):
            return None
    return None


def _find_uses(module: ParsedModule, file: ast.Name, end: int) -> Sequence[ast.Name]:
    scope = module.find_binding_scope(file)
    found = find_uses_between(module, file.id, file.lineno, end)
    return [each for each in found if each is not file and module.find_scope(each) is scope]


def _find_attribute_uses(module: ParsedModule, file: ast.Attribute) -> Sequence[ast.Attribute]:
    """Return the uses of an attribute in its class; none if the class closes the file or assigns it again."""
    owner, setter = module.find_class(file), module.find_function(file)
    targets = [target for target, _ in module.attributes.get(file.attr, ())]
    uses = [
        each
        for each in module.attribute_reads.get(file.attr, ())[:_MOST_USES]
        if isinstance(each.value, ast.Name)
        and each.value.id == "self"
        and module.find_class(each) is owner
        and getattr(module.find_function(each), "name", "") not in _LAST_METHODS
    ]
    is_assigned_again = [module.find_class(each) for each in targets].count(owner) > 1
    if is_assigned_again or any(_closes(module.parents[each]) for each in uses):
        return ()
    return [each for each in uses if module.find_function(each) is not setter or each.lineno > file.lineno]


def _closes(parent: ast.AST) -> bool:
    """Return whether what stands around a file closes it, at once or at the end of a block."""
    return isinstance(parent, ast.withitem) or (isinstance(parent, ast.Attribute) and parent.attr == "close")


def _find_end(module: ParsedModule, file: ast.Name) -> int:
    """Return the last line in which the file is open."""
    parent = module.parents.get(file)
    block = module.parents.get(parent) if isinstance(parent, ast.withitem) else module.find_scope(file)
    return getattr(block, "end_lineno", None) or _find_last_line(module)


def _find_last_line(module: ParsedModule) -> int:
    return module.tree.body[-1].end_lineno or 0
