"""What is read from small images, whole, cut short and with each byte changed, is in tests/answers/pe.

    TORCHDOCTOR_ANSWERS=write python -m pytest tests/pe/test_answers.py

writes the files.
"""

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile, ZipInfo

import pytest

from torchdoctor.pe import (
    Folder,
    Import,
    PeError,
    Role,
    SearchPath,
    WheelError,
    find_closure,
    flagged_search,
    is_assumed,
    is_vc_runtime,
)
from torchdoctor.pe import wheel as wheels
from torchdoctor.pe.exports import parse_exports
from torchdoctor.pe.headers import parse_headers, round_up_to_page
from torchdoctor.pe.image import parse_image
from torchdoctor.pe.imports import parse_import_symbols
from torchdoctor.pe.version import parse_file_version
from torchdoctor.pe.view import View

BuildPe = Callable[..., bytes]
Compare = Callable[[str, Sequence[str]], None]
# Where the images of `build_pe` have the optional header, and the section with data in memory and in the file.
OPTIONAL, DATA_RVA, DATA_OFFSET = 0x58, 0x1000, 0x400
WRITE, SHARED = 0x80000000, 0x10000000


def build(build_pe: BuildPe, is_64bit: bool) -> bytes:
    """Return an image that has all that is read."""
    return build_pe(
        [("A.dll", ["f", 0x1002]), ("b", ["long_name"])],
        delayed=[("c.dll", ["g", 3])],
        exports=["e", "h"],
        version=(14, 44, 35211, 5),
        sections=[(".data", 4097, WRITE), (".shared", 1, WRITE | SHARED)],
        is_64bit=is_64bit,
        machine=0x8664 if is_64bit else 0x14C,
    )


def patch(data: bytes, offset: int, layout: str, *values: int) -> bytes:
    """Return bytes with numbers at an offset; the rest stays."""
    raw = struct.pack(layout, *values)
    return data[:offset] + raw + data[offset + len(raw) :]


def find_directory(data: bytes, index: int, is_64bit: bool) -> int:
    """Return the file offset of a data directory."""
    (rva,) = struct.unpack_from("<I", data, OPTIONAL + (112 if is_64bit else 96) + 8 * index)
    return rva - DATA_RVA + DATA_OFFSET


READERS: dict[str, Callable[[View], object]] = {
    "headers": lambda view: parse_headers(view).machine,
    "linker": lambda view: parse_headers(view).linker_version,
    "time": lambda view: parse_headers(view).timestamp,
    "base": lambda view: parse_headers(view).image_base,
    "bytes": lambda view: parse_headers(view).header_bytes,
    "sections": lambda view: " ".join(
        f"{each.name}:{each.virtual_size}:{each.characteristics:x}" for each in parse_headers(view).sections
    ),
    "extents": lambda view: parse_headers(view).extents,
    "writable": lambda view: parse_image(view, "x.dll").writable_bytes,
    "imports": lambda view: " ".join(
        f"{each.dll}{' (delayed)' * each.delayed}" for each in parse_image(view, "x.dll").imports
    ),
    "symbols": lambda view: [parse_import_symbols(view, name) for name in ("a.dll", "B", "c.dll")],
    "exports": lambda view: " ".join(sorted(parse_exports(view))[:6]),
    "version": parse_file_version,
}


def read(data: bytes) -> dict[str, str]:
    """Return what each reader reads, or its error; what all readers say is said once."""
    answers = {}
    for name, reader in READERS.items():
        try:
            answers[name] = str(reader(View(data)))
        except PeError as error:
            answers[name] = f"error {error}"
    return answers


def describe_changes(data: bytes, usual: dict[str, str]) -> str:
    """Return the words that are read otherwise, and by which readers; errors without their addresses."""
    found = read(data)
    if found["headers"].startswith("error"):
        return re.sub(r" at 0x.*", "", found["headers"])
    readers: dict[str, list[str]] = {}
    for name, value in found.items():
        if value != usual[name]:
            is_error = value.startswith("error")
            words = [word for word in value.split(" ") if word not in usual[name].split(" ")]
            said = re.sub(r"(?: at)? 0x.*", "", value) if is_error else " ".join(words) or "less"
            readers.setdefault(said, []).append(name)
    return "; ".join(f"{'+'.join(names)} {said}" for said, names in readers.items())


