"""Checks: pure generator functions that take facts and yield findings."""

import enum
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import TypeVar, overload

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, is_fact, occurs_many_times

T = TypeVar("T")

# A function tells of the bytes of a file whether they have what neither a word nor a pattern can say.
Word = bytes | re.Pattern[bytes] | Callable[[bytes], bool]
# What a file must contain for a check to find anything in it: the word, and any one of each group of others.
Words = (
    tuple[Word, tuple[Word, ...]]
    | tuple[Word, tuple[Word, ...], tuple[Word, ...]]
    | tuple[Word, tuple[Word, ...], tuple[Word, ...], tuple[Word, ...]]
)


class Severity(enum.Enum):
    """How bad a finding is; the names are SARIF's levels."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """The order of severities: a higher rank is worse."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Skip(Exception):
    """Raised by a check that cannot decide; the argument is the reason, in one line."""


class CheckDefinitionError(Exception):
    """Raised for a function that cannot be a check; the message names module, function and parameter."""


@record
class Location:
    """A place in training code; lines and columns count from 1.

    In a notebook, `cell` is the number of the cell, where all cells count, and lines count in the cell.
    """

    path: str
    line: int
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None
    cell: int | None = None


@record
class Replacement:
    """Text that replaces the characters of a file from offset `start` to `end`."""

    start: int
    end: int
    text: str


@record
class Edit:
    """A mechanical change of one file that removes the cause of a finding."""

    path: str
    description: str
    replacements: tuple[Replacement, ...]


@record
class Bound:
    """An upper bound for the number of DataLoader workers: its name, the number, and the reason."""

    name: str
    workers: int
    reason: str


@record
class Finding:
    """A problem that a check found.

    `message` is what was observed, with the values: it starts in lower case and has no full stop and no
    advice. `severity` replaces that of the entry. `step` is the tag of the fix step in the entry that
    applies; without a tag, the first step does. `bound` is a bound for the loader plan that follows.
    `explains` are the names of checks whose findings are consequences of this one.
    """

    message: str
    location: Location | None = None
    evidence: Mapping[str, object] = field(default_factory=dict)
    severity: Severity | None = None
    edit: Edit | None = None
    step: str | None = None
    bound: Bound | None = None
    explains: tuple[str, ...] = ()


@record
class Passed:
    """What a check observed that found no problem, for the list of passed checks in the report."""

    message: str


Result = Finding | Passed


@record
class Parameter:
    """A fact that a check needs; `tolerates_absence` is true if it is annotated `Fact | Absent`.

    `others` are the other facts of an annotation such as `SourceFile | ConfigFile`: the check is called for
    each file of either kind.
    """

    name: str
    fact: type
    tolerates_absence: bool
    others: tuple[type, ...] = ()

    @property
    def facts(self) -> tuple[type, ...]:
        """The types of facts that the parameter takes."""
        return (self.fact, *self.others)


CheckFunction = Callable[..., Iterator[Result]]


@record
class Check:
    """A function decorated with `check`: its name (that of the function in kebab-case) and what it needs.

    `summary` is the first paragraph of the docstring of its module. `words` are those of the decorator.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    function: CheckFunction
    module: str
    words: tuple[Words, ...] = ()

    @property
    def facts(self) -> tuple[type, ...]:
        """The types of the facts that the check needs."""
        return tuple(fact for parameter in self.parameters for fact in parameter.facts)


@overload
def check(function: CheckFunction) -> Check: ...


@overload
def check(*, words: tuple[Words, ...]) -> Callable[[CheckFunction], Check]: ...


def check(
    function: CheckFunction | None = None, *, words: tuple[Words, ...] = ()
) -> Check | Callable[[CheckFunction], Check]:
    """Turn a generator function into a check; its parameters are annotated with the facts that it needs.

    `words` is for checks of training code: a file in which none of them occur is not parsed for the check.
    Without `words`, every file is parsed.

    Raises:
        CheckDefinitionError: the function is not a generator function, or a parameter is not a fact.
    """
    if function is None:
        return lambda decorated: _make_check(decorated, words)
    return _make_check(function, words)


def _make_check(function: CheckFunction, words: tuple[Words, ...]) -> Check:
    qualified_name = f"{function.__module__}.{function.__name__}"
    if not inspect.isgeneratorfunction(function):
        raise CheckDefinitionError(f"{qualified_name}: a check is a generator function that yields findings")
    try:
        annotations = typing.get_type_hints(function)
    except (NameError, TypeError) as error:
        raise CheckDefinitionError(f"{qualified_name}: unreadable annotations: {error}") from error
    parameters = tuple(
        _read_parameter(qualified_name, name, annotations.get(name))
        for name in inspect.signature(function).parameters
    )
    module = inspect.getmodule(function)
    summary = (inspect.getdoc(module) or "").strip().split("\n\n")[0].replace("\n", " ")
    name = function.__name__.strip("_").replace("_", "-")
    return Check(name, summary, parameters, function, function.__module__, words)


def known(value: T | Absent) -> T:
    """Return the value; if it is absent, skip the check with the reason.

    Raises:
        Skip: the value could not be observed.
    """
    if isinstance(value, Absent):
        raise Skip(value.reason)
    return value


def _read_parameter(qualified_name: str, name: str, annotation: object) -> Parameter:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        members = [member for member in typing.get_args(annotation) if member is not Absent]
        if len(members) == 1 and is_fact(members[0]):
            return Parameter(name, members[0], tolerates_absence=True)
        if members == [*typing.get_args(annotation)] and all(
            is_fact(each) and occurs_many_times(each) for each in members
        ):
            return Parameter(name, members[0], tolerates_absence=False, others=tuple(members[1:]))
    if isinstance(annotation, type) and is_fact(annotation):
        return Parameter(name, annotation, tolerates_absence=False)
    raise CheckDefinitionError(
        f"{qualified_name}: parameter {name!r} is annotated {annotation!r}, which is no fact"
    )
