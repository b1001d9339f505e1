"""Find which shell code is for, and write code for PowerShell as cmd or Git Bash reads it."""

import re

# Variables, cmdlets, scripts, and operators that cmd has not; a ; within double quotes is no operator.
_POWERSHELL_ONLY = re.compile(
    r"""[$`'{]|(?<!\w)@|;(?=(?:[^"\n]*"[^"\n]*")*[^"\n]*$)|^[ ]*[&(\[]"""
    r"""|(?<![\w\\./-])[A-Z][A-Za-z]+-[A-Z]\w+|\.ps1\b|[*]>""",
    re.MULTILINE,
)
_CMD_ONLY = re.compile(r"^[ ]*(?:set|call|where|cd /d)[ ]|%\w+%|[ ]&[ ]", re.MULTILINE)
# Variables that only start files of web UIs read.
_START_FILE = re.compile(r"[ ]*set (?:COMMANDLINE_ARGS|PYTHON|TORCH_COMMAND)=", re.IGNORECASE)
_ONLY = {"powershell": ("PowerShell", _POWERSHELL_ONLY), "bat": ("cmd", _CMD_ONLY)}
_PYTHON_CODE = re.compile(r'(?<=-c )"[^"\n]*"')
_STATEMENT_END = re.compile(r"""[ ]*(?:;|$)[ ]*(?=(?:[^"]*"[^"]*")*[^"]*$)""")
_NAMES = (
    (re.compile(r"\$LASTEXITCODE\b"), "%ERRORLEVEL%"),
    (re.compile(r"\$HOME\b"), "%USERPROFILE%"),
    (re.compile(r"\$env:(\w+)"), r"%\1%"),
    (re.compile(r"\\Activate\.ps1\b"), r"\\activate.bat"),
)
_QUIETLY = r"(?: -ErrorAction SilentlyContinue)?"
# cmd needs no leave to run a script.
_LEAVE = re.compile(r"Set-ExecutionPolicy \w+ -Scope Process -Force")
_STATEMENTS = (
    (re.compile(r'%(\w+)% = "?([^"]*)"?'), r'set "\1=\2"'),
    (re.compile(r"(%\w+%)"), r"echo \1"),
    (re.compile(r'"exit code: 0x\{0:X8\}" -f (%ERRORLEVEL%)'), r"echo exit code: \1"),
    (re.compile(rf"Remove-Item Env:(\w+){_QUIETLY}"), r'set "\1="'),
    (re.compile(rf"Remove-Item Env:(\w+), Env:(\w+){_QUIETLY}"), 'set "\\1="\nset "\\2="'),
    (
        re.compile(rf'Remove-Item -Recurse (?:-Force )?("[^"]*"(?:, "[^"]*")*|\S+){_QUIETLY}'),
        r"rmdir /s /q \1",
    ),
    (
        re.compile(r'\[Environment\]::SetEnvironmentVariable\("(\w+)", \$null, "User"\)'),
        r"reg delete HKCU\\Environment /v \1 /f",
    ),
    (re.compile(r"New-Item -ItemType Directory -Force (\S+)(?: \| Out-Null)?"), r"mkdir \1"),
    (re.compile(r'Rename-Item ("[^"]*" "[^"]*")'), r"ren \1"),
    (re.compile(r"(.*) \| Set-Content (\S+)"), r"\1 > \2"),
    (re.compile(r'Set-Content ("[^"]*") "([\w.]+)<([\w.]+)"'), r">\1 echo \2^<\3"),
    (re.compile(r'(.*) \| Select-String "?([\w^]+)"?'), r'\1 | findstr /i "\2"'),
    (re.compile(r'& (".*)'), r"\1"),
    (re.compile(r"cd (%\w+%)"), r"cd /d \1"),
)
# A program by its path at the start of a line, as name_python writes it.
_STARTED = re.compile(r'(?m)^([ ]*)(?:& )?("?)([A-Za-z]:\\[^"\n]*?\.exe)\2(?=[ \n])')
_IN_A_SPAN = re.compile(r'`(?:& )?("?)([A-Za-z]:\\[^"`\n]*?\.exe)\1(?=[ `])')
_BLOCK = re.compile(r"(?ms)^([ ]*)```(?P<language>powershell|bat)\n(?P<code>.*?)^\1```")
# A variable of PowerShell that has got its name in cmd, in a statement that has none there.
_UNWRITTEN = re.compile(r"^%", re.MULTILINE)


def find_shell(language: str, code: str) -> str | None:
    """Return the only shell that reads code in a fenced block of this language, or None if any does."""
    shell, signs = _ONLY.get(language, (None, None))
    return shell if signs and signs.search(_PYTHON_CODE.sub('""', code)) else None


def is_of_a_batch_file(code: str) -> bool:
    """Return whether code is a line for the start file of a program, which does nothing where it is typed."""
    return _START_FILE.match(code) is not None


def write_for_cmd(code: str) -> str | None:
    """Return code for PowerShell as cmd reads it, or None for what is not known to have the same meaning."""
    statements = [part for line in code.splitlines() for part in _STATEMENT_END.split(line) if part]
    written = "\n".join(_write_statement(each) for each in statements if not _LEAVE.fullmatch(each.strip()))
    return None if find_shell("powershell", written) or _UNWRITTEN.search(written) else written


def write_for_git_bash(markdown: str) -> str:
    """Write the programs that commands start as Git Bash reads them, which takes a backslash away.

    Code that only PowerShell or cmd reads stays, and is labelled so where it is shown.
    """
    text = _BLOCK.sub(_write_block_for_bash, markdown)
    text = text.replace("\n\nIn cmd, leave out the `&` before the path.", "")
    return _IN_A_SPAN.sub(lambda match: f"`{match[1]}{write_path_for_git_bash(match[2])}{match[1]}", text)


def write_path_for_git_bash(path: str) -> str:
    """Return a path of Windows with slashes, which all programs take."""
    return path.replace("\\", "/")


def _write_block_for_bash(block: re.Match[str]) -> str:
    written = _STARTED.sub(
        lambda match: f"{match[1]}{match[2]}{write_path_for_git_bash(match[3])}{match[2]}", block["code"]
    )
    if find_shell(block["language"], written) is not None:
        return block[0]
    start, end = (place - block.start() for place in block.span("code"))
    return block[0][:start] + written + block[0][end:]


def _write_statement(statement: str) -> str:
    for pattern, name in _NAMES:
        statement = pattern.sub(name, statement)
    for pattern, words in _STATEMENTS:
        if match := pattern.fullmatch(statement):
            # cmd has no commas between the paths.
            return match.expand(words).replace('", "', '" "')
    return statement
