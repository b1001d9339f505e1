"""The build of torch that fits a computer: its Python, its card, its driver and its packages."""

import pytest

from torchdoctor.domain.cuda_variants import find_variant_of_toolkit
from torchdoctor.domain.torch_choice import Computer, choose_torch, is_python_too_old, list_limited_packages

INDEXES = "https://download.pytorch.org/whl"


@pytest.mark.parametrize(
    ("computer", "arguments", "reason"),
    [
        (
            Computer(python="3.8.10"),
            f"torch==2.4.1 torchvision==0.19.1 torchaudio==2.4.1 --index-url {INDEXES}/cu121",
            "2.4.1, the last release for Python 3.8",
        ),
        (
            Computer(python="3.7", capabilities=((8, 6),)),
            "torch==1.13.1+cu117 torchvision==0.14.1+cu117 torchaudio==0.13.1"
            f" --extra-index-url {INDEXES}/cu117",
            "1.13.1, the last release for Python 3.7",
        ),
        (
            Computer(python="3.10", torch="2.0.1+cpu"),
            f"torch==2.0.1 torchvision==0.15.2 torchaudio==2.0.2 --index-url {INDEXES}/cu118",
            "2.0.1, the release that is installed",
        ),
        (
            Computer(torch="2.9.1+cu130", capabilities=((6, 1),)),
            f"torch==2.9.1 torchvision==0.24.1 torchaudio==2.9.1 --index-url {INDEXES}/cu126",
            "2.9.1, the release that is installed",
        ),
        # A build for CUDA 10 ends at compute capability 7.5; the same release has one for CUDA 11.
        (
            Computer(torch="1.9.0+cu102", capabilities=((8, 9),)),
            f"torch==1.9.0+cu111 torchvision==0.10.0+cu111 torchaudio==0.9.0 -f {INDEXES}/torch_stable.html",
            "1.9.0, the release that is installed",
        ),
        (
            Computer(torch="2.13.0+cpu"),
            f"torch==2.13.0 torchvision==0.28.0 torchaudio --index-url {INDEXES}/cu126",
            "2.13.0, the release that is installed",
        ),
        (
            Computer(python="3.10", packages=("fairseq",)),
            f"torch==2.5.1 torchvision==0.20.1 torchaudio==2.5.1 --index-url {INDEXES}/cu121",
            "2.5.1, the last release that fairseq works with",
        ),
        (
            Computer(python="3.12", cuda=11),
            f"torch torchvision torchaudio --index-url {INDEXES}/cu118",
            "the newest release that fits",
        ),
        # A card that the installed release has no code for; the driver of such a card may be for CUDA 12.
        (
            Computer(torch="2.6.0+cu124", capabilities=((12, 0),)),
            f"torch torchvision torchaudio --index-url {INDEXES}/cu128",
            "the newest release that fits",
        ),
        (
            Computer(cuda=13, capabilities=((12, 0),)),
            f"torch torchvision torchaudio --index-url {INDEXES}/cu130",
            "the newest release that fits",
        ),
        # No build has code for the card and suits the package: the card decides.
        (
            Computer(packages=("basicsr",), capabilities=((12, 0),)),
            f"torch torchvision torchaudio --index-url {INDEXES}/cu128",
            "the newest release that fits",
        ),
    ],
)
def test_chooses_what_fits(computer: Computer, arguments: str, reason: str) -> None:
    choice = choose_torch(computer)
    assert choice is not None
    assert (choice.arguments, choice.reason) == (arguments, reason)


@pytest.mark.parametrize(
    ("computer", "is_too_old"),
    [
        (Computer(python="3.8", capabilities=((12, 0),)), True),
        (Computer(python="2.7"), True),
        (Computer(python="3.15"), False),
        (Computer(capabilities=((3, 5),)), False),
    ],
)
def test_where_nothing_fits_the_python_may_be_the_reason(computer: Computer, is_too_old: bool) -> None:
    assert choose_torch(computer) is None
    assert is_python_too_old(computer) is is_too_old


def test_each_choice_fits_what_it_is_chosen_for() -> None:
    from torchdoctor.domain.cuda_variants import read_builds
    from torchdoctor.domain.releases import find_pythons

    cards = [(3, 7), (5, 0), (5, 2), (6, 1), (7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (12, 0)]
    pythons = [(3, minor) for minor in range(6, 15)]
    for card in cards:
        for python in pythons:
            for cuda in (11, 12, 13):
                choice = choose_torch(Computer(".".join(map(str, python)), (card,), cuda))
                if choice is None:
                    continue
                assert python in find_pythons(choice.release)
                assert any(
                    choice.release in build.torch
                    and build.variant == choice.variant
                    and build.architectures.covers(card)
                    for build in read_builds()
                )
                assert int(choice.variant.removeprefix("cu")) // 10 <= cuda


def test_limits_are_of_packages_that_texts_are_read_for() -> None:
    from torchdoctor.explain.computer.choice import LIMITED

    assert {name.lower() for name in LIMITED.split("|")} == set(list_limited_packages())


@pytest.mark.parametrize(
    ("toolkit", "variant"),
    [
        ("12.8", "cu128"),
        ("12.5", "cu124"),
        ("12.0", "cu121"),
        ("11.4", "cu113"),
        ("13.1", "cu130"),
        ("8.0", None),
    ],
)
def test_toolkit_compiles_for_a_build_of_the_same_major_version(toolkit: str, variant: str | None) -> None:
    assert find_variant_of_toolkit(toolkit) == variant
