"""The tables of releases, at their first and last versions."""

import pytest

from torchdoctor.domain import releases


@pytest.mark.parametrize(
    ("tag", "newest"),
    [("cp38", "2.4.1"), ("cp39", "2.8.0"), ("cp310", "2.14.1"), ("cp313t", "2.12.0"), ("cp315t", "2.15.0")],
)
def test_finds_the_newest_release_for_a_python(tag: str, newest: str) -> None:
    assert releases.find_releases(tag)[-1] == newest


def test_unknown_python_has_no_release() -> None:
    assert releases.find_releases("cp316") == ()


def test_newest_python_is_found_by_number() -> None:
    assert releases.find_newest_python() == (3, 15)


@pytest.mark.parametrize(
    ("package", "version", "requirement"),
    [
        ("torchvision", "0.23.0+cu128", "==2.8.0"),
        ("torchvision", "0.29.2", ">=2.14.0"),
        ("torchaudio", "2.11.0", ""),
        ("torchvision", "0.99.0", None),
    ],
)
def test_finds_the_torch_that_a_companion_requires(
    package: str, version: str, requirement: str | None
) -> None:
    assert releases.find_required_torch(package, version) == requirement
