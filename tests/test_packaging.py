"""The wheel contains one package with the files of the tree, and runs from a zip; a clone runs as well."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

from torchdoctor import __version__

ROOT = Path(__file__).parents[1]
COPIES = "torchdoctor/vendored/"
ENTRIES = "torchdoctor/knowledge_base/entries.json"


def _find_members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def _find_copies(wheel: Path) -> dict[str, str]:
    """Return the text of each file of the copied packages, by its path below the folder of the copies."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(COPIES)]
        return {name.removeprefix(COPIES): archive.read(name).decode("utf-8") for name in names}


@pytest.fixture(scope="module")
def backend() -> ModuleType:
    spec = importlib.util.spec_from_file_location("backend", ROOT / ".ci" / "backend.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _find_expected_members() -> set[str]:
    mapping = {
        "torchdoctor": "torchdoctor",
        "checks": "torchdoctor/checks",
        "knowledge_base": "torchdoctor/knowledge_base",
    }
    files = {
        f"{target}/{file.relative_to(ROOT / folder).as_posix()}"
        for folder, target in mapping.items()
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    return {file for file in files if not file.endswith(".md") and "/programs/" not in file} | {ENTRIES}


def test_wheel_contains_the_tree(wheel: Path) -> None:
    assert {name for name in _find_members(wheel) if not name.startswith(COPIES)} == _find_expected_members()


def test_wheel_has_every_entry_in_one_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        entries = json.loads(archive.read(ENTRIES))
    folder = ROOT / "knowledge_base"
    files = [*folder.glob("*.md"), *folder.glob("programs/*.toml")]
    assert entries == {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files
    }


def test_damaged_entries_are_named(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "site" / ENTRIES).write_bytes((tmp_path / "site" / ENTRIES).read_bytes()[:1000])
    for arguments in (["explain", "WinError 126"], ["explain", "--list"], ["scan", "--no-trials"]):
        result = _run_without_packages(["-m", "torchdoctor", *arguments], tmp_path / "site")
        assert (result.returncode, result.stdout, result.stderr.count("\n")) == (3, "", 1), result.stderr
        assert "the knowledge base cannot be read" in result.stderr


def test_copies_are_source_and_licences(wheel: Path) -> None:
    others = {name for name in _find_copies(wheel) if not name.endswith(".py")}
    packages = {"annotated-doc", "colorama", "rich", "shellingham", "typer"}
    assert {tuple(name.split("/")[:-1]) for name in others} == {("licenses", name) for name in packages}


def test_copy_of_a_single_module_begins_with_its_licence(wheel: Path) -> None:
    assert "Redistributions in binary form must reproduce" in _find_copies(wheel)["pynvml.py"][:1000]


def test_copies_import_only_copies(wheel: Path, backend: ModuleType) -> None:
    imports = {
        name
        for text in (text for file, text in _find_copies(wheel).items() if file.endswith(".py"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "" if not node.level else ""]
        )
    }
    assert {name for name in imports if backend.is_copied(name)} == set()


@pytest.mark.parametrize(
    ("source", "renamed"),
    [
        ("import rich", "from torchdoctor.vendored import rich"),
        ("import typer.core", "from torchdoctor.vendored import typer; import torchdoctor.vendored.typer.core"),
        ("if 1:\n    from rich import (\n        box)", "if 1:\n    from torchdoctor.vendored.rich import (\n        box)"),
        ('import_module(".a", "rich._b")', 'import_module(".a", "torchdoctor.vendored.rich._b")'),
        ("from . import rich", "from . import rich"),
        ("import richer", "import richer"),
    ],
)  # fmt: skip
def test_backend_renames_imports(backend: ModuleType, source: str, renamed: str) -> None:
    assert backend.rename_imports(source) == renamed


@pytest.mark.parametrize("source", ["import os, rich", "import rich as r", "import rich; import rich.text"])
def test_backend_refuses_an_import_that_it_cannot_rename(backend: ModuleType, source: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        backend.rename_imports(source)


def test_backend_refuses_another_version(backend: ModuleType) -> None:
    with pytest.raises(ValueError, match="is installed"):
        backend.find_distribution("typer==0.1")


def test_clone_is_tested_with_the_packages_that_are_copied(
    backend: ModuleType, requirements: list[Requirement]
) -> None:
    tested = {str(item).partition(";")[0] for item in requirements if "test" in str(item.marker)}
    assert {requirement.replace("-", "_") for requirement in backend.COPIED_MODULES} <= {
        requirement.strip().replace("-", "_") for requirement in tested
    }


@pytest.mark.parametrize(
    ("system", "version", "names"),
    [
        ("win32", "3.10", {"tomli"}),
        ("win32", "3.11", set()),
        ("linux", "3.10", {"psutil", "tomli"}),
        ("linux", "3.11", {"psutil"}),
    ],
)
def test_wheel_needs_few_packages_of_any_version(
    requirements: list[Requirement], system: str, version: str, names: set[str]
) -> None:
    environment = {"sys_platform": system, "python_version": version, "extra": ""}
    needed = [item for item in requirements if item.marker is None or item.marker.evaluate(environment)]
    assert {(item.name, str(item.specifier)) for item in needed} == {(name, "") for name in names}


def test_wheel_has_the_version_of_the_package(wheel: Path) -> None:
    assert wheel.name.startswith(f"torchdoctor-{__version__}-")


def test_wheel_has_one_top_level_package(wheel: Path) -> None:
    assert {name.partition("/")[0] for name in _find_members(wheel)} == {"torchdoctor"}


def test_explain_runs_from_a_zip(wheel: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "explain", "missing-main-guard"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "__main__" in result.stdout, result.stderr


def test_scan_runs_from_a_zip(wheel: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "scan", "--no-trials", "--select", "python-32bit"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "python-32bit" in result.stdout, result.stderr


@pytest.mark.parametrize("module", ["typer", "rich.console", "rich.text", "colorama", "pynvml"])
def test_copy_is_imported_in_place_of_an_installed_package(wheel: Path, tmp_path: Path, module: str) -> None:
    (tmp_path / f"{module.partition('.')[0]}.py").write_text("1/0", encoding="utf-8")
    code = f"from torchdoctor.core.vendored import import_vendored as i; print(i({module!r}).__name__)"
    result = _run_without_packages(["-c", code], tmp_path, wheel)
    assert result.stdout.strip() == f"torchdoctor.vendored.{module}", result.stderr


def test_copy_of_rich_measures_text_of_any_width(wheel: Path, tmp_path: Path) -> None:
    code = (
        "from torchdoctor.core.vendored import import_vendored as i; print(i('rich.cells').cell_len('漢字'))"
    )
    assert _run_without_packages(["-X", "utf8", "-c", code], wheel).stdout.strip() == "4"


def _run_without_packages(arguments: list[str], *folders: Path) -> subprocess.CompletedProcess[str]:
    # Without `site`, only what these folders have can be imported.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(command, cwd=folders[0].parent, env=env, capture_output=True, text=True)


def test_plugin_imports_its_own_version(wheel: Path, tmp_path: Path) -> None:
    for name, text in PLUGIN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["-m", "torchdoctor", "scan", "--no-trials", "--select", "their-problem", "--format", "json"]
    (outcome,) = json.loads(_run_without_packages(command, tmp_path, wheel).stdout)["outcomes"]
    assert [finding["message"] for finding in outcome["findings"]] == ["rich 10, click 7, typer 0.1"]


# A plugin, and the versions of packages that are installed with it.
PLUGIN = {
    "rich.py": "VERSION = 10",
    "click.py": "VERSION = 7",
    "typer.py": "VERSION = 0.1",
    "theirs-1.0.dist-info/entry_points.txt": "[torchdoctor.checks]\nt = theirs\n[torchdoctor.knowledge]\nt = theirs\n",
    "theirs/__init__.py": "",
    "theirs/their_problem.py": """
import click, rich, typer
from torchdoctor.check import Finding, check
from torchdoctor.facts import OperatingSystem

@check
def their_problem(system: OperatingSystem):
    yield Finding(f"rich {rich.VERSION}, click {click.VERSION}, typer {typer.VERSION}")
""",
    "theirs/their_problem.md": """```toml
family = "install"
severity = "warning"
```

# Their problem

Lead.

## Why
Because.

## Fix
1. Mend it.
""",
}


def test_core_imports_no_heavy_module() -> None:
    code = "import sys, torchdoctor.check, torchdoctor.facts, torchdoctor.knowledge, torchdoctor.explain, torchdoctor.pe; " \
           "print(sorted({'rich', 'typer', 'psutil', 'torch', 'numpy', 'pynvml'} & set(sys.modules)))"  # fmt: skip
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def _make_clone(folder: Path) -> Path:
    for name in ("torchdoctor", "checks", "knowledge_base"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _run_in_clone(clone: Path, *arguments: str, packages: bool) -> subprocess.CompletedProcess[str]:
    # Without `site`, Python does not read where the packages of an editable installation are; only their
    # metadata is found.
    paths = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")] if packages else []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-S", "-m", "torchdoctor", *arguments]
    return subprocess.run(command, cwd=clone, env=env, capture_output=True, text=True)


def test_runs_from_the_root_of_a_clone(tmp_path: Path) -> None:
    clone = _make_clone(tmp_path)
    result = _run_in_clone(clone, "scan", "--no-trials", "--select", "python-32bit", packages=True)
    assert (result.returncode, "(python-32bit)" in result.stdout) == (0, True), result.stderr


def test_clone_without_dependencies_prints_the_install_command(tmp_path: Path) -> None:
    result = _run_in_clone(_make_clone(tmp_path), "scan", packages=False)
    assert (result.returncode, result.stderr.count("\n"), "pip install" in result.stderr) == (3, 1, True)
