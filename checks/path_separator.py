"""The code takes a path apart at "/", and the paths that Python makes on Windows have backslashes."""

import ast
import re
from collections.abc import Iterator, Sequence

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.paths.native_paths import is_native_path, is_wholly_native
from torchdoctor.source.idioms.paths.path_parts import (
    is_for_addresses,
    knows_backslashes,
    takes_any_part,
    takes_last_part,
)
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate, name_other_lines

_METHODS = ("split", "rsplit", "rpartition")
_FINDERS = ("rfind", "rindex")
_SEARCHES = ("search", "match", "fullmatch", "findall", "finditer")
# What makes a path with the separators of the system.
_MAKERS = (
    *(re.compile(rb"glob(?!al)"), b"walk(", b"listdir(", b"iterdir(", b"getcwd(", b"Path"),
    *(b"abspath", b"realpath", b"normpath", b"relpath", b"expanduser(", b"scandir("),
    # Joined with a name that this file writes out or that a function of the project lists.
    re.compile(rb"(?:path|osp)\.join\(|import join\b"),
)
# The parts are taken by an index, or have a name first; the number of them, or all of them, are not.
_SLASH_IN_CALL = re.compile(
    rb"(?:split|rpartition)\(\s*[rRuU]?['\"]/['\"][^()\n]*(?:\)+\s*\[|\)[ \t]*(?:[#;\r\n]|\Z)|[(\n])"
    rb"|(?:rfind|rindex|replace)\(\s*[rRuU]?['\"]/['\"]"
)
_SLASH_IN_PATTERN = re.compile(rb"/[^/\n]*(?:\\\.|\$['\"])|\.[*+]\)?/['\"]")
_WORDS = (
    # A slash between quotes; the slash is found faster than the first quote.
    (
        re.compile(rb"/['\"](?<=['\"]/['\"])"),
        (_SLASH_IN_CALL,),
        _MAKERS,
    ),
    (re.compile(rb"import re\b"), (_SLASH_IN_PATTERN,), _MAKERS),
)
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
# A slash that has to be there, and behind it the name of a file up to its extension or its end.
_NAME_BEHIND_SLASH = re.compile(r"/(?![?*{/])[^/]*(?:\\\.|\$$)[^/]*$")
# What removes all up to the last slash.
_FOLDERS = re.compile(r"^\^?\(?\.[*+]\)?/$")


@check(words=_WORDS)
def path_separator(source: SourceFile) -> Iterator[Finding]:
    """Find paths of glob, listdir and the like whose last parts are taken at "/"."""
    module = source.module
    split = [call for call in _list_calls(module, *_METHODS) if _splits_path(module, call)]
    split += [call for call in _list_calls(module, *_FINDERS) if _finds_slash(module, call)]
    split += [call for call in _list_calls(module, "sub") if _removes_folders(module, call)]
    message = 'a path of the system is split at "/", which leaves the folder in the name on Windows'
    yield from _report(source, message, split)
    replaced = [call for call in _list_calls(module, "replace") if _replaces_slash(module, call)]
    message = '"/" is replaced in a path of the system, which keeps its "\\" on Windows'
    yield from _report(source, message, replaced, step="lists")
    searched = [
        call
        for call in _list_calls(module, *_SEARCHES)
        if _needs_match(module, call) and _searches_path(module, call)
    ]
    message = 'a regular expression wants "/" before the name in a path of the system, where Windows has "\\"'
    yield from _report(source, message, searched)


def _list_calls(module: ParsedModule, *methods: str) -> Iterator[ast.Call]:
    for method in methods:
        yield from module.calls_by_name.get(method, ())


def _report(
    source: SourceFile, message: str, calls: Sequence[ast.Call], step: str | None = None
) -> Iterator[Finding]:
    """Yield one finding for the calls that Windows runs and that expect no error."""
    module = source.module
    found = [
        call
        for call in calls
        if runs_on_windows(module, call)
        and not (knows_backslashes(module, call) or is_for_addresses(module, call))
        and not is_error_handled(module, call, ("IndexError", "ValueError", "AttributeError", "TypeError"))
    ]
    places = sorted((locate(source, call) for call in found), key=lambda place: (place.line, place.column))
    if places:
        first, *others = places
        yield Finding(f"{message}{name_other_lines(first, others)}", first, step=step)


def _find_pattern(module: ParsedModule, call: ast.Call) -> tuple[str, Sequence[ast.expr]] | None:
    """Return the regular expression of a call of `re` or of a compiled one, and the arguments behind it."""
    if not isinstance(call.func, ast.Attribute):
        return None
    pattern, arguments = None, call.args
    compiled = module.find_only_value(call.func.value) if isinstance(call.func.value, ast.Name) else None
    if module.find_dotted_name(call.func.value) == "re":
        pattern, arguments = (call.args[0] if call.args else None), call.args[1:]
    elif isinstance(compiled, ast.Call) and module.find_dotted_name(compiled.func) == "re.compile":
        pattern = compiled.args[0] if compiled.args else None
    if isinstance(pattern, ast.Name):
        pattern = module.find_only_value(pattern)
    match pattern:
        case ast.Constant(value=str() as text):
            return text, arguments
    return None


def _removes_folders(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call is `re.sub(".*/", "", path)` of a path of the system."""
    pattern, arguments = _find_pattern(module, call) or ("", ())
    match arguments:
        case [ast.Constant(value=""), path]:
            return _FOLDERS.match(pattern) is not None and is_native_path(module, path)
    return False


def _needs_match(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether the result is used without a look at whether there was a match."""
    match module.parents.get(call):
        case ast.Subscript(value=value):
            return value is call
        case ast.Attribute(attr="group" | "groups" | "groupdict" | "start" | "end" | "span"):
            return True
    return False


def _searches_path(module: ParsedModule, call: ast.Call) -> bool:
    pattern, arguments = _find_pattern(module, call) or ("", ())
    plain = _CLASS.sub("c", pattern)
    # A class with both separators, or one of several ways, may fit as well.
    knows_backslash = "\\\\" in pattern or "|" in plain or "sep" in plain
    if knows_backslash or not _NAME_BEHIND_SLASH.search(plain):
        return False
    return len(arguments) == 1 and is_native_path(module, arguments[0])


def _splits_path(module: ParsedModule, call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(value=value), args=[ast.Constant(value="/"), *_]):
            return (takes_last_part(module, call) and is_native_path(module, value)) or (
                takes_any_part(module, call) and is_wholly_native(module, value)
            )
    return False


def _finds_slash(module: ParsedModule, call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(value=value), args=[ast.Constant(value="/"), *_]):
            return is_native_path(module, value)
    return False


def _replaces_slash(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether the slashes of a path are replaced, and the backslashes of Windows stay as they are."""
    match call:
        case ast.Call(
            func=ast.Attribute(value=value), args=[ast.Constant(value="/"), ast.Constant(value=str() as new)]
        ):
            return "\\" not in new and is_wholly_native(module, value)
    return False
