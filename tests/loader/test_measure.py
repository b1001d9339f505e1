"""The search for the fastest number of workers finds it, and tries few."""

import time

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


class _Simulated:
    """A loader on the real clock: each batch arrives when so many workers would have it ready."""

    batches, samples_a_batch, length = 1500, 4, 6000

    def __init__(self, start: float, batch: float, cores: int) -> None:
        self.start, self.batch, self.cores = start, batch, cores

    def arrival(self, workers: int, number: int) -> float:
        if not workers:
            return (number + 1) * self.batch
        slowdown = max(1.0, workers / self.cores)
        # Starts are staggered; then the workers take turns.
        begun = self.start * (1 + 0.2 * (number % workers))
        return begun + (number // workers + 1) * self.batch * slowdown

    def epoch(self, workers: int) -> float:
        return max(self.arrival(workers, self.batches - 1 - back) for back in range(max(1, workers)))

    def make_loader(self, workers: int, timeout: float):
        started = time.perf_counter()
        ready = 0.0
        for number in range(self.batches):
            ready = max(ready, self.arrival(workers, number))
            time.sleep(max(0.0, started + ready - time.perf_counter()))
            yield number


LOADS = {
    "computing": _Simulated(0.3, 0.010, cores=2),
    "waiting": _Simulated(0.3, 0.010, cores=64),
    "trivial": _Simulated(0.3, 0.00001, cores=2),
}


@pytest.mark.parametrize("name", LOADS)
def test_agrees_with_measuring_everything(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside_loading, "STEADY_SECONDS", 0.3)
    load, most = LOADS[name], 6
    every = [load.epoch(workers) for workers in range(most + 1)]

    def measure(workers: int) -> dict:
        loader = load.make_loader(workers, 0)
        return inside_loading._watch(loader, load, workers, time.perf_counter(), 10.0)

    begun = time.perf_counter()
    found, _ = inside_loading.search(most, measure, load.start)
    seconds = time.perf_counter() - begun
    picked = min(found, key=lambda item: item["epoch_seconds"])["workers"]
    assert every[picked] <= 1.1 * min(every)
    assert seconds <= 0.25 * sum(every)
