"""What the first line of an answer says: what is proved, what is suspected, and what comes second."""

import pytest

from torchdoctor.explain import Confidence, explain
from torchdoctor.explain.answer import Diagnosis, Evidence, Explanation
from torchdoctor.knowledge import Knowledge


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("AttributeError: module 'torch.fx' has no attribute 'Tracker'", "Perhaps: "),
        ("IndexError: list index out of range", "Not recognised"),
        (
            '  File "/home/me/a.py", line 1, in <module>\n'
            "AttributeError: module 'torch.fx' has no attribute 'Tracker'",
            "Not recognised",
        ),
        ("OSError: [WinError 1455] The paging file is too small for this operation", "Windows"),
        ("PyTorch version: 2.13.0+cpu\nPython version: 3.12.4", "Not recognised"),
    ],
    ids=["signs", "none", "another system", "proof", "a healthy environment"],
)
def test_headline_says_what_the_text_shows(text: str, headline: str, knowledge: Knowledge) -> None:
    assert explain(text, knowledge).headline.startswith(headline)


def test_failed_import_comes_before_what_a_report_says_of_the_gpu(knowledge: Knowledge) -> None:
    text = (
        "ImportError: DLL load failed: The specified procedure could not be found.\n\n"
        "PyTorch version: 1.2.0+cpu\nCUDA used to build PyTorch: None\nIs CUDA available: No"
    )
    assert explain(text, knowledge).diagnoses[0].name == "dll-procedure-not-found"


def test_frame_of_unix_shows_another_system(knowledge: Knowledge) -> None:
    text = (
        'Traceback (most recent call last):\n  File "/anaconda/envs/x/lib/python3.10/site-packages/torch/utils'
        "/cpp_extension.py\", line 9, in run\nRuntimeError: Error building extension 'exllama_ext'"
    )
    assert not explain(text, knowledge).recognised


@pytest.mark.parametrize("text", ["0xC0000005", "-1073741819", "3221225477", "exit code 0xC0000005"])
def test_exit_code_alone_is_answered(text: str, knowledge: Knowledge) -> None:
    explanation = explain(text, knowledge)
    assert explanation.has_answer and explanation.diagnoses[0].name == "access-violation"


def make_diagnosis(confidence: Confidence, *lines: int, confirmed: bool | None = None) -> Diagnosis:
    evidence = tuple(Evidence(line, "text") for line in lines)
    return Diagnosis("name", "title", confidence, evidence, {}, (), confirmed, "lead", (), "")


@pytest.mark.parametrize(
    ("first", "second", "is_shown"),
    [
        (Confidence.CERTAIN, make_diagnosis(Confidence.POSSIBLE, 2), False),
        (Confidence.LIKELY, make_diagnosis(Confidence.POSSIBLE, 2), False),
        (Confidence.POSSIBLE, make_diagnosis(Confidence.POSSIBLE, 2), True),
        (Confidence.LIKELY, make_diagnosis(Confidence.LIKELY, 2), True),
        (Confidence.LIKELY, make_diagnosis(Confidence.LIKELY, 1, 2), True),
        (Confidence.LIKELY, make_diagnosis(Confidence.LIKELY, 1), False),
        (Confidence.CERTAIN, make_diagnosis(Confidence.CERTAIN, 1), True),
        (Confidence.CERTAIN, make_diagnosis(Confidence.LIKELY, 1, confirmed=True), True),
    ],
)
def test_second_diagnosis_is_shown_where_it_says_something(
    first: Confidence, second: Diagnosis, is_shown: bool
) -> None:
    explanation = Explanation(True, (make_diagnosis(first, 1), second), {})
    assert explanation.others == ((second,) if is_shown else ())
