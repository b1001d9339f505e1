"""Where the evidence recognises nothing, words add what is possible, or likely in a complaint, and prove nothing."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from torchdoctor.check import Severity
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain import Confidence, explain
from torchdoctor.explain.answer import Verdict
from torchdoctor.explain.match import find_candidates
from torchdoctor.explain.own_words.guess import guess
from torchdoctor.explain.rank import rank
from torchdoctor.explain.text.clean import clean, number_lines
from torchdoctor.explain.text.split import split

# Without a word that an entry names as a symptom of its own.
HANGS = (
    "training hangs in the first epoch on windows as soon as I use more than zero workers, on linux it runs"
)
IDLE = "My card sits at 0 % in Task Manager while the training runs, and the processor is at 100 %"
CARD = "Does it work with the RTX 50 series? I have a 5090 and nothing starts"
UNRELATED = {
    "another bug": "ValueError: shapes (3,4) and (5,6) not aligned",
    "a shop": "where can I buy a good bicycle in the city of Berlin, and what does it cost?",
    "a page": "How do I center a div with CSS in React",
    "one word": "cudnn",
    "a loop": "how do I write a loop in a language over a list of numbers",
    "a dog": "My wife left me and took the dog, what should I do on this computer?",
    "a game": "Minecraft crashes with exit code 1 after I installed mods",
    "a mod": "The game boots with its mod loader, shows the logo of the team, and is gone on the loading screen."
    " All Visual C++ Redistributables are installed. Windows 10",
    "a screen": "Sometimes the screen goes black for a second when I start a game. It happens more often if the"
    " mouse is moved, and only pulling the HDMI cable out cures it. Windows 10 was installed anew.",
    "nothing": "",
}


PASSED = Verdict(
    failed=False,
    is_sure=True,
    outcome=Outcome("workers-in-config", "passed", Severity.WARNING),
    proof=(),
)


def guess_names(text: str, knowledge, verdicts: Mapping[str, Verdict] = MappingProxyType({})) -> list[str]:
    units = split(clean(number_lines(text), lambda line: False))
    ranked = rank(find_candidates(units, knowledge), units, {})
    return [each.entry.name for each in guess(ranked, units, knowledge, verdicts).ranked]


@pytest.mark.parametrize(("text", "name"), [(HANGS, "workers-in-config"), (CARD, "unsupported-gpu-arch")])
def test_words_tell_what_a_question_is_about(knowledge, text: str, name: str) -> None:
    assert explain(text, knowledge).diagnoses[0].name == name


@pytest.mark.parametrize("text", [IDLE, CARD])
def test_a_complaint_with_clear_words_is_likely(knowledge, text: str) -> None:
    explanation = explain(text, knowledge)
    assert explanation.recognised
    assert [each.confidence for each in explanation.diagnoses][:2] in (
        [Confidence.LIKELY],
        [Confidence.LIKELY, Confidence.POSSIBLE],
    )


@pytest.mark.parametrize("text", [HANGS, CARD])
def test_words_beside_an_error_recognise_nothing(knowledge, text: str) -> None:
    explanation = explain(f"{text}\n\nKeyError: 'abc'", knowledge)
    assert not explanation.recognised
    assert {each.confidence for each in explanation.diagnoses} == {Confidence.POSSIBLE}


@pytest.mark.parametrize("text", UNRELATED.values(), ids=UNRELATED)
def test_nothing_is_offered_for_an_unrelated_text(knowledge, text: str) -> None:
    assert explain(text, knowledge).diagnoses == ()


def test_nothing_is_added_to_what_is_recognised(knowledge) -> None:
    explanation = explain(f"OSError: [WinError 1455] The paging file is too small\n\n{HANGS}", knowledge)
    assert [each.name for each in explanation.diagnoses] == ["paging-file-too-small"]


def test_evidence_in_an_error_stays_first(knowledge) -> None:
    error = "MemoryError: Unable to allocate 12.0 GiB for an array with shape (40000, 40000)"
    names = guess_names(f"{CARD}\n\n{error}", knowledge)
    assert names[0] == "cpu-out-of-memory"
    assert "unsupported-gpu-arch" in names


def test_a_text_of_another_system_gets_no_guess(knowledge) -> None:
    assert guess_names(f"/home/user/train.py\n{CARD}", knowledge) == []


def test_what_checks_decided_on_is_no_guess(knowledge) -> None:
    assert "workers-in-config" in guess_names(HANGS, knowledge)
    assert "workers-in-config" not in guess_names(HANGS, knowledge, {"workers-in-config": PASSED})


def test_an_entry_that_the_text_rules_out_is_no_guess(knowledge) -> None:
    entry = knowledge.entries["symlink-privilege"]
    question = (
        "the model cannot be downloaded, windows asks for rights for a symlink of the snapshot in the cache"
    )
    assert "symlink-privilege" in guess_names(question, knowledge)
    assert "symlink-privilege" not in guess_names(f"{question} {entry.unless[0]}", knowledge)


def test_answers_do_not_depend_on_the_order_of_a_set(explain_samples: Path) -> None:
    lines = (explain_samples / "questions.jsonl").read_text(encoding="utf-8").splitlines()[::8]
    code = (
        "import json, sys; from torchdoctor import explain\n"
        "for line in sys.stdin:\n"
        "    for each in explain(json.loads(line)['text']).diagnoses: print(each.name, each.evidence)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            input="\n".join(lines).encode(),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1 and b"Evidence" in outputs.pop()


def test_evidence_of_a_guess_is_the_line_that_speaks_for_it(knowledge) -> None:
    first = explain(f"hello\n\n{CARD}\n\nthank you", knowledge).diagnoses[0]
    assert [evidence.line for evidence in first.evidence] == [3]


FAR = "RX 5500, the screen blacks out while a picture is generated, the fans turn at full speed and I must reboot"


def test_the_name_of_a_card_gives_way_to_what_a_person_tells(knowledge) -> None:
    assert guess_names(FAR, knowledge)[0] == "gpu-driver-reset"


def test_an_entry_that_is_described_alike_is_no_rival(knowledge) -> None:
    text = "máy có card RTX 3050 mà chương trình chỉ chạy bằng CPU, rất chậm, card đồ họa không được dùng"
    explanation = explain(text, knowledge)
    assert explanation.recognised
    assert explanation.diagnoses[0].name in {"cpu-only-build", "cuda-not-available", "gpu-load-not-shown"}


def test_black_pictures_are_of_the_field(knowledge) -> None:
    assert explain("With a T1000 each of the pictures comes out black", knowledge).recognised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Generation runs on the processor although I have an RTX 2060. The page System says"
            ' "torch 2.0.0+cpu", and the line GPU is empty. How can I switch to the card?\nOS: Win10',
            "cpu-only-build",
        ),
        (
            "Since I put the RTX 5070 in, the pictures stay grey and the card does nothing. Windows 11,"
            " torch 2.5.1, the old card was fine. Does the new card need another version?",
            "unsupported-gpu-arch",
        ),
    ],
)
def test_words_and_a_failed_check_make_an_entry_likely(text: str, expected: str, knowledge) -> None:
    first = explain(text, knowledge).diagnoses[0]
    assert (first.name, first.confidence) == (expected, Confidence.LIKELY)


@pytest.mark.parametrize(
    "text",
    [
        # The check fails, and the words are of something else.
        "The colours of my plot are wrong since yesterday, what can I do? Windows 10, RTX 2060, torch 2.3.0",
        # The words fit in part, and the check passes.
        "The new card shows grey buttons in my window, what can I do? Windows 10, RTX 3060, torch 2.5.1+cu121",
        # Nothing is wrong.
        "It would be nice to have a dark mode. I use torch 2.0.0+cpu on Windows 10 with an RTX 2060.",
    ],
)
def test_a_failed_check_alone_makes_nothing_likely(text: str, knowledge) -> None:
    assert all(each.confidence is Confidence.POSSIBLE for each in explain(text, knowledge).diagnoses)
