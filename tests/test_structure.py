"""The tree follows CONTRIBUTING.md: what each package imports, what is at the root, and what may print."""

import ast
import importlib
import inspect
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdoctor.facts import SUBJECTS, DatasetTrial, subject_of
from torchdoctor.probes.table import PROBES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "torchdoctor"
# Each layer imports only itself and the layers before it.
LAYERS = (
    "core", "facts", "pe", "inside", "processes", "domain", "redaction", "check", "knowledge", "readers",
    "source", "probes", "engine", "explain", "loader", "policy", "advice", "report", "fleet", "repair", "terminal", "renderers", "schemas",
    "commands", "actions", "__init__", "cli", "__main__",
)  # fmt: skip
# The layers within source and inside.
INNER_LAYERS = {
    "source": ("lines", "module", "source_file", "places", "asides", "idioms", "files", "edits"),
    "inside": (
        "cutting",
        "answers",
        "tracebacks",
        "memory",
        "limits",
        "pickling",
        "describe",
        "package_folders",
        "import_torch",
        "import_alone",
        "nvml",
        "driver",
        "trial",
        "program",
    ),
}
ROOT_MODULES = {"__init__", "__main__", "advice", "check", "report"}
TOP = {
    ".ci", ".github", ".gitignore", ".pre-commit-hooks.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md",
    "SECURITY.md", "action.yml", "benchmarks", "checks", "docs", "knowledge_base", "pyproject.toml", "tests", "torchdoctor",
}  # fmt: skip
MODULES = sorted(PACKAGE.rglob("*.py"))
CHECKS = sorted((ROOT / "checks").glob("*.py"))


def _module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _find_imports(file: Path) -> Iterator[str]:
    """Yield the modules of torchdoctor that a file imports, in functions too, relative to torchdoctor."""
    package = list(file.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("torchdoctor.") for alias in node.names
                        if alias.name.startswith("torchdoctor."))  # fmt: skip
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                base += node.module.split(".") if node.module else []
            elif node.module is not None and node.module.partition(".")[0] == "torchdoctor":
                base = node.module.split(".")[1:]
            else:
                continue
            for alias in node.names:
                target = [*base, alias.name]
                is_module = (PACKAGE.joinpath(*target).with_suffix(".py")).is_file() or (
                    PACKAGE.joinpath(*target).is_dir()
                )
                yield ".".join(target if is_module else base) or "__init__"


def _find_part(module: str, depth: int = 0) -> str:
    return module.split(".")[depth] if len(module.split(".")) > depth else ""


def test_imports_follow_the_layers() -> None:
    upward = [
        f"{_module_name(file)} -> {imported}"
        for file in MODULES
        for imported in _find_imports(file)
        if LAYERS.index(_find_part(imported)) > LAYERS.index(_find_part(_module_name(file)))
    ]
    assert upward == []


@pytest.mark.parametrize("package", INNER_LAYERS)
def test_imports_within_a_package_follow_its_layers(package: str) -> None:
    layers = INNER_LAYERS[package]
    upward = [
        f"{_module_name(file)} -> {imported}"
        for file in (PACKAGE / package).rglob("*.py")
        for imported in _find_imports(file)
        if imported.startswith(f"{package}.")
        and _find_part(_module_name(file), 1)
        and layers.index(_find_part(imported, 1)) > layers.index(_find_part(_module_name(file), 1))
    ]
    assert upward == []


def test_there_are_no_circular_imports() -> None:
    imports = {_module_name(file): set(_find_imports(file)) for file in MODULES}

    def find_reachable(module: str) -> set[str]:
        reachable, pending = set[str](), [module]
        while pending:
            for imported in imports.get(pending.pop(), ()):
                if imported not in reachable:
                    reachable.add(imported)
                    pending.append(imported)
        return reachable

    # A package's __init__ imports what its modules define, and they may import from the package.
    packages = {_module_name(file) for file in MODULES if file.stem == "__init__"}
    assert [module for module in imports if module in find_reachable(module) and module not in packages] == []


def test_root_has_only_the_listed_modules() -> None:
    assert {file.stem for file in PACKAGE.glob("*.py")} == ROOT_MODULES


def test_repository_has_only_the_listed_names_at_its_top() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a clone with git: nothing says which files belong to it")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    assert {name.split("/")[0] for name in listed.stdout.decode().split("\0") if name} == TOP


def test_every_package_is_a_layer() -> None:
    assert {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file()} <= set(LAYERS)


