"""Every command of an entry can be pasted into its shell as it stands there."""

import re
from collections.abc import Callable

import pytest

from torchdoctor.engine.library import load_knowledge

NAMES = tuple(load_knowledge()[0].entries)
SHELLS = ("powershell", "bat", "text")
# The parsers take each of these for a name, and the shells do not.
QUOTED = re.compile(r'"[^"\n]*"')
REDIRECTIONS = re.compile(r"2>&1|(?<= )\*> \w+\.log(?= |$)|->", re.MULTILINE)
# Windows PowerShell 5.1 has no && and ||, and cmd replaces %NAME% between quotes too.
HAZARDS = {
    "powershell": re.compile(r"[<>]|&&|\|\||%\w*%|[“”‘’]"),
    "bat": re.compile(r"[<>^!']|[“”‘’]"),
}
PYTHON = re.compile(r'-c "([^"]*)"')
UNQUOTED_PYTHON = re.compile(r'python[^"\n]* -c (?!")')
# Words that mean another thing in PowerShell, or nothing, and cmd's own.
CMD_WORDS = re.compile(r"(?m)^\s*(?:set|where|curl|call|sc|rem|cd /d)(?= |$)|^\s*(?:dir|copy|rmdir|del) /")
POWERSHELL_WORDS = re.compile(r"(?m)\$\w|\b[A-Z][a-z]+-[A-Z]\w+|\.ps1\b|^\s*& |;")
FOREIGN_WORDS = {"powershell": CMD_WORDS, "bat": POWERSHELL_WORDS}
Parse = Callable[[str, str], bool]
ListCommands = Callable[[str], list[tuple[str, str]]]


def _list_shells(language: str) -> tuple[str, ...]:
    return {"powershell": ("powershell",), "bat": ("bat",), "text": ("powershell", "bat")}.get(language, ())


@pytest.mark.parametrize("name", NAMES)
def test_shell_can_read_each_command(name: str, list_commands: ListCommands, parses: Parse) -> None:
    unread = [
        (shell, code)
        for language, code in list_commands(name)
        for shell in _list_shells(language)
        if not parses(shell, code)
    ]
    assert unread == []


def _find_hazard(shell: str, code: str) -> re.Match[str] | None:
    return HAZARDS[shell].search(REDIRECTIONS.sub("", QUOTED.sub("", code)))


def _find_foreign_word(shell: str, code: str) -> re.Match[str] | None:
    return FOREIGN_WORDS[shell].search(QUOTED.sub("", code))


@pytest.mark.parametrize("find", [_find_hazard, _find_foreign_word])
@pytest.mark.parametrize("name", NAMES)
def test_shell_takes_each_command_as_it_is_meant(name: str, find, list_commands: ListCommands) -> None:
    misread = [
        (shell, code)
        for language, code in list_commands(name)
        for shell in _list_shells(language)
        if find(shell, code)
    ]
    assert misread == []


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("powershell", "python -m pip install torch>=2.4"),
        ("bat", "python -m pip install numpy<2"),
        ("powershell", "cl && nvcc"),
        ("powershell", "cd %USERPROFILE%"),
        ("bat", "pip install torch!=2.4"),
        ("bat", "python -c 'print(1)'"),
        ("powershell", "python -c “print(1)”"),
        ("powershell", "set USE_LIBUV=0"),
        ("powershell", "nvcc\nwhere cl"),
        ("bat", "$env:USE_LIBUV"),
        ("bat", "nvcc; cl"),
        ("bat", ".\\venv\\Scripts\\Activate.ps1"),
    ],
)
def test_finds_what_a_shell_misreads(shell: str, code: str) -> None:
    assert _find_hazard(shell, code) or _find_foreign_word(shell, code)


@pytest.mark.parametrize("name", NAMES)
def test_python_code_compiles(name: str, list_commands: ListCommands) -> None:
    for language, code in list_commands(name):
        if language == "python":
            compile(code, name, "exec")
        for argument in PYTHON.findall(code) if language in SHELLS else ():
            compile(argument, name, "exec")


@pytest.mark.parametrize("name", NAMES)
def test_python_code_in_quotes_reaches_python_unchanged(name: str, list_commands: ListCommands) -> None:
    """PowerShell replaces $ and ` in quotes, cmd %NAME%, and the C runtime reads \\" as a quote."""
    commands = [code for language, code in list_commands(name) if language in SHELLS]
    arguments = [argument for code in commands for argument in PYTHON.findall(code)]
    assert [argument for argument in arguments if re.search(r"[$`%]|\\$", argument)] == []
    assert [code for code in commands if UNQUOTED_PYTHON.search(code)] == []


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        *[
            ("powershell", code)
            for code in (
                'python -c "print(1)',
                "python -c 'print(1)",
                "nvidia-smi |",
                "| Select-Object Name",
                "Get-Item { $_.Name",
                "Get-WinEvent -FilterHashtable @{LogName='System'",
                "$env:USE_LIBUV =",
                "& ",
                "python train.py & nvidia-smi",
                "[Environment]::GetEnvironmentVariable('X',",
                '"exit code: 0x{0:X8}" -f',
                "if exist a (b)",
            )
        ],
        *[
            ("bat", code)
            for code in ('python -c "print(1)', "cl 2>&1 |", "cl &", "if exist a (", "for %i in", 'set "X=1')
        ],
    ],
)
def test_parser_refuses_damaged_commands(shell: str, code: str, parses: Parse) -> None:
    assert not parses(shell, code)
