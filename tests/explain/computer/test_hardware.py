"""No answer offers what the computer of a text cannot run: a CUDA build, or a driver that does not exist."""

import re
from itertools import product

import pytest

from torchdoctor import explain

# Of each name, the newest chip that has it: https://developer.nvidia.com/cuda-legacy-gpus
TOO_OLD = (
    "GeForce GT 710", "GT 730", "GT 640", "GT 610", "GT710", "NVIDIA GeForce GT 720", "GT 740M", "GTX 650 Ti", "GTX 660M", "GTX 680", "GTX 690",
    "GTX 760", "GTX 770", "NVIDIA GeForce GTX 780 Ti", "GTX 780M", "GTX TITAN Black", "GTX TITAN", "GTX 870M", "GeForce 920M", "Quadro K2000",
    "Quadro K4200", "Quadro K5200", "Quadro K600", "Quadro K1100M", "K1100M", "Quadro 4000", "Tesla K40c", "Tesla K20m", "Tesla K10", "GRID K2",
    "NVS 510", "NVS 315", "GTX 580", "GTX 560 Ti", "GTX 460", "GT 430", "GT 540M", "GTS 450", "Tesla C2075", "GeForce 820M", "GTX 260",
)  # fmt: skip
# Cards that a build of today has code for, as people write them beside the graphics of a processor.
USABLE = (
    "MX450", "MX250 2GB", "A2000 12GB", "Titan Xp", "GT 1030", "NVIDIA MX150", "GeForce MX130", "Quadro T1000", "3050Ti", "NVIDIA T600",
    "Quadro K620", "Quadro M2000", "GTX 750 Ti", "GTX 960M", "P2000", "T1200", "RTX A1000", "GTX 1650", "Tesla P40", "940MX", "Titan V",
)  # fmt: skip
OWN_GRAPHICS = ("Intel Iris Xe", "Intel UHD 620", "Intel HD 4600", "Intel(R) UHD Graphics 770", "Iris Plus")
ARM = (
    "Surface Laptop 7 with Snapdragon X Elite, Windows 11 ARM, Python 3.12 (ARM64)",
    "Snapdragon X laptop, Windows 11 ARM64, python 3.12",
    "Surface Pro 11 (Qualcomm Snapdragon X Plus, Adreno GPU)",
    "Python 3.12.3 (tags/v3.12.3:f6650f9, Apr  9 2024, 14:05:25) [MSC v.1938 64 bit (ARM64)] on win32",
)
ERRORS = (
    "torch 2.2.0+cpu\nAssertionError: Torch not compiled with CUDA enabled",
    "torch 2.12.0+cpu, driver 475.14\nAssertionError: Torch not compiled with CUDA enabled",
    "Windows 10, torch 2.6.0+cu124\ntorch.cuda.is_available() False",
    "torch 2.6.0+cu124\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver",
    "torch 2.6.0, driver 391.35\nUserWarning: CUDA initialization: The NVIDIA driver on your system is too old (found version 9010).",
    "torch 2.9.1+cu126\nCUDA error: no kernel image is available for execution on the device",
    "Windows 10, Python 3.11\nModuleNotFoundError: No module named 'torch'",
    "torch 2.6.0+cpu, torchvision 0.20.1+cpu\nRuntimeError: operator torchvision::nms does not exist",
    "RuntimeError: \"slow_conv2d_cpu\" not implemented for 'Half'",
    "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.",
    "ImportError: DLL load failed while importing torch: The specified module could not be found.",
)
_CUDA_BUILD = re.compile(r"/whl/cu\d+|\+cu\d{2,3}|compute_cap")
_NEW_DRIVER = re.compile(
    r"\b(?:[Uu]pdate|[Ii]nstall|newest)\b[^.:]{0,60}\bdriver|needs [\d.]+ or newer|nvidia\.com/drivers"
)
_NONE = re.compile(r"names none|computer has none|no NVIDIA card in this|has no NVIDIA card")


def _find_offered(text: str) -> list[str]:
    """Return what an explanation says of builds and drivers, but for the build that is there already."""
    there = re.search(r"\d\+(cu\d+)", text)
    said = []
    for diagnosis in explain(text).diagnoses:
        for step in (diagnosis.lead, *diagnosis.fix):
            kept = step.replace(f"/whl/{there[1]}", "").replace(f"+{there[1]}", "") if there else step
            said += [(diagnosis.name, step) for regex in (_CUDA_BUILD, _NEW_DRIVER) if regex.search(kept)]
    return said


