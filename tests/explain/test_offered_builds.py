"""A build of torch that an answer offers exists, and runs with the card, the driver and the Python of the text."""

import re
from itertools import product

import pytest

from torchdoctor import explain
from torchdoctor.domain.cuda_builds import FLOORS
from torchdoctor.domain.cuda_variants import find_last_release, find_variants, read_builds
from torchdoctor.domain.gpu_names import find_capability, find_last_driver
from torchdoctor.domain.releases import find_companion, find_pythons
from torchdoctor.domain.versions import parse_release

CARDS = (
    "GTX 960",
    "GTX 1070",
    "Tesla V100",
    "RTX 2060",
    "RTX 3060",
    "RTX 4070",
    "RTX 5090",
    "Tesla K80",
    "MX350",
)
DRIVERS = ("", "425.31", "472.12", "531.79", "576.52", "591.44")
PYTHONS = ("", "3.7.9", "3.8", "3.10", "3.12.4", "3.14")
TORCHES = ("1.7.1", "1.13.1", "2.2.0", "2.5.1", "2.8.0", "2.9.1", "2.12.0")
CPU_ERROR = "torch {torch}+cpu\nAssertionError: Torch not compiled with CUDA enabled"
KERNEL_ERROR = "pip list: torch {torch}\nRuntimeError: CUDA error: no kernel image is available for execution on the device"
INDEX_ERROR = (
    "pip install torch=={torch} torchvision --index-url https://download.pytorch.org/whl/{build}\n"
    "ERROR: Could not find a version that satisfies the requirement torch=={torch} (from versions: 2.7.0+{build}, 2.7.1+{build})"
)
ASKED_ERROR = (
    "pip install torch=={torch}+{build}\n"
    "ERROR: Could not find a version that satisfies the requirement torch=={torch}+{build} (from versions: {torch})"
)
_COMMAND = re.compile(
    r"pip install (?P<words>(?:--[\w-]+ ){0,4}torch(?:==(?P<release>[\d.]+\d))?(?:\+cu\d+)?[^\n]*?)"
    r" --(?:extra-)?index-url https://download\.pytorch\.org/whl/(?P<build>cu\d+)"
)


def _find_faults(text: str, card: str, driver: str, python: str) -> list[str]:
    """Return what is wrong with the commands of an explanation for a card, a driver and a Python."""
    faults = []
    (first, *_) = explain(text).diagnoses
    is_updated = False
    for step in first.fix:
        is_updated = is_updated or re.search(r"[Uu]pdate the NVIDIA driver", step) is not None
        # Commands in sentences have other numbers put in.
        for command in _COMMAND.finditer(re.sub(r"`[^`\n]*`", "", step)):
            faults += [
                f"{fault}: {command[0]}"
                for fault in _judge(command, card, driver, python, is_updated=is_updated)
            ]
    return faults


def _judge(command: re.Match[str], card: str, driver: str, python: str, *, is_updated: bool) -> list[str]:
    build, release = command["build"], command["release"] or find_last_release(command["build"])
    if release is None or build not in find_variants(release):
        return ["no such build"]
    faults = []
    capability = find_capability(card)
    rows = [each for each in read_builds() if each.variant == build and release in each.torch]
    if capability and not any(each.architectures.covers(capability) for each in rows):
        faults.append("no code for the card")
    is_own = "C:\\envs" in command.string
    if python and not is_own and parse_release(python)[:2] not in find_pythons(release):
        faults.append("no wheel for the Python")
    needed = FLOORS["windows"][int(build[2:]) // 10].certain
    last = find_last_driver(capability) if capability else None
    if driver and parse_release(driver) < needed and not is_updated:
        faults.append("the driver is too old")
    if is_updated and last is not None and needed[0] >= last.numbers_below:
        faults.append("no such driver for the card")
    vision = re.search(r"torchvision(?:==([\d.]+))?", command["words"])
    is_alone = "--no-deps" in command["words"]
    if is_alone and command["release"] and vision and vision[1] != find_companion("torchvision", release):
        faults.append("another torchvision")
    return faults


@pytest.mark.parametrize("card", CARDS)
def test_build_in_place_of_a_cpu_build_runs(card: str) -> None:
    faults = {}
    # One in seven of all, so that each pair is among them for some card.
    several = list(product(DRIVERS, PYTHONS, TORCHES))[CARDS.index(card) % 7 :: 7]
    for driver, python, torch in several:
        said = [card, f"driver {driver}" if driver else "", f"Python {python}" if python else ""]
        text = ", ".join(filter(None, said)) + "\n" + CPU_ERROR.format(torch=torch)
        faults[text] = _find_faults(text, card, driver, python)
    assert {text: said for text, said in faults.items() if said} == {}


@pytest.mark.parametrize("card", CARDS)
def test_build_with_code_for_the_card_runs(card: str) -> None:
    faults = {}
    several = list(product(DRIVERS[::2], TORCHES[2:], ("", "+cu118", "+cu128", "+cu130")))
    for driver, torch, tag in several[CARDS.index(card) % 4 :: 4]:
        text = f"{card}, driver {driver or 'unknown'}\n{KERNEL_ERROR.format(torch=torch + tag)}"
        faults[text] = _find_faults(text, card, driver, "")
    assert {text: said for text, said in faults.items() if said} == {}


@pytest.mark.parametrize("error", [INDEX_ERROR, ASKED_ERROR], ids=["index", "suffix"])
@pytest.mark.parametrize("build", ["cu117", "cu121", "cu122", "cu125", "cu126", "cu128", "cu130", "cu134"])
def test_build_that_pip_did_not_find_is_replaced_by_one_that_runs(error: str, build: str) -> None:
    faults = {}
    for card, torch in list(product(CARDS, TORCHES[2:]))[::4]:
        text = f"{error.format(torch=torch, build=build)}\n{card}, Windows 11, Python 3.11"
        faults[text] = _find_faults(text, card, "", "3.11")
    assert {text: said for text, said in faults.items() if said} == {}
