"""Describe a dataset trial in sentences, and find the bounds that it sets for the number of workers."""

from collections.abc import Iterator

from torchdoctor.check import Bound
from torchdoctor.domain.sizes import GIB, describe_bytes
from torchdoctor.facts import Absent, DatasetTrial, Failure, Member
from torchdoctor.inside.cutting import cut_end
from torchdoctor.inside.limits import PIPE_LIMIT_BYTES

# The most that pickle formats below 4 (Python 3.7 and older) can hold in one bytes object.
PICKLE_LIMIT_BYTES = 4 * GIB

# The largest number of workers for which start-up is considered; above it, other bounds matter more.
_MAX_WORKERS = 64

# What happens in each stage of a trial.
_STAGE_ACTIONS = {
    "load": "importing it",
    "torch": "importing torch",
    "build": "building the dataset",
    "pickle": "pickling it",
    "unpickle": "reading its pickle back, as a worker does,",
    "sample": "taking a sample",
    "worker": "loading with one worker",
    "measure": "measuring",
}


def find_trial_bounds(trial: DatasetTrial) -> Iterator[Bound]:
    """Yield the bounds that a dataset trial sets on Windows, on whatever system it was made."""
    failure = trial.failure
    if failure is not None and failure.stage != "measure":
        name = "main guard" if failure.is_missing_guard else "worker" if failure.in_worker else "trial"
        yield Bound(name, 0, describe_failure(failure, trial))
    if trial.unpicklable:
        yield Bound("pickling", 0, _describe_members(trial.unpicklable, "cannot be sent to a worker"))
    if trial.on_device:
        yield Bound("CUDA", 0, _describe_members(trial.on_device, "would have to be shared with workers"))
    if trial.sample_on_device:
        yield Bound("CUDA", 0, _describe_members(trial.sample_on_device, "would come out of a worker"))
    if trial.sample_unpicklable:
        yield Bound("pickling", 0, _describe_members(trial.sample_unpicklable, "cannot come out of a worker"))
    if trial.pickled_bytes >= PIPE_LIMIT_BYTES:
        size = describe_bytes(trial.pickled_bytes)
        yield Bound("pickled size", 0, f"each worker is sent {size}; above 2 GiB this fails on Windows")
    if trial.is_iterable and trial.shards_itself is False and not trial.has_worker_init_fn:
        yield Bound("sharding", 1, "all workers would give the same samples: the dataset does not split them")
    yield from _find_start_up_bound(trial)


def _find_start_up_bound(trial: DatasetTrial) -> Iterator[Bound]:
    """Yield the number of workers with the shortest epoch: 0 if workers do not shorten it.

    The estimate divides the work of an epoch evenly between the workers and adds up their start-up times.
    Nothing is yielded where a time is not known, or where the best number is _MAX_WORKERS.
    """
    length, sample_seconds = trial.length, trial.sample_seconds
    if trial.worker is None or isinstance(length, Absent) or isinstance(sample_seconds, Absent):
        return
    start_seconds, work_seconds = trial.worker.start_up_seconds, length * sample_seconds
    best = min(range(1, _MAX_WORKERS + 1), key=lambda count: start_seconds * count + work_seconds / count)
    if start_seconds * best + work_seconds / best >= work_seconds:
        yield Bound(
            "start-up",
            0,
            f"an epoch of {length:,} samples takes {describe_seconds(work_seconds)} without workers, "
            f"and starting one takes {describe_seconds(start_seconds)}",
        )
    elif best < _MAX_WORKERS:
        yield Bound(
            "start-up",
            best,
            f"a worker takes {describe_seconds(start_seconds)} to start, an epoch of {length:,} samples "
            f"{describe_seconds(work_seconds)} without workers: more workers would make the epoch longer",
        )


def _describe_members(members: tuple[Member, ...], problem: str) -> str:
    more = f", and {len(members) - 1} more," if len(members) > 1 else ""
    return f"{describe_member(members[0])}{more} {problem}"


def describe_member(member: Member) -> str:
    """Return a member as text, such as `dataset.transform.lambd: lambda, augment.py:41`."""
    defined = f", {member.defined}" if member.defined else ""
    return f"{member.path}: {member.kind}{defined}"


def describe_failure(failure: Failure, trial: DatasetTrial) -> str:
    """Return one line that says what went wrong, where, and how the process ended."""
    if failure.is_missing_guard:
        place = trial.target.rpartition(":")[0]
        at = f" ({failure.place})" if failure.place else ""
        return f"{place} starts workers when it is imported{at}: it has no main guard"
    action = _STAGE_ACTIONS.get(failure.stage, failure.stage)
    if failure.stage == "sample" and failure.sample is not None:
        action = f"taking sample {failure.sample}"
    place = f" ({failure.place})" if failure.place else ""
    process = "in the worker, " if failure.in_worker and failure.stage != "worker" else ""
    if failure.outcome == "hung":
        limit = f"{failure.time_limit_seconds:.0f} s" if failure.time_limit_seconds else "the time limit"
        return f"{process}{action} did not finish within {limit}{place}"
    message = " ".join(failure.message.split())
    detail = f": {cut_end(message, 300)}" if message else ""
    if failure.outcome == "died":
        ending = f" with {failure.exit_meaning}" if failure.exit_meaning else ""
        subject = "the worker" if failure.in_worker else f"{action}: the process"
        return f"{subject} ended{ending}{detail}{place}"
    exception = f" raised {failure.exception_type}" if failure.exception_type else ""
    return f"{process}{action}{exception}{detail}{place}"


def describe_seconds(seconds: float) -> str:
    """Return a time as text: "340 us", "12 ms", "3.2 s", "4 min"."""
    if seconds >= 120:
        return f"{seconds / 60:.0f} min"
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1e3:.0f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"
