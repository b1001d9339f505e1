"""The table of lines against the Python that runs and the torch that is installed."""

import ast
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path

import pytest

from torchdoctor.domain.frame_lines import Place, find_releases, list_newest_releases

MINOR = f"{sys.version_info.major}.{sys.version_info.minor}"
MODULES = ("multiprocessing/spawn.py", "multiprocessing/process.py", "runpy.py", "threading.py")


def list_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the functions of a file with their last lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node.body[-1].lineno


@pytest.mark.parametrize("module", MODULES)
def test_functions_of_this_python_are_found_in_it(module: str) -> None:
    if tuple(map(int, MINOR.split("."))) > tuple(map(int, list_newest_releases()[1].split("."))):
        pytest.skip("newer than the table")
    path = Path(sysconfig.get_path("stdlib")) / module
    found = [find_releases([Place(module, name, line)]) for name, line in list_functions(path)]
    known = [releases for releases in found if releases]
    assert len(known) > 1
    # Lines move by a few from one micro release to the next.
    assert sum(MINOR in releases for releases in known) >= 0.7 * len(known)


@pytest.mark.torch
@pytest.mark.parametrize("module", ["torch/utils/data/dataloader.py", "torch/nn/modules/module.py"])
def test_functions_of_the_installed_torch_are_found_in_its_release(module: str) -> None:
    release = metadata.version("torch").partition("+")[0]
    spec = util.find_spec("torch")
    assert spec is not None and spec.origin is not None
    path = Path(spec.origin).parents[1] / module
    found = [find_releases([Place(module, name, line)]) for name, line in list_functions(path)]
    known = [releases for releases in found if releases]
    assert len(known) > 5
    assert all(release in releases for releases in known)


def test_all_frames_count() -> None:
    start = Place("multiprocessing/spawn.py", "spawn_main", 105)
    end = Place("multiprocessing/spawn.py", "_main", 115)
    assert set(find_releases([start])) > set(find_releases([start, end]))
    assert find_releases([start, end]) == ("3.6", "3.7")
    assert find_releases([start, Place("runpy.py", "run_path", 1)]) == ()


def test_unknown_functions_and_other_lines_of_modules_say_nothing() -> None:
    assert find_releases([Place("multiprocessing/spawn.py", "other", 3)]) == ()
    start = Place("torch/__init__.py", "_load_dll_libraries", 250)
    assert find_releases([start]) == find_releases([start, Place("torch/__init__.py", "<module>", 1)]) != ()
