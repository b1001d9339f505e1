"""A snapshot brings back every file, whatever was done meanwhile, and deletes nothing of somebody else."""

import contextlib
import os
import random
import shutil
from pathlib import Path

import pytest

from torchdoctor.repair import manifest as manifests
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
    restored = snapshot.restore()
    assert not (site / "mine.py").exists()
    [moved] = Path(restored.moved_to).rglob("*mine.py")
    assert moved.read_text() == "my work\n"


def test_later_changes_are_seen(site: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    replace(site / "torch" / "__init__.py", "import torch._C as newest\n")
    assert snapshot.list_changed_since() == [str(site / "torch" / "__init__.py")]


def test_snapshot_that_was_cut_off_is_not_complete(site: Path, snapshot: Snapshot, monkeypatch) -> None:
    monkeypatch.setattr(manifests, "write_durably", _refuse)
    with pytest.raises(SnapshotError, match="cannot be kept: Operation not permitted"):
        snapshot.take([str(site)])
    assert not snapshot.is_complete


def test_full_disk_is_said(site: Path, tmp_path: Path, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshots.os, "link", refuse)
    with pytest.raises(SnapshotError, match="No space left on device"):
        Snapshot(tmp_path / "kept").take([str(site)])


@pytest.mark.parametrize("notes", [True, False])
@pytest.mark.parametrize("loss", ["changed", "removed"])
def test_nothing_is_undone_without_what_was_kept(site: Path, tmp_path: Path, notes: bool, loss: str) -> None:
    snapshot = Snapshot(tmp_path / "kept")
    snapshot.take([str(site)])
    change(site)
    if notes:
        snapshot.note_changes()
    for file in (tmp_path / "kept" / "files").rglob("*"):
        if file.is_file() and loss == "removed":
            file.unlink()
        elif file.is_file():
            os.utime(file, (1, 1))
    before = read_tree(site)
    with pytest.raises(
        SnapshotError, match=r"what was kept of it was changed or removed: nothing was undone"
    ):
        snapshot.restore()
    assert read_tree(site) == before


@pytest.mark.parametrize("notes", [True, False])
def test_restoring_that_was_cut_off_can_be_finished(site: Path, tmp_path: Path, notes: bool) -> None:
    choose = random.Random(2)
    for turn in range(40):
        before = read_tree(site)
        snapshot = Snapshot(tmp_path / f"kept-{turn}")
        snapshot.take([str(site)])
        for _ in range(6):
            _change_something(site, choose)
        if notes:
            snapshot.note_changes()
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
            _interrupt_after(choose.randrange(12), patch)
            snapshot.restore()
        assert snapshot.list_changed_since() == []
        assert snapshot.restore().problems == ()
        assert read_tree(site) == before, turn


def _interrupt_after(count: int, patch: pytest.MonkeyPatch) -> None:
    """Stop, as by Ctrl-C or a power failure, at one of the calls that change the disk."""
    left = [count]
    for name in ("link", "unlink", "rename", "replace", "symlink", "mkdir", "rmdir"):
        if not hasattr(os, name):
            continue
        act = getattr(os, name)

        def interrupt(*arguments: object, act=act, **options: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return act(*arguments, **options)

        patch.setattr(os, name, interrupt)


def test_another_package_that_was_removed_later_stays_removed(site: Path, snapshot: Snapshot) -> None:
    (site / "other").mkdir()
    (site / "other" / "__init__.py").write_text("")
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    shutil.rmtree(site / "other")
    (site / "other").write_text("a file now\n")
    assert snapshot.list_changed_since() == []
    assert snapshot.restore().problems == ()
    assert (site / "other").is_file() and (site / "torch" / "lib" / "c10.dll").is_file()


def test_file_in_the_place_of_a_folder_is_seen(site: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    shutil.rmtree(site / "torch")
    (site / "torch").write_text("mine\n")
    assert str(site / "torch" / "lib" / "c10.dll") in snapshot.list_changed_since()


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
@pytest.mark.parametrize("place", ["root", "package"])
def test_folders_behind_links_are_kept(site: Path, tmp_path: Path, place: str) -> None:
    real = tmp_path / "elsewhere"
    if place == "root":
        site.rename(real)
        site.symlink_to(real)
    else:
        (site / "torch").rename(real)
        (site / "torch").symlink_to(real)
    before = read_tree(tmp_path / "elsewhere")
    snapshot = Snapshot(tmp_path / "kept")
    snapshot.take([str(site)], follows_links=True)
    change(site)
    snapshot.note_changes()
    assert snapshot.restore().problems == ()
    assert read_tree(tmp_path / "elsewhere") == before


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_link_to_a_folder_with_everything_is_refused(site: Path, tmp_path: Path) -> None:
    (site / "all").symlink_to(tmp_path)
    with pytest.raises(SnapshotError, match="which holds the packages themselves"):
        Snapshot(tmp_path / "kept").take([str(site)], follows_links=True)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_modes_and_times_come_back(site: Path, snapshot: Snapshot) -> None:
    file = site / "numpy.py"
    file.chmod(0o640)
    os.utime(file, ns=(1_000_000_001, 1_500_000_003))
    before = file.stat()
    snapshot.take([str(site)])
    replace(file, "new")
    snapshot.note_changes()
    snapshot.restore()
    assert (file.stat().st_mode, file.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("notes", [True, False])
def test_modes_of_folders_come_back(site: Path, snapshot: Snapshot, notes: bool) -> None:
    (site / "torch").chmod(0o2700)
    snapshot.take([str(site)])
    shutil.rmtree(site / "torch")
    if notes:
        snapshot.note_changes()
    snapshot.restore()
    assert (site / "torch").stat().st_mode & 0o7777 == 0o2700


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("notes", [True, False])
@pytest.mark.parametrize("mode", [0, 0o777])
def test_modes_that_were_changed_come_back(site: Path, snapshot: Snapshot, notes: bool, mode: int) -> None:
    paths = [site / "numpy.py", site / "torch", site / "torch" / "lib" / "c10.dll"]
    before = [path.stat().st_mode for path in paths]
    snapshot.take([str(site)])
    for path in reversed(paths):
        path.chmod(mode)
    if notes:
        # Whoever is no administrator cannot read the folder.
        with contextlib.suppress(SnapshotError):
            snapshot.note_changes()
    snapshot.verify()
    assert snapshot.restore().problems == ()
    assert [path.stat().st_mode for path in paths] == before
    assert snapshot.restore().returned == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_folder_that_cannot_be_written_to_is_filled_again(site: Path, snapshot: Snapshot) -> None:
    (site / "torch").chmod(0o500)
    before = read_tree(site)
    snapshot.take([str(site)])
    (site / "torch").chmod(0o700)
    (site / "torch" / "__init__.py").unlink()
    (site / "torch").chmod(0o400)
    assert snapshot.restore().problems == ()
    assert (site / "torch").stat().st_mode & 0o777 == 0o500 and read_tree(site) == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_modes_that_a_person_changed_later_stay(site: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    (site / "numpy.py").chmod(0o600)
    (site / "torch" / "lib").chmod(0o700)
    assert snapshot.list_changed_since() == []
    snapshot.restore()
    assert (site / "numpy.py").stat().st_mode & 0o777 == 0o600
    assert (site / "torch" / "lib").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("notes", [True, False])
def test_file_that_was_written_into_is_lost_and_no_other(site: Path, tmp_path: Path, notes: bool) -> None:
    before = read_tree(site)
    snapshot = Snapshot(tmp_path / "kept")
    snapshot.take([str(site)])
    change(site)
    with (site / "numpy.py").open("a") as file:
        file.write("y = 2\n")
    if notes:
        assert snapshot.note_changes() == (str(site / "numpy.py"),)
    restored = snapshot.restore()
    assert restored.lost == (str(site / "numpy.py"),) and restored.problems == ()
    assert read_tree(site) == {**before, "numpy.py": b"x = 1\ny = 2\n"}


def test_file_that_was_written_into_comes_back_from_a_copy(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots.os, "link", _refuse)
    before = read_tree(site)
    snapshot = Snapshot(tmp_path / "kept")
    snapshot.take([str(site)])
    with (site / "numpy.py").open("a") as file:
        file.write("y = 2\n")
    assert snapshot.restore().lost == () and read_tree(site) == before


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode on Windows")
def test_names_in_no_encoding(site: Path, snapshot: Snapshot) -> None:
    name = os.path.join(os.fsencode(site), b"\xff\xfe.py")
    with open(name, "wb") as file:
        file.write(b"x")
    snapshot.take([str(site)])
    os.unlink(name)
    snapshot.note_changes()
    assert snapshot.restore().returned == 1 and os.path.isfile(name)


def test_folder_that_is_not_there_is_empty(tmp_path: Path, snapshot: Snapshot) -> None:
    snapshot.take([str(tmp_path / "nowhere")])
    replace(tmp_path / "nowhere" / "file", "new")
    assert snapshot.restore().removed == 1


@pytest.mark.parametrize("name", ["manifest.jsonl", "changes.json"])
@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "",
        "{}",
        "[]",
        "7",
        '{"roots": []}\n{',
        "[" * 100_000,
        '{"after": {"x": [1]}}',
        "\0",
        "cut",
        "fifo",
    ],
    ids=lambda damage: damage[:20] or "empty",
)
def test_damaged_files_are_said(
    site: Path, snapshot: Snapshot, tmp_path: Path, name: str, damage: str
) -> None:
    snapshot.take([str(site)])
    change(site)
    snapshot.note_changes()
    before = read_tree(site)
    file = tmp_path / "kept" / name
    lines = file.read_text().splitlines(keepends=True)
    file.unlink()
    if damage == "fifo":
        if not hasattr(os, "mkfifo"):
            pytest.skip("this system has no pipes with a name")
        os.mkfifo(file)
    else:
        file.write_text("".join(lines[:-1]) if damage == "cut" else damage)
    with pytest.raises(SnapshotError, match=r"is damaged|not a regular file"):
        snapshot.restore()
    assert read_tree(site) == before
