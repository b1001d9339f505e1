"""A command ends with the exit code of the signal, whatever Python makes of the interruption."""

import os
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


INTERRUPTED_IMPORT = """
import signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            # In a text, as the methods of dataclasses are made.
            exec("signal.raise_signal(signal.SIGINT)")
sys.meta_path.insert(0, Finder())
sys.argv = ["torchdoctor", *{arguments!r}]
from torchdoctor.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("torchdoctor.commands.run", ("run", "x.py")),
        ("torchdoctor.core.usage", ("run", "x.py")),
        ("torchdoctor.terminal.ending", ("explain", "x")),
        ("torchdoctor.actions.explain", ("explain", "x")),
        ("torchdoctor.cli.parsing", ("--help",)),
        ("torchdoctor.commands.scan_arguments", ("scan",)),
    ],
)
def test_interruption_of_an_import(module: str, arguments: tuple[str, ...]) -> None:
    code = INTERRUPTED_IMPORT.format(module=module, arguments=arguments)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


DROPPED = """
import gc, signal, sys, time, weakref
signal.signal(signal.{signal}, signal.default_int_handler if "{signal}" == "SIGINT" else signal.SIG_DFL)
from torchdoctor.terminal.ending import end_with
class Part:
    def __del__(self):
        {in_del}
def raise_signal(*_):
    signal.raise_signal(signal.{signal})
def action():
    part = Part()
    callback = weakref.ref(part, {callback})
    del part
    {waits}
    print("the report")
    return 0
end_with(action)
"""
BUSY = "end = time.monotonic() + 20\n    while time.monotonic() < end:\n        len(str(end))"


@pytest.mark.skipif(sys.platform == "win32", reason="signal.raise_signal ends a process on Windows")
@pytest.mark.parametrize("waits", ["time.sleep(20)", BUSY], ids=["sleeps", "is-busy"])
@pytest.mark.parametrize(
    ("in_del", "callback"),
    [("raise_signal()", "None"), ("pass", "raise_signal")],
    ids=["in-del", "in-a-callback"],
)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_interruption_that_python_drops_comes_again(
    name: str, in_del: str, callback: str, waits: str
) -> None:
    code = DROPPED.format(signal=name, in_del=in_del, callback=callback, waits=waits)
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=15
    )
    number = {"SIGINT": 2, "SIGTERM": 15, "SIGHUP": 1}[name]
    assert (result.returncode, result.stdout, result.stderr) == (128 + number, "", "")


KEPT = """
import signal, threading, time
signal.signal(signal.{name}, signal.default_int_handler if "{name}" == "SIGINT" else signal.SIG_DFL)
from torchdoctor.terminal.ending import end_with
def action():
    threading.Thread(target=time.sleep, args=(30,)).start()
    signal.raise_signal(signal.{name})
end_with(action)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signal.raise_signal ends a process on Windows")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_thread_that_waits_for_a_killed_process_does_not_keep_it(name: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", KEPT.format(name=name)],
        capture_output=True,
        text=True,
        check=False,
        timeout=15,
    )
    number = {"SIGINT": 2, "SIGTERM": 15, "SIGHUP": 1}[name]
    assert (result.returncode, result.stdout, result.stderr) == (128 + number, "", "")


LATE = """
import atexit, signal
from torchdoctor.terminal.ending import end_with
atexit.register(lambda: signal.raise_signal(signal.SIGINT))
def action():
    print("report")
    return 1
end_with(action)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process by no signal")
def test_interruption_after_the_report() -> None:
    result = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (-2, "report\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("arguments", "expected"), [(("scan", "--nope"), 2), (("--version",), 2), (("explain", "--list"), 2)]
)
@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_streams_that_cannot_be_written_change_no_exit_code(
    arguments: tuple[str, ...], expected: int, environment: dict[str, str]
) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "torchdoctor", *arguments],
            stdout=full,
            stderr=full,
            env={**os.environ, **environment},
            check=False,
        )
    assert result.returncode == expected


@pytest.mark.parametrize("error", ["MemoryError", "SystemError"])
def test_failure_to_tell_of_a_failure_is_no_finding(error: str) -> None:
    code = f"""
import torchdoctor.terminal.ending as ending
def fail(action):
    raise {error}
ending.end_with = fail
from torchdoctor.__main__ import main
main()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr.count("\n"), result.stderr[:13]) == (3, 1, "torchdoctor: ")
