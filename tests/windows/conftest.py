"""Fixtures that run the doctor, unpacked from its wheel, in a real Windows interpreter."""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PureWindowsPath

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
SetRegistry = Callable[..., None]

# A program for Windows: it sets registry values and prints the previous ones. With that output as its argument,
# it restores them.
SET_VALUES = """
import json, sys, winreg
key, values = json.loads(sys.argv[1])
had_key, before = True, {}
try:
    winreg.CloseKey(winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key))
except OSError:
    had_key = False
with winreg.CreateKeyEx(winreg.HKEY_LOCAL_MACHINE, key, 0, winreg.KEY_ALL_ACCESS) as handle:
    for name, pair in values.items():
        try:
            before[name] = winreg.QueryValueEx(handle, name)
        except OSError:
            before[name] = None
        if pair is None:
            if before[name] is not None:
                winreg.DeleteValue(handle, name)
        else:
            winreg.SetValueEx(handle, name, 0, pair[1], pair[0])
if len(sys.argv) > 2:
    winreg.DeleteKey(winreg.HKEY_LOCAL_MACHINE, key)
print(json.dumps([had_key, before]))
"""


@pytest.fixture(scope="session")
def doctor_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doctor")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def _windows_path(path: Path) -> str:
    return str(path) if os.name == "nt" else str(PureWindowsPath("Z:", str(path)))


@pytest.fixture(scope="session")
def windows_path() -> Callable[[Path], str]:
    """Return a function that converts a path of this machine to Windows; under Wine it is on drive Z."""
    return _windows_path


@pytest.fixture(scope="session")
def run_doctor(doctor_folder: Path, windows_python: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a function that runs the doctor on Windows, in an empty folder."""
    empty_folder = tmp_path_factory.mktemp("elsewhere")
    # An import of torch takes 5 s in the lab, and ten times that while other jobs run.
    patience = {"TORCHDOCTOR_TRIAL_SECONDS": "200"}

    def run(*arguments: object, stdin: str = "", env: dict[str, str] | None = None):
        return subprocess.run(
            [windows_python, "-m", "torchdoctor", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=empty_folder,
            timeout=400,
            env={**os.environ, **patience, "PYTHONPATH": _windows_path(doctor_folder), **(env or {})},
        )

    return run


def _run_code(windows_python: str, code: str) -> str:
    result = subprocess.run(
        [windows_python, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return result.stdout.strip()


@pytest.fixture(scope="session")
def torch_lib(windows_python: str) -> Path:
    """Return the library folder of torch as a path that this process can open."""
    code = "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
    return _find_host_folder(windows_python, _run_code(windows_python, code)) / "lib"


@pytest.fixture(scope="session")
def system_folder(windows_python: str) -> Path:
    return _find_host_folder(windows_python, r"C:\windows\system32")


def _find_host_folder(windows_python: str, folder: str) -> Path:
    """Return a Windows folder as a path of this machine; skip the test if there is none."""
    if not folder:
        pytest.skip("the Windows interpreter has no torch")
    if os.name == "nt":
        return Path(folder)
    drive = Path(windows_python).resolve().parent / "prefix" / "drive_c"
    return drive.joinpath(*PureWindowsPath(folder).parts[1:])


@pytest.fixture
def hide_file() -> Callable[[Path], None]:
    """Return a function that renames a file to NAME.hidden until the test is over."""
    renames: list[tuple[Path, Path]] = []

    def hide(file: Path) -> None:
        hidden_file = file.with_name(file.name + ".hidden")
        file.rename(hidden_file)
        renames.append((hidden_file, file))

    yield hide
    for hidden_file, file in renames:
        hidden_file.replace(file)


@pytest.fixture
def set_registry(windows_python: str) -> Iterator[SetRegistry]:
    """Return a function that sets values of a registry key until the test is over."""
    undo: list[tuple[str, bool, dict]] = []

    def run(*arguments: str):
        command = [windows_python, "-c", SET_VALUES, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(result.stdout)

    def set_values(key: str, **values: tuple[object, int]) -> None:
        had_key, before = run(json.dumps([key, values]))
        undo.append((key, had_key, before))

    yield set_values
    for key, had_key, before in reversed(undo):
        run(json.dumps([key, before]), *([] if had_key else ["remove"]))


@pytest.fixture
def find_findings(run_doctor, doctor_folder: Path) -> Callable[..., list[dict]]:
    """Return a function that runs one check and returns its findings; `site` is first on the import path."""

    def run_check(check: str, *arguments: str, site: Path | None = None, env: dict[str, str] | None = None):
        folders = [_windows_path(folder) for folder in (site, doctor_folder) if folder]
        result = run_doctor(
            *("scan", "--no-trials", "--select", check, "--format", "json", "--no-redact", *arguments),
            env={"PYTHONPATH": ";".join(folders), **(env or {})},
        )
        return [item for outcome in json.loads(result.stdout)["outcomes"] for item in outcome["findings"]]

    return run_check


@pytest.fixture
def site(tmp_path: Path, torch_lib: Path) -> Path:
    """Return a folder of packages with a small torch of two real DLLs, one of which imports the other."""
    package, record = tmp_path / "site" / "torch", tmp_path / "site" / "torch-2.8.0.dist-info"
    (package / "lib").mkdir(parents=True)
    record.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')\n")
    (package / "version.py").write_text("__version__ = '2.8.0+cpu'\ncuda = None\n")
    (package / "_C.cp311-win_amd64.pyd").write_bytes(b"")
    for name in ("shm.dll", "c10.dll"):
        shutil.copy(torch_lib / name, package / "lib" / name)
    lines = [
        f"{file.relative_to(tmp_path / 'site').as_posix()},sha256=x,{file.stat().st_size}"
        for file in sorted(package.rglob("*"))
        if file.is_file()
    ]
    (record / "RECORD").write_text("\n".join(lines) + "\n")
    return tmp_path / "site"
