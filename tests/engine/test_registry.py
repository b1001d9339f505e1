"""Plugins are found through entry points, and a broken one is reported without harm to the others."""

import json
import os
import sys
from pathlib import Path

import pytest

from torchdoctor.engine import plugins
from torchdoctor.engine.registry import load_registry
from torchdoctor.source import ConfigFile, SourceFile

GOOD_CHECK = '''
"""A third party's problem."""
from collections.abc import Iterator
from torchdoctor.check import Finding, check
from torchdoctor.facts import OperatingSystem

@check
def their_problem(system: OperatingSystem) -> Iterator[Finding]:
    yield Finding(f"seen on {system.system}")
'''
GOOD_ENTRY = """```toml
family = "install"
severity = "warning"
```

# Their problem

Lead.

## Why
Because.

## Fix
1. Mend it.
"""


UNPRINTABLE = """
class Unprintable(Exception):
    def __str__(self):
        return 1 / 0

raise Unprintable
"""


def test_third_party_check_runs(install_plugin, torchdoctor, tmp_path: Path) -> None:
    env = install_plugin(tmp_path / "site", {"their_problem": GOOD_CHECK}, {"their_problem": GOOD_ENTRY})
    result = torchdoctor("scan", "--no-trials", "--select", "their-problem", "--format", "json", env=env)
    assert json.loads(result.stdout)["outcomes"][0]["findings"][0]["message"].startswith("seen on")


@pytest.mark.parametrize(
    ("checks", "entries", "complaint"),
    [
        ({"their_problem": "1/0"}, {"their_problem": GOOD_ENTRY}, "ZeroDivisionError"),
        ({"their_problem": "def nothing(): pass"}, {"their_problem": GOOD_ENTRY}, "must hold one check"),
        ({"their_problem": GOOD_CHECK}, {}, "no entry of this name"),
        ({"their_problem": GOOD_CHECK}, {"their_problem": "garbage"}, "begins with a fenced toml head"),
        (
            {"their_problem": GOOD_CHECK.replace("OperatingSystem)", "int)")},
            {"their_problem": GOOD_ENTRY},
            "no fact",
        ),
        ({"their_problem": "raise SystemExit(0)"}, {"their_problem": GOOD_ENTRY}, "SystemExit: 0"),
        ({"their_problem": UNPRINTABLE}, {"their_problem": GOOD_ENTRY}, "Unprintable: no message"),
        ({"python_32bit": GOOD_CHECK.replace("their_problem", "python_32bit")}, {}, "repeats a check"),
    ],
    ids=["raises", "empty", "no-entry", "bad-entry", "bad-parameter", "exits", "unprintable", "taken-name"],
)
def test_broken_plugin_is_reported_and_the_rest_runs(
    install_plugin, torchdoctor, tmp_path, checks, entries, complaint
) -> None:
    env = install_plugin(tmp_path / "site", checks, entries)
    result = torchdoctor("scan", "--no-trials", "--select", "install", "--ignore", "torch-not-installed",
                        "--format", "json", env=env)  # fmt: skip
    report = json.loads(result.stdout)
    reasons = " ".join(item["reason"] for item in report["summary"]["broken"])
    assert (result.returncode, complaint in reasons, "python-32bit" in result.stdout) == (3, True, True), (
        reasons
    )


BAD_SYMPTOM = 'severity = "warning"\nsymptoms = [{ text = "x", pattern = "(x" }]'


@pytest.mark.parametrize(
    "entry",
    [
        "garbage",
        GOOD_ENTRY.replace('severity = "warning"', BAD_SYMPTOM),
        GOOD_ENTRY.replace("1. Mend it.", "```python\n1. Mend it."),
        GOOD_ENTRY.replace("## Fix", "## Cure"),
        GOOD_ENTRY.replace('severity = "warning"', 'severity = "warning"\naffects = 3'),
        "\ufeff",
    ],
    ids=["no head", "pattern", "open fence", "no steps", "head of another type", "mark"],
)
def test_explain_goes_on_without_a_malformed_entry_and_names_it(
    install_plugin, torchdoctor, tmp_path: Path, entry
) -> None:
    env = install_plugin(tmp_path / "site", {}, {"their_problem": entry})
    result = torchdoctor("explain", "OSError: [WinError 1455] x, CUDA error", env=env)
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True), result.stderr
    assert result.stderr.startswith("torchdoctor: their-problem: ") and result.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_entry_that_cannot_be_read_spoils_only_itself(install_plugin, torchdoctor, tmp_path: Path) -> None:
    env = install_plugin(tmp_path / "site", {}, {"their_problem": GOOD_ENTRY})
    folder = next((tmp_path / "site").rglob("their_problem.md")).parent
    os.mkfifo(folder / "a_pipe.md")
    (folder / "a_folder.md").mkdir()
    result = torchdoctor("explain", "--list", env=env)
    assert (result.returncode, "their-problem" in result.stdout) == (0, True)
    assert all(name in result.stderr for name in ("a-pipe", "a-folder"))


