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


def test_timings_are_printed_on_stderr(torchdoctor) -> None:
    assert "probe memory" in torchdoctor("scan", "--no-trials", "-v").stderr