def write_runs(answers: Iterator[tuple[int, str]]) -> Iterator[str]:
    """Yield each answer with the first and last of the neighbouring offsets that have it."""
    first, last, said = 0, -1, ""
    for offset, answer in (*answers, (0, "")):
        if answer != said:
            if said:
                yield f"- {first:#x}-{last:#x}: {said}"
            first, said = offset, answer
        last = offset


@pytest.mark.parametrize("is_64bit", [True, False], ids=["PE32+", "PE32"])
def test_whole_and_damaged_images(build_pe: BuildPe, compare_answers: Compare, is_64bit: bool) -> None:
    data = build(build_pe, is_64bit)
    usual = read(data)
    lines = [f"{name} {value}" for name, value in usual.items()]
    lines.append("# cut short")
    lines += write_runs((size, describe_changes(data[:size], usual)) for size in range(len(data)))
    lines.append("# a byte is changed")
    lines += write_runs(
        (offset, describe_changes(patch(data, offset, "B", data[offset] ^ 1), usual))
        for offset in range(len(data))
    )
    compare_answers(f"pe/{'pe32plus' if is_64bit else 'pe32'}", lines)


@pytest.mark.parametrize("is_64bit", [True, False], ids=["PE32+", "PE32"])
def test_old_delayed_imports_hold_addresses_with_the_image_base(build_pe: BuildPe, is_64bit: bool) -> None:
    base = 0x400000
    data = build_pe(delayed=[("a.dll", ["f"]), ("b.dll", ["g", 4])], is_64bit=is_64bit)
    data = patch(data, OPTIONAL + (24 if is_64bit else 28), "<Q" if is_64bit else "<I", base)
    table = find_directory(data, 13, is_64bit)
    for descriptor in (table, table + 32):
        fields = struct.unpack_from("<8I", data, descriptor)
        data = patch(data, descriptor, "<5I", 0, fields[1] + base, 0, 0, fields[4] + base)
    assert parse_image(View(data), "x").imports == (Import("a.dll", True), Import("b.dll", True))
    assert parse_import_symbols(View(data), "b.dll") == ("g", "#4")


def test_import_table_ends_without_a_name_or_addresses(build_pe: BuildPe) -> None:
    data = build_pe([("a.dll", ["f"]), ("b.dll", ["g"]), ("c.dll", ["h"])])
    table = find_directory(data, 1, True)
    for offset in (12, 16):
        ended = patch(data, table + 20 + offset, "<I", 0)
        assert parse_image(View(ended), "x").imports == (Import("a.dll", False),)


def test_symbols_without_a_lookup_table_are_read_from_the_addresses(build_pe: BuildPe) -> None:
    data = build_pe([("a.dll", ["f", 0xFFFF])])
    assert parse_import_symbols(View(patch(data, find_directory(data, 1, True), "<I", 0)), "a.dll") == (
        "f",
        "#65535",
    )


@pytest.mark.parametrize(("count", "error"), [(4095, ""), (4096, "broken: more than 4096 imported DLLs")])
def test_imported_dlls_have_a_limit(build_pe: BuildPe, count: int, error: str) -> None:
    # The end of the table counts as one.
    assert find_error(lambda view: parse_image(view, "x"), build_pe([("a.dll", [])] * count)) == error


@pytest.mark.parametrize(("length", "error"), [(255, ""), (256, "truncated: no end of the name at 0x410")])
def test_dll_names_have_a_limit(build_pe: BuildPe, length: int, error: str) -> None:
    data = build_pe([("a" * length + ".dll", [])])
    assert find_error(lambda view: parse_image(view, "x"), data) == error.replace("0x410", "0x408")


@pytest.mark.parametrize(("count", "error"), [(95, ""), (96, "broken: 97 sections")])
def test_sections_have_a_limit(build_pe: BuildPe, count: int, error: str) -> None:
    data = build_pe()
    table = struct.pack("<8sIIII12xI", b".x", 1, 0x2000, 0, 0, 0) * count
    data = patch(data[:0x1000].ljust(0x1000 + len(table)), 0x46, "<H", 1 + count)
    assert find_error(parse_headers, data) == error


def find_error(read: Callable[[View], object], data: bytes) -> str:
    try:
        read(View(data))
    except PeError as error:
        return str(error)
    return ""


