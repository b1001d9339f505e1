"""The folder for the files of one run."""

import os
import tempfile
from pathlib import Path

import pytest

from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end

VARIABLE = "TEMP" if os.name == "nt" else "TMPDIR"


def test_folder_is_private_and_removed_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with remove_at_end(make_scratch_folder()) as folder:
        Path(folder, "stderr").write_text("text")
        assert Path(folder).parent == tmp_path
        assert os.name == "nt" or Path(folder).stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", ["", "/no/such/folder"])
def test_takes_another_folder_where_the_named_one_is_not_usable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with remove_at_end(make_scratch_folder()) as folder:
        assert Path(folder).parent == tmp_path
