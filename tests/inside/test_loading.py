"""The search for the fastest number of workers finds it with few measurements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchdoctor.inside.trial import loading


def _make_measure(start: float, work: float, cap: float, drag: float):
    """Return a simulated measurement: workers delay each other's start; work scales up to `cap` workers."""

    def measure(workers: int) -> dict:
        start_up = start * (1 + drag * (workers - 1)) if workers else 0.0
        epoch = start_up + work / min(max(workers, 1), cap)
        return {"workers": workers, "start_up_seconds": start_up, "epoch_seconds": epoch}

    return measure


def _search(limit: int, measure):
    measurements, _ = loading.search(limit, measure, measure(1)["start_up_seconds"])
    fastest = min(measurements, key=lambda item: item["epoch_seconds"])
    return fastest, [item["workers"] for item in measurements]


@given(
    st.integers(0, 16), st.floats(0.01, 20), st.floats(0.001, 1000), st.floats(1, 20), st.floats(0, 1)
)  # fmt: skip
def test_finds_an_epoch_within_a_tenth_of_the_fastest(
    limit: int, start: float, work: float, cap: float, drag: float
) -> None:
    measure = _make_measure(start, work, cap, drag)
    best = min(measure(workers)["epoch_seconds"] for workers in range(limit + 1))
    assert _search(limit, measure)[0]["epoch_seconds"] <= 1.1 * best


@given(st.floats(0.01, 20), st.floats(0.001, 1000), st.floats(1, 20), st.floats(0, 1))
def test_measures_few_numbers_of_workers(start: float, work: float, cap: float, drag: float) -> None:
    assert len(_search(16, _make_measure(start, work, cap, drag))[1]) <= 8


def test_does_not_exceed_the_limit() -> None:
    assert max(_search(6, _make_measure(0.1, 1000, 20, 0))[1]) == 6


def test_trivial_load_starts_no_worker() -> None:
    assert _search(16, _make_measure(3.0, 0.5, 16, 0.1))[1] == [0]


@pytest.mark.parametrize(("limit", "measured"), [(0, [0]), (1, [0, 1])])
def test_searches_within_a_small_limit(limit: int, measured: list[int]) -> None:
    assert _search(limit, _make_measure(0.1, 100, 4, 0))[1] == measured


def test_epoch_is_projected_from_its_first_batches() -> None:
    plan = type("Plan", (), {"batches": 100, "samples_per_batch": 4, "length": 400})()
    arrivals = [5.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    summary = loading._summarise(plan, 1, arrivals, 2, False, None)
    assert (summary["epoch_seconds"], summary["steady_samples_per_second"]) == (9.0 + 94, 4.0)


class _Clock:
    """A replacement for the module `time` whose clock a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class _SimulatedLoader:
    """A loader whose batches arrive, on the given clock, when its simulated workers would have them ready."""

    batches, samples_per_batch, length = 6000, 4, 24000

    def __init__(self, start: float, batch: float, cores: int) -> None:
        self.start, self.batch, self.cores = start, batch, cores

    def arrival_seconds(self, workers: int, number: int) -> float:
        if not workers:
            return (number + 1) * self.batch
        slowdown = max(1.0, workers / self.cores)
        # Starts are staggered; then the workers take turns.
        worker_started = self.start * (1 + 0.2 * (number % workers))
        return worker_started + (number // workers + 1) * self.batch * slowdown

    def epoch_seconds(self, workers: int) -> float:
        return max(self.arrival_seconds(workers, self.batches - 1 - last) for last in range(max(1, workers)))

    def load(self, workers: int, clock: _Clock):
        started = clock.now
        for number in range(self.batches):
            clock.now = max(clock.now, started + self.arrival_seconds(workers, number))
            yield number


LOADS = {
    "computing": _SimulatedLoader(2.0, 0.020, cores=2),
    "waiting": _SimulatedLoader(2.0, 0.020, cores=64),
    "trivial": _SimulatedLoader(2.0, 0.00001, cores=2),
}


@pytest.mark.parametrize("name", LOADS)
def test_choice_is_near_the_best_of_all_numbers_of_workers(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = _Clock()
    monkeypatch.setattr(loading, "time", clock)
    load, limit = LOADS[name], 6
    epochs = [load.epoch_seconds(workers) for workers in range(limit + 1)]

    def measure(workers: int) -> dict:
        return loading._time_batches(load.load(workers, clock), load, workers, clock.now, 10.0)

    measurements, _ = loading.search(limit, measure, load.start)
    chosen = min(measurements, key=lambda item: item["epoch_seconds"])["workers"]
    assert epochs[chosen] <= 1.1 * min(epochs)
    assert clock.now <= 0.25 * sum(epochs)
