"""What is said of a missing kernel agrees with the table of builds, however a text names torch and card."""

import pytest

from torchdoctor.domain.cuda_variants import read_builds
from torchdoctor.domain.gpu_names import find_capability
from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain

KNOWLEDGE = load_heads()
ERROR = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
FORMS = (
    "{card}, torch {torch}\n{error}",
    "GPU: {card}\nPyTorch {torch}\n{error}",
    "GPU 0: NVIDIA GeForce {card}\nPyTorch version: {torch}\n{error}",
    "{error}\n{card}, {torch}",
    "nvidia-smi: {card}, Driver Version: 551.23, CUDA 12.4\npip list: torch {torch}\n{error}",
)
CARDS = ("GTX 1060", "RTX 2070", "RTX 3060", "RTX 4070", "RTX 5090")
BUILDS = ("2.3.1+cu121", "2.5.1+cu124", "2.7.1+cu126", "2.7.1+cu128", "2.9.0+cu130")


def _covers(card: str, torch: str) -> bool:
    release, _, variant = torch.partition("+")
    capability = find_capability(card)
    assert capability is not None
    builds = [build for build in read_builds() if build.variant == variant and release in build.torch]
    return any(build.architectures.covers(capability) for build in builds)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("torch", BUILDS)
@pytest.mark.parametrize("card", CARDS)
def test_extension_is_blamed_exactly_where_torch_has_code(card: str, torch: str, form: str) -> None:
    first = explain(form.format(card=card, torch=torch, error=ERROR), KNOWLEDGE).diagnoses[0]
    assert first.title.startswith("An extension") == _covers(card, torch)
