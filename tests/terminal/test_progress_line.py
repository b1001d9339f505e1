"""Progress is shown on terminals only, and timings only with --verbose."""

import io
import json
import sys

import jsonschema

from torchdoctor.commands.schema import read_schema
from torchdoctor.terminal.progress_line import ProgressLine


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _watch(stream: io.StringIO, monkeypatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with ProgressLine() as progress:
        progress.watch("torch_import_trial", True)
        progress.watch("torch_import_trial", False)
    return stream.getvalue()


def test_terminal_shows_what_is_examined(monkeypatch) -> None:
    assert "examining: torch import trial" in _watch(_Terminal(), monkeypatch)


def test_line_is_cleared_at_the_end(monkeypatch) -> None:
    assert _watch(_Terminal(), monkeypatch).endswith(" \r")


def test_pipe_gets_no_progress(monkeypatch) -> None:
    assert _watch(io.StringIO(), monkeypatch) == ""


def test_scan_in_a_pipe_prints_nothing_on_stderr(torchdoctor) -> None:
    assert torchdoctor("scan", "--no-trials").stderr == ""


def test_timings_are_valid_json(torchdoctor) -> None:
    data = json.loads(torchdoctor("scan", "--no-trials", "--verbose", "--format", "json").stdout)
    jsonschema.validate(data, json.loads(read_schema("report").text))
    decided_names = {item["name"] for item in data["outcomes"] if item["status"] != "skipped"}
    assert decided_names <= set(data["timings"]["checks_seconds"])


def test_longest_times_are_printed_on_stderr(torchdoctor) -> None:
    lines = torchdoctor("scan", "--no-trials", "-v").stderr.splitlines()
    seconds = [float(line.split()[1]) for line in lines]
    assert (len(lines), seconds) == (5, sorted(seconds, reverse=True))


def test_files_are_counted_with_the_time_that_is_left(monkeypatch) -> None:
    stream, clock = _Terminal(), iter([0.0, 1.0, 10.0, 100.0])
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("torchdoctor.terminal.progress_line.time.monotonic", lambda: next(clock))
    with ProgressLine() as progress:
        for done in (1, 10, 250, 500):
            progress.count(done, 1500)
    texts = [line.strip() for line in stream.getvalue().split("\r") if line.strip()]
    assert texts == [
        "examining: training code, 1 of 1,500 files",
        "examining: training code, 10 of 1,500 files",
        "examining: training code, 250 of 1,500 files, about 50 s left",
        "examining: training code, 500 of 1,500 files, about 3 min left",
    ]
