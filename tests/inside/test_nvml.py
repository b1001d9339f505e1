"""NVIDIA's own bindings against a library with the answers of real drivers, and of broken ones."""

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
def ask(build_nvml, monkeypatch, tmp_path: Path) -> Callable[..., NvidiaDriver | Absent]:
    def build_and_ask(cards: str = RTX, **answers: object) -> NvidiaDriver | Absent:
        build_nvml(tmp_path / "libnvidia-ml.so.1", CARDS=cards, **answers)
        monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
        return gpu.observe_nvidia_driver()

    return build_and_ask


def test_driver_and_cards_are_read(ask) -> None:
    driver = ask(VERSION='"566.36"', CUDA=12070)
    assert (driver.state, driver.version, driver.cuda) == ("working", "566.36", "12.7")
    assert [(card.name, card.compute_capability) for card in driver.gpus] == [
        ("NVIDIA GeForce RTX 4090", (8, 9))
    ]


def test_driver_model_of_an_old_driver_is_read(ask) -> None:
    assert [card.driver_model for card in ask('{"Tesla V100", 7, 0, 16, 1}', OLD=1).gpus] == ["TCC"]


def test_what_a_card_does_not_tell_is_absent(ask) -> None:
    (card,) = ask('{"MIG", 9, 0, 0, -1}').gpus
    assert isinstance(card, Gpu)
    assert (type(card.memory_bytes), type(card.driver_model)) == (Absent, Absent)


@pytest.mark.parametrize(("error", "state"), [(9, "not loaded"), (12, "missing"), (18, "mismatch")])
def test_error_of_the_start_is_a_state(ask, error: int, state: str) -> None:
    assert ask(INIT=error).state == state


def test_unknown_error_of_the_start_is_told(ask) -> None:
    assert "Unknown Error" in ask(INIT=999).reason


def test_library_that_crashes_is_told(ask) -> None:
    assert "ended with exit code" in ask(ON_INIT="abort()").reason


def test_library_that_hangs_is_given_up(ask, monkeypatch) -> None:
    monkeypatch.setattr(gpu, "NVML_SECONDS", 1.0)
    assert "did not answer within 1 s" in ask(ON_INIT="for (;;) {}").reason


def test_library_that_prints_does_no_harm(ask) -> None:
    assert ask(ON_INIT='puts("{\\"error\\": 12}")').state == "working"


def test_ten_cards_are_all_there(ask) -> None:
    assert len(ask(",".join([RTX] * 10)).gpus) == 10
