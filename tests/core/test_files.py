"""Files are read whole, within a limit, and with no more memory than they need."""

import errno
import os
import tracemalloc
from pathlib import Path

import pytest

from torchdoctor.core.files import follow_links, read_bytes


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (3 << 20) + 7])
def test_whole_file_is_read(tmp_path: Path, size: int) -> None:
    data = os.urandom(size)
    (tmp_path / "file").write_bytes(data)
    assert read_bytes(tmp_path / "file") == data
    assert read_bytes(tmp_path / "file", size) == data


@pytest.mark.parametrize("size", [1, 1 << 20, (3 << 20) + 7])
def test_larger_file_is_refused(tmp_path: Path, size: int) -> None:
    (tmp_path / "file").write_bytes(bytes(size))
    with pytest.raises(OSError, match="more than") as caught:
        read_bytes(tmp_path / "file", size - 1)
    assert caught.value.errno == errno.EFBIG


def test_small_file_takes_little_memory(tmp_path: Path) -> None:
    # Where the commit limit is reached, which the doctor has to tell, a large request fails.
    (tmp_path / "file").write_bytes(b"small")
    tracemalloc.start()
    try:
        assert read_bytes(tmp_path / "file") == b"small"
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 4 << 20


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs a list of the open files")
def test_folder_in_place_of_a_file_stays_not_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(IsADirectoryError):
            read_bytes(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_path_whose_links_windows_cannot_tell_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> str:
        raise OSError(6, "The handle is invalid")

    monkeypatch.setattr(os.path, "realpath", refuse)
    assert follow_links("CON") == os.path.abspath("CON")
