"""Examines an interpreter that never answers, and is interrupted after a second as by Ctrl-C."""

import _thread
import threading
import time

from torchdoctor.engine import examiner
from torchdoctor.facts import Interpreter
from torchdoctor.processes.child import run_child


def hang(python):
    run_child([python.executable, "-c", "import time; time.sleep(100)"], time_limit_seconds=100)


examiner.describe_interpreter = hang
threading.Timer(1, _thread.interrupt_main).start()
started = time.monotonic()
try:
    with examiner.Examiner() as running:
        running.examine({Interpreter})
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - started < 30)
