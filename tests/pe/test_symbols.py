"""Reading of imported and exported symbols, and of the file version."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdoctor.pe import PeError, read_exports, read_file_version, read_import_symbols
from torchdoctor.pe.exports import parse_exports
from torchdoctor.pe.imports import parse_import_symbols
from torchdoctor.pe.version import parse_file_version
from torchdoctor.pe.view import View

BuildPe = Callable[..., bytes]


@pytest.mark.parametrize("is_64bit", [True, False], ids=["PE32+", "PE32"])
def test_reads_symbols_of_one_dll(build_pe: BuildPe, is_64bit: bool) -> None:
    data = build_pe([("MSVCP140.dll", ["_Mtx_lock", 12]), ("c10.dll", ["x"])], is_64bit=is_64bit)
    assert parse_import_symbols(View(data), "msvcp140.DLL") == ("_Mtx_lock", "#12")


def test_reads_delayed_symbols(build_pe: BuildPe) -> None:
    assert parse_import_symbols(View(build_pe(delayed=[("nvcuda.dll", ["cuInit"])])), "nvcuda.dll") == (
        "cuInit",
    )


def test_dll_that_is_not_imported_has_no_symbols(build_pe: BuildPe) -> None:
    assert parse_import_symbols(View(build_pe([("a.dll", ["f"])])), "b.dll") == ()


def test_reads_more_than_8192_symbols(build_pe: BuildPe) -> None:
    data = build_pe([("torch_cpu.dll", [f"f{number}" for number in range(9000)])])
    assert len(parse_import_symbols(View(data), "torch_cpu.dll")) == 9000


def test_reads_exports_with_ordinals(tmp_path: Path, build_pe: BuildPe) -> None:
    path = tmp_path / "x.dll"
    path.write_bytes(build_pe(exports=["f", "g"]))
    assert read_exports(path) == {"f", "g", "#1", "#2"}


def test_reads_file_version(tmp_path: Path, build_pe: BuildPe) -> None:
    path = tmp_path / "msvcp140.dll"
    path.write_bytes(build_pe(version=(14, 44, 35211, 0)))
    assert read_file_version(path) == "14.44.35211.0"


def test_image_without_a_file_version_has_none(write: Callable[..., Path]) -> None:
    assert read_file_version(write("c10.dll")) is None


@settings(max_examples=300, deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, 0x600), st.integers(0, 255)), max_size=6),
    cut=st.integers(0, 0x600),
)
def test_damaged_image_raises_only_pe_error(
    build_pe: BuildPe, changes: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(build_pe([("a.dll", ["f", 2])], exports=["e"], version=(1, 2, 3, 4)))
    for offset, value in changes:
        data[offset % len(data)] = value
    view = View(bytes(data[: len(data) - cut // 8]))
    for parse in (parse_exports, parse_file_version, lambda data: parse_import_symbols(data, "a.dll")):
        with suppress(PeError):
            parse(view)


def test_missing_file_raises_file_not_found_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_import_symbols(tmp_path / "none.dll", "a.dll")
