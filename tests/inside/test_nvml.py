"""NVIDIA's own bindings with a library that answers like real drivers, and like broken ones."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Gpu, NvidiaDriver
from torchdoctor.probes import gpu

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the library is built for Linux")

RTX = '{"NVIDIA GeForce RTX 4090", 8, 9, 25757220864ULL, -1}'
GIB = 2**30


@pytest.fixture
def observe(build_nvml, monkeypatch, tmp_path: Path) -> Callable[..., NvidiaDriver | Absent]:
    def build_and_observe(cards: str = RTX, **answers: object) -> NvidiaDriver | Absent:
        build_nvml(tmp_path / "libnvidia-ml.so.1", CARDS=cards, **answers)
        monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
        return gpu.observe_nvidia_driver()

    return build_and_observe


def test_reads_driver_and_cards(observe) -> None:
    driver = observe(VERSION='"566.36"', CUDA=12070)
    assert (driver.state, driver.version, driver.cuda) == ("working", "566.36", "12.7")
    assert [(card.name, card.compute_capability) for card in driver.gpus] == [
        ("NVIDIA GeForce RTX 4090", (8, 9))
    ]


def test_reads_the_driver_model_from_an_old_driver(observe) -> None:
    assert [card.driver_model for card in observe('{"Tesla V100", 7, 0, 16, 1}', OLD=1).gpus] == ["TCC"]


def test_value_that_a_card_does_not_report_is_absent(observe) -> None:
    (card,) = observe('{"MIG", 9, 0, 0, -1}').gpus
    assert isinstance(card, Gpu)
    assert (type(card.memory_bytes), type(card.driver_model)) == (Absent, Absent)


@pytest.mark.parametrize(("error", "state"), [(9, "not loaded"), (12, "missing"), (18, "mismatch")])
def test_initialisation_error_gives_a_state(observe, error: int, state: str) -> None:
    assert observe(INIT=error).state == state


def test_unknown_initialisation_error_is_the_reason(observe) -> None:
    assert "Unknown Error" in observe(INIT=999).reason


def test_crash_of_the_library_is_the_reason(observe) -> None:
    assert "ended with exit code" in observe(ON_INIT="abort()").reason


def test_library_that_hangs_is_stopped_at_the_time_limit(observe, monkeypatch) -> None:
    monkeypatch.setattr(gpu, "NVML_SECONDS", 1.0)
    assert "did not answer within 1 s" in observe(ON_INIT="for (;;) {}").reason


def test_output_of_the_library_is_ignored(observe) -> None:
    assert observe(ON_INIT='puts("{\\"error\\": 12}")').state == "working"


def test_reads_ten_cards(observe) -> None:
    assert len(observe(",".join([RTX] * 10)).gpus) == 10
