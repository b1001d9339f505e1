"""For a driver that is too old, no build is proposed that needs a newer driver than the one of the text."""

import re

import pytest

from torchdoctor.domain.cuda_builds import FLOORS, find_floor, read_needed
from torchdoctor.domain.cuda_variants import read_builds
from torchdoctor.domain.releases import list_releases
from torchdoctor.domain.versions import parse_release
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.facts import Absent

KNOWLEDGE, _ = load_knowledge()
# The newest driver before each floor, and one of each CUDA.
DRIVERS = (
    ("377.83", "8000"),
    ("398.26", "9020"),
    ("425.31", "10010"),
    ("442.19", "10020"),
    ("451.48", "11000"),
    ("452.39", "11000"),
    ("472.12", "11040"),
    ("522.06", "11080"),
    ("528.33", "12000"),
    ("560.94", "12060"),
    ("577.00", "12090"),
)
BUILT = re.compile(r"(?:/whl/|\+)cu(\d{2,3})\b")


def read_floor(number: str) -> tuple[int, ...]:
    needed = read_needed(f"{number[:-1]}.{number[-1]}")
    assert not isinstance(needed, Absent)
    floor = find_floor("windows", needed)
    assert floor is not None
    return floor.certain


def list_too_new(driver: str) -> list[str]:
    """Return the builds of the table that a driver does not run: the newest release of each."""
    found = []
    for build in read_builds():
        release = [each for each in list_releases() if each in build.torch][-1]
        if parse_release(driver) < read_floor(build.variant.removeprefix("cu")):
            found.append(f"{release}+{build.variant}")
    return found


def list_proposed(text: str) -> list[str]:
    diagnosis = explain(text, KNOWLEDGE, on_screen=True).diagnoses[0]
    assert diagnosis.name == "driver-too-old"
    blocks = re.findall(r"```\w+\n(.*?)```", "\n".join(diagnosis.fix), re.DOTALL)
    return [number for block in blocks for number in BUILT.findall(block)]


def write_texts(driver: str, found: str, version: str) -> tuple[str, str]:
    error = f"RuntimeError: The NVIDIA driver on your system is too old (found version {found})."
    return (
        f"Windows 10, torch {version}, driver {driver}\n{error}",
        f"Windows 10, torch {version}\n| NVIDIA-SMI {driver}     Driver Version: {driver}     |\n{error}",
    )


@pytest.mark.parametrize(("driver", "found"), DRIVERS, ids=[driver for driver, _ in DRIVERS])
def test_no_proposed_build_needs_a_newer_driver(driver: str, found: str) -> None:
    texts = [text for version in list_too_new(driver) for text in write_texts(driver, found, version)]
    proposed = {number for text in texts for number in list_proposed(text)}
    assert [number for number in proposed if read_floor(number) > parse_release(driver)] == []


@pytest.mark.parametrize(
    ("version", "proposed"), [("2.1.0+cu118", set()), ("2.5.1+cu121", {"118"}), ("2.9.1+cu130", {"126"})]
)
def test_unknown_driver_is_older_than_the_build(version: str, proposed: set[str]) -> None:
    text = f"Windows 10, torch {version}\nRuntimeError: The NVIDIA driver on your system is too old"
    assert set(list_proposed(text)) == proposed


def test_drivers_are_on_both_sides_of_each_floor() -> None:
    drivers = [parse_release(driver) for driver, _ in DRIVERS]
    floors = [floor.certain for floor in FLOORS["windows"].values()]
    assert all(min(drivers) < floor for floor in floors)
