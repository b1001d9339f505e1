"""Commands name the interpreter that they are for."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Interpreter
from torchdoctor.knowledge import Knowledge
from torchdoctor.knowledge.interpreter import add_pip_first, name_python
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.renderers import json as json_renderer
from torchdoctor.renderers import sarif, terminal
from torchdoctor.report import Report

PYTHON = r"C:\v\python.exe"
STEP = "Do `python -m pip`:\n\n   ```{shell}\n   python -m pip install torch\n   x | python\n   ```\n"
SAMPLES = Path(__file__).parents[1] / "samples"
SICK_SAMPLES = sorted({*SAMPLES.glob("*/bad-*.json"), *SAMPLES.glob("machines/*.json")})


@pytest.mark.parametrize(
    ("shell", "python", "command"),
    [
        ("powershell", r"C:\v\python.exe", r"C:\v\python.exe -m pip install torch"),
        ("powershell", r"C:\a b\python.exe", r'& "C:\a b\python.exe" -m pip install torch'),
        ("bat", r"C:\a b\python.exe", r'"C:\a b\python.exe" -m pip install torch'),
        ("python", r"C:\v\python.exe", "python -m pip install torch"),
        ("powershell", r"~\v\python.exe", "python -m pip install torch"),
        *[
            ("powershell", path, "python -m pip install torch")
            for path in (
                r"C:\R&D\p.exe",
                r"C:\it's\p.exe",
                r"C:\$(x) y\p.exe",
                r"C:\a;b\p.exe",
                "C:\\`n p.exe",
                r"C:\%PATH%\p.exe",
                r"C:\<user>\p.exe",
            )
        ],
    ],
    ids=["plain", "spaces", "spaces-in-cmd", "not-a-shell", "redacted", *["hostile"] * 7],
)
def test_names_the_interpreter_for_the_shell(shell: str, python: str, command: str) -> None:
    assert f"\n   {command}\n   x | python\n" in name_python(STEP.format(shell=shell), python)


@pytest.mark.parametrize(
    ("python", "command"),
    [(r"C:\v\python.exe", r"C:\v\python.exe"), (r"C:\a b\python.exe", r'& "C:\a b\python.exe"')],
)
def test_names_it_where_powershell_keeps_the_output(python: str, command: str) -> None:
    step = "```powershell\n$env:A = python -c 1\n$site = python -m x\n$python = 1\n```"
    named = f"```powershell\n$env:A = {command} -c 1\n$site = {command} -m x\n$python = 1\n```"
    assert name_python(step, python) == named


def test_says_what_cmd_does_not_need() -> None:
    text = name_python("Do `python -m pip`.", r"C:\a b\p.exe")
    assert text.endswith("\n\nIn cmd, leave out the `&` before the path.")


def test_names_it_in_a_sentence() -> None:
    assert name_python("Run `python -m pip`.", r"C:\v\p.exe") == r"Run `C:\v\p.exe -m pip`."


def test_command_that_asks_which_python_runs_is_kept() -> None:
    step = '```powershell\npython -c "import sys; print(sys.executable)"\n```'
    assert name_python(step, "C:\\p.exe") == step


def test_quotes_in_a_sentence_too() -> None:
    assert name_python("Undo: `python -m pip`.", r"C:\a b\p.exe").startswith(
        'Undo: `& "C:\\a b\\p.exe" -m pip`.'
    )


def test_python_of_a_new_environment_is_not_replaced() -> None:
    step = (
        "```powershell\npython -m venv C:\\v\nC:\\v\\Scripts\\Activate.ps1\npython -m pip install torch\n```"
    )
    assert name_python(step, "C:\\p.exe") == step.replace("python -m venv", "C:\\p.exe -m venv")


@pytest.mark.parametrize("file", SICK_SAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_advice_has_no_bare_python(file: Path, scan_sample) -> None:
    report = scan_sample(file)
    for outcome, finding in report.findings():
        advice = report.advise(outcome.name, finding)
        steps = "" if advice is None else advice.text
        # The blocks that enter an environment, or ask which Python runs, have tests of their own.
        blocks = re.findall(r"```(?:powershell|bat|text)\n.*?```", name_python(steps, PYTHON), re.DOTALL)
        others = [block for block in blocks if not re.search("(?i)activate|sys.executable", block)]
        assert [block for block in others if re.search(r"(?m)^ *python ", block)] == []


KNOWN = [file for file in SICK_SAMPLES if '"executable": "' in file.read_text(encoding="utf-8")]
BLOCK = re.compile(r"```(?:powershell|bat|text)\n.*?```", re.DOTALL)


def _list_advice(form: str, report: Report) -> list[str]:
    if form == "json":
        outcomes = json.loads(json_renderer.render(report))["outcomes"]
        return [finding["fix"] for outcome in outcomes for finding in outcome["findings"]]
    (run,) = json.loads(sarif.render(report))["runs"]
    return [result["message"]["text"] for result in run["results"]]


@pytest.mark.parametrize("form", ["json", "sarif"])
@pytest.mark.parametrize("file", KNOWN, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_data_has_no_bare_python(form: str, file: Path, scan_sample) -> None:
    blocks = [block for text in _list_advice(form, scan_sample(file)) for block in BLOCK.findall(text)]
    others = [block for block in blocks if not re.search("(?i)activate|sys.executable", block)]
    assert [block for block in others if re.search(r"(?m)^ *python ", block)] == []


@pytest.mark.parametrize("form", ["json", "sarif"])
@pytest.mark.parametrize("file", KNOWN, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_no_command_has_a_path_that_lost_its_name(form: str, file: Path, scan_sample) -> None:
    report = redact(scan_sample(file), Identity(), (Knowledge,))
    blocks = [block for text in _list_advice(form, report) for block in BLOCK.findall(text)]
    assert [block for block in blocks if re.search(r"[<~][^\n]*python\.exe", block)] == []


@pytest.mark.parametrize("has_pip", [True, False, Absent("not asked")])
def test_python_without_pip_gets_it_first(has_pip: bool | Absent, scan_sample) -> None:
    report = scan_sample(next(SAMPLES.glob("machines/16-*.json")))
    interpreter = report.facts.get(Interpreter)
    assert isinstance(interpreter, Interpreter)
    report = replace(
        report, facts=report.facts.with_values({Interpreter: replace(interpreter, has_pip=has_pip)})
    )
    screen = terminal.render(report, width=80)
    assert (r"\.venv\Scripts\python.exe -m ensurepip" in screen) is (has_pip is False)


def test_new_environment_brings_its_own_pip() -> None:
    step = "Do this:\n\n```powershell\npython -m venv new\npython -m pip install torch\n```\n"
    assert add_pip_first(step) == step


def test_data_says_which_python_was_examined(scan_sample) -> None:
    report = redact(scan_sample(next(SAMPLES.glob("machines/16-*.json"))), Identity(), (Knowledge,))
    (run,) = json.loads(sarif.render(report))["runs"]
    python = r"C:\Users\<user>\project\.venv\Scripts\python.exe"
    assert (json.loads(json_renderer.render(report))["python"], run["properties"]["python"]) == (
        python,
        python,
    )


def test_steps_in_order_name_it_until_a_new_environment(scan_sample) -> None:
    report = scan_sample(next(SAMPLES.glob("machines/16-*.json")))
    outcomes = json.loads(json_renderer.render(report))["outcomes"]
    steps = [step for outcome in outcomes for step in outcome.get("fix", ())]
    assert any(report.python in step for step in steps)


def test_report_names_the_examined_interpreter(scan_sample) -> None:
    report = scan_sample(next(SAMPLES.glob("machines/16-*.json")))
    screen = terminal.render(report, width=80)
    assert "\n           C:\\Users\\me\\project\\.venv\\Scripts\\python.exe -m pip install torch" in screen
