import pytest

from torchdoctor.domain.torchcodec import find_torch_of, find_torchcodec, fits_torch

FITTING = {
    "2.8.0+cpu": "torchcodec==0.7.*",
    "2.9.1+cu130": "torchcodec==0.9.*",
    "2.11.0": "torchcodec==0.11.*",
    "2.12.0": "torchcodec==0.12.*",
    "2.15.0": "torchcodec==0.12.*",
    "2.7.1": None,
    "2.x": None,
}


@pytest.mark.parametrize(("torch", "expected"), FITTING.items())
def test_torchcodec_for_a_torch(torch: str, expected: str | None) -> None:
    assert find_torchcodec(torch) == expected


@pytest.mark.parametrize(
    ("torchcodec", "torch"),
    [("0.7.0", "==2.8.*"), ("0.8.1", "==2.9.*"), ("0.11.0", "==2.11.*"), ("0.17.0", ">=2.11"), ("0.5", None)],
)
def test_torch_of_a_torchcodec(torchcodec: str, torch: str | None) -> None:
    assert find_torch_of(torchcodec) == torch


@pytest.mark.parametrize(
    ("version", "torch", "fits"),
    [
        ("0.9.1", "2.9.1+cu130", True),
        ("0.10.0", "2.9.1", False),
        ("0.12.0", "2.11.0", True),
        ("0.13", "2.15.0", True),
        ("0.12", "2.10.0", False),
        ("0.5", "2.9.1", None),
        ("0.9", "unknown", None),
    ],
)
def test_whether_a_torchcodec_fits_a_torch(version: str, torch: str, fits: bool | None) -> None:
    assert fits_torch(version, torch) is fits
