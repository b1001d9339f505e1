"""A virtual environment with a small torch, whose requirement can be taken away, and a folder of wheels."""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
VENV_SECONDS = 120
TORCH = """
try:
    import tinydep
except ModuleNotFoundError:
    tinydep = None
__version__ = "2.13.0+cpu"
"""


def make_wheel(folder: Path, name: str, version: str, files: dict[str, str], requires: str = "") -> None:
    """Write a wheel of pure Python."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += f"Requires-Dist: {requires}\n" if requires else ""
    members = {
        **files,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*members, f"{info}/RECORD"])
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in {**members, f"{info}/RECORD": record}.items():
            archive.writestr(path, text)


class Environment:
    """A virtual environment, the wheels for it, and the doctor that repairs it from outside."""

    def __init__(self, folder: Path, run: Run | None = None) -> None:
        self.folder, self.wheels, self.state = folder / "venv", folder / "wheels", folder / "state"
        self.python = str(self.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
        self._run = run

    def pip(self, *arguments: str) -> None:
        subprocess.run([self.python, "-m", "pip", "-q", *arguments], check=True, timeout=VENV_SECONDS)

    def install(self, *requirements: str) -> None:
        self.pip("install", "--no-index", "--find-links", str(self.wheels), *requirements)

    def make_command(self, *options: str) -> list[str]:
        folder = [] if "--list" in options or "--undo" in options else ["--python", self.python]
        offline = ["--no-index", "--find-links", str(self.wheels)] if folder else []
        return ["repair", *options, *folder, *offline]

    def repair(self, *options: str, **values: object) -> subprocess.CompletedProcess[str]:
        assert self._run is not None
        return self._run(*self.make_command(*options), env=self.variables, **values)

    @property
    def variables(self) -> dict[str, str]:
        return {"TORCHDOCTOR_STATE_DIR": str(self.state)}

    @property
    def site(self) -> Path:
        [site] = self.folder.rglob("site-packages")
        return site

    def works(self) -> bool:
        code = "import torch; assert torch.tinydep.VERSION >= 2"
        return subprocess.run([self.python, "-c", code], capture_output=True, timeout=60).returncode == 0

    def digest(self) -> dict[str, str]:
        """Return a digest of each file, besides the bytecode that Python writes when it runs."""
        return {
            str(file.relative_to(self.folder)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(self.folder.rglob("*"))
            if file.is_file() and "__pycache__" not in file.parts
        }


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment whose torch wants tinydep 2, and has it, and with wheels of both releases."""
    made = Environment(tmp_path_factory.mktemp("template"))
    make_wheel(made.wheels, "torch", "2.13.0", {"torch/__init__.py": TORCH}, "tinydep>=2")
    for version in ("1", "2"):
        files = {"tinydep/__init__.py": f"VERSION = {version}\n", "tinydep/more.py": f"# {version}\n"}
        make_wheel(made.wheels, "tinydep", f"{version}.0", files)
    command = [sys.executable, "-m", "venv", str(made.folder)]
    subprocess.run(command, check=True, timeout=VENV_SECONDS)
    made.install("torch", "tinydep")
    assert made.works()
    return made.folder.parent


@pytest.fixture(scope="session")
def lacking_template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same folder, but for tinydep, which is not installed."""
    made = copy_environment(template, tmp_path_factory.mktemp("lacking"))
    made.pip("uninstall", "-y", "tinydep")
    assert not made.works()
    return made.folder.parent


@pytest.fixture(scope="session")
def outdated_template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same folder, but for tinydep, which is too old."""
    made = copy_environment(template, tmp_path_factory.mktemp("outdated"))
    made.install("tinydep==1.0")
    assert not made.works()
    return made.folder.parent


def copy_environment(template: Path, folder: Path, run: Run | None = None) -> Environment:
    """Copy an environment; only the launchers of pip, which nobody starts, name the other one."""
    shutil.copytree(template, folder, symlinks=True, dirs_exist_ok=True)
    return Environment(folder, run)


@pytest.fixture
def environment(template: Path, tmp_path: Path, torchdoctor: Run) -> Environment:
    return copy_environment(template, tmp_path, torchdoctor)


@pytest.fixture
def lacking(lacking_template: Path, tmp_path: Path, torchdoctor: Run) -> Environment:
    return copy_environment(lacking_template, tmp_path, torchdoctor)


@pytest.fixture
def outdated(outdated_template: Path, tmp_path: Path, torchdoctor: Run) -> Environment:
    return copy_environment(outdated_template, tmp_path, torchdoctor)
