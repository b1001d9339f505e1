"""Which files count as hiding torch or what it imports."""

from pathlib import Path

import pytest

from torchdoctor.facts import Distributions, ImportShadows, Interpreter
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.shadows import observe_import_shadows


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    found = {name: tmp_path / name for name in ("here", "extra", "library", "site")}
    for folder in found.values():
        folder.mkdir()
    (found["library"] / "os.py").touch()
    (found["site"] / "torch").mkdir()
    monkeypatch.chdir(found["here"])
    return found


def _examine(places: dict[str, Path], origin: Path) -> ImportShadows:
    path = tuple(str(places[name]) for name in ("extra", "library", "site"))
    text = str(places["library"])
    python = Interpreter(
        text, "3.12.4", "CPython", 64, "x64", "win-amd64", text, text, text, import_path=path
    )
    description = Description(python, Distributions(()), str(origin.parent), str(origin))
    return observe_import_shadows(Examined(text, description))


def _find(places: dict[str, Path]) -> list[tuple[str, str]]:
    found = _examine(places, places["site"] / "torch" / "__init__.py")
    return [(shadow.module, shadow.source) for shadow in found.shadows]


@pytest.mark.parametrize("name", ["torch", "random", "numpy"])
def test_file_in_the_current_folder_hides(places, name: str) -> None:
    (places["here"] / f"{name}.py").touch()
    assert _find(places) == [(name, "current folder")]


def test_package_in_the_current_folder_hides(places) -> None:
    (places["here"] / "torch").mkdir()
    (places["here"] / "torch" / "__init__.py").touch()
    assert _find(places) == [("torch", "current folder")]


def test_file_on_pythonpath_hides_the_standard_library(places) -> None:
    (places["extra"] / "types.py").touch()
    assert _find(places) == [("types", "PYTHONPATH")]


def test_folder_without_init_hides_nothing(places) -> None:
    (places["here"] / "torch").mkdir()
    assert _find(places) == []


@pytest.mark.parametrize("name", ["torch_utils.py", "Random.py", "this.py", "train.py", "torch.txt"])
def test_file_of_another_name_hides_nothing(places, name: str) -> None:
    (places["here"] / name).touch()
    assert _find(places) == []


def test_folder_of_a_package_is_no_place_to_start_from(places) -> None:
    (places["here"] / "__init__.py").touch()
    (places["here"] / "types.py").touch()
    assert _find(places) == []


def test_numpy_on_the_import_path_is_where_it_belongs(places) -> None:
    (places["extra"] / "numpy").mkdir()
    (places["extra"] / "numpy" / "__init__.py").touch()
    assert _find(places) == []


def test_stray_numpy_file_on_the_import_path_hides(places) -> None:
    (places["extra"] / "numpy.py").touch()
    assert _find(places) == [("numpy", "PYTHONPATH")]


def test_installed_module_of_one_file_is_where_it_belongs(places) -> None:
    (places["extra"] / "typing_extensions.py").touch()
    (places["extra"] / "typing_extensions-4.12.2.dist-info").mkdir()
    assert _find(places) == []


def test_torch_py_that_is_imported_is_named_wherever_it_lies(places) -> None:
    module = places["site"] / "torch.py"
    found = _examine(places, module)
    assert [(shadow.path, shadow.source) for shadow in found.shadows] == [(str(module), "import path")]


def test_current_folder_on_the_import_path_hides_nothing(places, monkeypatch: pytest.MonkeyPatch) -> None:
    (places["site"] / "random.py").touch()
    monkeypatch.chdir(places["site"])
    assert _find(places) == []


def test_safe_path_leaves_the_current_folder_out(places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    (places["here"] / "torch.py").touch()
    assert _find(places) == []
