"""Errors of a program, as torch printed them on a GPU and on a CPU, and errors that are none of a program."""

import json
from pathlib import Path

import pytest

from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge
from torchdoctor.renderers import markdown
from torchdoctor.renderers.explanation import render_json, render_text
from torchdoctor.renderers.html.explanation import render_explanation

SAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "samples" / "explain" / "program_errors.jsonl")
    .read_text("utf-8")
    .splitlines()
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["text"].splitlines()[-1][:40])
def test_error_of_a_program_is_told_and_is_no_answer(sample: dict[str, str], knowledge: Knowledge) -> None:
    explanation = explain(sample["text"], knowledge)
    error = explanation.program_error
    assert (error and error.title) == sample["title"]
    assert error is None or not explanation.recognised


@pytest.mark.parametrize(
    "sample", [each for each in SAMPLES if each["title"]][::6], ids=lambda each: each["title"]
)
def test_every_renderer_says_what_to_do(sample: dict[str, str], knowledge: Knowledge) -> None:
    explanation = explain(sample["text"], knowledge)
    error = explanation.program_error
    assert error is not None and explanation.headline == error.title
    text = render_text(explanation, 80, colour=False)
    assert text.startswith(f"{error.title}\n") and "What to do\n  1. " in text
    assert "Not recognised" not in text and "What to paste" not in text
    assert json.loads(render_json(explanation))["program_error"]["fix"] == list(error.fix)
    assert error.title in markdown.render_explanation(explanation)
    assert "<h3>What to do</h3>" in render_explanation(explanation, knowledge, "{}")


def test_values_of_the_message_are_filled_in(knowledge: Knowledge) -> None:
    text = (
        "RuntimeError: Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1."
    )
    error = explain(text, knowledge).program_error
    assert error is not None and "`cuda:3`" in error.lead and "and 1 is all" in error.lead


def test_no_text_has_an_open_placeholder(knowledge: Knowledge) -> None:
    for sample in SAMPLES:
        error = explain(sample["text"], knowledge).program_error
        assert error is None or "{" not in error.lead + error.title


def test_known_problem_comes_before_an_error_of_the_program(knowledge: Knowledge) -> None:
    text = (
        "OSError: [WinError 1455] The paging file is too small for this operation to complete\n"
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices"
    )
    explanation = explain(text, knowledge)
    assert explanation.recognised and explanation.program_error is None


@pytest.mark.parametrize(
    "text",
    [
        "In the FAQ: if you see 'IndexError: Target 10 is out of bounds.', mend the labels.",
        "- Fixed: IndexError: Target 10 is out of bounds.",
        "tests/test_x.py::test_target PASSED  # IndexError: Target 10 is out of bounds.",
        "See the FAQ about 'IndexError: Target 10 is out of bounds.'\n"
        "Traceback (most recent call last):\n"
        '  File "C:\\me\\train.py", line 9, in <module>\n    step()\n'
        "ValueError: bad shape",
    ],
    ids=["a list of questions", "a changelog", "a test", "beside another error"],
)
def test_error_that_is_only_mentioned_is_none(text: str, knowledge: Knowledge) -> None:
    assert explain(text, knowledge).program_error is None
