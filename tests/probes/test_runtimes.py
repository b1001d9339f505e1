"""Copies of runtime DLLs are found together with the package that owns them."""

from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Distribution, Distributions, Interpreter
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.runtimes import observe_bundled_runtimes


def _find_copies(prefix: Path, *members: str) -> list[tuple[str, str | None]]:
    site = prefix / "Lib" / "site-packages"
    record = site / "PyQt5_Qt5-5.15.2.dist-info" / "RECORD"
    record.parent.mkdir(parents=True)
    for member in members:
        file = (site / member).resolve()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"MZ")
    record.write_text("".join(f"{member},sha256=x,2\n" for member in members))
    text = str(prefix)
    python = Interpreter(text, "3.12.4", "CPython", 64, "x64", "win-amd64", text, text, text)
    distributions = Distributions((Distribution("PyQt5_Qt5", "5.15.2", str(site)),))
    runtimes = observe_bundled_runtimes(Examined(text, Description(python, distributions, None)))
    assert all(isinstance(file.version, Absent) for file in runtimes.files)
    return [(file.name, file.owner) for file in runtimes.files]


def test_finds_a_copy_and_its_package(tmp_path: Path) -> None:
    assert _find_copies(tmp_path, "PyQt5/Qt5/bin/msvcp140.dll") == [("msvcp140.dll", "PyQt5_Qt5 5.15.2")]


def test_finds_a_copy_outside_site_packages(tmp_path: Path) -> None:
    assert _find_copies(tmp_path, "../../Library/bin/libiomp5md.dll") == [
        ("libiomp5md.dll", "PyQt5_Qt5 5.15.2")
    ]


@pytest.mark.parametrize(
    "member",
    ["numpy.libs/msvcp140-263139962577ecda4cd9469ca360a746.dll", "x/msvcp140_1.dll", "x/msvcp140.dll.txt"],
)
def test_file_of_another_name_is_not_a_copy(tmp_path: Path, member: str) -> None:
    assert _find_copies(tmp_path, member) == []


def test_copy_of_conda_belongs_to_conda(tmp_path: Path) -> None:
    (tmp_path / "conda-meta").mkdir()
    (tmp_path / "Library" / "bin").mkdir(parents=True)
    (tmp_path / "Library" / "bin" / "libiomp5md.dll").write_bytes(b"MZ")
    assert _find_copies(tmp_path) == [("libiomp5md.dll", "conda")]
