"""Define what a fact is, and the value that holds all facts of an examination."""

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from typing import TypeVar, cast

from torchdoctor.core.record import record

F = TypeVar("F")

# Integers of facts are below. What is counted, such as bytes, is far below; a limit that is none is
# 2**64 - 1 on some systems.
INTEGER_BOUND = 1 << 64


@record
class Absent:
    """A value that could not be observed; the reason is one line."""

    reason: str


def is_fact(candidate: object) -> bool:
    """Return whether an object is the type of a fact: a dataclass with a subject."""
    return (
        isinstance(candidate, type)
        and dataclasses.is_dataclass(candidate)
        and isinstance(getattr(candidate, "subject", None), str)
    )


def subject_of(fact: type) -> str:
    """Return the key of a fact in JSON."""
    return str(getattr(fact, "subject", fact.__name__))


def occurs_many_times(fact: type) -> bool:
    """Return whether an examination can have several facts of this type, as for source files."""
    return bool(getattr(fact, "many", False))


@record
class Facts:
    """Everything that was observed, by type of fact; a fact that could not be observed is `Absent`."""

    values: Mapping[type, object] = field(default_factory=dict)

    def get(self, fact: type[F]) -> F | Absent:
        """Return the one fact of this type, or why it is absent."""
        value = self.values.get(fact)
        if value is None:
            return Absent(f"not examined: {subject_of(fact).replace('_', ' ')}")
        return cast("F | Absent", value)

    def all(self, fact: type[F]) -> tuple[F, ...] | Absent:
        """Return every fact of a type that occurs many times, or why there is none."""
        value = self.values.get(fact)
        if value is None:
            return Absent(f"not examined: {subject_of(fact).replace('_', ' ')}")
        return cast("tuple[F, ...] | Absent", value)

    def with_values(self, values: Mapping[type, object]) -> "Facts":
        """Return these facts with some replaced or added."""
        return Facts({**self.values, **values})
