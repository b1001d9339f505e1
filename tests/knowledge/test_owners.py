"""Steps do not ask for a card that the text names."""

import pytest

from torchdoctor.knowledge.owners import write_for_nvidia, write_for_other_cards


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


INSTALLATION = (
    "Install it. This is a CUDA build:\n\n```powershell\n"
    "python -m pip install torch==2.6.0 --index-url https://download.pytorch.org/whl/cu124\n```\n"
)
OWN_CONDITION = (
    "For an NVIDIA card:\n\n```powershell\n"
    "python -m pip install torch --index-url https://download.pytorch.org/whl/cu126\n```\n"
)


def test_takes_the_cpu_build_for_other_cards() -> None:
    (step,) = write_for_other_cards([INSTALLATION])
    assert "/whl/cpu" in step and "This is a CUDA build" not in step


def test_leaves_a_step_that_names_its_cards() -> None:
    assert write_for_other_cards([OWN_CONDITION]) == (OWN_CONDITION,)


def test_takes_the_cpu_build_where_another_card_is_an_aside() -> None:
    aside = INSTALLATION.replace(
        "This is a CUDA build", "Without an index it is another; for an NVIDIA card, name one"
    )
    assert "/whl/cpu" in write_for_other_cards([aside])[0]
