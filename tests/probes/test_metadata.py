"""What a package requires is read from the metadata beside it."""

from pathlib import Path

from torchdoctor.facts import Distribution, Interpreter
from torchdoctor.probes.metadata import read_required

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
