"""What a command installs fits the computer of a text: an index that has the build, the card and the Python."""

import re
from itertools import product

import pytest

from torchdoctor import explain
from torchdoctor.domain.cuda_variants import find_variants, lacks_variant, read_builds
from torchdoctor.domain.releases import find_pythons, list_releases
from torchdoctor.domain.requirements import describe_wanted
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain.computer.choice import describe_choice
from torchdoctor.knowledge.entries import parse_entry

CARDS = (None, "sm_37", "sm_61", "sm_70", "sm_86", "sm_120")
DRIVERS = (None, "425.31", "472.12", "531.79", "591.44")
PYTHONS = (None, "3.6", "3.8", "3.12", "3.14", "3.15")
RELEASES = (None, "1.7.1", "1.9.0", "1.13.1", "2.0.1", "2.4.1", "2.6.0", "2.8.0", "2.12.0", "2.15.0")
NEW_PYTHON = "3.12"


def find_fault(arguments: str, card: str | None, python: str | None) -> str:
    """Return why pip's arguments install nothing that runs; "" if they do."""
    index = re.search(r"/whl/(cu\d+)|\+(cu\d+)", arguments)
    assert index is not None
    variant = index[1] or index[2]
    named = re.search(r"\btorch==(\d+\.\d+\.\d+)", arguments)
    numbers = tuple(map(int, python.split(".")[:2])) if python else None
    releases = [named[1]] if named else list_releases()
    found = [each for each in releases if variant in find_variants(each)]
    if not found:
        return "no such build"
    if numbers is not None and not any(numbers in find_pythons(each) for each in found):
        return "no wheel for the Python"
    found = [each for each in found if numbers is None or numbers in find_pythons(each)]
    builds = (build for build in read_builds() if build.variant == variant and found[-1] in build.torch)
    capability = (int(card[3:-1]), int(card[-1])) if card else None
    if capability is not None and not any(build.architectures.covers(capability) for build in builds):
        return "no code for the card"
    return ""


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("release", RELEASES)
def test_chosen_builds_fit(release: str | None, card: str | None) -> None:
    faults = set()
    for driver, python in product(DRIVERS, PYTHONS):
        known = {
            "torch_release": release,
            "torch_version": f"{release}+cpu" if release else None,
            "sm": card,
            "driver_version": driver,
            "python_version": python,
        }
        choice = describe_choice({name: value for name, value in known.items() if value})
        for name in ("cuda_set", "card_set", "updated_set"):
            if name in choice:
                faults.add((name, find_fault(choice[name], card, python)))
        if "new_set" in choice:
            faults.add(("new_set", find_fault(choice["new_set"], card, NEW_PYTHON)))
        if "cuda_set" in choice and ("keeps_release" in choice) != (choice["cuda_release"] == release):
            faults.add(("keeps_release", choice["cuda_set"]))
        if card and python and not {"cuda_set", "python_too_old", "python_too_new"} & choice.keys():
            faults.add(("nothing is said", f"{driver} {python}"))
    assert {fault for fault in faults if fault[1]} == set()


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("release", [each for each in RELEASES if each])
def test_wanted_builds_fit(release: str, card: str | None) -> None:
    faults = set()
    for build in ("cu111", "cu117", "cu118", "cu121", "cu122", "cu125", "cu126", "cu128", "cu130", "cu134"):
        asked = describe_wanted(f"=={release}+{build}", None, None, None, None, card)
        searched = describe_wanted(f"=={release}", None, build, None, None, card)
        for values in (asked, searched):
            faults |= {
                (name, build, find_fault(values[name], card, None))
                for name in ("asked_set", "wanted_set")
                if name in values
                and find_variants(release)
                and "uncovered" not in values
                # Not all builds of the oldest releases are in the table.
                and (lacks_variant(release, build) or build in find_variants(release))
            }
    assert {fault for fault in faults if fault[2]} == set()


def test_only_a_kept_release_is_called_the_same() -> None:
    """A command of a chosen build may be of another release."""
    promised = re.compile(r"\bsame release|release stays")
    chosen = re.compile(r"\{(?:cuda|card|newest)_set\|")
    kept = {"keeps_release", "torch_release"}
    wrong = {
        (entry.name, step.tag)
        for entry in load_knowledge(parse_entry)[0].entries.values()
        for case in entry.cases
        for step in entry.body.steps
        if step.tag in case.steps
        and chosen.search(step.text)
        and promised.search(step.text)
        and not {name for name, _ in case.conditions} & kept
    }
    assert wrong == set()


@pytest.mark.parametrize(
    ("text", "lead", "command"),
    [
        ("RTX 3060, driver 472.12, torch 2.9.1+cpu, Python 3.12", "driver", "torch==2.9.1 .*cu126"),
        ("RTX 3060, driver 472.12, torch 2.9.1+cpu, Python 3.14", "same release", "torch==2.9.1 .*cu126"),
        ("Tesla K80, torch 2.12.0+cpu, driver 475.14", "of another release", "torch torchvision .*cu118"),
        ("RTX 3090, driver 591.44, torch 1.7.1+cpu python 3.7", "of another release", "torch==1.13.1.*cu117"),
        ("Python 3.7.9, GTX 1060, driver 425.31, torch 1.13.1+cpu", "same release", r"torch==1.13.1\+cu117"),
        ("python 3.8 torch 1.5.0+cpu GTX 1080, driver 446.14", "of another release", "torch==2.4.1 .*cu121"),
    ],
)
def test_lead_and_command_are_of_one_release(text: str, lead: str, command: str) -> None:
    first = explain(f"{text}\nAssertionError: Torch not compiled with CUDA enabled\n").diagnoses[0]
    joined = " ".join(first.lead.split())
    assert (lead in joined, re.search(command, first.fix[0]) is not None) == (True, True)


RELEASE_AND_INDEX = re.compile(r"\btorch==(\d+\.\d+\.\d+)[^\n]*/whl/(cu\d{2,3})\b")


@pytest.mark.parametrize("card", ["", "RTX 5080", "GTX 1070", "Tesla K80"])
@pytest.mark.parametrize(
    "error",
    [
        'OSError: [WinError 1114] Error loading "C:\\v\\Lib\\site-packages\\torch\\lib\\c10.dll" or one of its'
        " dependencies.",
        "Disabling PyTorch because PyTorch >= 2.4 is required but found 2.3.1",
        "AttributeError: module 'torch' has no attribute 'xpu'",
        "ModuleNotFoundError: No module named 'torch'",
        "AssertionError: Torch not compiled with CUDA enabled",
    ],
)
def test_no_command_names_a_build_that_is_not_there(error: str, card: str) -> None:
    wrong = []
    for torch, python in product(
        ("2.3.1+cu118", "2.9.1+cu130", "2.13.0+cu132", "2.6.0+cpu"), ("3.8", "3.14")
    ):
        text = f"{error}\n{card}\ntorch {torch}, Python {python}\n"
        for step in explain(text).diagnoses[0].fix:
            for release, variant in RELEASE_AND_INDEX.findall(step):
                fits = tuple(map(int, python.split("."))) in find_pythons(release)
                is_own = release == torch.partition("+")[0] or "-m venv" in step
                if lacks_variant(release, variant) or not (fits or is_own):
                    wrong.append((text, step))
    assert wrong == []
