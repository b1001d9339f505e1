"""Commands for one shell are told from those for any, and rewritten for cmd where that is possible."""

import re
from collections.abc import Callable

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.knowledge.interpreter import name_python
from torchdoctor.knowledge.shells import find_shell, write_for_cmd, write_for_git_bash
from torchdoctor.renderers.plain import wrap_markdown

KNOWLEDGE = load_knowledge()[0]


@pytest.mark.parametrize(
    ("language", "code", "shell"),
    [
        *[
            ("powershell", code, "PowerShell")
            for code in (
                '$env:X = "1"',
                'cd "$HOME"',
                "Get-Item C:\\x",
                "python train.py; nvcc",
                "pip list | Select-String torch",
                '& "C:\\a b\\python.exe" -m pip',
                "(Get-Item x).Length",
                '[Environment]::GetEnvironmentVariable("X")',
                "C:\\v\\Scripts\\Activate.ps1",
                "cl *> build.log",
                "nvcc `\n  --version",
                "cmd /c 'cl'",
                "nvcc\nRemove-Item x",
            )
        ],
        *[
            ("powershell", code, None)
            for code in (
                "python -m pip install torch --index-url https://download.pytorch.org/whl/cu126",
                "python -c \"import torch; print({'a': 1}, [2])\"",
                'python -m pip install "torch>=2.4.1"',
                "C:\\Data-Sets\\My-Env\\python.exe -m pip",
                "start https://aka.ms/vc14/vc_redist.x64.exe",
                "sfc /scannow",
                "poetry add torch@latest",
                'reg delete "HKLM\\SYSTEM\\CurrentControlSet" /v TdrDelay /f',
            )
        ],
        *[
            ("bat", code, "cmd")
            for code in ("set X=1", 'call "v.bat" x64', "where cl", "cd %X%", "cl & nvcc")
        ],
        *[("bat", code, None) for code in ("cl", "cl 2>&1 | findstr Version", "mdsched.exe")],
        ("python", "x = [1]; y = {}", None),
        ("text", "$x", None),
    ],
)
def test_finds_the_only_shell(language: str, code: str, shell: str | None) -> None:
    assert find_shell(language, code) == shell


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ('$env:X = "1"\npython train.py', 'set "X=1"\npython train.py'),
        ('$env:A = "C:\\t"; $env:B = $env:A', 'set "A=C:\\t"\nset "B=%A%"'),
        ('$env:PATH = "$env:A\\bin;$env:PATH"', 'set "PATH=%A%\\bin;%PATH%"'),
        ("$env:X\nRemove-Item Env:X -ErrorAction SilentlyContinue", 'echo %X%\nset "X="'),
        ("Remove-Item Env:X, Env:Y", 'set "X="\nset "Y="'),
        ('python -c "a; b"; $LASTEXITCODE', 'python -c "a; b"\necho %ERRORLEVEL%'),
        ('a; "exit code: 0x{0:X8}" -f $LASTEXITCODE', "a\necho exit code: %ERRORLEVEL%"),
        ('& "$HOME\\v\\Scripts\\Activate.ps1"', '"%USERPROFILE%\\v\\Scripts\\activate.bat"'),
        (
            "Set-ExecutionPolicy RemoteSigned -Scope Process -Force\nC:\\v\\Scripts\\Activate.ps1",
            "C:\\v\\Scripts\\activate.bat",
        ),
        ("cd $HOME", "cd /d %USERPROFILE%"),
        ('Remove-Item -Recurse "$env:TEMP\\a" -ErrorAction SilentlyContinue', 'rmdir /s /q "%TEMP%\\a"'),
        ("New-Item -ItemType Directory -Force C:\\t | Out-Null", "mkdir C:\\t"),
        ('Rename-Item "C:\\a b.py" "c.py"', 'ren "C:\\a b.py" "c.py"'),
        ('Set-Content "$env:PUBLIC\\a.txt" "b<82"', '>"%PUBLIC%\\a.txt" echo b^<82'),
        ('findstr /v "a b" r.txt | Set-Content w.txt', 'findstr /v "a b" r.txt > w.txt'),
        ('python -m pip list | Select-String "^torch"', 'python -m pip list | findstr /i "^torch"'),
    ],
)
def test_writes_code_for_cmd(code: str, written: str) -> None:
    assert write_for_cmd(code) == written