def build_symbols(count: int, name: bytes) -> bytes:
    """Return an image that imports a number of symbols from a.dll, all by one name or, without it, by number."""
    head = b"a.dll\0\0\0" + b"\0\0" + name + b"\0"
    head += b"\0" * (-len(head) % 8)
    thunk = (DATA_RVA + 8) if name else (1 << 63 | 7)
    thunks = struct.pack("<Q", thunk) * count + bytes(8)
    rva = DATA_RVA + len(head)
    table = struct.pack("<5I", rva, 0, 0, DATA_RVA, rva) + bytes(20)
    return build_data(head + thunks + table, 1, len(head) + len(thunks))


def build_exports(count: int, name: bytes, name_count: int) -> bytes:
    """Return an image that exports functions, and names that are all the same."""
    head = name + b"\0"
    head += b"\0" * (-len(head) % 8)
    rva = DATA_RVA + len(head)
    functions, names = struct.pack("<I", rva) * count, struct.pack("<I", DATA_RVA) * name_count
    table = bytes(16) + struct.pack("<6I", 5, count, name_count, rva, rva + len(functions), 0)
    return build_data(head + functions + names + table, 0, len(head) + len(functions) + len(names))


def build_data(data: bytes, directory: int, offset: int) -> bytes:
    """Return an image with these data and one data directory in them."""
    file_header = struct.pack("<4sHHIIIHH", b"PE", 0x8664, 1, 0, 0, 0, 240, 0)
    optional = bytearray(240)
    struct.pack_into("<H", optional, 0, 0x20B)
    struct.pack_into("<II", optional, 108, 16, 0)
    struct.pack_into("<I", optional, 112 + 8 * directory, DATA_RVA + offset)
    section = struct.pack("<8sIIII12xI", b".rdata", len(data), DATA_RVA, len(data), DATA_OFFSET, 0)
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40) + file_header + optional + section
    return head.ljust(DATA_OFFSET, b"\0") + data


LONG = b"x" * 0x3FFF
SYMBOLS = {
    "symbols": (1 << 18, b"", ""),
    "one symbol more": ((1 << 18) + 1, b"", "broken: more than 262144 symbols imported from a.dll"),
    "text": (4096, LONG, ""),
    "more text": (4097, LONG, "broken: more than 4096 symbols imported from a.dll"),
    "a long name": (1, b"x" * 0x4000, "truncated: no end of the name at 0x40a"),
}


@pytest.mark.parametrize("name", SYMBOLS)
def test_imported_symbols_have_limits(name: str) -> None:
    count, text, error = SYMBOLS[name]
    assert find_error(lambda view: parse_import_symbols(view, "a.dll"), build_symbols(count, text)) == error


