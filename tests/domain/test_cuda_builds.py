"""The recommended CUDA build works with the driver and has code for every GPU."""

import pytest

from torchdoctor.domain.cuda_builds import choose_variant
from torchdoctor.facts import Absent, Gpu, NvidiaDriver


def _driver(version: str | Absent, *capabilities: tuple[int, int] | Absent) -> NvidiaDriver:
    return NvidiaDriver("working", version, "13.0", tuple(Gpu("x", item, 2**33) for item in capabilities))


@pytest.mark.parametrize(
    ("driver", "variant"),
    [
        (_driver("581.29", (8, 9)), "cu126"),
        (_driver("560.94", (8, 9)), "cu126"),
        (_driver("581.29", (6, 1)), "cu126"),
        (_driver("581.29", (12, 0)), "cu130"),
        (_driver("572.16", (12, 0)), "cu128"),
        (_driver("581.29", (7, 5), (12, 0)), "cu130"),
        (_driver("581.29", (6, 1), (12, 0)), None),
        (_driver("472.12", (3, 7)), "cu118"),
        (_driver("472.12", (8, 6)), "cu118"),
        (_driver("451.67", (8, 6)), None),
        (_driver("581.29", (2, 1)), None),
        (_driver("581.29", Absent("MIG")), None),
        (_driver(Absent("refused"), (8, 9)), None),
        (_driver("beta", (8, 9)), None),
        (Absent("there is no nvml.dll"), None),
    ],
    ids=str,
)
def test_chooses_the_variant_for_driver_and_gpus(driver: NvidiaDriver | Absent, variant: str | None) -> None:
    assert choose_variant(driver) == variant


@pytest.mark.parametrize(
    ("release", "capability", "variant"),
    [
        ("2.8.0", (8, 9), "cu126"),
        ("2.5.1", (8, 6), "cu121"),
        ("2.6.0", (12, 0), None),
        ("2.7.1", (12, 0), "cu128"),
    ],
)
def test_chooses_a_variant_of_a_release(
    release: str, capability: tuple[int, int], variant: str | None
) -> None:
    assert choose_variant(_driver("581.29", capability), release) == variant
