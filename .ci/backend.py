"""The build backend: setuptools, with copies of pure Python packages in the wheel, and its texts in one file.

The doctor is installed beside broken and old packages, and must not change them. So it depends on none of
these packages; its wheel has a copy of each as `torchdoctor.vendored.NAME`. The copies have names of their
own, so that a plugin in the same process can import another version. A clone has no copies: there the
installed packages are used.

More than a hundred small files take long to open where each one is scanned for viruses, so the wheel has the
entries and programs in one.
"""

import ast
import json
import shutil
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the other functions of a build backend
from setuptools.command.build_py import build_py

Settings = dict[str, str | list[str] | None] | None
# The exact requirement, and the module or package that is copied. The extra `test` of pyproject.toml has the
# same requirements.
COPIED_MODULES = {
    "annotated-doc==0.0.6": "annotated_doc",
    "colorama==0.4.6": "colorama",
    "nvidia-ml-py==13.615.71": "pynvml",
    "rich==15.0.0": "rich",
    "shellingham==1.5.4": "shellingham",
    "typer==0.28.0": "typer",
}
PACKAGE = "torchdoctor.vendored"
KNOWLEDGE_BASE = ("torchdoctor", "knowledge_base")


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return what a wheel is built with; an editable installation needs no copies."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *COPIED_MODULES]


class BuildWithCopies(build_py):
    """Build the packages of the tree, and add the copies."""

    def run(self) -> None:
        """Run setuptools' own command, then write the copies where it builds."""
        super().run()
        if not self.editable_mode:
            folder = Path(self.build_lib, *PACKAGE.split("."))
            shutil.rmtree(folder, ignore_errors=True)
            write_copies(folder)
            join_entries(Path(self.build_lib, *KNOWLEDGE_BASE))

    def get_source_files(self) -> list[str]:
        """Return the files of a source distribution, which needs this module to build its wheel."""
        return [*super().get_source_files(), ".ci/backend.py"]


def write_copies(folder: Path) -> None:
    """Write the copies and their licences into a folder, as one package."""
    folder.mkdir(parents=True)
    listing = ", ".join(requirement.replace("==", " ") for requirement in COPIED_MODULES)
    licences = "The folder licenses has their licences; pynvml.py begins with its own."
    (folder / "__init__.py").write_text(f'"""Copies of {listing}.\n\n{licences}\n"""\n', encoding="utf-8")
    for requirement, module in COPIED_MODULES.items():
        copied = find_distribution(requirement)
        for name, source in read_modules(copied, module):
            write_bytes(folder / name, rename_imports(source).encode("utf-8"))
        for name, text in read_licences(copied):
            write_bytes(folder / "licenses" / copied.name / name, text.encode("utf-8"))


def join_entries(folder: Path) -> None:
    """Put the entries and programs of a folder into one file, entries.json: the text of each by its path."""
    files = [*sorted(folder.glob("*.md")), *sorted(folder.glob("programs/*.toml"))]
    texts = {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}
    (folder / "entries.json").write_text(json.dumps(texts, indent=0), encoding="utf-8")
    for file in files:
        file.unlink()
    (folder / "programs").rmdir()


def find_distribution(requirement: str) -> Distribution:
    """Return the installed distribution of an exact requirement.

    Raises:
        ValueError: another version is installed.
    """
    name, _, version = requirement.partition("==")
    installed = distribution(name)
    if installed.version != version:
        raise ValueError(f"the wheel is built with {requirement}, and {installed.version} is installed")
    return installed


def read_modules(copied: Distribution, module: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the source of each file of a module or package, without its tests."""
    for path in copied.files or ():
        if path.suffix == ".py" and path.parts[0] in (module, f"{module}.py") and "tests" not in path.parts:
            yield str(path), path.read_text(encoding="utf-8")


def read_licences(copied: Distribution) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each licence of a distribution."""
    for path in copied.files or ():
        if path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")) and path.suffix != ".py":
            yield "-".join(path.parts[1:]).removeprefix("licenses-"), path.read_text(encoding="utf-8")


def write_bytes(file: Path, data: bytes) -> None:
    """Write a file, and make its folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def rename_imports(source: str) -> str:
    """Return a source in which every import of a copied module is one of the copy."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level and is_copied(node.module):
            replace(lines, node, f"from {node.module} ", f"from {PACKAGE}.{node.module} ")
        elif isinstance(node, ast.Import) and any(is_copied(alias.name) for alias in node.names):
            replace(lines, node, ast.unparse(node), rename_import(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("find_spec", "import_module")):
            for name in node.args:
                if isinstance(name, ast.Constant) and is_copied(name.value):
                    replace(lines, name, f'"{name.value}"', f'"{PACKAGE}.{name.value}"')
    return "".join(lines)


def is_copied(name: object) -> bool:
    """Return whether a dotted name is that of a copied module, or of a module in it."""
    return isinstance(name, str) and name.partition(".")[0] in COPIED_MODULES.values()


def rename_import(node: ast.Import) -> str:
    """Return an import of the copy that binds the same name as `import NAME`.

    Raises:
        ValueError: the statement imports several modules, or gives one another name.
    """
    (name, other_name), *others = ((alias.name, alias.asname) for alias in node.names)
    if others or other_name:
        raise ValueError(f"line {node.lineno} is no plain import: {ast.unparse(node)}")
    top, _, rest = name.partition(".")
    return f"from {PACKAGE} import {top}" + (f"; import {PACKAGE}.{name}" if rest else "")


def replace(lines: list[str], node: ast.stmt | ast.expr, old: str, new: str) -> None:
    """Replace a text at the start of a node.

    Raises:
        ValueError: the text is not there.
    """
    line, column = lines[node.lineno - 1], node.col_offset
    if not line.startswith(old, column):
        raise ValueError(f"line {node.lineno} does not have {old} at column {column}: {line}")
    lines[node.lineno - 1] = line[:column] + new + line[column + len(old) :]
