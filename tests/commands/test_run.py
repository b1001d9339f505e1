"""`torchdoctor run` passes on output, input, exit status and signals, and leaves no process running."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from torchdoctor.commands.run import RunRequest, _write_bounds, parse_arguments
from torchdoctor.core.usage import UsageError
from torchdoctor.terminal.last_failure import read_failure

DOCTOR = [sys.executable, "-m", "torchdoctor", "run"]
# A program whose exit code is 40 plus the number of signals that it received.
COUNT_SIGNALS = """
import signal, sys, time
seen = []
signal.signal({}, lambda *a: seen.append(1))
print("ready", flush=True)
deadline = time.monotonic() + 10
while not seen and time.monotonic() < deadline:
    time.sleep(0.1)
time.sleep(0.5)
sys.exit(40 + len(seen))
"""
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("train.py --lr 1", RunRequest(("train.py", "--lr", "1"))),
        ("--safe-loader train.py --python x", RunRequest(("train.py", "--python", "x"), safe_loader=True)),
        ("--python py -m pkg.train -- -x", RunRequest(("-m", "pkg.train", "--", "-x"), python="py")),
        ("-- cmd --safe-loader", RunRequest(("cmd", "--safe-loader"), is_command=True)),
        ("--write-launcher=a.bat t.py", RunRequest(("t.py",), launcher="a.bat")),
    ],
    ids=["script", "options-end-at-script", "module", "command", "launcher"],
)
def test_arguments_after_the_program_belong_to_it(arguments: str, expected: RunRequest) -> None:
    assert parse_arguments(arguments.split()) == expected


@pytest.mark.parametrize("arguments", ["", "--safe-loader", "--nonsense t.py", "--python", "-m", "--"])
def test_refuses_invalid_arguments(arguments: str) -> None:
    with pytest.raises(UsageError):
        parse_arguments(arguments.split())


def test_output_is_passed_on_unchanged(run) -> None:
    source = "import os\nos.write(1, bytes(range(256)) * 2000)\nos.write(2, b'\\xff\\r\\n\\x00')\n"
    result, direct = run(source), run(source, options=None)
    assert (result.stdout, result.stderr) == (direct.stdout, direct.stderr)


def test_output_is_passed_on_immediately() -> None:
    source = "import sys, time; print('ready', flush=True); time.sleep(30)"
    process = subprocess.Popen([*DOCTOR, "--", sys.executable, "-c", source], stdout=subprocess.PIPE)
    started = time.monotonic()
    assert process.stdout.readline().strip() == b"ready"
    process.terminate()
    process.communicate(timeout=20)
    assert time.monotonic() - started < 20


def test_input_and_exit_status_are_passed_on(run) -> None:
    result = run("import sys; print(input()); sys.exit(41)", stdin=b"hello\n")
    assert (result.stdout.strip(), result.returncode) == (b"hello", 41)


def test_program_sees_its_own_arguments_and_name(run) -> None:
    source = (
        "import sys; print(__name__, sys.argv[1:], sys.path[0] == __file__.rpartition('program.py')[0][:-1])"
    )
    assert run(source, "*.py", "--x", options=("--safe-loader",)).stdout.split(b"\n")[0].strip() == (
        b"__main__ ['*.py', '--x'] True"
    )


def test_success_prints_nothing_on_stderr(run) -> None:
    assert run("print(1)", options=("--safe-loader",)).stderr == b""


def test_failure_is_explained_on_stderr(run) -> None:
    result = run("raise OSError('[WinError 1455] The paging file is too small')")
    assert result.returncode == 1
    assert b"paging-file-too-small" in result.stderr and result.stdout == b""


def test_unknown_failure_is_one_line(run) -> None:
    result = run("import sys; sys.exit('no such animal')")
    assert result.stderr.strip().count(b"\n") == 1
    assert b"exit code 1" in result.stderr


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_exit_code_of_a_worker_is_kept(tmp_path: Path, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"{method} does not exist here")
    program = tmp_path / "workers.py"
    program.write_text(
        "import multiprocessing, os, sys\n"
        "def exits(code):\n    os._exit(code)\n"
        "def sleeps():\n    import time; time.sleep(99)\n"
        "if __name__ == '__main__':\n"
        f"    context = multiprocessing.get_context({method!r})\n"
        "    workers = [context.Process(target=exits, args=(code,)) for code in (0, 1, 41)]\n"
        "    workers.append(context.Process(target=sleeps))\n"
        "    for worker in workers: worker.start()\n"
        "    workers[-1].terminate()\n"
        "    for worker in workers: worker.join()\n"
        "    print(workers[2].pid)\n"
        "    sys.exit(5)\n",
        encoding="utf-8",
    )
    result = subprocess.run([*DOCTOR, program], capture_output=True, text=True)
    assert result.returncode == 5, result.stderr
    lines = [line for line in read_failure().output.decode().splitlines() if line.startswith("Worker")]
    assert lines == [f"Worker process {int(result.stdout)} finished with exit code 41"]


def test_missing_program_is_a_usage_error() -> None:
    result = subprocess.run([*DOCTOR, "--", "no-such-program-here"], capture_output=True, text=True)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_sitecustomize_of_the_user_still_runs(run, tmp_path: Path, monkeypatch) -> None:
    user_folder = tmp_path / "own"
    user_folder.mkdir()
    (user_folder / "sitecustomize.py").write_text("import sys; sys.flavour = 'mine'", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(user_folder))
    assert run("import sys; print(sys.flavour)", options=("--safe-loader",)).stdout.strip() == b"mine"


@posix
def test_ends_with_the_signal_that_ended_the_program() -> None:
    result = subprocess.run([*DOCTOR, "--", "sh", "-c", "kill -SEGV $$"], capture_output=True)
    assert result.returncode == -signal.SIGSEGV


def _send_to_group(process: int, number: int) -> None:
    """Send a signal to a process and its group; the others handle it first."""
    os.kill(process, signal.SIGSTOP)
    while psutil.Process(process).status() != psutil.STATUS_STOPPED:
        time.sleep(0.01)
    os.killpg(process, number)
    time.sleep(0.2)
    os.kill(process, signal.SIGCONT)


@posix
@pytest.mark.parametrize("send", [os.kill, _send_to_group], ids=["alone", "group"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"])
def test_signal_reaches_the_program_once(name: str, send: Callable[[int, int], None]) -> None:
    number = signal.Signals[name]
    # Whoever runs the tests may ignore it, as nohup does.
    before = signal.signal(number, signal.SIG_DFL)
    process = subprocess.Popen(
        [*DOCTOR, "--", sys.executable, "-c", COUNT_SIGNALS.format(int(number))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    signal.signal(number, before)
    assert process.stdout.readline().strip() == b"ready"
    send(process.pid, number)
    process.communicate(timeout=60)
    assert process.returncode == 41


@posix
def test_ctrl_c_at_a_terminal_reaches_the_program_once() -> None:
    import pty

    process, terminal = pty.fork()
    if not process:
        os.execv(
            sys.executable, [*DOCTOR, "--", sys.executable, "-c", COUNT_SIGNALS.format(int(signal.SIGINT))]
        )
    while b"ready" not in os.read(terminal, 4096):
        pass
    os.write(terminal, b"\x03")
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 41


@posix
def test_ctrl_c_ends_the_whole_process_tree() -> None:
    source = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', "
        "'import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(120)'])\n"
        "print(child.pid, flush=True)\ntime.sleep(120)"
    )
    process = subprocess.Popen(
        [*DOCTOR, "--", sys.executable, "-c", source],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    grandchild = int(process.stdout.readline())
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert not psutil.pid_exists(grandchild)


@posix
def test_process_left_running_is_ended(run) -> None:
    result = run(
        "import subprocess, sys\n"
        "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(120)']).pid)"
    )
    assert not psutil.pid_exists(int(result.stdout))


@posix
def test_program_keeps_the_terminal_and_its_failure_is_explained() -> None:
    import pty

    master, slave = pty.openpty()
    source = "import sys; print(sys.stdout.isatty(), sys.stderr.isatty()); raise OSError('[WinError 1455] x')"
    process = subprocess.Popen([*DOCTOR, "--", sys.executable, "-c", source], stdout=slave, stderr=slave)
    os.close(slave)
    output = b""
    try:
        while chunk := os.read(master, 4096):
            output += chunk
    except OSError:
        pass
    process.wait(timeout=60)
    os.close(master)
    assert b"True True" in output and b"paging-file-too-small" in output


def test_writes_no_bounds_for_a_program_that_has_ended(tmp_path: Path) -> None:
    _write_bounds(str(tmp_path / "removed" / "bounds.json"))
    assert list(tmp_path.iterdir()) == []


def test_launcher_of_an_argument_with_a_line_end_is_refused(torchdoctor, tmp_path: Path) -> None:
    result = torchdoctor("run", "--write-launcher", str(tmp_path / "go.bat"), "train.py", "a\nb")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr
    assert list(tmp_path.iterdir()) == []
