"""The search for the fastest number of workers finds it, and tries few."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchdoctor.inside.trial import loading


def _model(start: float, work: float, cap: float, drag: float):
    """Give a load's measurement: starts that slow each other down, work that scales up to a cap."""

    def measure(workers: int) -> dict:
        start_up = start * (1 + drag * (workers - 1)) if workers else 0.0
        epoch = start_up + work / min(max(workers, 1), cap)
        return {"workers": workers, "start_up_seconds": start_up, "epoch_seconds": epoch}

    return measure


def _search(limit: int, measure):
    found, _ = loading.search(limit, measure, measure(1)["start_up_seconds"])
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
    plan = type("Plan", (), {"batches": 100, "samples_per_batch": 4, "length": 400})()
    arrivals = [5.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    found = loading._summarise(plan, 1, arrivals, 2, False, None)
    assert (found["epoch_seconds"], found["steady_samples_per_second"]) == (9.0 + 94, 4.0)


class _Clock:
    """Stands in for the module `time`: a second passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class _Simulated:
    """A loader whose batches arrive, on the given clock, when so many workers would have them ready."""

    batches, samples_per_batch, length = 6000, 4, 24000

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

    def load(self, workers: int, clock: _Clock):
        started = clock.now
        for number in range(self.batches):
            clock.now = max(clock.now, started + self.arrival(workers, number))
            yield number


LOADS = {
    "computing": _Simulated(2.0, 0.020, cores=2),
    "waiting": _Simulated(2.0, 0.020, cores=64),
    "trivial": _Simulated(2.0, 0.00001, cores=2),
}


@pytest.mark.parametrize("name", LOADS)
def test_agrees_with_measuring_everything(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock()
    monkeypatch.setattr(loading, "time", clock)
    load, most = LOADS[name], 6
    every = [load.epoch(workers) for workers in range(most + 1)]

    def measure(workers: int) -> dict:
        return loading._time_batches(load.load(workers, clock), load, workers, clock.now, 10.0)

    found, _ = loading.search(most, measure, load.start)
    picked = min(found, key=lambda item: item["epoch_seconds"])["workers"]
    assert every[picked] <= 1.1 * min(every)
    assert clock.now <= 0.25 * sum(every)