@pytest.mark.parametrize(
    "code",
    [
        "Get-CimInstance Win32_Processor",
        '$env:PATH = (python -c "x") + ";" + $env:PATH',
        '$site = python -c "x"',
        "$env:PATH -split ';'",
        'python train.py; "{0:X8}" -f $LASTEXITCODE',
        'Remove-Item "Env:$($_.Name)"',
    ],
)
def test_writes_nothing_that_only_powershell_does(code: str) -> None:
    assert write_for_cmd(code) is None


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_screen_names_the_shell_of_each_block(name: str, list_commands) -> None:
    for language, code in list_commands(name):
        screen = list(wrap_markdown(f"Do:\n\n```{language}\n{code}```", 80, "", colour=False))
        is_for_one = re.search(r"^\s*(?:set|call) |\$env|[a-z]-(?:Item|CimInstance|WinEvent)\b|\.ps1\b", code)
        if language in ("powershell", "bat") and is_for_one:
            assert screen[1] in (
                "In PowerShell:",
                "In PowerShell (in cmd, type powershell first):",
                "In cmd:",
                "In a .bat file, where the step says:",
            )


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_cmd_can_read_what_is_written_for_it(name: str, list_commands, parses) -> None:
    code = [code for language, code in list_commands(name) if find_shell(language, code) == "PowerShell"]
    written = [text for text in map(write_for_cmd, code) if text is not None]
    assert [text for text in written if not parses("bat", text)] == []


@pytest.fixture
def all_commands(list_commands: Callable[[str], list[tuple[str, str]]]) -> list[str]:
    return [code for name in KNOWLEDGE.entries for _, code in list_commands(name)]


def test_powershell_may_run_the_script_of_an_environment(all_commands: list[str]) -> None:
    # PowerShell's policy of a new Windows is Restricted: the line fails, and the next goes to the old Python.
    activations = [code for code in all_commands if re.search(r"^.*\\Activate\.ps1", code, re.MULTILINE)]
    assert len(activations) > 10
    leave = r"^Set-ExecutionPolicy RemoteSigned -Scope Process -Force\n(?:& )?\S*\\Activate\.ps1"
    assert [code for code in activations if not re.search(leave, code, re.MULTILINE)] == []


def test_environment_variables_can_be_set_in_both_shells(all_commands: list[str]) -> None:
    settings = [code for code in all_commands if re.match(r'\$env:\w+ = "[^"]*"$', code, re.MULTILINE)]
    assert len(settings) > 15
    assert [code for code in settings if write_for_cmd(code) is None] == []


def test_command_that_cmd_has_not_says_how_to_get_there() -> None:
    screen = list(wrap_markdown("Do:\n\n```powershell\nGet-Process\n```", 80, "", colour=False))
    assert screen[1:] == ["In PowerShell (in cmd, type powershell first):", "  Get-Process"]


def test_named_interpreter_is_written_for_both_shells() -> None:
    step = name_python("Do:\n\n```powershell\npython -m pip\n```", r"C:\a b\python.exe")
    screen = list(wrap_markdown(step, 80, "", colour=False))
    command = '"C:\\a b\\python.exe" -m pip'
    assert screen == ["Do:", "In PowerShell:", f"  & {command}", "In cmd:", f"  {command}"]


@pytest.mark.parametrize(
    ("markdown", "written"),
    [
        (
            "```powershell\nC:\\a\\python.exe -m pip check\n```",
            "```powershell\nC:/a/python.exe -m pip check\n```",
        ),
        ('```bat\n"C:\\a b\\python.exe" -V\n```', '```bat\n"C:/a b/python.exe" -V\n```'),
        (
            '  ```powershell\n  & "C:\\a b\\python.exe" -V\n  ```',
            '  ```powershell\n  "C:/a b/python.exe" -V\n  ```',
        ),
        ('Type `& "C:\\a b\\python.exe" -V` there.', 'Type `"C:/a b/python.exe" -V` there.'),
        (
            "```powershell\n$env:A = 1\nC:\\a\\python.exe -V\n```",
            "```powershell\n$env:A = 1\nC:\\a\\python.exe -V\n```",
        ),
        ("The file `C:\\a\\b.dll` stays.", "The file `C:\\a\\b.dll` stays."),
    ],
    ids=["plain", "quoted", "operator", "in-a-sentence", "of-powershell-only", "no-program"],
)
def test_programs_are_started_as_git_bash_reads_them(markdown: str, written: str) -> None:
    assert write_for_git_bash(markdown) == written
