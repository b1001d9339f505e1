"""What several tests share: running the command line, fake torches, and the Windows lab."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from torchdoctor.knowledge import Knowledge, index_entries, parse_entry

ROOT = Path(__file__).parents[1]
Run = Callable[..., subprocess.CompletedProcess[str]]
Program = Callable[..., subprocess.CompletedProcess[bytes]]


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("torch") and importlib.util.find_spec("torch") is None:
            item.add_marker(pytest.mark.skip(reason="needs torch"))
        if item.get_closest_marker("windows") and not _find_windows_python():
            item.add_marker(pytest.mark.skip(reason="needs Windows or TORCHDOCTOR_WINPYTHON"))


def _find_windows_python() -> str | None:
    return os.environ.get("TORCHDOCTOR_WINPYTHON") or (sys.executable if os.name == "nt" else None)


@pytest.fixture(scope="session")
def windows_python() -> str:
    return str(_find_windows_python())


@pytest.fixture(scope="session")
def named() -> dict[str, list[tuple[str, str, str]]]:
    """Give what the zoo's comments tell of each dataset: the way to each object, what it is, and the place."""
    source = (ROOT / "tests" / "zoo" / "zoo.py").read_text(encoding="utf-8")
    told: dict[str, list[tuple[str, str, str]]] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if start := re.match(r"(?:class|def) (\w+)", line):
            here = told.setdefault(start[1], [])
        elif found := re.search("  # named: (.+): (.+)", line):
            here.append((found[1], found[2], f"zoo.py:{number}"))
    return told


@pytest.fixture
def torchdoctor(tmp_path: Path) -> Run:
    """Run the command line in an empty folder, as a user does."""

    def run(
        *arguments: object, stdin: str | bytes = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        ended = subprocess.run(
            [sys.executable, "-m", "torchdoctor", *map(str, arguments)],
            input=raw,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})},
            timeout=120,
        )
        return subprocess.CompletedProcess(
            ended.args,
            ended.returncode,
            ended.stdout.decode(errors="replace"),
            ended.stderr.decode(errors="replace"),
        )

    return run


@pytest.fixture
def run(tmp_path: Path) -> Program:
    """Run a program's source under `torchdoctor run OPTIONS`, or plainly with options=None."""

    def run(source: str, *arguments: str, options: tuple[str, ...] | None = (), stdin: bytes = b""):
        script = tmp_path / "program.py"
        script.write_text(source, encoding="utf-8")
        doctor = [] if options is None else ["-m", "torchdoctor", "run", "--python", sys.executable, *options]
        return subprocess.run(
            [sys.executable, *doctor, str(script), *arguments],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"},
            timeout=240,
        )

    return run


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    paths = sorted((ROOT / "knowledge_base").glob("*.md"))
    return index_entries(
        parse_entry(path.stem.replace("_", "-"), path.read_text(encoding="utf-8")) for path in paths
    )


@pytest.fixture(scope="session")
def samples() -> Path:
    return ROOT / "tests" / "samples" / "explain"


@pytest.fixture
def fake_torch(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Give the environment in which `import torch` runs the given code."""

    def make(code: str) -> dict[str, str]:
        package = tmp_path / "fake" / "torch"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(code, encoding="utf-8")
        (package / "version.py").write_text("__version__ = '2.9.0+cpu'\ncuda = None\n", encoding="utf-8")
        return {"PYTHONPATH": str(package.parent), "TORCHDOCTOR_TRIAL_SECONDS": "4"}

    return make


@pytest.fixture(scope="session")
def build_nvml() -> Callable[..., None]:
    """Compile a driver's management library whose answers are given as macros of fakes/nvml.c."""

    def build(file: Path, *, compiler: str = "cc", **answers: object) -> None:
        if shutil.which(compiler) is None:
            pytest.skip(f"needs {compiler}")
        macros = [f"-D{name}={value}" for name, value in answers.items()]
        source = ROOT / "tests" / "fakes" / "nvml.c"
        subprocess.run([compiler, "-shared", "-fPIC", *macros, "-o", str(file), str(source)], check=True)

    return build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the tree, so that the tree stays as it is."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("torchdoctor", "checks", "knowledge_base"):
        shutil.copytree(ROOT / name, folder / "tree" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "tree")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    ended = subprocess.run([*command, str(folder / "tree")], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return next(folder.glob("*.whl"))
