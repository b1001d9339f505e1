"""The tree is as CONTRIBUTING.md draws it: who may import whom, what stands at the root, who prints."""

import ast
import inspect
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdoctor.facts import SUBJECTS, DatasetTrial, subject_of
from torchdoctor.probes.table import PROBES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "torchdoctor"
# Each imports only itself and those before it.
FLOORS = (
    "core", "facts", "pe", "inside", "processes", "domain", "check", "knowledge",
    "source", "probes", "engine", "explain", "loader", "report", "terminal", "renderers", "schemas",
    "commands", "cli", "__main__",
)  # fmt: skip
# Within source and inside, likewise.
INNER_FLOORS = {
    "source": ("lines", "module", "source_file", "places", "idioms", "files", "edits"),
    "inside": ("answers", "memory", "pickling", "describe", "import_torch", "nvml", "trial", "program"),
}
ROOT_MODULES = {"__init__", "__main__", "check", "cli", "report"}
MODULES = sorted(PACKAGE.rglob("*.py"))
CHECKS = sorted((ROOT / "checks").glob("*.py"))


def _name(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _find_imports(file: Path) -> Iterator[str]:
    """Yield the modules of torchdoctor that a file imports, anywhere in it, relative to torchdoctor."""
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
                found = [*base, alias.name]
                is_module = (PACKAGE.joinpath(*found).with_suffix(".py")).is_file() or (
                    PACKAGE.joinpath(*found).is_dir()
                )
                yield ".".join(found if is_module else base)


def _find_part(module: str, depth: int = 0) -> str:
    return module.split(".")[depth] if len(module.split(".")) > depth else ""


def test_no_import_runs_up() -> None:
    upward = [
        f"{_name(file)} -> {imported}"
        for file in MODULES
        for imported in _find_imports(file)
        if imported
        and _find_part(_name(file)) != "__init__"
        and FLOORS.index(_find_part(imported)) > FLOORS.index(_find_part(_name(file)))
    ]
    assert upward == []


@pytest.mark.parametrize("package", INNER_FLOORS)
def test_no_import_runs_up_within(package: str) -> None:
    floors = INNER_FLOORS[package]
    upward = [
        f"{_name(file)} -> {imported}"
        for file in (PACKAGE / package).rglob("*.py")
        for imported in _find_imports(file)
        if imported.startswith(f"{package}.")
        and _find_part(_name(file), 1)
        and floors.index(_find_part(imported, 1)) > floors.index(_find_part(_name(file), 1))
    ]
    assert upward == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    imports = {_name(file): {each for each in _find_imports(file) if each} for file in MODULES}

    def reach(module: str) -> set[str]:
        found, pending = set[str](), [module]
        while pending:
            for each in imports.get(pending.pop(), ()):
                if each not in found:
                    found.add(each)
                    pending.append(each)
        return found

    # A package's own __init__ offers what its modules define.
    packages = {_name(file) for file in MODULES if file.stem == "__init__"}
    assert [module for module in imports if module in reach(module) and module not in packages] == []


def test_root_has_the_named_modules_only() -> None:
    assert {file.stem for file in PACKAGE.glob("*.py")} == ROOT_MODULES


def test_every_package_has_a_floor() -> None:
    assert {each.name for each in PACKAGE.iterdir() if (each / "__init__.py").is_file()} <= set(FLOORS)


def test_checks_import_no_probe_and_no_other_check() -> None:
    allowed = {"check", "domain", "facts", "pe", "source"}
    strange = [
        f"{file.name} -> {node.module}"
        for file in CHECKS
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and str(node.module).startswith("torchdoctor")
        and str(node.module).split(".")[1] not in allowed
    ]
    assert strange == []


@pytest.mark.parametrize("fact", [fact for fact in SUBJECTS if fact is not DatasetTrial], ids=subject_of)
def test_fact_has_a_probe_in_the_module_of_the_same_name(fact: type) -> None:
    assert PROBES[fact].module == fact.__module__.rpartition(".")[2]


@pytest.mark.parametrize("fact", PROBES, ids=subject_of)
def test_probe_of_the_table_exists_and_takes_what_it_says(fact: type) -> None:
    probe = PROBES[fact]
    assert len(inspect.signature(probe.load()).parameters) == probe.needs_interpreter


def test_facts_and_probes_have_the_same_modules() -> None:
    facts = {file.stem for file in (PACKAGE / "facts").glob("*.py")} - {"__init__", "values", "codec"}
    probes = {file.stem for file in (PACKAGE / "probes").glob("*.py")}
    assert facts <= probes


def test_only_the_command_line_prints() -> None:
    # `inside` prints in the user's program, and so does the progress of `precompute`.
    may_print = {"cli", "__main__", "terminal", "inside", "loader"}
    printing = [
        _name(file)
        for file in MODULES
        if _find_part(_name(file)) not in may_print
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("print", "sys.stdout.write", "sys.stderr.write", "typer.echo")
    ]
    assert printing == []


@pytest.mark.parametrize(
    "package", ["check", "core", "domain", "engine", "explain", "facts", "knowledge", "source"]
)
def test_package_imports_the_standard_library_alone(package: str) -> None:
    # It then runs wherever Python does.
    names = {
        name.partition(".")[0]
        for file in MODULES
        if _find_part(_name(file)) == package
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    # tomli is tomllib for Python 3.10; typing_extensions is for type checkers.
    assert names <= {"torchdoctor", "tomli", "typing_extensions"} | sys.stdlib_module_names


def test_engine_modules_are_short() -> None:
    lengths = {file.name: len(file.read_text().splitlines()) for file in (PACKAGE / "engine").glob("*.py")}
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
