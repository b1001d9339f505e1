"""What an entry's command takes as the CUDA build of a torch is a build that there is."""

import pytest

from torchdoctor.domain.cuda_variants import read_builds
from torchdoctor.knowledge.cuda_choice import CUDA_BUILDS, write_choices


def choose(release: list[int]) -> str:
    return str(eval(write_choices("<<cuda-build>>"), {"n": release}))


# The table of builds begins with torch 1.8.
@pytest.mark.parametrize(("build", "first"), [each for each in CUDA_BUILDS if each[0] != "cu110"])
def test_takes_a_build_that_the_release_has(build: str, first: tuple[int, int]) -> None:
    release = f"{first[0]}.{first[1]}"

    assert any(each.variant == build and release in each.torch for each in read_builds())


@pytest.mark.parametrize(
    ("release", "build"), [([2, 9], "cu126"), ([2, 5], "cu121"), ([1, 9], "cu111"), ([1, 6], "")]
)
def test_takes_the_build_of_the_release(release: list[int], build: str) -> None:
    assert choose(release) == build


def test_leaves_other_names_alone() -> None:
    assert write_choices("print(1 << 2) <<other>>") == "print(1 << 2) <<other>>"
