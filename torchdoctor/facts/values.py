"""What a fact is, and the one value that holds all facts of an examination."""

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from typing import TypeVar, cast

from torchdoctor.core.record import record

F = TypeVar("F")


@record
class Absent:
    """What could not be observed, and why, in one line."""

    reason: str


def is_fact(candidate: object) -> bool:
    """Tell whether a type is a fact: a dataclass with a subject."""
    return (
        isinstance(candidate, type)
        and dataclasses.is_dataclass(candidate)
        and isinstance(getattr(candidate, "subject", None), str)
    )


def subject_of(fact: type) -> str:
    """Give the key that stands for a fact in JSON."""
    return str(getattr(fact, "subject", fact.__name__))


def occurs_many_times(fact: type) -> bool:
    """Tell whether an examination can hold several of this fact (a source file), not one or none."""
    return bool(getattr(fact, "many", False))


@record
class Facts:
    """Everything that was observed, by type; each subject is there or absent with a reason."""

    values: Mapping[type, object] = field(default_factory=dict)

    def get(self, fact: type[F]) -> F | Absent:
        """Give the one fact of this type, or why it is absent."""
        value = self.values.get(fact)
        if value is None:
            return Absent(f"not examined: {subject_of(fact).replace('_', ' ')}")
        return cast("F | Absent", value)

    def all(self, fact: type[F]) -> tuple[F, ...] | Absent:
        """Give every fact of a type that occurs many times, or why there is none."""
        value = self.values.get(fact)
        if value is None:
            return Absent(f"not examined: {subject_of(fact).replace('_', ' ')}")
        return cast("tuple[F, ...] | Absent", value)

    def with_values(self, values: Mapping[type, object]) -> "Facts":
        """Give these facts with some replaced or added."""
        return Facts({**self.values, **values})
