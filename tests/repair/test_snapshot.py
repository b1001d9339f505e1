"""A snapshot brings back every file, whatever was done meanwhile, and deletes nothing of somebody else."""

import os
import random
import shutil
from pathlib import Path

import pytest

from torchdoctor.repair import snapshot as snapshots
from torchdoctor.repair.snapshot import Snapshot, SnapshotError


def read_tree(folder: Path) -> dict[str, object]:
    """Return the content of each file, the target of each link, and None for each folder."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = (
            os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        )
    return found


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "torch" / "lib").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "torch" / "__init__.py").write_text("import torch._C\n")
    (folder / "torch" / "lib" / "c10.dll").write_bytes(bytes(1000))
    (folder / "numpy.py").write_text("x = 1\n")
    if os.name != "nt":
        (folder / "lib64").symlink_to("torch")
    return folder


@pytest.fixture(params=["links", "copies"])
def snapshot(request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """A snapshot on a disk with hard links, and on one without."""
    if request.param == "copies":
        monkeypatch.setattr(snapshots.os, "link", _refuse)
    return Snapshot(tmp_path / "kept")


def _refuse(*_: object) -> None:
    raise OSError(1, "Operation not permitted")


def replace(file: Path, text: str) -> None:
    """Write a file as pip does: the old one is removed first."""
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def change(site: Path) -> None:
    """Do what an installation does."""
    replace(site / "torch" / "__init__.py", "import torch._C as new\n")
    (site / "torch" / "lib" / "c10.dll").unlink()
    replace(site / "torch" / "lib" / "uv.dll", "new")
    replace(site / "torch-2.dist-info" / "RECORD", "new")
    (site / "empty").rmdir()


@pytest.mark.parametrize("notes", [True, False])
def test_changes_are_taken_back(site: Path, snapshot: Snapshot, notes: bool) -> None:
    before = read_tree(site)
    snapshot.take([str(site)])
    change(site)
    if notes:
        snapshot.note_changes()
    restored = snapshot.restore()
    assert read_tree(site) == before
    assert (restored.returned, restored.removed, restored.problems) == (2, 2, ())
    assert snapshot.restore().returned == 0, "the second time, nothing is left to do"


def test_any_changes_are_taken_back(site: Path, tmp_path: Path) -> None:
    choose = random.Random(1)
    for turn in range(60):
        before = read_tree(site)
        snapshot = Snapshot(tmp_path / f"kept-{turn}")
        snapshot.take([str(site)])
        for _ in range(choose.randrange(8)):
            _change_something(site, choose)
        if choose.random() < 0.5:
            snapshot.note_changes()
        assert snapshot.restore().problems == ()
        assert read_tree(site) == before, turn
        _change_something(site, choose)


def _change_something(site: Path, choose: random.Random) -> None:
    paths = [path for path in site.rglob("*") if not path.is_symlink()]
    path = choose.choice(paths) if paths else site
    action = choose.randrange(4)
    if action == 0 or not paths:
        replace(site / f"n{choose.randrange(9)}" / f"f{choose.randrange(9)}.py", str(choose.random()))
    elif path.is_dir():
        if action == 1:
            shutil.rmtree(path)
        else:
            path.rename(path.with_name(f"~{path.name[1:]}{choose.randrange(10**6)}"))
    elif action == 1:
        path.unlink()
    else:
        replace(path, str(choose.random()))


def test_files_that_came_later_stay(site: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    (site / "pandas.py").write_text("mine\n")
    assert snapshot.list_changed_since() == []
    assert snapshot.restore().problems == ()
    assert (site / "pandas.py").read_text() == "mine\n"


def test_files_that_were_in_the_way_are_moved_and_not_deleted(
    site: Path, snapshot: Snapshot, tmp_path
) -> None:
    # The step was cut off, and then the person went on working.
    snapshot.take([str(site)])
    (site / "mine.py").write_text("my work\n")
    snapshot.restore()
    assert not (site / "mine.py").exists()
    [moved] = (tmp_path / "kept" / "replaced").rglob("*mine.py")
    assert moved.read_text() == "my work\n"


def test_later_changes_are_seen(site: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    replace(site / "torch" / "__init__.py", "import torch._C as newest\n")
    assert snapshot.list_changed_since() == [str(site / "torch" / "__init__.py")]


def test_snapshot_that_was_cut_off_is_not_complete(site: Path, snapshot: Snapshot, monkeypatch) -> None:
    monkeypatch.setattr(snapshots, "_write_durably", _refuse)
    with pytest.raises(SnapshotError, match="cannot be kept: Operation not permitted"):
        snapshot.take([str(site)])
    assert not snapshot.is_complete


def test_full_disk_is_said(site: Path, tmp_path: Path, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshots.os, "link", refuse)
    with pytest.raises(SnapshotError, match="No space left on device"):
        Snapshot(tmp_path / "kept").take([str(site)])


def test_kept_file_that_was_written_to_is_a_problem(site: Path, tmp_path: Path) -> None:
    snapshot = Snapshot(tmp_path / "kept")
    snapshot.take([str(site)])
    with open(site / "numpy.py", "a") as file:
        file.write("in place\n")
    os.utime(site / "numpy.py", (1, 1))
    assert "numpy.py: what was kept of it was changed" in snapshot.restore().problems[0]


def test_folder_that_is_not_there_is_empty(tmp_path: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(tmp_path / "nowhere")])
    replace(tmp_path / "nowhere" / "file", "new")
    assert snapshot.restore().removed == 1


@pytest.mark.parametrize("damage", ["{", "", '{"roots": []}\n{'])
def test_damaged_manifest_is_said(site: Path, snapshot: Snapshot, tmp_path: Path, damage: str) -> None:
    snapshot.take([str(site)])
    (tmp_path / "kept" / "manifest.jsonl").write_text(damage)
    with pytest.raises(SnapshotError, match="is damaged"):
        snapshot.restore()
