"""The lines of a run that was cut off are kept, and only those that the next run would write."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fleet.conftest import make_facts
from torchdoctor.core.line_file import LineFile
from torchdoctor.core.usage import UsageError

COUNT = 40


@pytest.fixture
def folder(room) -> Path:
    return room(**{f"pc{number:03d}": make_facts(driver=f"57{number % 4}.16") for number in range(COUNT)})


@pytest.fixture
def write(torchdoctor, folder: Path, tmp_path: Path):
    """Return a function that runs `fleet`, and returns the bytes that it wrote."""
    output = tmp_path / "rows.jsonl"

    def run(*arguments: str) -> bytes:
        result = torchdoctor("fleet", str(folder), "--format", "jsonl", "--output", str(output), *arguments)
        assert result.returncode == 0, result.stderr
        assert not output.with_name("rows.jsonl.torchdoctor-part").exists()
        return output.read_bytes()

    return run


@pytest.mark.parametrize("cut", [0, 1, 5001, -1])
def test_run_goes_on_after_the_last_whole_line(write, tmp_path: Path, cut: int) -> None:
    whole = write()
    (tmp_path / "rows.jsonl").unlink()
    part = tmp_path / "rows.jsonl.torchdoctor-part"
    part.write_bytes(whole[:cut])
    assert write() == whole


def test_machines_that_did_not_change_are_not_examined_again(write, monkeypatch, tmp_path: Path) -> None:
    whole = write()
    # Whoever examined a machine again would not write this.
    marked = whole.replace(b'"572.16"', b'"999.99"')
    (tmp_path / "rows.jsonl").write_bytes(marked)
    assert write() == marked


def test_facts_that_changed_are_examined_again(write, folder: Path) -> None:
    before = write()
    (folder / "pc020.json").write_text(json.dumps(make_facts(torch="2.7.0+cu126")), encoding="utf-8")
    after = write()
    lines, others = before.splitlines(), after.splitlines()
    assert [number for number in range(COUNT) if lines[number] != others[number]] == [20]


def test_other_settings_examine_all_again(write, tmp_path: Path) -> None:
    whole = write()
    marked = whole.replace(b'"572.16"', b'"999.99"')
    (tmp_path / "rows.jsonl").write_bytes(marked)
    assert b"999.99" not in write("--select", "install")


@pytest.mark.parametrize(
    "garbage", [b"\x00" * 1000, b"{}\n" * 5, b'{"digest": "1"}\n', b"\n", b"[" * 100_000]
)
def test_what_is_no_line_of_ours_is_replaced(write, tmp_path: Path, garbage: bytes) -> None:
    whole = write()
    (tmp_path / "rows.jsonl").write_bytes(garbage)
    assert write() == whole


def test_killed_run_is_finished_by_the_next(write, folder: Path, room, tmp_path: Path) -> None:
    room(**{f"more{number:03d}": make_facts(driver=f"572.{number}") for number in range(400)})
    whole = write()
    output = tmp_path / "rows.jsonl"
    output.unlink()
    part = output.with_name("rows.jsonl.torchdoctor-part")
    command = [sys.executable, "-m", "torchdoctor", "fleet", str(folder), "--jobs", "2"]
    process = subprocess.Popen([*command, "--format", "jsonl", "--output", str(output)])
    deadline = time.monotonic() + 60
    while (
        time.monotonic() < deadline and not (part.exists() and part.stat().st_size) and process.poll() is None
    ):
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert write("--jobs", "2") == whole


def test_second_run_at_the_same_time_is_refused(tmp_path: Path) -> None:
    with LineFile(tmp_path / "rows.jsonl"), pytest.raises(UsageError, match="another run is writing it"):
        LineFile(tmp_path / "rows.jsonl")


def test_failed_run_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    output = tmp_path / "rows.jsonl"
    output.write_bytes(b"old\n")
    lines = LineFile(output)
    lines.write(b"new\n")
    lines.__exit__(ZeroDivisionError, None, None)
    assert output.read_bytes() == b"old\n"


def test_folder_that_cannot_be_written_is_one_line(torchdoctor, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "no" / "rows.jsonl"
    result = torchdoctor("fleet", str(folder), "--format", "jsonl", "--output", str(output))
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    "arguments",
    [(), ("room", "--select", "nosuch"), ("room", "--format", "parquet", "--output", "no/x.parquet")],
    ids=["no input", "no such check", "another output"],
)
def test_wrong_arguments_leave_what_is_written(write, torchdoctor, tmp_path: Path, arguments) -> None:
    whole = write()
    output = tmp_path / "rows.jsonl"
    part = output.with_name("rows.jsonl.torchdoctor-part")
    output.rename(part)
    folder = [str(tmp_path / each) if each == "room" else each for each in arguments]
    result = torchdoctor("fleet", *folder[:1], "--format", "jsonl", "--output", str(output), *folder[1:])
    assert (result.returncode, part.read_bytes()) == (2, whole)


def test_interrupted_run_leaves_what_was_not_read_yet(tmp_path: Path) -> None:
    output = tmp_path / "rows.jsonl"
    part = output.with_name("rows.jsonl.torchdoctor-part")
    part.write_bytes(b'{"digest": "1"}\n{"digest": "2"}\n')
    lines = LineFile(output)
    assert lines.take_known("1", dict) is not None
    lines.__exit__(KeyboardInterrupt, None, None)
    assert part.read_bytes() == b'{"digest": "1"}\n{"digest": "2"}\n'


def test_link_stays_a_link(write, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "rows.jsonl").symlink_to(real / "rows.jsonl")
    whole = write()
    assert (tmp_path / "rows.jsonl").is_symlink() and (real / "rows.jsonl").read_bytes() == whole


def test_problem_that_is_gone_is_not_kept(torchdoctor, room, tmp_path: Path) -> None:
    folder = room(a=make_facts())
    (folder / "b.json").symlink_to(tmp_path / "nowhere.json")
    arguments = ("fleet", str(folder), "--format", "jsonl", "--output", str(tmp_path / "rows.jsonl"))
    assert torchdoctor(*arguments).returncode == 2
    (tmp_path / "nowhere.json").write_text(json.dumps(make_facts()), encoding="utf-8")
    assert torchdoctor(*arguments).returncode == 0


def test_files_of_others_with_such_names_stay(tmp_path: Path) -> None:
    output = tmp_path / "rows.jsonl"
    others = tmp_path / "rows.jsonl.part", tmp_path / "rows.jsonl.torchdoctor-part"
    for other in others:
        other.write_text("the user's own", encoding="utf-8")
    with pytest.raises(UsageError, match="not a file of torchdoctor"):
        LineFile(output)
    assert [other.read_text(encoding="utf-8") for other in others] == ["the user's own"] * 2


def test_link_in_the_place_of_the_part_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious.txt"
    target.write_text("{}", encoding="utf-8")
    try:
        (tmp_path / "rows.jsonl.torchdoctor-part").symlink_to(target)
    except OSError as error:
        pytest.skip(f"links cannot be made here: {error}")
    with pytest.raises(UsageError, match="a link"):
        LineFile(tmp_path / "rows.jsonl")
    assert target.read_text(encoding="utf-8") == "{}"
