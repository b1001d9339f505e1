"""`fleet` on Windows: patterns, several processes, the lock of an output, and a run that goes on."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fleet.conftest import make_facts

pytestmark = pytest.mark.windows


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "room"
    folder.mkdir()
    for number in range(5):
        facts = make_facts(driver=f"572.{number}")
        (folder / f"pc-{number}.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder


def test_processes_give_the_same_as_one(run_doctor, windows_path: Callable[[Path], str], room: Path) -> None:
    outputs = [room.with_name(f"{jobs}.jsonl") for jobs in (1, 2)]
    for jobs, output in enumerate(outputs, 1):
        arguments = ("--jobs", str(jobs), "--format", "jsonl", "--output", windows_path(output))
        result = run_doctor("fleet", windows_path(room), *arguments)
        assert (result.returncode, result.stderr) == (0, "")
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_run_goes_on_after_a_cut(run_doctor, windows_path: Callable[[Path], str], room: Path) -> None:
    output = room.with_name("rows.jsonl")
    arguments = ("fleet", windows_path(room), "--format", "jsonl", "--output", windows_path(output))
    run_doctor(*arguments)
    whole = output.read_bytes()
    output.unlink()
    output.with_name("rows.jsonl.torchdoctor-part").write_bytes(whole[:1500])
    assert (run_doctor(*arguments).returncode, output.read_bytes()) == (0, whole)


def test_pattern_stands_for_files(run_doctor, windows_path: Callable[[Path], str], room: Path) -> None:
    result = run_doctor("fleet", windows_path(room / "pc-*.json"), "--before-training")
    assert result.returncode == 0 and result.stdout.startswith("5 machines: 5 without findings."), (
        result.stdout
    )
