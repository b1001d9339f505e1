"""A child that prints, hangs or dies gives an ending, and nothing of it is left."""

import os
import sys
import time

import psutil
import pytest

from torchdoctor.processes.child import TAIL_BYTES, ChildError, run_child


def _run(code: str, limit: float = 20.0, stdin: bytes = b""):
    return run_child([sys.executable, "-c", code], time_limit_seconds=limit, stdin=stdin)


def test_output_and_exit_code() -> None:
    ended = _run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (ended.exit_code, ended.stdout_tail, ended.stderr_tail) == (3, "out\n", "err\n")


def test_only_the_tail_of_megabytes_is_kept() -> None:
    ended = _run("for i in range(300000): print(i, 'x' * 20)")
    assert len(ended.stdout_tail) <= TAIL_BYTES
    assert "299999" in ended.stdout_tail


def test_many_small_writes_keep_their_tail() -> None:
    ended = _run("import sys\nfor i in range(3000): sys.stdout.write(f'{i} '); sys.stdout.flush()")
    assert ended.stdout_tail.startswith("0 1 2 ")


def test_time_limit_ends_it() -> None:
    started = time.monotonic()
    ended = _run("import time; time.sleep(60)", limit=1.0)
    assert ended.exit_code is None
    assert time.monotonic() - started < 10


def test_grandchildren_are_ended_too() -> None:
    code = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(p.pid, flush=True); time.sleep(60)"
    )
    _wait_for_end(int(_run(code, limit=2.0).stdout_tail))


def _wait_for_end(pid: int) -> None:
    deadline = time.monotonic() + 5
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_what_it_leaves_running_is_ended() -> None:
    ended = _run(
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(p.pid, flush=True)\n"
    )
    assert ended.exit_code == 0
    _wait_for_end(int(ended.stdout_tail))


def test_input_that_is_not_read_does_not_block() -> None:
    assert _run("import os; os._exit(0)", stdin=b"x" * 10_000_000).exit_code == 0


def test_bytes_that_are_no_text() -> None:
    assert "\ufffd" in _run("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')").stdout_tail


def test_program_that_is_not_there() -> None:
    with pytest.raises(ChildError, match="no-such-program"):
        run_child([os.path.join("no", "no-such-program")], time_limit_seconds=1.0)
