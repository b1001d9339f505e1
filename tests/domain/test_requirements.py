"""The index that has the build of a torch, and what pip installs from it."""

import pytest

from torchdoctor.domain.requirements import describe_build, name_companion, name_index


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
