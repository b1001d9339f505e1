"""A child that prints, hangs or crashes gives a result and leaves no process running."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from torchdoctor.processes.child import TAIL_BYTES, ChildError, run_child


def _run(code: str, limit: float = 20.0, stdin: bytes = b""):
    return run_child([sys.executable, "-c", code], time_limit_seconds=limit, stdin=stdin)


def test_returns_output_and_exit_code() -> None:
    result = _run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (result.exit_code, result.stdout_tail, result.stderr_tail) == (3, "out\n", "err\n")


def test_keeps_only_the_end_of_long_output() -> None:
    result = _run("for i in range(300000): print(i, 'x' * 20)")
    assert len(result.stdout_tail) <= TAIL_BYTES
    assert "299999" in result.stdout_tail


def test_keeps_many_small_writes() -> None:
    result = _run("import sys\nfor i in range(3000): sys.stdout.write(f'{i} '); sys.stdout.flush()")
    assert result.stdout_tail.startswith("0 1 2 ")


def test_time_limit_ends_the_child() -> None:
    started = time.monotonic()
    result = _run("import time; time.sleep(60)", limit=1.0)
    assert result.exit_code is None
    assert time.monotonic() - started < 10


def test_time_limit_ends_grandchildren() -> None:
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


def test_process_left_running_is_ended() -> None:
    result = _run(
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(p.pid, flush=True)\n"
    )
    assert result.exit_code == 0
    _wait_for_end(int(result.stdout_tail))


def test_unread_input_does_not_block() -> None:
    assert _run("import os; os._exit(0)", stdin=b"x" * 10_000_000).exit_code == 0


def test_replaces_bytes_that_are_not_text() -> None:
    assert "\ufffd" in _run("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')").stdout_tail


def test_missing_program_raises_child_error() -> None:
    with pytest.raises(ChildError, match="no-such-program"):
        run_child([os.path.join("no", "no-such-program")], time_limit_seconds=1.0)


# A process that leaves the session, the parent and the pipes of its child, and writes its number to a file.
_LEAVES = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3):
            os.close(number)
        with open(sys.argv[1], "w") as file:
            file.write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
while not (os.path.exists(sys.argv[1]) and os.path.getsize(sys.argv[1])):
    time.sleep(0.01)
"""
on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="the variables of a process are read from /proc"
)


@on_linux
@pytest.mark.parametrize("after", ["", "time.sleep(60)"])
def test_process_that_left_is_ended(tmp_path: Path, after: str) -> None:
    file = tmp_path / "process"
    run_child([sys.executable, "-c", _LEAVES + after, str(file)], time_limit_seconds=3.0)
    _wait_for_end(int(file.read_text()))


@on_linux
def test_death_of_the_doctor_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "process"
    code = "import sys; from torchdoctor.processes.child import run_child; "
    code += "run_child([sys.executable, '-c', *sys.argv[1:]], time_limit_seconds=60.0)"
    doctor = subprocess.Popen([sys.executable, "-c", code, _LEAVES + "time.sleep(60)", str(file)])
    deadline = time.monotonic() + 20
    while not (file.exists() and file.stat().st_size):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    [child] = [
        each for each in psutil.Process(doctor.pid).children() if _LEAVES[:20] in " ".join(each.cmdline())
    ]
    doctor.kill()
    doctor.wait()
    _wait_for_end(child.pid)
    _wait_for_end(int(file.read_text()))
