"""A command ends with the exit code of the signal, whatever Python makes of the interruption."""

import subprocess
import sys

import pytest

CODE = """
import signal, sys
from torchdoctor.terminal.ending import end_with
def action():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise {error}
end_with(action)
"""


@pytest.mark.parametrize(
    "error", ["SyntaxError('a')", "RuntimeError('a')", "KeyboardInterrupt", "SystemExit(3)"]
)
def test_interruption_that_became_another_exception(error: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", CODE.format(error=error)], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (130, "")
