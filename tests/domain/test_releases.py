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


@pytest.mark.parametrize(
    ("version", "required"),
    [
        ("2.6.3+cu123torch2.4.0cxx11abiFALSE", "==2.4.*"),
        ("2.8.3+cu12torch2.8cxx11abiTRUE", "==2.8.*"),
        ("2.8.3+cu130torch2.10cxx11abiTRUE", "==2.10.*"),
        ("2.1.2+pt24cu121", "==2.4.*"),
        ("2.1.2+pt210cu128", "==2.10.*"),
        ("0.17.5+torch260cu126", "==2.6.*"),
        ("0.7.8+5043d15pt2.5.1cu124", "==2.5.*"),
        ("2.2.0+cu130torch2.9.0andhigher.post4", ">=2.9"),
        ("2.2.0+cu128torch2.8.0.post3", "==2.8.*"),
        ("0.17.5+torch210cu121", None),
        ("2.9.1+cu130", None),
        ("0.3.6+ptx8", None),
        ("2.4.0", None),
    ],
)
def test_reads_the_torch_that_a_version_names(version: str, required: str | None) -> None:
    assert releases.find_named_torch(version) == required
