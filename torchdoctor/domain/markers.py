"""Read the requirements in the metadata of a distribution, and find those that apply to an interpreter."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from torchdoctor.domain.versions import VersionError, parse_range
from torchdoctor.facts import Interpreter

# A requirement with a URL in place of versions does not match.
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]{0,100})\s*(?:\[[^\]]{0,200}\])?\s*\(?(?P<versions>[^;()@]{0,200})\)?\s*"
    r"(?:;(?P<marker>.{1,1000}))?"
)
# The pin of a nightly build, which is compared as a text.
_PRE_RELEASE_PIN = re.compile(r"==\d{1,9}(?:\.\d{1,9}){0,5}(?:a|b|rc|\.dev)\d{1,12}")
_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_VERSIONS = ("python_version", "python_full_version", "implementation_version")
# os.name, sys.platform and platform.system(), by the start of a platform tag.
_SYSTEMS = {
    "win": ("nt", "win32", "Windows"),
    "lin": ("posix", "linux", "Linux"),
    "mac": ("posix", "darwin", "Darwin"),
}
# platform.machine() of Windows, by platform tag; on other systems the tag ends with it.
_WINDOWS_MACHINES = {"win32": "x86", "win-amd64": "AMD64", "win-arm64": "ARM64"}


class MarkerError(ValueError):
    """An environment marker has another form, or depends on what is not known."""


def find_applicable(lines: Iterable[str], interpreter: Interpreter) -> Iterator[tuple[str, str]]:
    """Yield the name and the version range of each `Requires-Dist` that applies to an interpreter.

    Extras are left out, and so is a line that cannot be read, or whose marker cannot be evaluated. The range
    can be the pin of a pre-release ("==2.16.0.dev20261120"), which `parse_range` refuses.
    """
    variables = name_variables(interpreter)
    for line in lines:
        match = _REQUIREMENT.fullmatch(line.strip())
        try:
            if match and (match["marker"] is None or evaluate_marker(match["marker"], variables)):
                versions = "".join(match["versions"].split())
                is_pin = _PRE_RELEASE_PIN.fullmatch(versions) is not None
                yield match["name"], versions if is_pin else parse_range(versions).text
        except (MarkerError, VersionError):
            continue


def name_variables(interpreter: Interpreter) -> Mapping[str, str]:
    """Return the variables of environment markers, as far as the facts of an interpreter tell them."""
    tag = interpreter.platform_tag
    system = _SYSTEMS.get(tag[:3], ())
    release = interpreter.version.split(".")
    return {
        **dict(zip(("os_name", "sys_platform", "platform_system"), system, strict=False)),
        "platform_machine": _WINDOWS_MACHINES.get(tag, tag.rpartition("-")[2]),
        "platform_python_implementation": interpreter.implementation,
        "implementation_name": interpreter.implementation.lower(),
        "python_version": ".".join(release[:2]),
        "python_full_version": interpreter.version,
        "extra": "",
    }


def evaluate_marker(marker: str, variables: Mapping[str, str]) -> bool:
    """Return whether an environment marker holds. The syntax of markers is a part of Python's own.

    Raises:
        MarkerError: the marker has another form, or names a variable whose value is not known.
    """
    try:
        return _holds(ast.parse(marker.strip(), mode="eval").body, variables)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MarkerError(f"not evaluated: {marker!r}") from error


def _holds(node: ast.expr, variables: Mapping[str, str]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_holds(part, variables) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_holds(part, variables) for part in parts)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compare(left, operator, right, variables)
    raise MarkerError("not a comparison")


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr, variables: Mapping[str, str]) -> bool:
    first, second = _read_operand(left, variables), _read_operand(right, variables)
    if isinstance(operator, ast.In | ast.NotIn):
        return (first in second) == isinstance(operator, ast.In)
    symbol = _COMPARISONS.get(type(operator))
    if isinstance(left, ast.Name) and left.id in _VERSIONS and symbol:
        return first in parse_range(symbol + second)
    if symbol in ("==", "!="):
        return (first == second) == (symbol == "==")
    raise MarkerError("texts are compared by their order")


def _read_operand(node: ast.expr, variables: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name) if name in variables:
            return variables[name]
    raise MarkerError("not a text or a known variable")
