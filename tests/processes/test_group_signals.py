"""A signal to all processes of a group is told from one to a single process."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
SCRIPT = """
import os, signal, time
from torchdoctor.processes.group_signals import Witness
numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1]
came = []
for number in numbers:
    signal.signal(number, lambda number, frame: came.append(number))
witness = Witness(numbers)
def see(send, target, *sent):
    came.clear()
    for number in sent:
        send(target, number)
    while len(came) < len(sent):
        time.sleep(0.01)
    return [witness.has_seen(number) for number in sent]
group, own = (os.killpg, os.getpgrp()), (os.kill, os.getpid())
print(see(*group, *numbers), see(*own, *numbers), see(*group, 15), see(*own, 15), end=" ")
print(see(*group, 10, 2), see(*own, 2, 10))
os.killpg(os.getpgrp(), 2)
os.killpg(os.getpgrp(), 2)
time.sleep(0.3)
print(witness.has_seen(2), witness.has_seen(2))
witness.close()
print(witness.has_seen(2))
"""


def test_signal_to_the_group_is_told_from_one_to_a_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert ended.stdout.splitlines() == [
        "[True, True, True] [False, False, False] [True] [False] [True, True] [False, False]",
        "True False",
        "False",
    ], ended.stderr


def test_where_no_other_process_can_be_started_every_signal_is_for_this_one() -> None:
    script = SCRIPT.replace("witness = ", "import sys; sys.executable = '/nowhere/python'; witness = ")
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert "True" not in ended.stdout and ended.stdout.count("\n") == 3, ended.stderr
