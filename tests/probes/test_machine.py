"""Page files, memory, processor and the version file of torch, as the probes read them."""

from pathlib import Path

import pytest

from torchdoctor.facts import Absent, PageFile
from torchdoctor.probes import machine
from torchdoctor.probes.torch_install import read_torch_folder
from torchdoctor.probes.windows import count_records, find_volume, parse_page_file

MIB = 1 << 20


@pytest.mark.parametrize(
    ("line", "page_file"),
    [
        ("C:\\pagefile.sys 2048 4096", PageFile("C:\\pagefile.sys", 2048 * MIB, 4096 * MIB)),
        ("?:\\pagefile.sys", PageFile("?:\\pagefile.sys")),
        ("C:\\pagefile.sys 0 0", PageFile("C:\\pagefile.sys")),
        ("D:\\my page file.sys 16 16", PageFile("D:\\my page file.sys", 16 * MIB, 16 * MIB)),
        ("garbage", PageFile("garbage")),
    ],
)
def test_parses_a_page_file_line(line: str, page_file: PageFile) -> None:
    assert parse_page_file(line) == page_file


def test_observes_the_memory_of_this_machine() -> None:
    memory = machine.observe_memory()
    assert 0 < memory.physical_available_bytes <= memory.physical_bytes
    assert not isinstance(memory.commit_limit_bytes, Absent)


def test_observes_the_processor_of_this_machine() -> None:
    processor = machine.observe_processor()
    assert (
        isinstance(processor.physical_cores, Absent)
        or 0 < processor.physical_cores <= processor.logical_cores
    )


@pytest.mark.parametrize(
    ("sizes", "count"), [([48, 48], 2), ([48, 76, 48], 3), ([], 0), ([0, 0], 2)], ids=str
)
def test_counts_records_of_any_size(sizes: list[int], count: int) -> None:
    records = (b"\0\0\0\0" + size.to_bytes(4, "little") for size in sizes)
    padded = (record.ljust(size, b"\0") for record, size in zip(records, sizes, strict=True))
    assert count_records(b"".join(padded)) == count


def test_reads_the_version_without_running_the_file(tmp_path: Path) -> None:
    (tmp_path / "version.py").write_text(
        "__version__ = '2.8.0+cu128'\ncuda: 'str | None' = '12.8'\nraise SystemExit\n", encoding="utf-8"
    )
    install = read_torch_folder(tmp_path)
    assert (install.version, install.cuda, install.local_tag) == ("2.8.0+cu128", "12.8", "cu128")


@pytest.mark.parametrize(
    "content", [None, b"\x00\xff", b"def (", b"x = 1"], ids=["none", "binary", "syntax", "empty"]
)
def test_damaged_version_file_gives_an_absent_version(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "version.py").write_bytes(content)
    assert isinstance(read_torch_folder(tmp_path).version, Absent)


@pytest.mark.parametrize(
    ("path", "existing", "drive"),
    [
        (r"D:\pagefile.sys", [], "D:"),
        (r"?:\pagefile.sys", [r"\??\E:\pagefile.sys"], "E:"),
        (r"?:\pagefile.sys", [], "C:"),
    ],
)
def test_finds_the_drive_of_a_page_file(path: str, existing: list[str], drive: str) -> None:
    assert find_volume(path, existing, "c:") == drive
