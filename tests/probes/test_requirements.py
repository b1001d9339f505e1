"""What torch requires, read from metadata, and the folders that its packages are imported from."""

from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Distribution, Distributions, Interpreter, TorchRequirements
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.requirements import observe_torch_requirements

TORCH = (
    "Metadata-Version: 2.1\nName: torch\nRequires-Dist: sympy>=1.13.3\nRequires-Dist: yaml; extra == 'y'\n\n"
)


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """Return two folders of the import path, of which the second has torch."""
    folders = {name: tmp_path / name for name in ("first", "second")}
    for folder in folders.values():
        folder.mkdir()
    _install(folders["second"], "torch", "2.13.0", TORCH + "Requires-Dist: of-the-description\n")
    return folders


def _install(folder: Path, name: str, version: str, metadata: str = "") -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()
    (folder / f"{name}-{version}.dist-info").mkdir()
    (folder / f"{name}-{version}.dist-info" / "METADATA").write_text(metadata, encoding="utf-8")


def _observe(folders: dict[str, Path]) -> TorchRequirements | Absent:
    path, text = tuple(map(str, folders.values())), str(folders["second"])
    python = Interpreter(
        text, "3.12.4", "CPython", 64, "x64", "win-amd64", text, text, text, import_path=path
    )
    found = [
        Distribution(*file.stem.split("-"), str(folder))
        for folder in folders.values()
        for file in sorted(folder.glob("*.dist-info"))
    ]
    torch = folders["second"] / "torch"
    description = Description(python, Distributions(tuple(found)), str(torch), str(torch / "__init__.py"))
    return observe_torch_requirements(Examined(text, description))


def _list(folders: dict[str, Path]) -> list[tuple[str, str, str | None]]:
    observed = _observe(folders)
    assert isinstance(observed, TorchRequirements)
    return [(one.name + one.versions, one.required_by, one.folder) for one in observed.required]


def test_package_that_is_not_there_has_no_folder(folders) -> None:
    assert _list(folders) == [("sympy>=1.13.3", "torch 2.13.0", None)]


def test_first_folder_of_the_import_path_wins(folders) -> None:
    _install(folders["first"], "sympy", "1.12")
    _install(folders["second"], "sympy", "1.14.0")
    assert _list(folders) == [("sympy>=1.13.3", "torch 2.13.0", str(folders["first"]))]


def test_file_is_imported_like_a_package(folders) -> None:
    (folders["second"] / "sympy.py").touch()
    assert _list(folders) == [("sympy>=1.13.3", "torch 2.13.0", str(folders["second"]))]


def test_folder_without_init_is_no_package(folders) -> None:
    (folders["first"] / "sympy").mkdir()
    assert _list(folders) == [("sympy>=1.13.3", "torch 2.13.0", None)]


def test_requirements_of_the_imported_copy_follow(folders) -> None:
    _install(folders["first"], "sympy", "1.14.0", "Requires-Dist: mpmath<1.4\nRequires-Dist: sympy\n")
    _install(folders["second"], "sympy", "1.12", "Requires-Dist: mpmath<2\n")
    assert [one[:2] for one in _list(folders)] == [
        ("sympy>=1.13.3", "torch 2.13.0"),
        ("mpmath<1.4", "sympy 1.14.0"),
        ("sympy", "sympy 1.14.0"),
    ]


def test_torch_without_metadata_says_so(folders) -> None:
    (folders["second"] / "torch-2.13.0.dist-info" / "METADATA").unlink()
    assert _observe(folders) == Absent(
        f"the torch in {folders['second']} has no metadata that names its requirements"
    )


def test_metadata_that_cannot_be_read_requires_nothing(folders) -> None:
    _install(folders["second"], "sympy", "1.14.0")
    (folders["second"] / "sympy-1.14.0.dist-info" / "METADATA").unlink()
    assert [one[0] for one in _list(folders)] == ["sympy>=1.13.3"]
