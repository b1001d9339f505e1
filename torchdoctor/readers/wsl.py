"""WSL: a text that names a Windows and the Linux in it tells of that Linux, where torch is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines, Statement, Topic

NAME = "wsl"
# The kernel of WSL, as Linux names it.
_KERNEL = r"(?i:microsoft-standard-WSL\d?|\bLinux-\d[\w.]{1,20}-microsoft\b)"
# The field of a form, or a line of `wsl --version`.
_FIELD = (
    r"\s{0,3}(?:#{1,6} |[-*+] )?[*_`]{0,3}(?:(?:are you|is it|using|which) [^\n:?]{0,30})?\bWSL ?[12]?"
    r"(?: (?:version|release|バージョン|版本|버전|версия)|(?= or WSL ?2))[^\n:：]{0,20}?[*_`?]{0,3}\s{0,2}"
    r"(?:[:：?][*_`]{0,3}\s{0,3}(?P<value>[^\n]{0,60}))?$"
)
_ANSWER = r"[\W_]{0,4}(?:\[[xX]\] ?)?(?:WSL ?)?v?[12](?:\.\d{1,3}){0,3}\b"
_UNTICKED = r"\s{0,4}[-*+] \[ ?\]"
_MENTIONED = r"\bWSL ?2?\b|\bWindows Subsystem for Linux\b"
_DENIED = (
    r"\b(?:no|not|non|without|instead of|outside(?: of)?|never|rather than|or|don['’]t)[ -]"
    r"(?:(?:using|use|in|on|under|via|through|the) ){0,2}WSL"
)
# As the kernel of WSL 2 names itself.
_OF_WSL = "microsoft-standard-WSL2"
_WINDOWS = ("7", "8", "8.1", "10", "11")
_OF_WINDOWS = frozenset({Topic.WINDOWS_BUILD, Topic.SYSTEM_VERSION})


def read_wsl(lines: Lines) -> Iterator[Statement]:
    """Yield that the system is Linux for each line that says that the machine at hand is WSL."""
    for number in _find_wsl(lines):
        yield Statement(Topic.SYSTEM, "linux", number, NAME, is_printed=False)


def _find_wsl(lines: Lines) -> Iterator[int]:
    is_asked = False
    for number, line in lines:
        if "wsl" not in line.lower() and "microsoft" not in line.lower() and not is_asked:
            continue
        if pattern(_KERNEL).search(line):
            yield number
        if is_asked and line.strip() and not pattern(_UNTICKED).match(line):
            if pattern(_ANSWER, True).match(line):
                yield number
            is_asked = False
        field = pattern(_FIELD, True).match(line) if len(line) < 200 else None
        if field:
            value = field["value"] or ""
            is_asked = not value.strip()
            if value and pattern(_ANSWER, True).match(value):
                yield number


def mentions_wsl(lines: Lines) -> bool:
    """Return whether a text names WSL, and nowhere says that it is not used."""
    named = [line for _, line in lines if pattern(_MENTIONED, True).search(line)]
    return bool(named) and not any(pattern(_DENIED, True).search(line) for line in named)


def _name_wsl(statement: Statement) -> Statement:
    is_of_windows = statement.topic is Topic.SYSTEM_VERSION and statement.value in _WINDOWS
    return replace(statement, value=_OF_WSL) if is_of_windows else statement


def choose_linux(group: Sequence[Statement], *, is_named: bool) -> list[Statement]:
    """Return the statements of an environment, of which those on Windows are left out if it is WSL.

    Where a text only names WSL, both systems must have been printed; the number of a Windows beside a Linux
    that is stated is that of the Windows around it.
    """
    if is_named and {each.value for each in group if each.topic is Topic.SYSTEM} == {"linux"}:
        return [_name_wsl(each) for each in group if each.topic is not Topic.WINDOWS_BUILD]
    systems = {each.value for each in group if each.topic is Topic.SYSTEM and each.is_printed}
    is_stated = any(each.reader == NAME for each in group)
    if not is_stated and not (is_named and {"windows", "linux"} <= systems):
        return list(group)
    return [
        each
        for each in group
        if each.topic not in _OF_WINDOWS and (each.topic is not Topic.SYSTEM or each.value == "linux")
    ]
