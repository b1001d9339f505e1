"""`repair --undo` brings everything back, or says in one line why it changes nothing."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.repair.conftest import Environment, make_wheel


@pytest.fixture
def repaired(outdated: Environment) -> Environment:
    outdated.planted = outdated.digest()  # type: ignore[attr-defined]
    result = outdated.repair("--yes")
    assert result.returncode == 0 and outdated.works(), result.stderr
    return outdated


def find_repair(environment: Environment) -> Path:
    [journal] = environment.state.glob("repairs/*/journal.jsonl")
    return journal.parent


def die_in_undo(environment: Environment, renames: int, by: str) -> None:
    """Run an undo that is killed, or interrupted, when it has put some files back."""
    act = "os._exit(9)" if by == "kill" else "raise KeyboardInterrupt"
    code = (
        "import os, sys\n"
        f"replace, left = os.replace, [{renames}]\n"
        "def die(*arguments):\n"
        "    left[0] -= 1\n"
        f"    if left[0] < 0: {act}\n"
        "    return replace(*arguments)\n"
        "os.replace = die\n"
        "from torchdoctor.__main__ import main\n"
        "sys.argv = ['torchdoctor', 'repair', '--undo']; main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment.variables}, capture_output=True
    )
    assert ended.returncode == (9 if by == "kill" else 130), ended.stderr


@pytest.mark.parametrize(
    ("by", "renames", "way"),
    [("kill", 1, "undo"), ("interrupt", 2, "undo"), ("kill", 2, "repair"), ("interrupt", 1, "repair")],
)
def test_undo_that_was_cut_off_can_be_finished(
    repaired: Environment, by: str, renames: int, way: str
) -> None:
    die_in_undo(repaired, renames, by)
    assert "cut off" in repaired.repair("--list").stdout
    if way == "undo":
        result = repaired.repair("--undo")
        assert result.returncode == 0, result.stderr
        assert repaired.digest() == repaired.planted  # type: ignore[attr-defined]
    else:
        result = repaired.repair("--yes")
        assert result.returncode == 0 and repaired.works(), result.stderr


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
@pytest.mark.parametrize("linked", ["site-packages", "tinydep"])
def test_packages_behind_a_link_come_back(outdated: Environment, linked: str) -> None:
    folder = outdated.site if linked == "site-packages" else outdated.site / linked
    real = outdated.folder.parent / "elsewhere"
    folder.rename(real)
    folder.symlink_to(real)
    before = {file: file.read_bytes() for file in real.rglob("*.py")}
    assert outdated.repair("--yes").returncode == 0 and outdated.works()
    undone = outdated.repair("--undo")
    assert undone.returncode == 0, undone.stderr
    assert {file: file.read_bytes() for file in real.rglob("*.py")} == before
    assert folder.is_symlink() and not outdated.works()


def cut_off(environment: Environment) -> None:
    """Kill a repair when pip has done its work, before that is noted."""
    code = (
        "import os, sys; from torchdoctor.repair import running\n"
        "running._note_changes = lambda *_: os._exit(9)\n"
        "from torchdoctor.__main__ import main\n"
        f"sys.argv = ['torchdoctor', *{environment.make_command('--yes')!r}]; main()"
    )
    env = {**os.environ, **environment.variables}
    assert subprocess.run([sys.executable, "-c", code], env=env, capture_output=True).returncode == 9


@pytest.mark.parametrize("way", ["undo", "repair"])
def test_what_was_installed_after_a_cut_off_repair_stays(outdated: Environment, way: str) -> None:
    cut_off(outdated)
    assert outdated.works()
    time.sleep(4)
    make_wheel(outdated.wheels, "later", "1.0", {"later/__init__.py": "x = 1\n"})
    outdated.install("later")
    result = outdated.repair("--undo") if way == "undo" else outdated.repair("--yes")
    assert result.returncode == 0, result.stderr
    assert outdated.works() is (way == "repair")
    outdated.pip("check") if way == "repair" else None
    subprocess.run([outdated.python, "-c", "import later; later.x"], check=True)


@pytest.mark.parametrize("way", ["undo", "repair"])
def test_what_was_mended_by_hand_after_a_cut_off_repair_stays(outdated: Environment, way: str) -> None:
    cut_off(outdated)
    time.sleep(4)
    outdated.install("--force-reinstall", "--no-deps", "tinydep==2.0")
    before = outdated.digest()
    result = outdated.repair("--undo") if way == "undo" else outdated.repair("--yes")
    assert result.returncode == (2 if way == "undo" else 0)
    assert "changed after this repair" in result.stderr
    assert outdated.works() and outdated.digest() == before
    # It is asked once.
    assert outdated.repair("--yes").stderr == "" or way == "undo"


def test_cut_off_repair_is_not_taken_back_under_a_running_program(outdated: Environment) -> None:
    cut_off(outdated)
    before = outdated.digest()
    with subprocess.Popen([outdated.python, "-c", "input()"], stdin=subprocess.PIPE) as process:
        time.sleep(0.5)
        for options in (("--undo",), ("--yes",)):
            result = outdated.repair(*options)
            assert result.returncode in (1, 2) and str(process.pid) in result.stderr
            assert outdated.digest() == before
        process.communicate(b"\n", timeout=20)
    assert "was cut off in its step" in outdated.repair("--dry-run").stderr
    assert outdated.repair("--undo").returncode == 0 and not outdated.works()


def test_undo_leaves_what_was_uninstalled_later(repaired: Environment) -> None:
    repaired.pip("uninstall", "-y", "setuptools")
    later = sorted(each.name for each in repaired.site.iterdir())
    assert repaired.repair("--undo").returncode == 0
    now = sorted(each.name for each in repaired.site.iterdir())
    assert [each for each in now if not each.startswith("tinydep")] == [
        each for each in later if not each.startswith("tinydep")
    ]


def test_undo_waits_until_the_folder_is_back(repaired: Environment) -> None:
    away = repaired.folder.with_name("away")
    repaired.folder.rename(away)
    result = repaired.repair("--undo")
    assert result.returncode == 2 and "is not there" in result.stderr
    away.rename(repaired.folder)
    assert repaired.repair("--undo").returncode == 0
    assert repaired.digest() == repaired.planted  # type: ignore[attr-defined]


@pytest.mark.parametrize("lost", ["snapshots", "snapshots/1/files"])
def test_undo_without_what_was_kept_changes_nothing(repaired: Environment, lost: str) -> None:
    path = find_repair(repaired) / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = repaired.digest()
    result = repaired.repair("--undo")
    assert result.returncode == 1 and repaired.digest() == before and repaired.works()
    said = " ".join((result.stdout + result.stderr).split())
    assert said.startswith("not brought back: ") and said.count("not brought back: ") == 1
    assert repaired.repair("--yes").returncode == 0


DAMAGED = (
    '{"event": "step"}',
    '{"event": "step", "number": [1], "name": "x", "snapshot": "y", "variables": {}, "values": {}}',
    '{"event": "step", "number": 1, "name": "x", "snapshot": 7, "variables": {}, "values": {}}',
    '{"event": "step", "number": 1, "name": "x", "snapshot": "y", "variables": [], "values": {}}',
    '{"event": "step", "number": 1, "name": "x", "snapshot": "y", "variables": {"A": 7}, "values": {}}',
    '{"event": "started"}',
    "[" * 100_000,
    "\0\1",
    "7",
)


def test_damaged_journals_stop_no_other_repair(repaired: Environment) -> None:
    for number, line in enumerate(DAMAGED):
        damaged = repaired.state / "repairs" / f"20200101-000000-{number}"
        damaged.mkdir()
        (damaged / "journal.jsonl").write_text(f"{line}\n")
        named = repaired.repair("--undo", damaged.name)
        said = " ".join(named.stdout.split())
        assert named.returncode == 1 and said.startswith("not brought back: ") and not named.stderr, line
        assert "is damaged" in said, line
    listed = repaired.repair("--list")
    assert listed.returncode == 0 and "can be undone" in listed.stdout
    assert listed.stdout.count("is damaged") == len(DAMAGED)
    assert repaired.repair("--undo").returncode == 0
    again = repaired.repair("--yes")
    assert again.returncode == 0 and again.stderr.count("it is left out") == len(DAMAGED) and repaired.works()


def test_line_that_a_power_failure_cut_is_dropped(repaired: Environment) -> None:
    journal = find_repair(repaired) / "journal.jsonl"
    with journal.open("a") as file:
        file.write('{"event": "und')
    assert repaired.repair("--undo").returncode == 0
    events = [json.loads(line)["event"] for line in journal.read_text().splitlines()]
    assert events[-2:] == ["undoing", "undone"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_lock_that_cannot_be_written_is_one_line(repaired: Environment) -> None:
    lock = repaired.state / "repairs" / "lock"
    lock.unlink()
    lock.symlink_to("/dev/full")
    result = repaired.repair("--undo")
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, result.stderr