def _find_imported_names(file: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports; for `from a import b`, "a.b"."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from (base + alias.name for alias in node.names)


def test_checks_import_only_the_packages_for_checks() -> None:
    allowed = {"check", "domain", "facts", "pe", "source"}
    forbidden = [
        f"{file.name} imports {name}"
        for file in CHECKS
        for name in _find_imported_names(file)
        if not (
            name.split(".")[1] in allowed
            if name.startswith("torchdoctor.")
            else name.partition(".")[0] in sys.stdlib_module_names
        )
    ]
    assert forbidden == [], f"a check imports from torchdoctor only {sorted(allowed)}"


@pytest.mark.parametrize("fact", [fact for fact in SUBJECTS if fact is not DatasetTrial], ids=subject_of)
def test_fact_has_a_probe_in_the_module_of_the_same_name(fact: type) -> None:
    assert fact in PROBES, "add a row to probes/table.py"
    assert PROBES[fact].module == fact.__module__.rpartition(".")[2]


@pytest.mark.parametrize("fact", PROBES, ids=subject_of)
def test_probe_takes_the_parameters_that_the_table_declares(fact: type) -> None:
    probe = PROBES[fact]
    assert len(inspect.signature(probe.load()).parameters) == probe.needs_interpreter


def test_each_fact_has_a_subject_in_the_list() -> None:
    classes = {
        member
        for module in (PACKAGE / "facts").glob("*.py")
        for member in vars(importlib.import_module(f"torchdoctor.facts.{module.stem}")).values()
        if isinstance(member, type) and "subject" in vars(member)
    }
    assert classes <= set(SUBJECTS), "add the fact to SUBJECTS in facts/__init__.py"


def test_each_module_of_facts_has_a_module_of_probes() -> None:
    facts = {file.stem for file in (PACKAGE / "facts").glob("*.py")} - {
        "__init__",
        "values",
        "codec",
        "partial",
    }
    probes = {file.stem for file in (PACKAGE / "probes").glob("*.py")}
    assert facts <= probes


def test_only_the_command_line_prints() -> None:
    # `inside` prints in the user's program; `loader` prints the progress of `precompute`.
    may_print = {"cli", "__main__", "terminal", "inside", "loader"}
    printing = [
        _module_name(file)
        for file in MODULES
        if _find_part(_module_name(file)) not in may_print
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("print", "sys.stdout.write", "sys.stderr.write", "typer.echo")
    ]
    assert printing == []


@pytest.mark.parametrize(
    "package", ["check", "core", "domain", "engine", "explain", "facts", "knowledge", "redaction", "source"]
)
def test_package_imports_only_the_standard_library(package: str) -> None:
    # So it runs wherever Python runs.
    names = {
        name.partition(".")[0]
        for file in MODULES
        if _find_part(_module_name(file)) == package
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        )
    }
    # Python 3.10 has no tomllib, and tomli replaces it; typing_extensions is imported only for type checkers.
    assert names <= {"torchdoctor", "tomllib", "tomli", "typing_extensions"} | sys.stdlib_module_names


def test_engine_modules_are_short() -> None:
    lengths = {file.name: len(file.read_text().splitlines()) for file in (PACKAGE / "engine").rglob("*.py")}
    assert max(lengths.values()) <= 250


def test_functions_are_short() -> None:
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for file in (*MODULES, *CHECKS)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    assert statistics.median(lengths) <= 10
    assert lengths[len(lengths) * 9 // 10] <= 25


@pytest.mark.parametrize("package", ["probes", "engine", "source", "facts"])
def test_files_of_others_are_read_so_that_none_can_hang(package: str) -> None:
    banned = {"read_bytes", "read_text", "is_file", "is_dir", "exists"}
    found = [
        f"{file.name}:{node.lineno}"
        for file in sorted((PACKAGE / package).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in banned
        and ast.unparse(node.func.value) not in ("os.path", "entry", "surroundings", "distribution", "items[name]")
    ]  # fmt: skip
    assert found == [], "use torchdoctor.core.files and os.path"


def test_paths_that_cannot_be_looked_at_are_not_there() -> None:
    """Methods of Path raise for a folder that may not be entered and for a name that is too long."""
    banned = {"is_file", "is_dir", "exists", "is_symlink", "is_mount", "is_fifo", "is_socket"}
    found = [
        f"{file.name}:{node.lineno}"
        for file in (*MODULES, *CHECKS)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in banned
        and ast.unparse(node.func.value) not in ("os.path", "entry", "surroundings", "item", "each")
    ]  # fmt: skip
    assert found == [], "use os.path"


def test_text_is_not_taken_for_a_number_by_isdigit() -> None:
    """`int` refuses characters such as a superscript two, which `isdigit` takes; `isdecimal` does not."""
    assert [path for path in (*MODULES, *CHECKS) if ".isdigit()" in path.read_text(encoding="utf-8")] == []
