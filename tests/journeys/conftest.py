"""A Windows installation to damage, a person who types what the doctor prints, and the table of what came of it."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from torchdoctor.knowledge.shells import write_for_cmd

IMPORT = 'python -c "import torch"'
BLOCK = re.compile(r"^ *```(powershell|bat|text)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
# The part of the screen that names the first finding.
FIRST = re.compile(r"torchdoctor explain ([\w-]+)|A consequence of [^(]+\(([\w-]+)\)")
# The tests have packages from an index of their own.
INDEX = re.compile(r" --(?:extra-)?index-url \S+")


@dataclass
class Row:
    """What came of a fault: how the doctor named it, what was typed, and whether that mended it."""

    group: str
    fault: str
    source: str = ""
    asked: str = ""
    expected: str = ""
    named: str = ""
    done: list[str] = field(default_factory=list)
    outcome: str = "not finished"


ROWS: list[Row] = []


class Journey:
    """A fault from plant to cure, on a Windows Python of its own.

    `site`, `project` and `home` are folders of that machine as this process sees them; the person's console
    is in the project's folder, and `python` is the planted interpreter. `memory_kib` is the address space
    that a program gets. `undo` holds lines to type, and `cleanup` functions to call, when the journey has ended.
    """

    def __init__(self, winpython: str, folder: Path, row: Row) -> None:
        """Start in a folder that has a copy of the lab's Python."""
        self.row = row
        self.site = folder / "Python311" / "Lib" / "site-packages"
        self.project, self.home = folder / "project", folder
        self.windows_folder = rf"C:\{folder.parent.name}\{folder.name}"
        self.python = rf"{self.windows_folder}\Python311\python.exe"
        self.variables: dict[str, str] = {}
        self.memory_kib: int | None = None
        self.command: Sequence[str] = [IMPORT]
        self.output = ""
        self.steps: list[str] = []
        self.undo: list[str] = []
        self.cleanup: list[Callable[[], object]] = []
        self._winrun = str(Path(winpython).with_name("winrun"))

    # Planting.

    def write(self, file: Path, content: str | bytes = "") -> Path:
        """Write a file; one that is there is replaced, because the lab's own is the same file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def rewrite(self, file: Path, old: str, new: str) -> None:
        """Replace a text in a file."""
        text = file.read_text(encoding="utf-8")
        assert old in text, text
        self.write(file, text.replace(old, new))

    def install(self, *requirements: str) -> None:
        """Install packages as a person would have done before."""
        names = " ".join(requirements)
        result = self.type([f"python -m pip install -q --no-deps --no-warn-script-location {names}"])
        assert result.returncode == 0, result.stdout

    # The person.

    def type(self, lines: Sequence[str], minutes: float = 10) -> subprocess.CompletedProcess[str]:
        """Type lines in cmd, in the project's folder; stdout has stderr too, the exit code is that of the last."""
        typed = [f"call {line}" if re.match(r"\S+\.bat\b", line) else line for line in lines]
        script = ["@echo off", *(f'set "{name}={value}"' for name, value in self.variables.items()), *typed]
        # A line of a script, unlike one that is typed, needs each percent sign of its own twice; none has one.
        file = self.write(self.home / "typed.bat", "\r\n".join([*script, "exit /b %ERRORLEVEL%", ""]))
        search = rf"{self.windows_folder}\Python311;{self.windows_folder}\Python311\Scripts"
        return subprocess.run(
            [*self._limit(), self._winrun, "cmd.exe", "/c", rf"{self.windows_folder}\{file.name}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", cwd=self.project, timeout=minutes * 60, env={**os.environ, "WINEPATH": search},
        )  # fmt: skip

    def _limit(self) -> Sequence[str]:
        """Return the program that limits the memory of another one, if there is a limit."""
        return (
            [] if self.memory_kib is None else ["sh", "-c", f'ulimit -v {self.memory_kib}; exec "$@"', "sh"]
        )

    def fails(self, *command: str, saying: str = "") -> None:
        """Run what the person runs, which has to fail."""
        self.command = command or self.command
        result = self.type(self.command)
        self.output = result.stdout
        assert result.returncode != 0, f"the fault does no harm: {result.stdout}"
        assert saying in self.output, self.output

    def scan(self, *paths: str, first: str, python: str = "") -> None:
        """Ask `scan`; its first finding has to be of this check."""
        options = ["--python", python] if python else []
        self.row.asked = " ".join(["scan", *options, *paths])
        report = self._ask("scan", *options, *paths, "--format", "json")
        # The screen that these facts give: an import of torch takes long under Wine.
        facts_file = self.write(self.home / "report.json", report)
        folders = [self.project / path for path in paths]
        command = [sys.executable, "-m", "torchdoctor", "scan", "--facts", facts_file, *folders]
        screen = subprocess.run(command, capture_output=True, text=True, timeout=300).stdout
        match = FIRST.search(screen)
        self._note_name(match[1] or match[2] if match else "nothing", first, screen)
        [outcome] = [each for each in json.loads(report)["outcomes"] if each["name"] == first]
        self.steps = [finding["fix"] for finding in outcome["findings"] if finding["fix"]]

    def explain(self, first: str) -> None:
        """Paste the output of what failed into `explain`; its first answer has to be this entry."""
        self.row.asked = "explain"
        self.write(self.project / "error.txt", self.output)
        answer = json.loads(self._ask("explain", "--file", "error.txt", "--format", "json"))
        names = [each["name"] for each in answer["diagnoses"]]
        self._note_name(names[0] if names else "nothing", first, self.output)
        if not answer["recognised"]:
            self.row.named += " (possible)"
        self.steps = answer["diagnoses"][0]["fix"]

    def do(self, step: int = 1, own: Mapping[str, str] | None = None) -> None:
        """Type the commands of a printed step, as cmd reads them.

        `own` has what the step asks the person to put in the place of its own words.
        """
        commands = self.find_commands(step)
        assert commands, f"no command in: {self.steps[step - 1]}"
        for word, replacement in (own or {}).items():
            commands = [line.replace(word, replacement) for line in commands]
        lines = [INDEX.sub("", line) for line in commands]
        shown = (line.replace(self.python, "python") for line in commands)
        self.row.done.append("; ".join(f"`{line.replace(self.windows_folder, 'C:')}`" for line in shown))
        result = self.type(lines)
        assert result.returncode == 0, result.stdout
        for line in lines:
            if match := re.fullmatch(r'set "(\w+)=(.*)"', line):
                self.variables[match[1]] = match[2]

    def find_commands(self, step: int = 1) -> list[str]:
        """Return the command lines of a printed step, as cmd reads them."""
        lines: list[str] = []
        for language, code in BLOCK.findall(self.steps[step - 1]):
            code = "\n".join(line.strip() for line in code.strip().splitlines())
            lines += (write_for_cmd(code) if language == "powershell" else code or "").splitlines()
        return [re.sub(r"^torchdoctor ", "python -m torchdoctor ", line) for line in lines]

    def edit(self, file: str, old: str, new: str, printed: str) -> None:
        """Change the code by hand, as a printed step says: `printed` has to stand in it."""
        numbers = [number for number, step in enumerate(self.steps, 1) if printed in step]
        assert numbers, self.steps
        self.rewrite(self.project / file, old, new)
        self.row.done.append(f"by hand (step {numbers[0]}): `{printed}`")

    def rename(self, file: Path, new_name: str) -> None:
        """Rename a file in File Explorer, to the name that a printed step says."""
        numbers = [number for number, step in enumerate(self.steps, 1) if new_name in step]
        assert numbers, self.steps
        file.rename(file.with_name(new_name))
        self.row.done.append(f"by hand (step {numbers[0]}): {file.name} renamed to `{new_name}`")

    def works(self, saying: str = "") -> None:
        """Run the person's command again, which has to work."""
        result = self.type(self.command)
        self.row.outcome = "mended" if result.returncode == 0 else "not mended"
        assert result.returncode == 0, result.stdout
        assert saying in result.stdout, result.stdout

    def passes(self, check: str, *paths: str) -> None:
        """Ask `scan` again; this check has to pass."""
        screen = self._ask("scan", "--no-trials", "--select", check, *paths)
        has_passed = "Nothing wrong was found" in screen
        self.row.outcome = "mended" if has_passed else "not mended"
        assert has_passed, screen

    def tells(self, text: str, why: str) -> None:
        """Note that a printed step is right, and why it cannot be done on the machine of these tests."""
        assert any(text in step for step in self.steps), self.steps
        self.row.done.append(f"printed: “{text}”")
        self.row.outcome = f"cannot be tried here: {why}"

    def _ask(self, command: str, *arguments: str) -> str:
        """Return the output of the doctor, without its notices on standard error."""
        return self.type([" ".join([self.python, "-m torchdoctor", command, *arguments, "2>NUL"])]).stdout

    def _note_name(self, name: str, expected: str, shown: str) -> None:
        # A person who asks again has done what the first answer says.
        if not self.row.named:
            self.row.named, self.row.expected = name, expected
        assert name == expected, shown


@pytest.fixture(scope="session")
def journeys_folder(windows_python: str, wheel: Path) -> Iterator[Path]:
    """Return the folder of the journeys on drive C. The lab's Python is copied; its system is not."""
    if os.name == "nt" or "TORCHDOCTOR_JOURNEYS" not in os.environ:
        pytest.skip(
            "takes an hour, and changes the machine: TORCHDOCTOR_JOURNEYS names the folder for its notes"
        )
    drive = Path(windows_python).resolve().parent / "prefix" / "drive_c"
    folder = drive / f"journeys{os.getpid()}"
    folder.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "doctor")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def journey(windows_python: str, journeys_folder: Path, request: pytest.FixtureRequest) -> Iterator[Journey]:
    """Return a journey on a copy of the lab's Python, which has the doctor."""
    title, _, source = (request.function.__doc__ or "").partition("\n\n")
    group = (request.module.__doc__ or "").strip().rstrip(".")
    row = Row(group, " ".join(title.split()).rstrip("."), source.strip())
    ROWS.append(row)
    folder = journeys_folder / request.node.name.removeprefix("test_")[:40]
    (folder / "project").mkdir(parents=True)
    # The copy is of links: a file of it is replaced, never written to.
    subprocess.run(["cp", "-al", journeys_folder.parent / "Python311", folder / "Python311"], check=True)
    shutil.copytree(
        journeys_folder / "doctor", folder / "Python311" / "Lib" / "site-packages", dirs_exist_ok=True
    )
    journey = Journey(windows_python, folder, row)
    yield journey
    if journey.undo:
        journey.type(journey.undo)
    for clean in journey.cleanup:
        clean()
    subprocess.run(["rm", "-rf", folder], check=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what came of the faults into the folder that TORCHDOCTOR_JOURNEYS names."""
    folder = os.environ.get("TORCHDOCTOR_JOURNEYS")
    if folder and ROWS:
        rows = [vars(row) for row in ROWS]
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{os.getpid()}.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
