"""Ctrl-C ends a question at once, also when it comes before the program has begun to read."""

import os
import signal
import subprocess
import sys

import pytest

from tests.conftest import wait_until_ready

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals in Python")

QUESTIONS = 2000
# On one processor the signal often arrives between the question and the read, where nothing would notice it.
ASKING = f"""
from torchdoctor.terminal.asking import ask

print("ready", flush=True)
for number in range({QUESTIONS}):
    try:
        ask("again? ")
    except KeyboardInterrupt:
        pass
"""


@pytest.fixture
def one_processor():
    """Restrict this process and its children to one processor."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("processes cannot be bound to a processor here")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


def test_no_interrupt_is_lost(one_processor: None) -> None:
    master, slave = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ASKING], stdin=slave, stdout=subprocess.PIPE, stderr=slave
    )
    os.close(slave)
    assert process.stdout is not None
    process.stdout.readline()
    sent, shown = 0, b""
    while wait_until_ready(master, 5)[0]:
        try:
            shown += os.read(master, 4096)
        except OSError:
            break
        while b"again? " in shown:
            shown = shown.partition(b"again? ")[2]
            process.send_signal(signal.SIGINT)
            sent += 1
    process.kill()
    process.stdout.close()
    os.close(master)
    assert (sent, process.wait()) == (QUESTIONS, 0)
