"""The one command whose output would say most of what a text leaves open."""

from collections.abc import Iterable, Mapping

from torchdoctor.core.record import record
from torchdoctor.facts import (
    Distributions,
    Facts,
    Interpreter,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)
from torchdoctor.facts.partial import list_values
from torchdoctor.facts.values import Absent


@record
class Question:
    """What is not known, and the command whose output says it."""

    unknown: str
    command: str


# The facts that a report on an environment needs, in words.
_WORDS: Mapping[type, str] = {
    OperatingSystem: "the system",
    Interpreter: "the version of Python",
    TorchInstall: "the version and the build of torch",
    NvidiaDriver: "the GPU and the version of its driver",
    Distributions: "the other packages",
}
# What each command prints; of those that say as much of what is asked for, the first one is chosen.
_COMMANDS: tuple[tuple[str, frozenset[type]], ...] = (
    ("nvidia-smi", frozenset({NvidiaDriver})),
    ("python -VV", frozenset({Interpreter})),
    ("python -m pip list", frozenset({Distributions})),
    ("python -m torch.utils.collect_env", frozenset(_WORDS)),
)
# collect_env imports torch.
_WITHOUT_TORCH = (*_COMMANDS[:2], ("python -m pip list", frozenset({TorchInstall, Distributions})))


def ask(
    facts: Facts, wanted: Iterable[type] = tuple(_WORDS), *, imports_torch: bool = True
) -> Question | None:
    """Return the question for what is not known of some facts, or None if all of it is.

    `imports_torch` is whether torch can be imported.
    """
    unknown = [fact for fact in wanted if _is_unknown(facts.get(fact))]
    commands = _COMMANDS if imports_torch else _WITHOUT_TORCH
    command, said = max(commands, key=lambda each: len(each[1].intersection(unknown)))
    answered = [_WORDS[fact] for fact in unknown if fact in said]
    if not answered:
        return None
    return Question(" and ".join(filter(None, (", ".join(answered[:-1]), answered[-1]))), command)


def _is_unknown(value: object) -> bool:
    if isinstance(value, Absent):
        return True
    if isinstance(value, TorchInstall):
        return any(isinstance(dict(list_values(value))[name], Absent) for name in ("version", "cuda"))
    if isinstance(value, NvidiaDriver):
        return any(isinstance(dict(list_values(value))[name], Absent) for name in ("version", "gpus"))
    if isinstance(value, Interpreter):
        return isinstance(dict(list_values(value))["version"], Absent)
    if isinstance(value, Distributions):
        return not value.is_complete and not value.complete_names
    return False
