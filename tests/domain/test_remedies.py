"""The torch that a machine gets, by its card, driver, Python, and the torch that is there."""

from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.domain.remedies import choose_new_set, choose_remedy
from torchdoctor.facts import Absent, CondaEnvironment, CondaPackage, Gpu, Interpreter, NvidiaDriver
from torchdoctor.facts.codec import read_facts

MACHINE = Path(__file__).parents[1] / "samples" / "machines" / "01-desktop-rtx-4090-all-well.json"
GTX_750, GTX_1080, RTX_3060, RTX_5070 = (5, 0), (6, 1), (8, 6), (12, 0)
INDEX = "--index-url https://download.pytorch.org/whl/"


def _driver(version: str, *capabilities: tuple[int, int]) -> NvidiaDriver:
    gpus = tuple(Gpu("NVIDIA GeForce", capability, 8 << 30) for capability in capabilities)
    return NvidiaDriver("working", version, "12.9", gpus)


def _python(version: str) -> Interpreter:
    interpreter = read_facts(MACHINE).get(Interpreter)
    assert isinstance(interpreter, Interpreter)
    return replace(interpreter, version=version)


@pytest.mark.parametrize(
    ("driver", "card", "python", "release", "step", "shown"),
    [
        # The same release, wherever a build of it fits card, driver and Python.
        ("566.14", RTX_3060, "3.12.10", "2.6.0", "same-now", f"torch==2.6.0 torchvision==0.21.0 torchaudio==2.6.0 {INDEX}cu124"),
        ("576.88", GTX_1080, "3.12.10", "2.11.0", "same-now", f"torch==2.11.0 torchvision==0.26.0 torchaudio {INDEX}cu126"),
        ("576.88", RTX_5070, "3.12.10", "2.7.1", "same-now", f"torch==2.7.1 torchvision==0.22.1 torchaudio==2.7.1 {INDEX}cu128"),
        # Another release, if no build of this one has code for the card.
        ("576.88", RTX_5070, "3.12.10", "2.6.0", "other-now", f"torch torchvision torchaudio {INDEX}cu128"),
        ("581.29", GTX_750, "3.12.10", "2.15.0", "other-now", f"torch torchvision torchaudio {INDEX}cu126"),
        # The index with the newest releases, where the driver and the card run it.
        ("581.29", RTX_3060, "3.12.10", "2.15.0", "other-now", f"torch torchvision torchaudio {INDEX}cu130"),
        ("581.29", RTX_5070, "3.12.10", None, "other-now", f"torch torchvision torchaudio {INDEX}cu130"),
        ("566.14", RTX_3060, "3.12.10", None, "other-now", f"torch torchvision torchaudio {INDEX}cu126"),
        ("566.14", RTX_3060, "3.8.10", None, "other-now", f"torch==2.4.1 torchvision==0.19.1 torchaudio==2.4.1 {INDEX}cu121"),
        ("472.12", RTX_3060, "3.12.10", None, "other-now", f"torch torchvision torchaudio {INDEX}cu118"),
        # A newer driver before an older release.
        ("516.94", RTX_3060, "3.12.10", "2.10.0", "driver-now", f"torch==2.10.0 torchvision==0.25.0 torchaudio==2.10.0 {INDEX}cu126"),
        ("576.88", RTX_5070, "3.12.10", "2.12.0", "driver-now", f"torch==2.12.0 torchvision==0.27.0 torchaudio {INDEX}cu130"),
        # Another Python, where no build for this one has code for the card.
        ("581.29", RTX_3060, "3.15.0", None, "anew-now", f"torch torchvision torchaudio {INDEX}cu126"),
        ("576.88", RTX_5070, "3.8.10", None, "anew-now", f"torch torchvision torchaudio {INDEX}cu128"),
        ("576.88", RTX_5070, "3.8.10", "2.4.1", "anew-now", f"torch torchvision torchaudio {INDEX}cu128"),
    ],
)  # fmt: skip
def test_remedy(driver: str, card, python: str, release: str | None, step: str, shown: str) -> None:
    remedy = choose_remedy(_driver(driver, card), _python(python), release)
    assert remedy is not None
    assert (remedy.step, remedy.values.get("machine_set") or remedy.values["new_set"]) == (step, shown)


@pytest.mark.parametrize(
    ("driver", "release", "needed"), [("516.94", "2.10.0", "528.33"), ("576.88", "2.12.0", "580")]
)
def test_driver_that_is_needed_is_named(driver: str, release: str, needed: str) -> None:
    remedy = choose_remedy(
        _driver(driver, RTX_5070 if needed == "580" else RTX_3060), _python("3.12.10"), release
    )
    assert remedy is not None
    assert remedy.values["needed_driver"] == needed


@pytest.mark.parametrize(
    ("driver", "card", "reason"),
    [
        ("472.12", RTX_3060, "2.7.1, the newest one for driver 472.12; newer ones need a newer driver"),
        ("566.14", RTX_3060, "the newest release that fits"),
    ],
)
def test_old_driver_is_named_as_the_reason(driver: str, card, reason: str) -> None:
    remedy = choose_remedy(_driver(driver, card), _python("3.12.10"))
    assert remedy is not None
    assert remedy.values["machine_reason"] == reason


def test_build_has_code_for_all_cards() -> None:
    remedy = choose_remedy(_driver("581.29", GTX_1080, RTX_5070), _python("3.12.10"))
    assert remedy is not None
    assert remedy.values["machine_set"].startswith("torch==2.8.0 ")
    assert remedy.values["machine_set"].endswith("cu128")


@pytest.mark.parametrize("name", ["pytorch", "pytorch-gpu", "libtorch"])
def test_torch_of_conda_is_not_written_over(name: str) -> None:
    conda = CondaEnvironment("C:\\conda", (CondaPackage(name, "2.5.1", "py3.11_cpu_0"),))
    remedy = choose_remedy(_driver("566.14", RTX_3060), _python("3.11.9"), "2.5.1", conda)
    assert remedy is not None
    assert remedy.step == "conda-now"
    assert remedy.values["new_set"] == f"torch==2.5.1 torchvision==0.20.1 torchaudio==2.5.1 {INDEX}cu121"


def test_conda_that_has_no_torch_changes_nothing() -> None:
    conda = CondaEnvironment("C:\\conda", (CondaPackage("numpy", "1.26.4", "py311"),))
    remedy = choose_remedy(_driver("566.14", RTX_3060), _python("3.11.9"), "2.5.1", conda)
    assert remedy is not None
    assert remedy.step == "same-now"


@pytest.mark.parametrize(
    "driver",
    [
        Absent("no NVML"),
        NvidiaDriver("missing", Absent("no driver"), Absent("no driver"), Absent("no driver")),
        NvidiaDriver("working", "566.14", "12.7", (Gpu("NVIDIA GeForce", Absent("not told"), 8 << 30),)),
        _driver("391.35", RTX_3060),
        _driver("566.14", (2, 1)),
    ],
    ids=["absent", "missing", "no-capability", "too-old", "card-too-old"],
)
def test_nothing_is_chosen_without_a_card_and_a_driver(driver: NvidiaDriver | Absent) -> None:
    assert choose_remedy(driver, _python("3.12.10"), "2.10.0") is None
    assert choose_new_set(driver) is None