EXPORTS = {
    "functions": (1 << 16, b"f", 1, ""),
    "one function more": ((1 << 16) + 1, b"f", 1, "broken: 65537 exports"),
    "names": (1, b"f", 1 << 16, ""),
    "one name more": (1, b"f", (1 << 16) + 1, "broken: 65537 exports"),
    "text": (1, LONG, 4096, ""),
    "more text": (1, LONG, 4097, "broken: export names without end"),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_have_limits(name: str) -> None:
    count, text, names, error = EXPORTS[name]
    assert find_error(parse_exports, build_exports(count, text, names)) == error


@pytest.mark.parametrize(("count", "error"), [(4096, ""), (4097, "broken: 4097 resource entries")])
def test_resource_entries_have_a_limit(build_pe: BuildPe, count: int, error: str) -> None:
    data = build_pe(version=(1, 2, 3, 4)) + bytes(8 * 4097)
    root = find_directory(data, 2, True)
    assert find_error(parse_file_version, patch(data, root + 12, "<2H", count - 1, 1)) == error


@pytest.mark.parametrize(("size", "pages"), [(0, 0), (1, 4096), (4096, 4096), (4097, 8192)])
def test_size_in_whole_pages(size: int, pages: int) -> None:
    assert round_up_to_page(size) == pages


MEMBERS = {
    # The packed and the unpacked size of each image, their number, the free space, and what is said.
    "small": (0, 64 << 20, 1, 1 << 40, ""),
    "one byte more": (0, (64 << 20) + 1, 1, 1 << 40, "refused wheel: 0 bytes would unpack to 67108865"),
    "fifty times": (1 << 20, (50 << 20) + (64 << 20), 1, 1 << 40, ""),
    "more": (
        1 << 20,
        (50 << 20) + (64 << 20) + 1,
        1,
        1 << 40,
        "refused wheel: 1048576 bytes would unpack to 119537665",
    ),
    "images": (1, 1, 10_000, 1 << 40, ""),
    "one image more": (1, 1, 10_001, 1 << 40, "refused wheel: 10001 images of 10001 bytes"),
    "16 GiB": (8 << 30, 8 << 30, 2, 1 << 40, ""),
    "over 16 GiB": (8 << 30, (8 << 30) + 1, 2, 1 << 40, "refused wheel: 2 images of 17179869186 bytes"),
    "room": (5, 5, 2, 10, ""),
    "no room": (5, 5, 2, 9, "cannot unpack: 10 bytes wanted, 9 free in x"),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_unpacked_wheel_has_limits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packed, unpacked, count, free, error = MEMBERS[name]
    member = ZipInfo("a.dll")
    member.compress_size, member.file_size = packed, unpacked
    monkeypatch.setattr(wheels.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    said = ""
    with suppress(WheelError):
        try:
            wheels._check_size([member] * count, Path("x"))
        except WheelError as refused:
            said = str(refused)
            raise
    assert said == error


NAMES = {
    "KERNEL32.dll": (True, False),
    "kernel32": (True, False),
    "api-ms-win-core-file-l1-1-0.dll": (True, False),
    "ext-ms-x.dll": (True, False),
    "xapi-ms-win-core.dll": (False, False),
    "python311.dll": (True, False),
    "python3.dll": (True, False),
    "python313t.dll": (True, False),
    "python313_d.dll": (True, False),
    "python2.dll": (False, False),
    "c10.dll": (False, False),
    "MSVCP140.dll": (False, True),
    "msvcp.dll": (False, False),
    "vcruntime140_1.dll": (False, True),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_of_dlls(name: str) -> None:
    assert (is_assumed(name), is_vc_runtime(name)) == NAMES[name]


def test_search_order(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("own", "app", "one", "two", "system")]
    search = flagged_search(application=folders[1], added=folders[2:4], system=folders[4]).seen_from(
        folders[0]
    )
    nested = search.seen_from(tmp_path)
    assert [(each.path.name, each.role.value) for each in nested.folders] == [
        ("own", "dll"),
        ("app", "application"),
        ("one", "added"),
        ("two", "added"),
        ("system", "system"),
    ]


BOUNDS: dict[str, tuple[Callable[[View], object], object]] = {
    "number at the end": (lambda view: view.uint16(4), 0x6665),
    "number over the end": (lambda view: view.uint16(5), "truncated: 2 bytes wanted at 0x5 of 0x6"),
    "number before the start": (lambda view: view.uint16(-1), "truncated: 2 bytes wanted at -0x1 of 0x6"),
    "number of 4 bytes": (lambda view: view.uint32(2), 0x66656463),
    "number of 8 bytes": (lambda view: view.uint64(0), "truncated: 8 bytes wanted at 0x0 of 0x6"),
    "slice to the end": (lambda view: view.slice(0, 6), b"abcdef"),
    "slice over the end": (lambda view: view.slice(1, 6), "truncated: 6 bytes wanted at 0x1 of 0x6"),
    "empty slice": (lambda view: view.slice(6, 0), b""),
    "slice before the start": (lambda view: view.slice(-1, 1), "truncated: 1 bytes wanted at -0x1 of 0x6"),
    "slice of less than nothing": (
        lambda view: view.slice(3, -1),
        "truncated: -1 bytes wanted at 0x3 of 0x6",
    ),
    "name without an end": (lambda view: view.name(0), "truncated: no end of the name at 0x0"),
    "name before the start": (lambda view: view.name(-1), "truncated: no end of the name at -0x1"),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_reads_stay_within_the_bytes(name: str) -> None:
    read, expected = BOUNDS[name]
    try:
        found = read(View(b"abcdef"))
    except PeError as error:
        found = str(error)
    assert found == expected


READ_NAMES = {
    "short": (b"ab\0c", 0, 9, "ab"),
    "as long as allowed": (b"ab\0", 0, 3, "ab"),
    "longer": (b"ab\0", 0, 2, "truncated: no end of the name at 0x0"),
    "at the start": (b"\0ab\0", 1, 9, "ab"),
    "empty": (b"\0", 0, 9, "not a name at 0x0"),
    "control": (b"a\x07\0", 0, 9, "not a name at 0x0"),
    "UTF-8": ("ä".encode() + b"\0", 0, 9, "ä"),
    "Latin-1": (b"\xe4\0", 0, 9, "ä"),
}


@pytest.mark.parametrize("name", READ_NAMES)
def test_names_are_read(name: str) -> None:
    data, offset, limit, expected = READ_NAMES[name]
    try:
        found = View(data).name(offset, limit)
    except PeError as error:
        found = str(error)
    assert found == expected


def make_wheel(path: Path, **changes: bytes) -> Path:
    """Return a wheel with two images, in whose bytes some are replaced."""
    with ZipFile(path, "w") as archive:
        archive.writestr("a/b.dll", b"first")
        archive.writestr("c.PYD", b"second")
        archive.writestr("d.py", b"third")
    data = path.read_bytes()
    for old, new in changes.items():
        data = data.replace(old.encode(), new)
    path.write_bytes(data)
    return path


def make_empty(path: Path) -> Path:
    path.touch()
    return path


WHEELS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "whole": (make_wheel, "a/b.dll c.PYD"),
    "empty": (make_empty, "not a readable wheel: File is not a zip file"),
    "checksum": (lambda path: make_wheel(path, first=b"fault"), "not a readable wheel: Bad CRC-32 for file 'a/b.dll'"),
    "twice": (lambda path: make_wheel(path, **{"c.PYD": b"c.pyd", "d.py": b"c.py"}), "a/b.dll c.pyd"),
    "name": (lambda path: make_wheel(path, **{"a/b.dll": b"../.dll"}), "refused wheel: unsafe member name '../.dll'"),
}  # fmt: skip


@pytest.mark.parametrize("name", WHEELS)
def test_wheel_is_unpacked_or_refused(name: str, tmp_path: Path) -> None:
    make, expected = WHEELS[name]
    try:
        with wheels.collect_images(make(tmp_path / "x.whl")) as found:
            said = " ".join(path.relative_to(found.root).as_posix() for path in found.images)
    except WheelError as error:
        said = str(error)
    assert said == expected


def test_search_is_that_of_the_program_unless_its_dlls_come_first(tmp_path: Path) -> None:
    search = SearchPath((Folder(tmp_path, Role.PATH),))
    assert search.seen_from(tmp_path / "own") is search


def test_dlls_that_are_missing_by_each_way(tmp_path: Path, build_pe: BuildPe) -> None:
    def write(name: str, *dlls: str, delayed: Sequence[str] = (), **options: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        pairs = [[(dll, ["f"]) for dll in names] for names in (dlls, delayed)]
        path.write_bytes(build_pe(pairs[0], delayed=pairs[1], **options))
        return path

    roots = [
        write("lib/A.dll", "b.dll", "near.dll", delayed=["late.dll", "none1.dll"]),
        write("lib/b.dll", "none2.dll", "KERNEL32.dll"),
    ]
    write("lib/near.dll", "none1.dll", "vcruntime140.dll")
    write("added/late.dll", "none3.dll")
    write("system/vcruntime140.dll", "none4.dll")
    write("system/kernel32.dll", "none5.dll")
    write("added/none6.dll", machine=0x14C)
    (tmp_path / "lib" / "c.dll").write_bytes(b"MZ")
    roots += [tmp_path / "lib" / "c.dll", write("other/d.dll", "none6.dll", "near.dll", "api-ms-win-x.dll")]
    search = flagged_search(added=[tmp_path / "added"], system=tmp_path / "system")
    closure = find_closure(roots, search, assumed=lambda name: name == "none2.dll")
    assert [(each.name, each.chain, each.delayed) for each in closure.missing] == [
        ("none1.dll", ("A.dll", "near.dll", "none1.dll"), False),
        ("none3.dll", ("A.dll", "late.dll", "none3.dll"), True),
        ("none4.dll", ("A.dll", "near.dll", "vcruntime140.dll", "none4.dll"), False),
    ]
    assert [node.path.name for node in closure.images] == [
        "A.dll",
        "b.dll",
        "d.dll",
        "late.dll",
        "near.dll",
        "vcruntime140.dll",
    ]
    assert (closure.edges, closure.delayed_edges) == (11, 2)
    assert [each.path.name for each in closure.unreadable] == ["c.dll"]
    assert [(each.path.name, each.machine, each.expected, each.chain) for each in closure.wrong_machine] == [
        ("none6.dll", "x86", "x64", ("d.dll", "none6.dll"))
    ]
