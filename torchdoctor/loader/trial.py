"""What a dataset trial says, in sentences, and how it bounds the number of workers."""

from collections.abc import Iterator

from torchdoctor.check import Bound
from torchdoctor.domain.sizes import GIB, describe_bytes
from torchdoctor.facts import Absent, DatasetTrial, Failure, Member

# Windows' C runtime takes at most INT_MAX bytes in a write; people report "[Errno 22] Invalid argument"
# from there on (github.com/lshiwjx/2s-AGCN/issues/35).
PIPE_LIMIT_BYTES = 2 * GIB
# What pickle formats below 4 (Python 3.7 and older) can hold in one bytes object.
PICKLE_LIMIT_BYTES = 4 * GIB

# A plan with more workers than this has other worries.
_MOST_WORKERS = 64

_DOING = {
    "load": "importing it",
    "torch": "importing torch",
    "build": "building the dataset",
    "pickle": "pickling it",
    "unpickle": "reading its pickle back, as a worker does,",
    "sample": "taking a sample",
    "worker": "loading with one worker",
    "measure": "measuring",
}


def find_trial_bounds(trial: DatasetTrial, *, is_windows: bool) -> Iterator[Bound]:
    """Give the bounds that a dataset trial sets."""
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
    if is_windows and trial.pickled_bytes >= PIPE_LIMIT_BYTES:
        size = describe_bytes(trial.pickled_bytes)
        yield Bound("pickled size", 0, f"each worker is sent {size}; above 2 GiB Windows breaks off")
    if trial.is_iterable and trial.shards_itself is False and not trial.has_worker_init_fn:
        yield Bound("sharding", 1, "workers would give the same samples: it does not share them out")
    yield from _find_start_up_bound(trial)


def _find_start_up_bound(trial: DatasetTrial) -> Iterator[Bound]:
    """Bound by start-up: the count whose epoch is shortest when work divides evenly and starts add up."""
    length, sample = trial.length, trial.sample_seconds
    if trial.worker is None or isinstance(length, Absent) or isinstance(sample, Absent):
        return
    start, work = trial.worker.start_up_seconds, length * sample
    best = min(range(1, _MOST_WORKERS + 1), key=lambda count: start * count + work / count)
    if start * best + work / best >= work:
        yield Bound(
            "start-up",
            0,
            f"an epoch of {length:,} samples takes {describe_seconds(work)} without workers, "
            f"and starting one takes {describe_seconds(start)}",
        )
    elif best < _MOST_WORKERS:
        yield Bound(
            "start-up",
            best,
            f"a worker takes {describe_seconds(start)} to start, an epoch of {length:,} samples "
            f"{describe_seconds(work)} without workers: more would cost more than they bring",
        )


def _describe_members(members: tuple[Member, ...], what: str) -> str:
    more = f", and {len(members) - 1} more," if len(members) > 1 else ""
    return f"{describe_member(members[0])}{more} {what}"


def describe_member(member: Member) -> str:
    """Write `dataset.transform.lambd: lambda, augment.py:41`."""
    defined = f", {member.defined}" if member.defined else ""
    return f"{member.path}: {member.kind}{defined}"


def describe_failure(failure: Failure, trial: DatasetTrial) -> str:
    """Say in one line what went wrong, where, and how the process ended."""
    if failure.is_missing_guard:
        place = trial.target.rpartition(":")[0]
        at = f" ({failure.place})" if failure.place else ""
        return f"{place} starts workers when it is imported{at}: it has no main guard"
    doing = _DOING.get(failure.stage, failure.stage)
    if failure.stage == "sample" and failure.sample is not None:
        doing = f"taking sample {failure.sample}"
    place = f" ({failure.place})" if failure.place else ""
    who = "in the worker, " if failure.in_worker and failure.stage != "worker" else ""
    if failure.outcome == "hung":
        limit = f"{failure.time_limit_seconds:.0f} s" if failure.time_limit_seconds else "the time limit"
        return f"{who}{doing} did not end within {limit}{place}"
    message = " ".join(failure.message.split())
    said = f": {message[:300]}" if message else ""
    if failure.outcome == "died":
        ended = f" with {failure.exit_meaning}" if failure.exit_meaning else ""
        subject = "the worker" if failure.in_worker else f"{doing}: the process"
        return f"{subject} ended{ended}{said}{place}"
    raised = f" raised {failure.exception_type}" if failure.exception_type else ""
    return f"{who}{doing}{raised}{said}{place}"


def describe_seconds(seconds: float) -> str:
    """Write a time: "340 us", "12 ms", "3.2 s", "4 min"."""
    if seconds >= 120:
        return f"{seconds / 60:.0f} min"
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1e3:.0f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"
