"""Code for other Pythons has the syntax of Python 3.8, imports only the standard library, and runs there."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import torchdoctor.inside
from torchdoctor.processes.guest import ask_guest

FOLDER = Path(torchdoctor.inside.__file__).parent
MODULES = sorted(FOLDER.rglob("*.py"))
# Imported only in a program that has torch, or in the doctor's own Python, which has the NVML bindings.
OTHER_PACKAGES = {"torch", "numpy", "pynvml"}
# Modules that import one of them.
NEED_OTHER_PACKAGES = ("program/stand_ins.py", "program/virtual_workers.py", "nvml.py")


def _relative_path(file: Path) -> str:
    return file.relative_to(FOLDER).as_posix()


def _find_python(version: str) -> str:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [shutil.which(f"python{version}"), *map(str, root.glob(f"versions/{version}.*/bin/python"))]
    for python in filter(None, candidates):
        result = subprocess.run([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                               capture_output=True, text=True)  # fmt: skip
        if result.stdout.strip() == version:
            return python
    pytest.skip(f"needs Python {version}")


@pytest.mark.parametrize("file", MODULES, ids=_relative_path)
def test_has_the_syntax_of_python_3_8(file: Path) -> None:
    ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("file", MODULES, ids=_relative_path)
def test_imports_only_the_standard_library_and_its_neighbours(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {
        str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level
    }
    allowed = sys.stdlib_module_names | OTHER_PACKAGES | {"_torchdoctor_inside", "__future__"}
    assert {name.partition(".")[0] for name in names} <= allowed


@pytest.mark.parametrize("version", ["3.8", "3.9"])
def test_old_python_describes_itself(version: str) -> None:
    _, answer = ask_guest(_find_python(version), "describe", time_limit_seconds=60)
    assert answer is not None
    assert str(answer["version"]).startswith(f"{version}.")


@pytest.mark.parametrize("version", ["3.8", "3.9"])
def test_old_python_imports_every_module(version: str) -> None:
    modules = [
        _relative_path(file).removesuffix(".py").replace("/", ".")
        for file in MODULES
        if _relative_path(file) not in NEED_OTHER_PACKAGES and file.stem not in ("__init__", "sitecustomize")
    ]
    code = (
        "import sys; p = sys.modules['_torchdoctor_inside'] = type(sys)('_torchdoctor_inside')\n"
        "p.__path__ = [sys.argv[1]]\n"
        "for name in sys.argv[2:]: __import__('_torchdoctor_inside.' + name)\n"
    )
    command = [_find_python(version), "-B", "-c", code, str(FOLDER), *modules]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
