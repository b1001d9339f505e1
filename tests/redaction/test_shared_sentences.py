"""A shared form has the doctor's own sentences whole, and nothing of a text that is private in them."""

from pathlib import Path

import pytest

from torchdoctor.actions.showing import load_renderer
from torchdoctor.commands.described import scan_text
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge
from torchdoctor.readers import Topic
from torchdoctor.readers.statements import Statement
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.redaction.shown_values import ShownValues
from torchdoctor.redaction.words.placed_words import leave_out_by_place
from torchdoctor.renderers import markdown

KNOWLEDGE = load_knowledge()[0]


def _share(text: str) -> str:
    shared = redact(explain(text, KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True)
    return markdown.render_explanation(shared)


def _scan(folder: Path, text: str) -> str:
    file = folder / "text.txt"
    file.write_text(text, encoding="utf-8")
    reports = redact(scan_text(ScanRequest(), str(file)), Identity(), (Knowledge,), is_pasted=True)
    return load_renderer("markdown").render(reports[0])


def test_a_word_of_a_sentence_stays_that_a_statement_has_as_its_value() -> None:
    shared = _share(
        "RuntimeError: Torch is not able to use GPU; add --skip-torch-cuda-test to COMMANDLINE_ARGS variable "
        "to disable this check"
    )
    assert "or there is no NVIDIA card" in shared
    assert "there is ..." not in shared


def test_a_sentence_of_a_check_is_whole() -> None:
    shared = redact(
        explain(
            "numpy              2.1.0\ntorch              2.1.0+cu118\n"
            "A module that was compiled using NumPy 1.x cannot be run in NumPy 2.1.0 as it may crash.",
            KNOWLEDGE,
        ),
        Identity(),
        (Knowledge,),
        is_pasted=True,
    )
    assert "another NumPy than the one that is installed" in shared.diagnoses[0].values["misfit"]


def test_what_a_text_states_is_judged_in_a_sentence_of_a_check() -> None:
    values = {"misfit": "torch is built for Kranich rather than for this card"}
    shown = ShownValues(values, is_shared=True, written=values, stated=frozenset({"kranich"}))
    assert shown["misfit"] == "torch is built for ... rather than for this card"


@pytest.mark.parametrize("name", ["Rose", "Titan", "Orange", "Falcon"])
def test_the_local_part_of_a_version_is_hidden_where_a_check_names_it_alone(
    name: str, tmp_path: Path
) -> None:
    assert name not in _scan(tmp_path, f"PyTorch version: 2.7.0+{name}\nOS: Windows")


def test_the_local_part_of_a_public_version_stays_whatever_stands_around_it() -> None:
    said = Statement(Topic.TORCH, "Rose Falcon keeps Titan 2.1.0+cpu Kranich Orange beside", 1, "prose")
    _, variant = redact((said, "cpu"), Identity(), is_pasted=True)
    assert variant == "cpu"


def test_numbers_and_answers_of_an_environment_stay(tmp_path: Path) -> None:
    shared = _scan(
        tmp_path,
        "OS Version:                10.0.22631 N/A Build 22631\n"
        "Total Physical Memory:     32,471 MB\n"
        "torch.cuda.is_available(): True\ntorch 2.1.0\n",
    )
    assert "build of Windows: `22631`" in shared
    assert "torch.cuda.is_available(): `yes`" in shared
    assert "physical memory: `34048311296`" in shared


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("x.obj : error LNK2001: unresolved external symbol foo", "error LNK2001"),
        ("LINK : fatal error LNK1181: cannot open input file 'python310.lib'", "fatal error LNK1181"),
        ("a.cpp(12): fatal error C1083: Cannot open include file: 'x.h'", "fatal error C1083"),
        ("a.cpp(12): error C2872: 'std': ambiguous symbol", "error C2872"),
        ("AttributeError: module 'numpy' has no attribute 'bool'.", "'bool'"),
    ],
)
def test_numbers_of_errors_and_types_of_python_are_public(line: str, word: str) -> None:
    assert word in leave_out_by_place(line)


def test_what_only_looks_like_the_number_of_an_error_is_not() -> None:
    assert "C4711" not in leave_out_by_place("AssertionError: Torch not compiled with CUDA enabled C4711")
