"""Of several cards of a text, torch may have code for some: nothing is said that holds for the others only."""

import re

import pytest

from torchdoctor.domain.cuda_variants import find_last_release, find_variants_for_card
from torchdoctor.domain.gpu_names import find_capability
from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain

KNOWLEDGE = load_heads()
ERROR = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
TOGETHER = {
    "english": "{old} and {new} in one PC, torch {torch}",
    "dual": "Dual GPU: {new} + {old}, torch {torch}",
    "two": "2 GPUs: {old} and {new}. torch {torch}",
    "list": "GPU 0: NVIDIA GeForce {new} (UUID: GPU-1)\nGPU 1: NVIDIA GeForce {old} (UUID: GPU-2)\ntorch {torch}",
    "german": "Meine beiden Karten: {old} und {new}, torch {torch}",
    "spanish": "Tengo una {new} y una {old} en el mismo PC, torch {torch}",
    "chinese": "我有两张显卡: {new} 和 {old}, torch {torch}",
    "behind": "{new}, torch {torch}\n" + ERROR + "\n{old} in the same PC",
}
FORMER = {
    "borrowed": "I used to have an {new} (borrowed), now I am back on my {old}. torch {torch}",
    "german": "Vorher hatte ich eine {new}, jetzt eine {old}. torch {torch}",
    "spanish": "Antes tenía una {new}, ahora tengo una {old}. torch {torch}",
    "returned": "The {new} went back to the shop, now my old {old} is in it again. torch {torch}",
    "today": "Previously {new} in this PC, today only a {old}. torch {torch}",
}
# Two cards, and a torch with code for the newer one alone.
OLDER_LACKS = [
    ("GTX 1060", "RTX 5090", "2.9.1+cu128"),
    ("GTX 970", "RTX 4090", "2.8.0+cu128"),
    ("GTX 1080 Ti", "RTX 3090", "2.9.1+cu130"),
    ("GTX 980 Ti", "RTX 5070", "2.8.0+cu129"),
]
# Two cards, and a torch with code for the older one alone.
NEWER_LACKS = [
    ("GTX 1070", "RTX 5060 Ti", "2.6.0+cu124"),
    ("GTX 1080", "RTX 5090", "2.9.1+cu126"),
    ("RTX 3090", "RTX 5090", "2.6.0+cu124"),
    ("GTX 970", "RTX 5080", "2.5.1+cu121"),
]
COMMAND = re.compile(r"torch(?:==(?P<release>[\d.]+))? [^\n]*/whl/(?P<build>cu\d+)")


def covers(release: str, build: str, card: str) -> bool:
    """Return whether a build has code for a card."""
    return build in find_variants_for_card(release, find_capability(card))


def list_builds(step: str) -> set[tuple[str, str]]:
    """Return the releases and the builds that the commands of a step install."""
    found = ((match["release"], match["build"]) for match in COMMAND.finditer(step))
    return {(release or find_last_release(build) or "", build) for release, build in found}


@pytest.mark.parametrize("cards", OLDER_LACKS + NEWER_LACKS)
@pytest.mark.parametrize("words", TOGETHER.values(), ids=TOGETHER)
def test_torch_without_code_for_a_card_blames_no_extension(words: str, cards: tuple[str, str, str]) -> None:
    """The title may not say that torch has code for the cards."""
    old, new, torch = cards
    diagnosis = explain(f"{words.format(old=old, new=new, torch=torch)}\n{ERROR}", KNOWLEDGE).diagnoses[0]
    assert diagnosis.name == "unsupported-gpu-arch"
    assert "extension" not in diagnosis.title


@pytest.mark.parametrize("cards", OLDER_LACKS)
@pytest.mark.parametrize("words", TOGETHER.values(), ids=TOGETHER)
def test_newer_card_with_code_is_shown_alone(words: str, cards: tuple[str, str, str]) -> None:
    """No build is installed where the newer card works already."""
    old, new, torch = cards
    fix = explain(f"{words.format(old=old, new=new, torch=torch)}\n{ERROR}", KNOWLEDGE).diagnoses[0].fix
    assert "CUDA_VISIBLE_DEVICES" in fix[0]
    assert not list_builds(fix[0])


@pytest.mark.parametrize("cards", NEWER_LACKS)
@pytest.mark.parametrize("words", TOGETHER.values(), ids=TOGETHER)
def test_build_for_the_newer_card_has_code_for_both(words: str, cards: tuple[str, str, str]) -> None:
    """A build exists for each of these pairs."""
    old, new, torch = cards
    fix = explain(f"{words.format(old=old, new=new, torch=torch)}\n{ERROR}", KNOWLEDGE).diagnoses[0].fix
    builds = list_builds(fix[0])
    assert builds
    assert all(covers(*build, old) and covers(*build, new) for build in builds)


@pytest.mark.parametrize("cards", OLDER_LACKS)
@pytest.mark.parametrize("words", FORMER.values(), ids=FORMER)
def test_former_card_gets_no_build(words: str, cards: tuple[str, str, str]) -> None:
    """Each build that is offered runs on the card that is there, and none is installed already."""
    old, new, torch = cards
    fix = explain(f"{words.format(old=old, new=new, torch=torch)}\n{ERROR}", KNOWLEDGE).diagnoses[0].fix
    builds = set().union(*map(list_builds, fix))
    assert builds
    assert all(covers(*build, old) for build in builds)
    assert tuple(torch.split("+")) not in builds


@pytest.mark.parametrize("cards", NEWER_LACKS)
@pytest.mark.parametrize("words", FORMER.values(), ids=FORMER)
def test_former_card_is_no_card_without_code(words: str, cards: tuple[str, str, str]) -> None:
    """The torch of the text has code for the card that is there now, so nothing is installed for it."""
    old, new, torch = cards
    fix = explain(f"{words.format(old=old, new=new, torch=torch)}\n{ERROR}", KNOWLEDGE).diagnoses[0].fix
    assert not set().union(*map(list_builds, fix))


def test_card_of_somebody_else_is_no_second_card() -> None:
    """The torch of the text has code for the only card of its computer."""
    text = f"It works on my friend's GTX 1060. Mine is an RTX 5090, torch 2.9.1+cu128, detectron2\n{ERROR}"
    assert "extension" in explain(text, KNOWLEDGE).diagnoses[0].title
