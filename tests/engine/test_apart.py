"""What a check of a third party does ends with its time, and stays out of the report."""

import sys
import time

import pytest

from torchdoctor.check import Check, Finding, Parameter
from torchdoctor.engine import runner
from torchdoctor.engine.apart import call_apart, divert_output
from torchdoctor.engine.file_times import FileTimes
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.runner import run_apart
from torchdoctor.facts import Facts, OperatingSystem

ENTRY = load_knowledge()[0].entries["posix-only"]
FACTS = Facts({OperatingSystem: OperatingSystem("windows", "11", "x64", 22631)})


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("raise KeyboardInterrupt", "errored", "it raises KeyboardInterrupt"),
        ("raise SystemExit(0)", "errored", "SystemExit: 0"),
        ("sys.__stdout__.write('raw')", "failed", None),
        ("while True: pass", "errored", "it did not end within 0 s"),
        (
            "while True:\n        try: time.sleep(0.01)\n        except BaseException: stop = 1",
            "errored",
            "it did not end within 0 s",
        ),
        (
            "class E(Exception):\n        def __str__(self): time.sleep(5)\n    raise E",
            "errored",
            "it did not end within 0 s",
        ),
    ],
)
def test_check_of_a_third_party_cannot_keep_the_report(
    code: str, status: str, reason: str | None, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    names = {"Finding": Finding, "sys": sys, "time": time}
    exec(f"def theirs(system):\n    yield Finding('a')\n    {code}\n", names)
    parameters = (Parameter("system", OperatingSystem, False),)
    check = Check("posix-only", "", parameters, names["theirs"], "theirs.posix_only")
    monkeypatch.setattr(runner, "_SECONDS_TO_STOP", 0.2)
    outcome = run_apart(check, FACTS, ENTRY, FileTimes(0.4))
    assert (outcome.status, outcome.reason) == (status, reason)
    with divert_output():
        assert run_apart(check, FACTS, ENTRY, FileTimes(0.4)).status == status
    assert "raw" not in capsys.readouterr().out


def test_what_is_printed_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    with divert_output():
        print("\x1b]0;title\x07a\x1b[31mred\tb")
        sys.stdout.writelines(["c\x08", "d\n"])
        print("e", file=sys.__stdout__, flush=True)
    assert tuple(capsys.readouterr()) == ("", "ared\tb\ncd\ne\n")


def test_call_returns_what_the_function_does() -> None:
    error = ValueError("a")

    def fail() -> None:
        raise error

    assert call_apart(lambda: 5, 5.0) == 5
    assert call_apart(fail, 5.0) is error
    assert call_apart(lambda: time.sleep(5), 0.1) is None