def test_selecting_a_broken_check_names_what_is_wrong(install_plugin, torchdoctor, tmp_path: Path) -> None:
    env = install_plugin(tmp_path / "site", {"their_problem": "1/0"}, {"their_problem": GOOD_ENTRY})
    result = torchdoctor("scan", "--select", "their-problem", env=env)
    assert (result.returncode, "ZeroDivisionError" in result.stderr) == (2, True)


def test_entries_of_source_checks_read_code() -> None:
    source_checks = {
        check.name for check in load_registry().checks if {SourceFile, ConfigFile} & {*check.facts}
    }
    left_out = load_registry(lambda entry: "code" if entry.reads_code else None).left_out
    assert set(left_out) == {(name, "code") for name in source_checks}


@pytest.mark.skipif(sys.platform == "win32", reason="every check of the environment runs there")
def test_probes_of_checks_for_another_system_are_not_run(torchdoctor) -> None:
    report = json.loads(torchdoctor("scan", "--no-trials", "--format", "json").stdout)
    reasons = {item["name"]: item["reason"] for item in report["outcomes"]}
    assert reasons["broken-torch-install"].startswith("concerns Windows; this is ")
    assert "torch_record" not in report["facts"]


def test_report_includes_checks_that_are_left_out(torchdoctor) -> None:
    report = json.loads(torchdoctor("scan", "--no-trials", "--format", "json").stdout)
    assert [outcome["name"] for outcome in report["outcomes"]] == [
        check.name for check in load_registry().checks
    ]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import time; time.sleep(60)", "TimeoutError: it was not imported within 0 s"),
        ("raise KeyboardInterrupt", "RuntimeError: it raises KeyboardInterrupt"),
        ("raise SystemExit(0)", "SystemExit: 0"),
    ],
    ids=["hangs", "interrupts", "exits"],
)
def test_module_of_a_third_party_cannot_stop_the_report(
    code: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_SECONDS", 0.3)
    monkeypatch.syspath_prepend(tmp_path)
    name = f"theirs_{len(code)}"
    (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    with pytest.raises((TimeoutError, RuntimeError, SystemExit)) as caught:
        plugins.import_part(name)
    assert plugins.describe_exception(caught.value) == message


def test_module_that_hangs_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_SECONDS", 0.3)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "theirs_counted.py").write_text(
        "import pathlib, time\n"
        f"with open({str(tmp_path / 'started')!r}, 'a') as file: file.write('x')\n"
        "time.sleep(60)\n",
        encoding="utf-8",
    )
    for _ in range(3):
        with pytest.raises(TimeoutError):
            plugins.import_part("theirs_counted")
    assert (tmp_path / "started").read_text() == "x"


LEAVING = {
    "generator": "def end():\n    try: yield\n    finally: 1 / 0\nleft = end()\nnext(left)\n",
    "object": "class Left:\n    def __del__(self): 1 / 0\nleft = Left()\nleft.self = left\nlater = Left()\n",
    "thread": "import threading\nthreading.Thread(target=lambda: 1 / 0).start()\n",
    "exit": "import atexit\natexit.register(lambda: 1 / 0)\n",
}


@pytest.mark.parametrize("code", LEAVING.values(), ids=LEAVING)
def test_what_a_plugin_leaves_behind_prints_no_traceback(
    install_plugin, torchdoctor, tmp_path: Path, code: str
) -> None:
    env = install_plugin(
        tmp_path / "site", {"their_problem": code + GOOD_CHECK}, {"their_problem": GOOD_ENTRY}
    )
    result = torchdoctor("scan", "--no-trials", "--select", "their-problem", env=env)
    assert "seen on" in result.stdout and result.stderr == ""


@pytest.mark.parametrize("end", ["finally: 1 / 0", "except GeneratorExit: yield"], ids=["raises", "clings"])
def test_check_that_yields_wrongly_and_ends_badly_prints_no_traceback(
    install_plugin, torchdoctor, tmp_path: Path, end: str
) -> None:
    code = GOOD_CHECK.replace("    yield", f"    try: yield 5\n    {end}\n    yield")
    env = install_plugin(tmp_path / "site", {"their_problem": code}, {"their_problem": GOOD_ENTRY})
    result = torchdoctor("scan", "--no-trials", "--select", "their-problem", env=env)
    assert "a value of the type int" in result.stdout and result.stderr == ""


def test_plugin_that_prints_and_goes_on_in_a_thread_spoils_no_report(
    install_plugin, torchdoctor, tmp_path: Path
) -> None:
    code = (
        "print('hello')\nimport threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()\n"
    )
    env = install_plugin(
        tmp_path / "site", {"their_problem": code + GOOD_CHECK}, {"their_problem": GOOD_ENTRY}
    )
    result = torchdoctor("scan", "--no-trials", "--select", "their-problem", "--format", "json", env=env)
    assert json.loads(result.stdout)["outcomes"][0]["name"] == "their-problem"
    assert "hello" in result.stderr
