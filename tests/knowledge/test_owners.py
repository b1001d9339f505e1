"""Steps do not ask for a card that the text names."""

import pytest

from torchdoctor.knowledge.owners import write_for_nvidia


@pytest.mark.parametrize(
    ("step", "written"),
    [
        ("With an NVIDIA card, put the build in.", "Put the build in."),
        ("Look.\n   If the PC has an NVIDIA card, put it in.", "Look.\n   Put it in."),
        ("If it prints `None` and the PC has an NVIDIA card, go on.", "If it prints `None`, go on."),
        ("Go on. Without an NVIDIA card, write `cpu` in place of `cu126`. Restart.", "Go on. Restart."),
        (
            "This is a CUDA build; without an NVIDIA card, write `cpu` in place of its last part.",
            "This is a CUDA build.",
        ),
    ],
)
def test_what_the_text_answers_is_not_asked(step: str, written: str) -> None:
    assert write_for_nvidia((step,)) == (written,)


@pytest.mark.parametrize(
    "step",
    [
        "There is no table although the PC has an NVIDIA card.",
        "Run it on a computer with an NVIDIA card, such as a hosted notebook.",
        "Without an NVIDIA card, take the CPU build:\n\n```powershell\npython -m pip install torch\n```",
    ],
)
def test_other_sentences_stay(step: str) -> None:
    assert write_for_nvidia((step,)) == (step,)


def test_step_for_others_is_left_out_but_for_the_last_one() -> None:
    question = "No NVIDIA card in this computer? Then keep this torch."
    assert write_for_nvidia(("Restart.", question)) == ("Restart.",)
    assert write_for_nvidia((question,)) == (question,)
