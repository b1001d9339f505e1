"""The commands of steps are read as they are printed, and nothing else is run."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.knowledge import EntryError, parse_entry
from torchdoctor.knowledge.commands import (
    CommandError,
    PipCommand,
    RemoveCommand,
    RenameCommand,
    VariableCommand,
    list_unfilled,
    read_commands,
)

ENTRY = """```toml
family = "install"
```

# A problem

Lead.

## Why
Because.

## Fix
1. <!-- mend: {subject} --> Do it:

   ```powershell
   {line}
   ```
"""


def make_step(*lines: str, language: str = "powershell") -> str:
    return "\n".join(["Do it:", "", f"   ```{language}", *(f"   {line}" for line in lines), "   ```"])


@pytest.mark.parametrize(
    ("line", "subject", "command"),
    [
        ("python -m pip install numpy", "packages", PipCommand(("install", "numpy"))),
        (
            '& "C:\\a b\\python.exe" -m pip install --upgrade "numpy<2"',
            "packages",
            PipCommand(("install", "--upgrade", "numpy<2")),
        ),
        ("python -m pip uninstall torch", "packages", PipCommand(("uninstall", "-y", "torch"))),
        (
            '[Environment]::SetEnvironmentVariable("KMP_X", $null, "User")',
            "variables",
            VariableCommand("KMP_X", None),
        ),
        ('[Environment]::SetEnvironmentVariable("A", "1", "User")', "variables", VariableCommand("A", "1")),
        (
            'Rename-Item "C:\\x\\torch.py" "my_torch.py"',
            "files",
            RenameCommand("C:\\x\\torch.py", "my_torch.py"),
        ),
        ('Remove-Item -Recurse -Force "C:\\~orch", "C:\\b"', "files", RemoveCommand(("C:\\~orch", "C:\\b"))),
    ],
)
def test_command_is_read(line: str, subject: str, command: object) -> None:
    assert read_commands(make_step(line), subject) == (command,)


@pytest.mark.parametrize(
    "line",
    [
        "curl https://example.com/x.exe",
        "python -m pip download torch",
        "python -m pip config set global.index-url https://example.com",
        'python -c "import os"',
        '[Environment]::SetEnvironmentVariable("A", "1", "Machine")',
        'Rename-Item "a" "..\\b"',
        'Rename-Item "a" "C:\\b"',
        "Remove-Item -Recurse C:\\*",
        'Remove-Item -Recurse -Force "C:\\a"; shutdown',
        "Remove-Item Env:A",
    ],
)
def test_other_lines_are_not_run(line: str) -> None:
    with pytest.raises(CommandError):
        read_commands(make_step(line), "files")


def test_step_changes_one_kind_only() -> None:
    step = make_step("python -m pip install numpy", 'Rename-Item "a" "b"')
    for subject in ("packages", "files", "variables"):
        with pytest.raises(CommandError):
            read_commands(step, subject)


@pytest.mark.parametrize("step", ["No command.", make_step("python -m pip install a", language="text")])
def test_step_without_a_command(step: str) -> None:
    with pytest.raises(CommandError, match="no command"):
        read_commands(step, "packages")


def test_console_variable_stands_beside_that_of_the_account() -> None:
    lines = ('[Environment]::SetEnvironmentVariable("A", $null, "User")', "Remove-Item Env:A")
    assert read_commands(make_step(*lines), "variables") == (VariableCommand("A", None),)


def test_packages_are_taken_from_a_folder() -> None:
    command = PipCommand(
        (
            "install",
            "torch==2.4.1",
            "--index-url",
            "https://x",
            "--no-deps",
            "--extra-index-url=https://y",
            "-f",
            "z",
        )
    )
    offline = ("install", "--no-index", "--find-links", "D", "torch==2.4.1", "--no-deps")
    assert command.from_folder("D").arguments == offline
    assert PipCommand(("uninstall", "-y", "torch")).from_folder("D").arguments == ("uninstall", "-y", "torch")


def test_wanted_versions() -> None:
    command = PipCommand(
        ("install", "--upgrade", "torch==2.4.1", "Typing_Extensions>=4", "--index-url", "u", "a[b]<2")
    )
    assert command.wanted == {"torch": "==2.4.1", "typing-extensions": ">=4", "a": "[b]<2"}
    assert PipCommand(("uninstall", "-y", "torch")).wanted == {"torch": "absent"}


def test_unfilled_fields_of_commands() -> None:
    step = make_step("python -m pip install torch=={torch_release|2.6.0} --index-url u/{build_index|cu126}")
    assert list_unfilled(f"{{elsewhere|x}} {step}", {"build_index": "cpu"}) == ("torch_release",)
    assert list_unfilled(step, {"build_index": "cpu", "torch_release": "2.6.0"}) == ()


@pytest.mark.parametrize(
    ("subject", "line"),
    [("files", "python -m pip install a"), ("packages", "echo a"), ("registry", "reg add a")],
)
def test_entry_whose_step_cannot_be_run_is_refused(subject: str, line: str) -> None:
    with pytest.raises(EntryError, match="step mend"):
        parse_entry("a-problem", ENTRY.format(subject=subject, line=line))


def test_steps_of_all_entries_can_be_run() -> None:
    knowledge, broken = load_knowledge(parse_entry)
    assert not broken
    tagged = [step for entry in knowledge.entries.values() for step in entry.body.steps if step.subject]
    assert len(tagged) > 20


def test_steps_that_are_run_take_torch_from_its_own_build() -> None:
    knowledge, _ = load_knowledge(parse_entry)
    for entry in knowledge.entries.values():
        for step in entry.body.steps:
            if step.subject == "packages" and " torch==" in step.text and "{release_set" not in step.text:
                assert {"torch_release", "build_index"} <= set(list_unfilled(step.text, {})), entry.name
