"""What a package requires is read from the metadata beside it."""

from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Distribution, Interpreter
from torchdoctor.probes.metadata import read_required
from torchdoctor.probes.torch_install import read_version_file

WINDOWS = Interpreter("p", "3.12.4", "CPython", 64, "x64", "win-amd64", "v", "b", "b")


def _require(folder: Path, *lines: str) -> dict[str, str]:
    distribution = Distribution("xformers", "0.0.34", str(folder))
    info = folder / "xformers-0.0.34.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("\n".join(["Name: xformers", *lines, "", "Text"]), encoding="utf-8")
    return dict(read_required(distribution, WINDOWS))


def test_range_of_torch_is_read(tmp_path: Path) -> None:
    assert _require(tmp_path, "Requires-Dist: torch==2.10.0", "Requires-Dist: numpy") == {
        "torch": "==2.10.0",
        "numpy": "",
    }


def test_requirement_for_another_system_is_left_out(tmp_path: Path) -> None:
    assert _require(tmp_path, 'Requires-Dist: torch==2.9.0; platform_system == "Linux"') == {}


def test_package_without_metadata_requires_nothing(tmp_path: Path) -> None:
    assert dict(read_required(Distribution("x", "1", str(tmp_path)), WINDOWS)) == {}


def test_pin_of_a_nightly_build_is_kept(tmp_path: Path) -> None:
    assert _require(tmp_path, "Requires-Dist: torch==2.16.0.dev20261120") == {"torch": "==2.16.0.dev20261120"}


@pytest.mark.parametrize(("count", "is_read"), [(4000, True), (4001, False)])
def test_list_that_no_package_has_is_not_evaluated(tmp_path: Path, count: int, is_read: bool) -> None:
    found = _require(tmp_path, "Requires-Dist: torch==2.10.0", *["Requires-Dist: numpy"] * (count - 1))
    assert ("torch" in found) is is_read


def test_metadata_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    assert _require(tmp_path, "Requires-Dist: torch==2.10.0", "", "x" * (4 << 20)) == {}


def test_version_file_that_is_too_long_is_named_and_not_parsed(tmp_path: Path) -> None:
    file = tmp_path / "version.py"
    file.write_text("__version__ = '2.9.0'\n", encoding="utf-8")
    assert read_version_file(file) == {"__version__": "2.9.0"}
    file.write_text("__version__ = '2.9.0'\n" + "x = 1\n" * 20_000, encoding="utf-8")
    assert read_version_file(file) == Absent("torch/version.py cannot be read: more than 100,000 bytes")
