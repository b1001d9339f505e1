"""`run` keeps the output of the last failed run, and `explain --last` explains it again."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from torchdoctor.terminal.last_failure import find_failure_file, keep_failure, read_failure

FAIL = "raise SystemExit('OSError: [WinError 1455] x')"
RunCode = Callable[[str], None]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "own-cache"
    monkeypatch.setenv("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", str(folder))
    return folder


def run_code(code: str) -> int:
    command = [sys.executable, "-m", "torchdoctor", "run", "--", sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True).returncode


def test_failed_run_can_be_explained_again(torchdoctor, cache: Path) -> None:
    run_code(FAIL)
    result = torchdoctor("explain", "--last")
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True), result.stderr
    assert str(cache) in result.stderr and result.stderr.count("\n") == 1


def test_exit_code_is_kept_with_the_output(torchdoctor, cache: Path) -> None:
    run_code("import os; os._exit(77)")
    assert find_failure_file().read_bytes().endswith(b"exit code 77\n")


def test_next_failed_run_replaces_it(cache: Path) -> None:
    run_code("raise SystemExit('first')")
    run_code("raise SystemExit('second')")
    assert b"first" not in find_failure_file().read_bytes() and b"second" in find_failure_file().read_bytes()
    assert os.listdir(find_failure_file().parent) == ["last-failed-run.txt"]


def test_successful_run_keeps_nothing(cache: Path) -> None:
    run_code("print('fine')")
    assert not cache.exists()


def test_keeps_the_end_of_a_long_output(cache: Path) -> None:
    keep_failure(b"x" * (3 << 20) + b"the end")
    kept = find_failure_file().read_bytes()
    assert (len(kept), kept[-7:]) == (1 << 20, b"the end")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_only_the_user_can_read_it(cache: Path) -> None:
    keep_failure(b"x")
    assert [
        find_failure_file().stat().st_mode & 0o777,
        find_failure_file().parent.stat().st_mode & 0o777,
    ] == [
        0o600,
        0o700,
    ]


@pytest.mark.skipif(os.name == "nt", reason="links and named pipes need other calls on Windows")
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_link_or_pipe_in_its_place_is_left_alone(cache: Path, tmp_path: Path, kind: str) -> None:
    other = tmp_path / "other.txt"
    other.write_text("mine")
    find_failure_file().parent.mkdir(parents=True)
    if kind == "link":
        find_failure_file().symlink_to(other)
    else:
        os.mkfifo(find_failure_file())
    assert run_code(FAIL) == 1
    assert other.read_text() == "mine"


def test_cache_folder_that_cannot_be_written_does_not_break_a_run(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    assert run_code("raise SystemExit(41)") == 41


def test_no_failed_run_is_a_usage_error(torchdoctor, cache: Path) -> None:
    result = torchdoctor("explain", "--last")
    assert (result.returncode, result.stderr.count("\n"), read_failure()) == (2, 1, None), result.stderr
