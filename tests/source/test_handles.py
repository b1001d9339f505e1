"""What a dataset cannot keep is what pickle refuses, open or closed."""

import bz2
import gzip
import pickle
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from torchdoctor.source.idioms.pickling.handles import can_be_pickled_closed


def _make_tar(path: Path) -> tarfile.TarFile:
    tarfile.open(path, "w").close()
    return tarfile.open(path)


def _make_zip(path: Path) -> zipfile.ZipFile:
    zipfile.ZipFile(path, "w").close()
    return zipfile.ZipFile(path)


def _make_compressed(path: Path, module: Any) -> Any:
    module.open(path, "wb").close()
    return module.open(path)


HANDLES: dict[str, Callable[[Path], Any]] = {
    "file": lambda path: path.open("w"),
    "gzip file": lambda path: _make_compressed(path, gzip),
    "bz2 file": lambda path: _make_compressed(path, bz2),
    "zipfile.ZipFile": _make_zip,
    "tarfile.TarFile": _make_tar,
    "sqlite3 connection": sqlite3.connect,
}


@pytest.mark.parametrize("description", HANDLES)
def test_closed_handle_is_picklable_as_said(tmp_path: Path, description: str) -> None:
    handle = HANDLES[description](tmp_path / "file")
    with pytest.raises(TypeError):
        pickle.dumps(handle)
    handle.close()
    if can_be_pickled_closed(description):
        pickle.dumps(handle)
    else:
        with pytest.raises(TypeError):
            pickle.dumps(handle)
