"""No step for a card of AMD or Intel is one for NVIDIA's cards."""

import re

import pytest

from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain
from torchdoctor.knowledge.card_makers import leave_out_nvidia

KNOWLEDGE = load_heads()
OF_NVIDIA = re.compile(
    r"(?:[^.\n]|\.(?!\s))*(?:www\.nvidia\.com/(?:en-us/)?drivers|NVIDIA Control Panel|developer\.nvidia\.com/cuda-t"
    r"|NVIDIA GPU Computing Toolkit|(?:[Uu]pdate|[Ii]nstall)\s+(?:the\s+)?(?:newest\s+)?NVIDIA(?:'s)?\s+driver)"
    r"(?:[^.\n]|\.(?!\s))*"
)
# A step may say for whom it is.
CONDITION = re.compile(r"\bNVIDIA(?:'s)?\s+(?:cards?|GPUs?)\b")


def _write(name: str, maker: str) -> tuple[str, ...]:
    body = KNOWLEDGE.entries[name].body
    return leave_out_nvidia((*(step.text for step in body.steps), body.verify), maker)


@pytest.mark.parametrize("maker", ["amd", "intel"])
@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_no_step_orders_what_is_for_nvidia(name: str, maker: str) -> None:
    orders = [found[0] for step in _write(name, maker) for found in OF_NVIDIA.finditer(step)]
    assert [order for order in orders if not CONDITION.search(order)] == []


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_no_step_loses_its_command(name: str) -> None:
    texts = _write(name, "amd")
    assert [text for text in texts if text.rstrip().endswith(":") or text.count("```") % 2] == []


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_other_steps_stay(name: str) -> None:
    body = KNOWLEDGE.entries[name].body
    texts = [step.text for step in body.steps if "nvidia" not in step.text.lower()]
    assert [text for text in texts if text not in _write(name, "amd")] == []


@pytest.mark.parametrize(
    ("card", "page"),
    [
        ("Using device cuda:0: AMD Radeon RX 6800 [ZLUDA]", "amd.com"),
        ("GPU: AMD Radeon RX 7900 XTX", "amd.com"),
        ("GPU: Intel Arc A770", "intel.com"),
        ("GPU: NVIDIA GeForce RTX 3060", "nvidia.com"),
    ],
)
def test_driver_is_that_of_the_card(card: str, page: str) -> None:
    told = "RuntimeError: CUDA error: an illegal memory access was encountered"
    fix = "\n".join(explain(f"{card}\n{told}", KNOWLEDGE, on_screen=True).diagnoses[0].fix)
    pages = ("amd.com", "intel.com", "nvidia.com")
    assert [each for each in pages if f"{each}/" in fix] == [page]
