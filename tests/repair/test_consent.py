"""On a terminal, each step is asked for; an answer that is neither yes nor no is asked for again."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import wait_until_ready
from tests.repair.conftest import Environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals in Python")


CTRL_C = "Ctrl-C"


def converse(environment: Environment, answers: dict[str, str]) -> tuple[int, str]:
    """Run `repair` on a terminal, and type each answer when its question is shown; an empty one is Ctrl-D."""
    master, slave = os.openpty()
    command = [sys.executable, "-m", "torchdoctor", *environment.make_command()]
    variables = {**os.environ, **environment.variables, "TERM": "dumb"}
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=variables)
    os.close(slave)
    shown, pending = b"", dict(answers)
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        try:
            if not wait_until_ready(master, 1)[0]:
                continue
            chunk = os.read(master, 4096)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
        for question, answer in list(pending.items()):
            if question.encode() in shown:
                if answer == CTRL_C:
                    process.send_signal(signal.SIGINT)
                else:
                    os.write(master, f"{answer}\n".encode() if answer else b"\x04")
                del pending[question]
    process.wait(timeout=30) if time.monotonic() < deadline else process.kill()
    os.close(master)
    return process.returncode, shown.decode(errors="replace")


def test_yes(lacking: Environment) -> None:
    code, shown = converse(lacking, {"Run this step? [y/N]": "maybe", "Please answer y or n": "yes"})
    assert code == 0 and "Mended: it is not found any more" in shown, shown
    assert lacking.works()


@pytest.mark.parametrize("answer", ["n", " "])
def test_no(lacking: Environment, answer: str) -> None:
    planted = lacking.digest()
    code, shown = converse(lacking, {"Run this step? [y/N]": answer})
    assert code == 1 and lacking.digest() == planted and "Mended" not in shown


def test_end_of_the_input(lacking: Environment) -> None:
    planted = lacking.digest()
    code, shown = converse(lacking, {"Run this step? [y/N]": ""})
    assert code == 2 and lacking.digest() == planted
    assert "stopped: the input ended" in shown and "Traceback" not in shown


def test_interrupt_at_the_question(lacking: Environment) -> None:
    planted = lacking.digest()
    code, shown = converse(lacking, {"Run this step? [y/N]": CTRL_C})
    assert code == 130 and lacking.digest() == planted
    assert "stopped: everything is as it was" in shown


def cut_off(environment: Environment) -> None:
    """Leave what a repair leaves that is killed while pip runs."""
    code = (
        "import sys; from torchdoctor.repair import running, session\n"
        "def die(*_): import os; os._exit(9)\n"
        "running.run_pip = die\n"
        "sys.argv[0] = 'torchdoctor'\n"
        "from torchdoctor.__main__ import main; main()"
    )
    command = [sys.executable, "-c", code, *environment.make_command("--yes")]
    ended = subprocess.run(command, env={**os.environ, **environment.variables}, capture_output=True)
    assert ended.returncode == 9, ended.stderr


@pytest.mark.parametrize("command", ["--undo", "--yes"])
def test_what_may_be_the_persons_work_is_kept_and_named(lacking: Environment, command: str) -> None:
    cut_off(lacking)
    (lacking.site / "mine.py").write_text("installed since\n")
    result = lacking.repair(command)
    shown = " ".join((result.stdout + result.stderr).split())
    assert result.returncode == 0 and "files that may be yours were in the way" in shown.lower(), shown
    [kept] = lacking.state.glob("repairs/*/snapshots/*/replaced/**/*mine.py")
    assert kept.read_text() == "installed since\n"


@pytest.mark.parametrize("answer", ["y", "n"])
def test_what_a_cut_off_repair_left_is_asked_for(lacking: Environment, answer: str) -> None:
    cut_off(lacking)
    mine = lacking.site / "mine.py"
    mine.write_text("installed since\n")
    code, shown = converse(lacking, {"Bring back what was before it?": answer, "Run this step? [y/N]": "y"})
    assert code == 0 and lacking.works(), shown
    assert mine.exists() == (answer == "n")
    assert "was cut off" not in lacking.repair("--list").stdout
