"""The problems that a dataset trial found, in sentences, each with the entry that has the fix."""

import re
from collections.abc import Iterator, Sequence

from torchdoctor.check import Bound
from torchdoctor.core.record import record
from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.facts import DatasetTrial, Member
from torchdoctor.inside.limits import PIPE_LIMIT_BYTES
from torchdoctor.inside.trial import LARGE_PICKLE_BYTES, MAX_MEMBERS
from torchdoctor.loader.trial import PICKLE_LIMIT_BYTES, describe_failure, describe_member


@record
class Trouble:
    """A problem: `level` is "error" or "warning", `entry` is the name of the entry with the fix.

    `details` are further lines of text.
    """

    level: str
    text: str
    entry: str | None = None
    details: tuple[str, ...] = ()


def find_troubles(trial: DatasetTrial, bounds: Sequence[Bound]) -> Iterator[Trouble]:
    """Yield what prevents the dataset from being loaded with workers, or makes loading slow.

    `bounds` are those of the plan: a copy that is too large for this machine's memory is an error.
    """
    if trial.failure is not None:
        yield Trouble("error", describe_failure(trial.failure, trial), _find_entry(trial))
    for text in _describe_members(trial.unpicklable):
        yield Trouble("error", f"cannot be sent to a worker: {text}", "unpicklable-dataset")
    for member in trial.on_device:
        yield Trouble("error", f"on the GPU: {describe_member(member)}", "cuda-in-dataset")
    for member in trial.sample_on_device:
        yield Trouble("error", f"samples are on the GPU: {describe_member(member)}", "cuda-in-dataset")
    for text in _describe_members(trial.sample_unpicklable):
        yield Trouble("error", f"cannot come out of a worker: {text}", "unpicklable-dataset")
    if trial.pickled_bytes > LARGE_PICKLE_BYTES:
        yield _describe_size(trial, bounds)
    if trial.collate_error is not None:
        text = f"torch cannot collate the samples, so lists were loaded: {trial.collate_error}"
        yield Trouble("warning", text)


def _find_entry(trial: DatasetTrial) -> str | None:
    failure = trial.failure
    if failure is None:
        return None
    if failure.is_missing_guard:
        return "missing-main-guard"
    return "worker-exited-unexpectedly" if failure.in_worker and failure.outcome == "died" else None


def _describe_members(members: Sequence[Member]) -> Iterator[str]:
    """Yield a description of each member; those that differ only in an index of a list share one."""
    groups: dict[tuple[str, ...], list[Member]] = {}
    for member in members:
        path = re.sub(r"\[\d+\]", "[]", member.path)
        groups.setdefault((path, member.kind, member.defined or ""), []).append(member)
    or_more = "" if len(members) < MAX_MEMBERS else "or more "
    for first, *others in groups.values():
        yield describe_member(first) + (f", and {len(others)} {or_more}like it" if others else "")


def _describe_size(trial: DatasetTrial, bounds: Sequence[Bound]) -> Trouble:
    full = next((bound for bound in bounds if bound.name in ("commit", "memory") and not bound.workers), None)
    level, more = "warning", ""
    if trial.pickled_bytes >= PIPE_LIMIT_BYTES:
        level, more = "error", "; above 2 GiB the pipe to a worker fails on Windows"
        if trial.pickled_bytes >= PICKLE_LIMIT_BYTES:
            more = "; above 4 GiB older pickle formats fail as well"
    elif full is not None:
        level, more = "error", f", which does not fit: {full.reason}"
    details = tuple(
        f"{describe_bytes(member.pickled_bytes)} in {member.path} ({member.kind})"
        for part in trial.parts
        for member in part.heavy
    )
    text = f"each worker is sent a copy of {describe_bytes(trial.pickled_bytes)}{more}"
    return Trouble(level, text, "pickle-too-large", details)
