"""Derive from a trial that failed how it ended, and what its second trial shows."""

from torchdoctor.facts import Absent, CudaTrial, SecondTrial, TorchImportTrial
from torchdoctor.facts.partial import find_value


def describe_end(trial: TorchImportTrial) -> str:
    """Return the meaning of the exit code, and the reason that Python's fault handler printed."""
    meaning = trial.exit_meaning or "an unknown exit code"
    reason = trial.crash.reason if trial.crash else ""
    # Where the handler has no word for it, its reason is "code" and the exit code.
    is_known = reason.lower().removeprefix("code ") in meaning.lower()
    return meaning if is_known else f"{meaning} ({reason})"


def compare_second_trial(trial: TorchImportTrial, what: str) -> str:
    """Return how the second trial ended, as the end of a sentence; empty without one."""
    if trial.second_trial is None:
        return ""
    match trial.second_trial.outcome:
        case "works":
            return f"; {what} works"
        case "same":
            return f"; {what} ends in the same way"
        case _:
            return f"; {what} ends with {trial.second_trial.exit_meaning or 'no answer'}"


def find_culprit_variable(trial: TorchImportTrial | CudaTrial | Absent) -> str | None:
    """Return the variable of the environment without which the second trial works, None without one."""
    second = trial if isinstance(trial, Absent) else find_value(trial, "second_trial")
    return second.variable if isinstance(second, SecondTrial) and second.outcome == "works" else None
