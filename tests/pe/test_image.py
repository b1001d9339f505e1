"""Reading of images from well-formed and from hostile bytes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdoctor.pe import Import, PeError, Section, read_image
from torchdoctor.pe.image import parse_image
from torchdoctor.pe.view import View

WRITE, SHARED = 0x80000000, 0x10000000
BuildPe = Callable[..., bytes]


@pytest.mark.parametrize("is_64bit", [True, False], ids=["PE32+", "PE32"])
def test_reads_both_import_tables(build_pe: BuildPe, is_64bit: bool) -> None:
    data = build_pe([("A.dll", ["f"]), ("b.dll", [3])], delayed=[("nvcuda.dll", ["g"])], is_64bit=is_64bit)
    imports = parse_image(View(data), "x.dll").imports
    assert imports == (Import("A.dll", False), Import("b.dll", False), Import("nvcuda.dll", True))


def test_image_without_imports_has_none(build_pe: BuildPe) -> None:
    assert parse_image(View(build_pe()), "x.dll").imports == ()


@pytest.mark.parametrize(
    ("machine", "name"),
    [(0x8664, "x64"), (0x14C, "x86"), (0xAA64, "arm64"), (0x1C4, "arm"), (0x1234, "0x1234")],
)
def test_names_the_machine(build_pe: BuildPe, machine: int, name: str) -> None:
    assert parse_image(View(build_pe(machine=machine)), "x.dll").machine == name


def test_reads_linker_and_timestamp(build_pe: BuildPe) -> None:
    image = parse_image(View(build_pe()), "x.dll")
    assert (image.linker_version, image.timestamp) == ((14, 42), 77)


def test_counts_private_writable_pages_only(build_pe: BuildPe) -> None:
    data = build_pe(sections=[(".data", 4097, WRITE), (".shared", 4096, WRITE | SHARED), (".text", 9999, 0)])
    assert parse_image(View(data), "x.dll").writable_bytes == 8192


def test_lists_sections(build_pe: BuildPe) -> None:
    data = build_pe(sections=[(".nv_fatb", 5, WRITE)])
    assert parse_image(View(data), "x.dll").sections[-1] == Section(".nv_fatb", 5, WRITE)


def test_name_is_the_base_name(write: Callable[..., Path]) -> None:
    assert read_image(write("lib/c10.dll")).name == "c10.dll"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a PE file: empty"),
        (b"version https://git-lfs.github.com/spec/v1\n", "not a PE file: no MZ signature"),
        (b"MZ", "truncated"),
        (b"MZ".ljust(0x80, b"\0"), "not a PE file: no PE signature"),
    ],
    ids=["empty", "pointer", "stub", "no header"],
)
def test_gives_the_reason_why_a_file_is_not_an_image(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "x.dll"
    path.write_bytes(data)
    with pytest.raises(PeError, match=reason):
        read_image(path)


def test_refuses_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PeError, match="not a regular file"):
        read_image(tmp_path)


def test_refuses_an_absurd_number_of_imports(build_pe: BuildPe) -> None:
    with pytest.raises(PeError, match="more than 4096 imported DLLs"):
        parse_image(View(build_pe([("a.dll", [])] * 5000)), "x.dll")


def test_refuses_control_characters_in_names(build_pe: BuildPe) -> None:
    with pytest.raises(PeError, match="not a name"):
        parse_image(View(build_pe([("a\x1b[2J.dll", ["f"])])), "x.dll")


def _find_error(data: bytes) -> str:
    try:
        parse_image(View(data), "x.dll")
    except PeError as error:
        return str(error)
    return ""


def test_truncated_image_raises_only_pe_error(build_pe: BuildPe) -> None:
    data = build_pe([("A.dll", ["f", 2])], delayed=[("b.dll", ["g"])])
    assert all("\n" not in _find_error(data[:length]) for length in range(len(data)))


@settings(max_examples=300, deadline=None)
@given(changes=st.lists(st.tuples(st.integers(0, 0x600), st.integers(0, 255)), min_size=1, max_size=8))
def test_damaged_image_raises_only_pe_error(build_pe: BuildPe, changes: list[tuple[int, int]]) -> None:
    data = bytearray(build_pe([("A.dll", ["f", 2])], delayed=[("b.dll", ["g"])], exports=["e"]))
    for offset, value in changes:
        data[offset % len(data)] = value
    assert "\n" not in _find_error(bytes(data))
