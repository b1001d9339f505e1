"""The doctor inside a real Windows interpreter: unpacked beside it, run as a user runs it."""

import os
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def doctor_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doctor")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def windows(doctor_folder: Path, windows_python: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the doctor on Windows; under Wine a path of this machine is one on drive Z."""
    path = str(doctor_folder) if os.name == "nt" else str(PureWindowsPath("Z:", str(doctor_folder)))

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
            env={**os.environ, "PYTHONPATH": path, **(env or {})},
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
