"""Read error numbers from a text; unlike messages, they are the same in every language."""

from collections.abc import Iterator
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit

_DECIMAL = r"(-?\d{1,10})\b"
# The kind of a number, a word that must be in the text before the pattern is tried, and the pattern.
_READERS: tuple[tuple[str, str, str], ...] = (
    ("winerror", "error", rf"win ?error:?\s{{0,2}}{_DECIMAL}"),
    ("os", "os error", rf"os error:?\s?{_DECIMAL}"),
    ("winerror", "error", rf"error code:? {{0,2}}<?{_DECIMAL}>?(?!x|\.?\d)"),
    ("winerror", "getlasterror", rf"getlasterror\W{{1,6}}{_DECIMAL}"),
    ("errno", "errno", rf"errno:?\s?{_DECIMAL}"),
    (
        "cuda",
        "error",
        rf"(?:cuda|cudnn)[\w ]{{0,30}} error:?[^\n(]{{0,80}}\({_DECIMAL}\)",
    ),
    (
        "cuda",
        "error",
        rf"cuda (?:runtime |driver )?error[: =]{{1,2}}\(?{_DECIMAL}\)?",
    ),
    ("cuda", "error", rf"cuda\w{{0,40}}[^\n]{{0,200}}\berror ?= ?{_DECIMAL}"),
    ("cuda", "error", r"\berror (\d{1,3}): \w"),
    (
        "exit",
        "exit",
        rf"exit(?:ed|code)?(?: with| status| code| value)*[ :=]{{1,3}}(?:code |status )?\(?{_DECIMAL}",
    ),
    ("exit", "return", rf"return(?:ed|[ _]?code)[: =]{{1,2}}{_DECIMAL}"),
)
_HEXADECIMAL = r"\b0x([0-9a-f]{8})\b"
_DECIMAL_NTSTATUS = r"(?<![\d.])(-10737\d{5}|322122[5-9]\d{3}|32212[3-9]\d{4})(?!\.?\d)"

# Bounds of the NTSTATUS codes of severity error, and of HRESULTs that carry a Windows error.
_NTSTATUS, _NTSTATUS_END = 0xC0000000, 0xC0010000
_WIN32_RESULT, _WIN32_RESULT_END = 0x80070000, 0x80080000
# Codes that Visual C++ raises for a missing delay-loaded DLL or function; the low half is a Windows error.
_DELAY_LOAD, _DELAY_LOAD_END = 0xC06D0000, 0xC06E0000


class Code(NamedTuple):
    """An error number, its kind (`winerror`, `exit`, `cuda`, `errno`, `os`) and its span in a unit's text."""

    kind: str
    number: int
    start: int
    end: int


def read_codes(unit: Unit) -> Iterator[Code]:
    """Yield the error numbers in a unit; exit codes are unsigned, however they are written."""
    text = unit.text
    lowered = text.lower()
    for kind, anchor, regex in _READERS:
        if anchor in lowered:
            yield from _read_decimal(kind, regex, text)
    if "0x" in lowered:
        yield from _read_hexadecimal(text)
    for match in pattern(_DECIMAL_NTSTATUS).finditer(text):
        yield Code("exit", int(match[1]) & 0xFFFFFFFF, match.start(), match.end())


def _read_decimal(kind: str, regex: str, text: str) -> Iterator[Code]:
    for match in pattern(regex, True).finditer(text):
        number = int(match[1])
        yield Code(kind, number & 0xFFFFFFFF if kind == "exit" else number, match.start(), match.end())
        if kind == "os":
            yield Code("winerror", number, match.start(), match.end())


def _read_hexadecimal(text: str) -> Iterator[Code]:
    for match in pattern(_HEXADECIMAL, True).finditer(text):
        number = int(match[1], 16)
        if _NTSTATUS <= number < _NTSTATUS_END:
            yield Code("exit", number, match.start(), match.end())
        elif _WIN32_RESULT <= number < _WIN32_RESULT_END or _DELAY_LOAD <= number < _DELAY_LOAD_END:
            yield Code("winerror", number & 0xFFFF, match.start(), match.end())
