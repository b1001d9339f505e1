"""Files that hide torch or a module that torch imports, and files that do not."""

from pathlib import Path

import pytest

from torchdoctor.facts import Distributions, ImportShadows, Interpreter
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.shadows import observe_import_shadows


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    folders = {name: tmp_path / name for name in ("here", "extra", "library", "site")}
    for folder in folders.values():
        folder.mkdir()
    (folders["library"] / "os.py").touch()
    (folders["site"] / "torch").mkdir()
    monkeypatch.chdir(folders["here"])
    return folders


def _observe(folders: dict[str, Path], origin: Path) -> ImportShadows:
    path = tuple(str(folders[name]) for name in ("extra", "library", "site"))
    text = str(folders["library"])
    python = Interpreter(
        text, "3.12.4", "CPython", 64, "x64", "win-amd64", text, text, text, import_path=path
    )
    description = Description(python, Distributions(()), str(origin.parent), str(origin))
    return observe_import_shadows(Examined(text, description))


def _find_shadows(folders: dict[str, Path]) -> list[tuple[str, str]]:
    observed = _observe(folders, folders["site"] / "torch" / "__init__.py")
    return [(shadow.module, shadow.source) for shadow in observed.shadows]


@pytest.mark.parametrize("name", ["torch", "random", "numpy"])
def test_file_in_the_current_folder_hides_a_module(folders, name: str) -> None:
    (folders["here"] / f"{name}.py").touch()
    assert _find_shadows(folders) == [(name, "current folder")]


def test_package_in_the_current_folder_hides_torch(folders) -> None:
    (folders["here"] / "torch").mkdir()
    (folders["here"] / "torch" / "__init__.py").touch()
    assert _find_shadows(folders) == [("torch", "current folder")]


def test_file_on_pythonpath_hides_the_standard_library(folders) -> None:
    (folders["extra"] / "types.py").touch()
    assert _find_shadows(folders) == [("types", "PYTHONPATH")]


def test_folder_without_init_hides_nothing(folders) -> None:
    (folders["here"] / "torch").mkdir()
    assert _find_shadows(folders) == []


@pytest.mark.parametrize("name", ["torch_utils.py", "Random.py", "this.py", "train.py", "torch.txt"])
def test_file_of_another_name_hides_nothing(folders, name: str) -> None:
    (folders["here"] / name).touch()
    assert _find_shadows(folders) == []


def test_current_folder_that_is_a_package_hides_nothing(folders) -> None:
    (folders["here"] / "__init__.py").touch()
    (folders["here"] / "types.py").touch()
    assert _find_shadows(folders) == []


def test_numpy_package_on_the_import_path_hides_nothing(folders) -> None:
    (folders["extra"] / "numpy").mkdir()
    (folders["extra"] / "numpy" / "__init__.py").touch()
    assert _find_shadows(folders) == []


def test_numpy_file_on_the_import_path_hides_numpy(folders) -> None:
    (folders["extra"] / "numpy.py").touch()
    assert _find_shadows(folders) == [("numpy", "PYTHONPATH")]


def test_installed_module_of_one_file_hides_nothing(folders) -> None:
    (folders["extra"] / "typing_extensions.py").touch()
    (folders["extra"] / "typing_extensions-4.12.2.dist-info").mkdir()
    assert _find_shadows(folders) == []


def test_imported_torch_py_hides_torch_in_any_folder(folders) -> None:
    module = folders["site"] / "torch.py"
    observed = _observe(folders, module)
    assert [(shadow.path, shadow.source) for shadow in observed.shadows] == [(str(module), "import path")]


def test_current_folder_on_the_import_path_hides_nothing(folders, monkeypatch: pytest.MonkeyPatch) -> None:
    (folders["site"] / "random.py").touch()
    monkeypatch.chdir(folders["site"])
    assert _find_shadows(folders) == []


def test_safe_path_excludes_the_current_folder(folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    (folders["here"] / "torch.py").touch()
    assert _find_shadows(folders) == []
