"""The index that has the build of a torch, and what pip installs from it."""

import pytest

from torchdoctor.domain.requirements import describe_build, describe_wanted, name_companion, name_index


@pytest.mark.parametrize(
    ("version", "index"),
    [
        ("2.8.0+cu128", "cu128"),
        ("2.15.0+cpu", "cpu"),
        ("2.15.0", "cpu"),
        ("2.5.1+xpu", "xpu"),
        ("2.10.0.dev20251101+cu130", "nightly/cu130"),
        ("2.9.0a0+git1234", None),
        ("2.9.0+rocmsdk20251116", None),
        ("2.9.0+cu128; rm", None),
    ],
)
def test_names_the_index_of_a_build(version: str, index: str | None) -> None:
    assert name_index(version) == index


def test_cuda_build_of_conda_keeps_its_cuda() -> None:
    build = describe_build("2.5.0", "12.1")
    assert (build["torch_release"], build["build_index"]) == ("2.5.0", "cu121")


def test_companion_has_the_build_of_torch() -> None:
    option = "--index-url https://download.pytorch.org/whl/cu128"
    assert name_companion("torchvision", "0.23.0", "2.8.0+cu128") == f"torchvision==0.23.0 {option}"


def test_build_that_no_index_has_is_unknown() -> None:
    assert describe_build("2.9.0+rocmsdk20251116") == {}


def test_build_names_the_companions_for_it() -> None:
    build = describe_build("2.7.0+cu126")
    assert build["fitting_torchvision"] == "torchvision==0.22.0"
    assert build["fitting_xformers"] == "xformers==0.0.30"


@pytest.mark.parametrize(
    ("requirement", "python", "index", "expected"),
    [
        ("==2.3.1+cu118", "3.13", None, {"wanted_build": "cu118", "fits_python": "no"}),
        ("==2.7.1", "3.12", "cu124", {"lacking_index": "cu124", "wanted_indexes": "cu118, cu126, cu128"}),
        ("==2.6.0", "3.12", "cu124", {"wanted_index": "cu124", "fits_python": "yes"}),
        ("==2.0", "3.12", None, {"wanted_release": "2.0.0", "fits_python": "no"}),
        ("~=1.7.1", "3.11", None, {"wanted_release": "1.7.1", "fits_python": "no"}),
        ("~=2.5.0", "3.12", None, {"wanted_release": "2.5.1", "fits_python": "yes"}),
        (None, "3.12.0", "cu117", {"wanted_release": "2.0.1", "wanted_python": "3.11", "fits_python": "no"}),
    ],
)
def test_wanted_release_names_its_pythons_and_indexes(
    requirement: str | None, python: str, index: str | None, expected: dict[str, str]
) -> None:
    assert expected.items() <= describe_wanted(requirement, python, index).items()


@pytest.mark.parametrize(
    ("release", "index", "nearest"),
    [
        ("2.10.0", "cu131", "cu130"),
        ("2.9.0", "cu129", "cu128"),
        ("2.9.0", "cu127", "cu126"),
        ("2.7.1", "cu124", "cu126"),
        ("2.5.1", "cu117", "cu118"),
        ("2.13.0", "cu118", "cu126"),
        ("2.5.1", "cu130", "cu121"),
    ],
)
def test_index_that_has_no_build_is_replaced_by_the_next_lower_one(
    release: str, index: str, nearest: str
) -> None:
    wanted = describe_wanted(f"=={release}", "3.12", index)
    assert wanted["wanted_set"].endswith(f"/{nearest}")
    assert wanted["wanted_index"] == nearest


def test_release_that_an_index_lacks_can_be_had_from_another() -> None:
    wanted = describe_wanted("==2.7.1", None, "cu124", "2.6.0")
    assert wanted["wanted_set"].endswith(
        "torchaudio==2.7.1 --index-url https://download.pytorch.org/whl/cu126"
    )
    assert wanted["offered_set"].startswith("torch==2.6.0 torchvision==0.21.0")


@pytest.mark.parametrize("requirement", [">=2.0", "~=2.0", "~=2.5.9", "=2.0", "==99.0", None])
def test_nothing_is_known_of_a_range_or_an_unknown_release(requirement: str | None) -> None:
    assert describe_wanted(requirement) == {}


def test_list_that_begins_and_ends_like_those_of_two_pythons_tells_neither() -> None:
    # On PyPI, the list for Python 3.9 begins with 1.7.1, and the one for 3.8 ends with 2.4.1.
    known = {
        first: describe_wanted("==2.6.0", None, None, "2.4.1", first).get("listed_python")
        for first in ("1.7.0", "1.7.1", None)
    }
    assert known == {"1.7.0": "3.8", "1.7.1": None, None: "3.8"}
