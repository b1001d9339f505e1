"""Explanations and entries as text and as JSON."""

import json
from dataclasses import replace

import pytest

from torchdoctor.explain import Explanation, explain
from torchdoctor.explain.answer import Confidence
from torchdoctor.knowledge import Knowledge
from torchdoctor.renderers.explanation import render_entry, render_json, render_text

GUARD = (
    "RuntimeError: An attempt has been made to start a new process before the current process has finished "
    "its bootstrapping phase.\nRuntimeError: DataLoader worker (pid(s) 12) exited unexpectedly"
)
KEYS = {
    "name", "title", "confidence", "evidence", "values", "echoes", "confirmed", "examined", "lead", "fix", "verify",
}  # fmt: skip


@pytest.fixture(scope="module")
def guard(knowledge: Knowledge) -> Explanation:
    return explain(GUARD, knowledge)


def is_command(line: str, explanation: Explanation) -> bool:
    diagnosis = explanation.diagnoses[0]
    return any(line.strip() in text for text in (*diagnosis.fix, diagnosis.verify))


def test_begins_with_title_and_confidence(guard: Explanation) -> None:
    lines = render_text(guard, 200, colour=False).splitlines()
    assert lines[:2] == [guard.diagnoses[0].title.replace("`", ""), "certain  missing-main-guard"]


def test_only_commands_exceed_the_width(guard: Explanation) -> None:
    long_lines = [line for line in render_text(guard, 80, colour=False).splitlines() if len(line) > 80]
    assert all(is_command(line, guard) for line in long_lines)


def test_commands_are_never_wrapped(knowledge: Knowledge) -> None:
    explanation = explain("AssertionError: Torch not compiled with CUDA enabled", knowledge)
    commands = [
        line.strip() for step in explanation.diagnoses[0].fix for line in step.split("\n") if "pip " in line
    ]
    text = render_text(explanation, 50, colour=False)
    assert all(command in text for command in commands if "`" not in command and command.startswith("python"))


def test_shows_the_echo(guard: Explanation) -> None:
    assert "only a consequence: RuntimeError: DataLoader worker" in render_text(guard, 80, colour=False)


@pytest.mark.parametrize(("confidence", "shown"), [(Confidence.CERTAIN, False), (Confidence.LIKELY, True)])
def test_error_that_proves_a_diagnosis_needs_no_version_in_the_text(
    guard: Explanation, confidence: Confidence, shown: bool
) -> None:
    diagnosis = replace(guard.diagnoses[0], confidence=confidence, confirmed=False, examined="text")
    screen = render_text(replace(guard, diagnoses=(diagnosis,)), 80, colour=False)
    assert ("not confirmed by the environment in the text" in screen) is shown


def test_shows_that_the_machine_confirmed_the_diagnosis(guard: Explanation) -> None:
    confirmed = replace(guard, diagnoses=(replace(guard.diagnoses[0], confirmed=True),))
    assert "certain, confirmed on this machine" in render_text(confirmed, 80, colour=False)


def test_text_that_is_not_recognised_gets_advice_on_what_to_paste(knowledge: Knowledge) -> None:
    text = render_text(explain("KeyError: 3", knowledge), 80, colour=False)
    assert text.startswith("Not recognised") and "What to paste" in text


def test_json_has_the_published_keys(guard: Explanation) -> None:
    (diagnosis,) = json.loads(render_json(guard))["diagnoses"]
    assert set(diagnosis) == KEYS


def test_json_evidence_has_its_line(guard: Explanation) -> None:
    (diagnosis,) = json.loads(render_json(guard))["diagnoses"]
    assert diagnosis["evidence"][0]["line"] == 1


def test_entry_shows_every_section(knowledge: Knowledge) -> None:
    text = render_entry(knowledge.entries["missing-main-guard"], 80, colour=False)
    assert all(f"\n{heading}\n" in text for heading in ("Why", "Fix", "Verify", "References"))


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("rows", [16, 22])
def test_answer_and_first_step_are_on_the_screen_at_the_end(
    guard: Explanation, width: int, rows: int
) -> None:
    lines = render_text(guard, width, colour=False, screen_rows=rows).splitlines()
    seen = " ".join("\n".join(lines[-(rows - 2) :]).split())
    assert f"In short: {guard.diagnoses[0].title.replace('`', '')} 1. " in seen


def test_text_that_fits_is_not_repeated(guard: Explanation) -> None:
    assert "In short" not in render_text(guard, 80, colour=False, screen_rows=200)
    assert "In short" not in render_text(guard, 80, colour=False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "I click on run.bat, and a window is visible before closing again",
            "from a console that stays open",
        ),
        ("双击 启动.bat 后窗口一闪而过", "from a console that stays open"),
        # Nothing tells which program that is: it may have nothing to do with torch.
        ("the cmd window opens and closes immediately", "can be kept open: click on the address line"),
        ("the console is opened for a fraction of a second", "can be kept open: click on the address line"),
    ],
)
def test_window_that_is_gone_has_to_be_kept_open(knowledge, text: str, said: str) -> None:
    assert said in " ".join(render_text(explain(text, knowledge), 80, colour=False).split())


def test_window_that_stays_is_pasted(knowledge) -> None:
    text = render_text(explain("the window of the program is too small", knowledge), 80, colour=False)
    assert "The whole output" in text and "kept open" not in text


def test_each_closest_entry_has_its_first_step(knowledge: Knowledge) -> None:
    asked = explain("Mein Training bricht manchmal ab, Windows 11", knowledge)
    shown = " ".join(render_text(asked, 80, colour=False).split())
    assert not asked.has_answer and len(asked.diagnoses) > 1
    assert shown.count("If so: ") == len(asked.diagnoses)
    assert all(" ".join(each.fix[0].replace("`", "").split())[:40] in shown for each in asked.diagnoses)
