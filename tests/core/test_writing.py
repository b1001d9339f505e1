"""A file is written whole, or stays as it is."""

import errno
import os
import sys
from pathlib import Path

import pytest

from torchdoctor.core import writing
from torchdoctor.core.writing import write_whole


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
