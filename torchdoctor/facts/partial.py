"""Facts of which only some fields are known, as where a text describes the environment."""

import functools
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, cast

from torchdoctor.core.recent import remember_recent
from torchdoctor.facts.values import Absent, Facts, occurs_many_times

F = TypeVar("F")


class Unobserved(Exception):
    """A field was read that was not observed; the argument is the reason, in one line.

    A check that reads one is skipped, so nothing is decided on a value that nobody saw.
    """


class _Partial:
    """What all records with unknown fields have in common."""

    __slots__ = ()


def make_partial(fact: type[F], values: Mapping[str, object], reasons: Mapping[str, str] | None = None) -> F:
    """Return a record with only some of its fields; reading another one raises `Unobserved`.

    A field that can be `Absent` is that instead. `reasons` are by field.
    """
    given_reasons = reasons or {}
    names = [field.name for field in fields(cast("Any", fact))]
    known = dict(values)
    unknown = {
        name: given_reasons.get(name, f"not stated: the {_describe(fact, name)}")
        for name in names
        if name not in known
    }
    for name in [name for name in unknown if can_be_absent(fact, name)]:
        known[name] = Absent(unknown.pop(name))
    if not unknown:
        return fact(**known)
    partial: Any = object.__new__(_make_partial_type(cast("Any", fact)))
    for name, value in known.items():
        object.__setattr__(partial, name, value)
    object.__setattr__(partial, "_reasons", unknown)
    return cast("F", partial)


# A report asks for each of its findings.
@remember_recent
def drop_partial(facts: Facts) -> Facts:
    """Return the facts without those of which some field is unknown, for code that reads every field."""
    partial = {
        fact: Absent(f"partly unknown: {next(iter(reasons.values()))}")
        for fact, value in facts.values.items()
        if (reasons := _find_unknown(value))
    }
    return facts.with_values(partial) if partial else facts


def _find_unknown(value: object) -> Mapping[str, str]:
    """Return why fields of a record, or of one in it, are unknown, by field; {} if all are known."""
    if isinstance(value, _Partial):
        return cast("Mapping[str, str]", cast("Any", value)._reasons)
    if isinstance(value, tuple):
        return next(filter(None, map(_find_unknown, value)), {})
    if is_dataclass(value) and not isinstance(value, type) and not occurs_many_times(type(value)):
        return next(filter(None, (_find_unknown(each) for _, each in list_values(value))), {})
    return {}


def list_values(value: object) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each field of a record; one that is unknown is `Absent`."""
    for field in fields(cast("Any", value)):
        try:
            yield field.name, getattr(value, field.name)
        except Unobserved as unobserved:
            yield field.name, Absent(str(unobserved))


def find_value(value: object, name: str) -> Any:
    """Return a field of a record, or `Absent` if it is unknown."""
    return next(found for field, found in list_values(value) if field == name)


def replace_values(value: F, changes: Mapping[str, object]) -> F:
    """Return a record with some fields replaced; what is unknown stays so, with its reason replaced."""
    if not isinstance(value, _Partial):
        return type(value)(**{**dict(list_values(value)), **changes})
    reasons = cast("Mapping[str, str]", cast("Any", value)._reasons)
    known = {name: found for name, found in list_values(value) if name not in reasons}
    changed = {name: found for name, found in changes.items() if name not in reasons}
    # A facts file can have any text as a reason.
    reasons = {
        name: given.reason if isinstance(given := changes.get(name), Absent) else reason
        for name, reason in reasons.items()
    }
    return make_partial(cast("type[F]", type(value).__bases__[1]), {**known, **changed}, reasons)


@functools.cache
def find_field_types(fact: type) -> Mapping[str, object]:
    """Return the types of the fields of a record, by name."""
    return typing.get_type_hints(fact)


def can_be_absent(fact: type, name: str) -> bool:
    """Return whether a field of a record can be `Absent`."""
    return Absent in typing.get_args(find_field_types(fact)[name])


def _describe(fact: type, name: str) -> str:
    subject = str(getattr(fact, "subject", fact.__name__)).replace("_", " ").lower()
    return f"{name.replace('_', ' ')} of the {subject}"


@functools.cache
def _make_partial_type(fact: type) -> type:
    names = frozenset(field.name for field in fields(cast("Any", fact)))

    def find_missing(self: Any, name: str) -> object:
        # Called only for a slot that was not filled.
        if name in names:
            raise Unobserved(self._reasons[name])
        raise AttributeError(f"{fact.__name__} has no {name}")

    def list_all(self: object) -> tuple[object, ...]:
        return tuple(list_values(self))

    def is_equal(self: object, other: object) -> bool:
        return type(other) is type(self) and list_all(self) == list_all(other)

    def represent(self: object) -> str:
        shown = (f"{name}={value!r}" for name, value in list_values(self))
        return f"{fact.__qualname__}({', '.join(shown)})"

    methods = {
        "__slots__": ("_reasons",),
        "__getattr__": find_missing,
        "__eq__": is_equal,
        "__hash__": lambda self: hash(list_all(self)),
        "__repr__": represent,
        "__doc__": fact.__doc__,
    }
    return type(fact.__name__, (_Partial, fact), methods)
