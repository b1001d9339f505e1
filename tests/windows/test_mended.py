"""Faults on a real Windows are found, and are gone after the commands that the scan prints."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.windows,
    pytest.mark.skipif(os.name == "nt", reason="changes the machine's registry and environments"),
]

SETTINGS = r"SYSTEM\CurrentControlSet\Control\GraphicsDrivers"
DWORD = 4
BLOCK = re.compile(r"```(?:powershell|bat|text)\n(.*?)```", re.DOTALL)

# The examined interpreter, by its path where that is no secret.
PYTHON = r"(?:python|[A-Z]:\\[\w\\.~-]+\\python\.exe)"
RENAME = "import os, sys; os.rename(sys.argv[1], os.path.join(os.path.dirname(sys.argv[1]), sys.argv[2]))"


class Console:
    """A console that runs the commands of printed fixes and keeps the variables that they set."""

    def __init__(self, python: str) -> None:
        """Set the interpreter that the command `python` runs."""
        self.python = python
        self.variables: dict[str, str] = {}

    def apply_fix(self, finding: dict) -> None:
        """Run the commands of the fix of a finding."""
        lines = [
            line.strip() for block in BLOCK.findall(finding["fix"]) for line in block.strip().splitlines()
        ]
        assert lines, f"no command in: {finding['fix']}"
        for line in lines:
            self.run_line(line)

    def run_line(self, line: str) -> None:
        """Run a line of PowerShell in Python, because Wine has no real PowerShell."""
        if removal := re.fullmatch(r"Remove-Item Env:(\w+)", line):
            del self.variables[removal[1]]
        elif assignment := re.fullmatch(r'\$env:(\w+) = "(.*)"', line):
            self.variables[assignment[1]] = assignment[2]
        elif renaming := re.fullmatch(r'Rename-Item "(.*)" "(.*)"', line):
            self._run("-c", RENAME, *renaming.groups())
        elif values := re.fullmatch(r'Remove-ItemProperty "HKLM:(.*)" -Name ([\w, ]+)', line):
            for name in values[2].split(", "):
                self.run_line(f'reg delete "HKLM{values[1]}" /v {name} /f')
        elif line.startswith("reg "):
            self._run("-c", f"import subprocess; raise SystemExit(subprocess.call({line!r}))")
        elif code := re.fullmatch(rf'{PYTHON} -c "(.*)"', line):
            self._run("-c", code[1])
        elif pip := re.fullmatch(rf"{PYTHON} (-m pip .*)", line):
            self._run(*pip[1].replace('"', "").split())
        else:
            raise AssertionError(f"not a command that these tests know: {line}")

    def _run(self, *arguments: str) -> None:
        command = [self.python, *arguments]
        subprocess.run(command, check=True, timeout=300, env={**os.environ, **self.variables})


@pytest.fixture
def console(windows_python: str) -> Console:
    return Console(windows_python)


@pytest.fixture
def find_and_fix(find_findings, console: Console) -> Callable[..., list[dict]]:
    """Return a function that runs a check, applies the printed fixes, and returns what is found then."""

    def run_check_twice(check: str, *arguments: str, site: Path | None = None) -> list[dict]:
        findings = find_findings(check, *arguments, site=site, env=console.variables)
        assert findings, "the fault is not found"
        for finding in findings:
            console.apply_fix(finding)
        return find_findings(check, *arguments, site=site, env=console.variables)

    return run_check_twice


def test_fix_removes_the_variables(find_and_fix, console: Console) -> None:
    console.variables |= {"KMP_DUPLICATE_LIB_OK": "TRUE", "OMP_NUM_THREADS": "999"}
    assert find_and_fix("hurtful-environment-variables") == []


def test_fix_deletes_the_values_of_the_watchdog(find_and_fix, set_registry) -> None:
    set_registry(SETTINGS, TdrLevel=(0, DWORD), TdrDelay=(1, DWORD))
    assert find_and_fix("tdr-timeout") == []


def test_fix_leaves_the_user_site_out(
    find_and_fix, console: Console, site: Path, tmp_path: Path, windows_path
) -> None:
    folder = tmp_path / "base" / "Python311" / "site-packages"
    folder.parent.mkdir(parents=True)
    shutil.move(site, folder)
    console.variables["PYTHONUSERBASE"] = windows_path(tmp_path / "base")
    assert find_and_fix("user-site-install") == []


def test_fix_renames_a_file_that_hides_torch(find_and_fix, torch_lib: Path, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise SystemExit('imported')\n")
    assert find_and_fix("shadowed-or-partial-torch", site=tmp_path) == []
    assert [file.name for file in tmp_path.glob("*.py")] == ["my_torch.py"]


def test_fix_renames_a_text_file_in_place_of_a_dll(
    find_and_fix, console: Console, system_folder: Path, hide_file, tmp_path: Path, windows_path
) -> None:
    hide_file(system_folder / "msvcp140.dll")
    (tmp_path / "msvcp140.dll").write_text("<html>blocked by the proxy</html>")
    console.variables["WINEPATH"] = windows_path(tmp_path)
    assert find_and_fix("dll-wrong-architecture") == []


def test_fix_renames_torch_py_among_the_packages(
    find_and_fix, console: Console, windows_python: str, tmp_path: Path, windows_path
) -> None:
    environment = tmp_path / "v"
    subprocess.run(
        [windows_python, "-m", "venv", "--without-pip", windows_path(environment)], check=True, timeout=120
    )
    module = environment / "Lib" / "site-packages" / "torch.py"
    module.write_text("raise SystemExit('imported')\n")
    python = windows_path(environment / "Scripts" / "python.exe")
    assert find_and_fix("shadowed-or-partial-torch", "--python", python) == []
    assert not module.exists()