@pytest.mark.parametrize("error", ERRORS, ids=range(len(ERRORS)))
def test_nothing_is_offered_to_a_card_that_nothing_runs_on(error: str) -> None:
    offered = {card: _find_offered(f"My card is a {card}.\n{error}") for card in TOO_OLD}
    assert {card: said for card, said in offered.items() if said} == {}


@pytest.mark.parametrize(("computer", "error"), list(product(ARM, ERRORS)))
def test_no_cuda_is_offered_to_windows_on_arm(computer: str, error: str) -> None:
    assert _find_offered(f"{computer}\n{error}") == []


@pytest.mark.parametrize("card", USABLE)
def test_card_beside_the_graphics_of_a_processor_is_seen(card: str) -> None:
    texts = [
        f"Laptop: {first} + {second}, torch 2.3.1+cpu\nAssertionError: Torch not compiled with CUDA enabled"
        for graphics in OWN_GRAPHICS
        for first, second in ((card, graphics), (graphics, card))
    ]
    leads = {text: (explain(text).diagnoses[0].title, explain(text).diagnoses[0].lead) for text in texts}
    assert {text: said for text, said in leads.items() if any(map(_NONE.search, said))} == {}


def test_driver_of_nvidia_stands_for_a_card() -> None:
    text = (
        "Intel UHD 630, driver 531.79, torch 2.3.1+cpu\nAssertionError: Torch not compiled with CUDA enabled"
    )
    assert not _NONE.search(explain(text).diagnoses[0].lead)


@pytest.mark.parametrize(
    "card", ["GT 710 and an RTX 3060", "GTX 1060, before it a GT 730", "GTX 750 Ti", "Tesla K80", "GTX 860M"]
)
def test_build_is_offered_where_a_card_can_run_one(card: str) -> None:
    text = f"My PC has a {card}.\nAssertionError: Torch not compiled with CUDA enabled"
    assert any(re.search(r"/whl/", step) for step in explain(text).diagnoses[0].fix)


TWO_COMPUTERS = {
    "none": (
        "En mi PC de casa (RTX 3090, torch 2.4.0+cu121) funciona. En el portátil del trabajo (Intel Iris Xe, torch 2.4.0+cpu):",
        "Sur mon PC fixe (RTX 4070, pilote 560.94) tout marche. Sur mon portable (pas de carte NVIDIA, Intel UHD):",
        "我朋友的电脑是RTX 3090，可以运行。我的笔记本没有英伟达显卡，只有Intel UHD，torch 2.3.0+cpu",
        "友人のPC（RTX 4090）では動きます。私のノートPCはIntel Iris Xeのみです。torch 2.5.1+cpu",
        "회사 PC에는 RTX 3090이 있고 잘 됩니다. 집 노트북은 외장 그래픽이 없습니다(Intel UHD). torch 2.3.0+cpu",
    ),
    "amd": (
        "На работе RTX 3060 и torch 2.5.1+cu124, всё работает. Дома ноутбук без NVIDIA (Radeon Vega 8), torch 2.5.1+cpu:",
        "Meu amigo tem uma RTX 3060. Eu tenho só uma Radeon RX 580. torch 2.2.0+cpu",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("maker", "text"), [(maker, text) for maker in TWO_COMPUTERS for text in TWO_COMPUTERS[maker]]
)
def test_card_of_another_computer_is_none_of_this_one(maker: str, text: str) -> None:
    explanation = explain(f"{text}\nAssertionError: Torch not compiled with CUDA enabled")
    assert (explanation.values["maker"], "whl/cu" in "".join(explanation.diagnoses[0].fix)) == (maker, False)


@pytest.mark.parametrize(
    "text",
    [
        "GTX 1060 and RTX 5090 in one PC, torch 2.9.1+cu128",
        "RTX 5090, torch 2.9.1+cu128, and a GTX 1060 in the same PC",
        "Dual GPU: RTX 4090 + GTX 970, torch 2.8.0+cu128",
    ],
)
def test_older_of_two_cards_is_the_cause(text: str) -> None:
    error = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    assert "older of two" in explain(f"{text}\n{error}").diagnoses[0].title


@pytest.mark.parametrize(
    "text",
    [
        "VirtualBox VM Windows 10 on a host with RTX 3070. torch 2.3.0+cpu in the VM",
        "Windows 11 inside Parallels, torch 2.5.1+cpu",
        "Hyper-V VM, Microsoft Basic Display Adapter, torch 2.5.1+cpu",
    ],
)
@pytest.mark.parametrize("error", ERRORS[:4], ids=range(4))
def test_no_cuda_is_offered_in_a_virtual_machine(text: str, error: str) -> None:
    assert _find_offered(f"{text}\n{error}") == []
