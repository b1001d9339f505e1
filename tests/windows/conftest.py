"""The doctor inside a real Windows interpreter: unpacked beside it, run as a user runs it."""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PureWindowsPath

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Plant = Callable[..., None]

# Runs there: sets values, prints what was there before; or puts such a print back.
PLANT = """
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


def _on_windows(path: Path) -> str:
    return str(path) if os.name == "nt" else str(PureWindowsPath("Z:", str(path)))


@pytest.fixture(scope="session")
def on_windows() -> Callable[[Path], str]:
    """Give a path of this machine as Windows has it; under Wine it is one on drive Z."""
    return _on_windows


@pytest.fixture(scope="session")
def windows(doctor_folder: Path, windows_python: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the doctor on Windows, from an empty folder."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    def run(*arguments: object, stdin: str = "", env: dict[str, str] | None = None):
        return subprocess.run(
            [windows_python, "-m", "torchdoctor", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=elsewhere,
            timeout=300,
            env={**os.environ, "PYTHONPATH": _on_windows(doctor_folder), **(env or {})},
        )

    return run


def _ask(windows_python: str, code: str) -> str:
    ended = subprocess.run(
        [windows_python, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return ended.stdout.strip()


@pytest.fixture(scope="session")
def torch_lib(windows_python: str) -> Path:
    """Give torch's library folder as a path that this process can open."""
    code = "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
    return _find_host_folder(windows_python, _ask(windows_python, code)) / "lib"


@pytest.fixture(scope="session")
def system_folder(windows_python: str) -> Path:
    return _find_host_folder(windows_python, r"C:\windows\system32")


def _find_host_folder(windows_python: str, folder: str) -> Path:
    if not folder:
        pytest.skip("the Windows interpreter has no torch")
    if os.name == "nt":
        return Path(folder)
    drive = Path(windows_python).resolve().parent / "prefix" / "drive_c"
    return drive.joinpath(*PureWindowsPath(folder).parts[1:])


@pytest.fixture
def taken_away() -> Callable[[Path], None]:
    """Take a file away until the test is over."""
    moved: list[tuple[Path, Path]] = []

    def take(file: Path) -> None:
        hidden = file.with_name(file.name + ".taken-away")
        file.rename(hidden)
        moved.append((hidden, file))

    yield take
    for hidden, file in moved:
        hidden.replace(file)


@pytest.fixture
def plant(windows_python: str) -> Iterator[Plant]:
    """Set registry values until the test is over."""
    undo: list[tuple[str, bool, dict]] = []

    def run(*arguments: str):
        command = [windows_python, "-c", PLANT, *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(ended.stdout)

    def set_values(key: str, **values: tuple[object, int]) -> None:
        had_key, before = run(json.dumps([key, values]))
        undo.append((key, had_key, before))

    yield set_values
    for key, had_key, before in reversed(undo):
        run(json.dumps([key, before]), *([] if had_key else ["remove"]))


@pytest.fixture
def find(windows, doctor_folder: Path) -> Callable[..., list[dict]]:
    """Run one check and give what it found; `site` goes before the doctor's folder on the import path."""

    def find_by(check: str, *arguments: str, site: Path | None = None, env: dict[str, str] | None = None):
        folders = [_on_windows(folder) for folder in (site, doctor_folder) if folder]
        ended = windows(
            *("scan", "--no-trials", "--select", check, "--format", "json", *arguments),
            env={"PYTHONPATH": ";".join(folders), **(env or {})},
        )
        return [item for outcome in json.loads(ended.stdout)["outcomes"] for item in outcome["findings"]]

    return find_by


@pytest.fixture
def site(tmp_path: Path, torch_lib: Path) -> Path:
    """Give a folder of packages with a small torch of two real DLLs, of which the one needs the other."""
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
