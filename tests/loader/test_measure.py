"""The search for the fastest number of workers finds it, and tries few."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchdoctor.probes import inside_loading


def _model(start: float, work: float, cap: float, drag: float):
    """Give a load's measurement: starts that slow each other down, work that scales up to a cap."""

    def measure(workers: int) -> dict:
        start_up = start * (1 + drag * (workers - 1)) if workers else 0.0
        epoch = start_up + work / min(max(workers, 1), cap)
        return {"workers": workers, "start_up_seconds": start_up, "epoch_seconds": epoch}

    return measure


def _search(limit: int, measure):
    found, _ = inside_loading.search(limit, measure, measure(1)["start_up_seconds"])
    return min(found, key=lambda item: item["epoch_seconds"]), [item["workers"] for item in found]


@given(
    st.integers(0, 16), st.floats(0.01, 20), st.floats(0.001, 1000), st.floats(1, 20), st.floats(0, 1)
)  # fmt: skip
def test_finds_the_fastest_within_a_tenth(
    limit: int, start: float, work: float, cap: float, drag: float
) -> None:
    measure = _model(start, work, cap, drag)
    best = min(measure(workers)["epoch_seconds"] for workers in range(limit + 1))
    assert _search(limit, measure)[0]["epoch_seconds"] <= 1.1 * best


@given(st.floats(0.01, 20), st.floats(0.001, 1000), st.floats(1, 20), st.floats(0, 1))
def test_tries_few(start: float, work: float, cap: float, drag: float) -> None:
    assert len(_search(16, _model(start, work, cap, drag))[1]) <= 8


def test_never_beyond_the_limit() -> None:
    assert max(_search(6, _model(0.1, 1000, 20, 0))[1]) == 6


def test_trivial_load_starts_no_worker() -> None:
    assert _search(16, _model(3.0, 0.5, 16, 0.1))[1] == [0]


@pytest.mark.parametrize(("limit", "tried"), [(0, [0]), (1, [0, 1])])
def test_small_limits(limit: int, tried: list[int]) -> None:
    assert _search(limit, _model(0.1, 100, 4, 0))[1] == tried


def test_epoch_is_projected_from_its_start() -> None:
    plan = type("Plan", (), {"batches": 100, "samples_a_batch": 4, "length": 400})()
    arrivals = [5.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    found = inside_loading._summarise(plan, 1, arrivals, 2, False, None)
    assert (found["epoch_seconds"], found["steady_samples_per_second"]) == (9.0 + 94, 4.0)
