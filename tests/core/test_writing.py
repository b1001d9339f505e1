"""A file is written whole, or stays as it is."""

import errno
import os
import sys
from pathlib import Path

import pytest

from torchdoctor.core import writing
from torchdoctor.core.writing import remove_left_parts, write_whole


def test_signal_just_after_the_file_was_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.py"
    target.write_bytes(b"old")

    def make_and_end(path: str, flags: int) -> int:
        os.close(os.open(path, flags, 0o600))
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "_open_private", make_and_end)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, b"new")
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"a.py": b"old"}


@pytest.mark.skipif(sys.platform != "linux", reason="needs extended attributes of Linux")
def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "a.py"
    target.write_bytes(b"old")
    try:
        os.setxattr(target, "user.origin", b"here")
    except OSError as error:
        if error.errno != errno.ENOTSUP:
            raise
        pytest.skip("the file system has no extended attributes")
    write_whole(target, b"new")
    assert (target.read_bytes(), os.getxattr(target, "user.origin")) == (b"new", b"here")


@pytest.mark.parametrize("name", ["a" * 252 + ".py", "模" * 84 + ".py"], ids=["ascii", "three-bytes"])
def test_longest_file_name_can_be_written(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    write_whole(target, b"new")
    assert [each.name for each in tmp_path.iterdir()] == [target.name]


def test_parts_that_a_killed_process_left_are_removed(tmp_path: Path) -> None:
    digits = "0123456789abcdef"
    names = [
        "a.py",
        f".a.py.{digits}",
        f".a.py.{digits[:-1]}g",
        f".b.py.{digits}",
        ".a.py.bak",
        f".a.py.x{digits}",
    ]
    for name in [*names, f".a.py.{digits[::-1]}"]:
        (tmp_path / name).write_text("", encoding="utf-8")
    for name in names:
        os.utime(tmp_path / name, (1, 1))
    remove_left_parts([tmp_path / "a.py"])
    # The other one may still be written.
    kept = {*names, f".a.py.{digits[::-1]}"} - {f".a.py.{digits}"}
    assert {file.name for file in tmp_path.iterdir()} == kept


def test_parts_have_the_names_that_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"

    def be_killed(source: str, target: Path) -> None:
        os.utime(source, (1, 1))
        raise OSError("killed")

    unlink = os.unlink
    monkeypatch.setattr("os.replace", be_killed)
    monkeypatch.setattr("os.unlink", lambda _: None)
    with pytest.raises(OSError, match="killed"):
        write_whole(path, b"new")
    monkeypatch.setattr("os.unlink", unlink)
    assert len(list(tmp_path.iterdir())) == 1
    remove_left_parts([path])
    assert list(tmp_path.iterdir()) == []
