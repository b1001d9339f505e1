"""Take out of a loader plan what names people and projects, for outputs that are shared.

What a dataset raises and prints can be any text, and is shown by the rule for texts that are pasted.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from torchdoctor.facts import Absent, DatasetTrial, Failure, Member, Part
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.loader.trial import find_trial_bounds
from torchdoctor.redaction.paths.unusual_paths import hide_name_of_text, hide_unknown_folders
from torchdoctor.redaction.words.placed_words import leave_out_by_place
from torchdoctor.redaction.words.shared_values import show_value


def share_plan(plan: LoaderPlan, redact: Callable[[LoaderPlan], LoaderPlan]) -> LoaderPlan:
    """Return a plan as it may be shared; `redact` takes identities and secrets out of it.

    The reasons of the plan repeat what the trial says, and are written again from the trial that is shared.
    """
    if plan.trial is None:
        return redact(plan)
    redacted = redact(replace(plan, trial=_share_place_in_failure(plan.trial)))
    if redacted.trial is None:
        return redacted
    target = _share_target(plan.trial.target, redacted.trial.target)
    trial = replace(_share_trial(redacted.trial), target=target)
    pairs = zip(find_trial_bounds(plan.trial), find_trial_bounds(trial), strict=True)
    reasons = {bound.reason: shared.reason for bound, shared in pairs}
    return replace(
        redacted,
        trial=trial,
        settings=tuple(
            replace(shared, reason=reasons.get(each.reason, shared.reason))
            for each, shared in zip(plan.settings, redacted.settings, strict=True)
        ),
        bounds=tuple(
            replace(shared, reason=reasons.get(each.reason, shared.reason))
            for each, shared in zip(plan.bounds, redacted.bounds, strict=True)
        ),
    )


def _share_place_in_failure(trial: DatasetTrial) -> DatasetTrial:
    """Hide the folders of the target where the failure names it as it was given."""
    place, failure = trial.target.rpartition(":")[0], trial.failure
    if failure is None or not place.endswith(".py"):
        return trial
    shown = hide_name_of_text(place, keeps_file=True)
    message, traceback = failure.message.replace(place, shown), failure.traceback
    traceback = traceback and traceback.replace(place, shown)
    return replace(trial, failure=replace(failure, message=message, traceback=traceback))


def _share_target(given: str, redacted: str) -> str:
    """Return a target as it may be shown; the script of the plan imports from its file by its name."""
    place, colon, name = redacted.rpartition(":")
    shown = hide_name_of_text(place, keeps_file=True)
    file = re.search(r"[^\\/]+\.py(?=:[^:]*$)", given)
    if file is not None:
        shown = re.sub(r"[^\\/]+$", lambda _: file[0], shown)
    return f"{shown}{colon}{name}"


def _share_trial(trial: DatasetTrial) -> DatasetTrial:
    return replace(
        trial,
        arguments=tuple(map(_share_argument, trial.arguments)),
        failure=trial.failure and _share_failure(trial.failure),
        parts=tuple(map(_share_part, trial.parts)),
        sample_on_device=tuple(map(_share_member, trial.sample_on_device)),
        sample_unpicklable=tuple(map(_share_member, trial.sample_unpicklable)),
        collate_error=trial.collate_error and _share_text(trial.collate_error),
        output_tail=_share_text(trial.output_tail),
    )


def _share_argument(argument: str) -> str:
    """Return an argument of the dataset with its name: what people pass are paths and names as well."""
    name, equals, value = argument.partition("=")
    if not equals or not name.isidentifier():
        return show_value(hide_unknown_folders(argument))
    return f"{name}={show_value(hide_unknown_folders(value))}"


def _share_failure(failure: Failure) -> Failure:
    """Return a failure with its message, which is the doctor's own where no exception is named."""
    is_own = failure.exception_type is None and failure.outcome == "raised"
    return replace(
        failure,
        message=failure.message if is_own else _share_text(failure.message),
        traceback=failure.traceback and _share_text(failure.traceback),
    )


def _share_part(part: Part) -> Part:
    size = part.pickled_bytes
    return replace(
        part,
        pickled_bytes=Absent(_share_text(size.reason)) if isinstance(size, Absent) else size,
        unpicklable=tuple(map(_share_member, part.unpicklable)),
        on_device=tuple(map(_share_member, part.on_device)),
    )


def _share_member(member: Member) -> Member:
    return replace(member, detail=_share_text(member.detail))


def _share_text(text: str) -> str:
    return "\n".join(hide_unknown_folders(leave_out_by_place(line)) for line in text.split("\n"))
