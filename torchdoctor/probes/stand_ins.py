"""Tries `import torch` with stand-ins of the user's files that hide modules, without running those files.

A file such as random.py may be a program of the user, which must not run. Its stand-in defines the same
names.
"""

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from torchdoctor.core.files import parse_python
from torchdoctor.inside.cutting import cut_end
from torchdoctor.processes.child import ChildError, run_child
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end

# As `python -c` and `python -m` in the folder do, and `python FILE` with a file of the folder.
_PROGRAM = "import sys; sys.path[0] = sys.argv[1]; import torch"
_MAX_LINE = 300


def find_failures(python: str, files: Mapping[str, Path], limit_seconds: float) -> Mapping[str, str]:
    """Return the exception of `import torch` by the name of the module that causes it; empty if it succeeds.

    `files` are the files or folders by the names of the modules that they hide. A file whose names are not
    known has no stand-in. Only an exception that names a hidden module counts: stand-ins do not work.
    """
    with remove_at_end(make_scratch_folder()) as folder:
        for file in files.values():
            _write_stand_in(file, Path(folder, file.name))
        try:
            child = run_child((python, "-c", _PROGRAM, folder), time_limit_seconds=limit_seconds)
        except ChildError:
            return {}
        lines = [line for line in child.stderr_tail.splitlines() if line.strip()]
        if not child.exit_code or not lines:
            return {}
        module = _find_module(lines[-1], files)
        if module is None:
            return {}
        return {module: cut_end(lines[-1].replace(folder, str(files[module].parent)), _MAX_LINE)}


def _find_module(error: str, modules: Iterable[str]) -> str | None:
    """Return the module that an exception says to lack something, None if it says something else."""
    pattern = r"(?:Import|ModuleNotFound|Attribute)Error: .{0,200}\b(?:module|from|named) '(\w+)[.']"
    match = re.match(pattern, error)
    return match[1] if match and match[1] in modules else None


def _write_stand_in(source: Path, target: Path) -> None:
    if os.path.isfile(source):
        text = _make_stand_in(source)
        if text is not None:
            target.write_text(text, encoding="utf-8")
        return
    target.mkdir()
    for file in sorted(source.iterdir()):
        if file.suffix == ".py":
            _write_stand_in(file, target / file.name)
        elif os.path.isdir(file):
            (target / file.name).mkdir()


def _make_stand_in(file: Path) -> str | None:
    """Return code that defines the names of a file, None if they cannot be known."""
    try:
        tree = parse_python(file)
    except (OSError, ValueError):
        return None
    names = dict(_list_names(tree.body))
    if "*" in names or "__getattr__" in names:
        return None
    return "".join(f"{definition}\n" for definition in names.values())


def _list_names(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield the names that statements define in their module, each with a definition of it."""
    for node in statements:
        match node:
            case ast.ClassDef(name=name):
                yield name, f"class {name}: pass"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, f"def {name}(*arguments, **options): pass"
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                for alias in aliases:
                    name = alias.asname or alias.name.partition(".")[0]
                    yield name, f"{name} = None"
            case _:
                for name in _list_assigned_names(node):
                    yield name, f"{name} = None"
                for field in ("body", "orelse", "finalbody"):
                    yield from _list_names(getattr(node, field, ()))
                for handler in getattr(node, "handlers", ()):
                    yield from _list_names(handler.body)


def _list_assigned_names(node: ast.stmt) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
