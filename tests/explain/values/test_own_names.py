"""The names that a step is about are shown to whoever has the text, and to nobody else."""

import pytest

from torchdoctor.explain import explain
from torchdoctor.explain.values.own_names import find_names_for_steps
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.words.public_words import is_public

WORKER = "AttributeError: Can't get attribute '{}' on <module '__main__' (built-in)>"


@pytest.mark.parametrize("name", ["ZorbSet", "zorb-kit", "Zorb.__init__.<locals>.<lambda>", "runs\\zorb_11"])
def test_name_of_an_object_may_be_shown(name: str) -> None:
    assert not is_public(name)
    assert is_public(name, find_names_for_steps({"object": name}))


@pytest.mark.parametrize(
    "values",
    [
        {"object": "kw87"}, {"object": "Xk9pQ2mZ7vLw"}, {"module": "password tulip"}, {"package": "zorb#tu&lip"},
        {"reason": "tulip"}, {"reason": "tulip", "object": "torch"},
    ],
    ids=str,
)  # fmt: skip
def test_odd_names_and_words_of_no_name_may_not(values: dict[str, str]) -> None:
    assert not is_public(next(iter(values.values())), find_names_for_steps(values))


@pytest.mark.parametrize("on_screen", [True, False])
def test_step_has_the_name_on_the_screen_alone(on_screen: bool, knowledge: Knowledge) -> None:
    explanation = explain(WORKER.format("ZelkofariSet"), knowledge, on_screen=on_screen)
    assert ("`ZelkofariSet`" in explanation.diagnoses[0].lead) is on_screen
