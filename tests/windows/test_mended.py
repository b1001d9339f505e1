"""Faults are planted on a real Windows, told, mended by the commands that the scan prints, and gone."""

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

RENAME = "import os, sys; os.rename(sys.argv[1], os.path.join(os.path.dirname(sys.argv[1]), sys.argv[2]))"


class Console:
    """A user's console: does what a printed fix says, and keeps the variables that it sets."""

    def __init__(self, python: str) -> None:
        """Take the interpreter that the user calls python."""
        self.python = python
        self.variables: dict[str, str] = {}

    def follow(self, finding: dict) -> None:
        """Type the commands of the fix that was printed for a finding."""
        lines = [
            line.strip() for block in BLOCK.findall(finding["fix"]) for line in block.strip().splitlines()
        ]
        assert lines, f"no command in: {finding['fix']}"
        for line in lines:
            self.type(line)

    def type(self, line: str) -> None:
        """Do a line of PowerShell, of which there is no real one under Wine."""
        if taken := re.fullmatch(r"Remove-Item Env:(\w+)", line):
            del self.variables[taken[1]]
        elif given := re.fullmatch(r'\$env:(\w+) = "(.*)"', line):
            self.variables[given[1]] = given[2]
        elif renamed := re.fullmatch(r'Rename-Item "(.*)" "(.*)"', line):
            self._run("-c", RENAME, *renamed.groups())
        elif line.startswith("reg "):
            self._run("-c", f"import subprocess; raise SystemExit(subprocess.call({line!r}))")
        elif python := re.fullmatch(r'python -c "(.*)"', line):
            self._run("-c", python[1])
        elif line.startswith("python -m pip "):
            arguments = line.replace('"', "").split()[1:]
            self._run(*arguments)
        else:
            raise AssertionError(f"not a command that these tests know: {line}")

    def _run(self, *arguments: str) -> None:
        command = [self.python, *arguments]
        subprocess.run(command, check=True, timeout=300, env={**os.environ, **self.variables})


@pytest.fixture
def console(windows_python: str) -> Console:
    return Console(windows_python)


@pytest.fixture
def mend(find, console: Console) -> Callable[..., list[dict]]:
    """Find a fault, follow what was printed for each finding, and give what is found afterwards."""

    def find_and_mend(check: str, *arguments: str, site: Path | None = None) -> list[dict]:
        found = find(check, *arguments, site=site, env=console.variables)
        assert found, "the fault is not found"
        for finding in found:
            console.follow(finding)
        return find(check, *arguments, site=site, env=console.variables)

    return find_and_mend


def test_variables_are_taken_out(mend, console: Console) -> None:
    console.variables |= {"KMP_DUPLICATE_LIB_OK": "TRUE", "OMP_NUM_THREADS": "999"}
    assert mend("hurtful-environment-variables") == []


def test_values_of_the_watchdog_are_deleted(mend, plant) -> None:
    plant(SETTINGS, TdrLevel=(0, DWORD), TdrDelay=(1, DWORD))
    assert mend("tdr-timeout") == []


def test_user_site_is_left_out(mend, console: Console, site: Path, tmp_path: Path, on_windows) -> None:
    folder = tmp_path / "base" / "Python311" / "site-packages"
    folder.parent.mkdir(parents=True)
    shutil.move(site, folder)
    console.variables["PYTHONUSERBASE"] = on_windows(tmp_path / "base")
    assert mend("user-site-install") == []


def test_file_that_hides_torch_is_renamed(mend, torch_lib: Path, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise SystemExit('imported')\n")
    assert mend("shadowed-or-partial-torch", site=tmp_path) == []
    assert [file.name for file in tmp_path.glob("*.py")] == ["my_torch.py"]


def test_text_on_path_in_place_of_a_dll_is_renamed(
    mend, console: Console, system_folder: Path, taken_away, tmp_path: Path, on_windows
) -> None:
    taken_away(system_folder / "msvcp140.dll")
    (tmp_path / "msvcp140.dll").write_text("<html>blocked by the proxy</html>")
    console.variables["WINEPATH"] = on_windows(tmp_path)
    assert mend("dll-wrong-architecture") == []


def test_torch_py_among_the_packages_is_renamed(
    mend, console: Console, windows_python: str, tmp_path: Path, on_windows
) -> None:
    environment = tmp_path / "v"
    subprocess.run(
        [windows_python, "-m", "venv", "--without-pip", on_windows(environment)], check=True, timeout=120
    )
    module = environment / "Lib" / "site-packages" / "torch.py"
    module.write_text("raise SystemExit('imported')\n")
    python = on_windows(environment / "Scripts" / "python.exe")
    assert mend("shadowed-or-partial-torch", "--python", python) == []
    assert not module.exists()
