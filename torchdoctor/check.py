"""What a check is: a pure generator that is given facts and yields findings."""

import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import TypeVar, overload

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, is_fact

T = TypeVar("T")

# What a file has to contain for a check to find anything in it: the word, and one of those beside it, if any.
Words = tuple[bytes, tuple[bytes, ...]]


class Severity(enum.Enum):
    """How bad a finding is; the names are SARIF's levels."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """Order severities: a higher rank is worse."""
        return list(Severity).index(self)


class Skip(Exception):
    """Raised by a check that cannot decide; the argument is the reason, in one line."""


class CheckDefinitionError(Exception):
    """A function is no usable check; the message names module, function and parameter."""


@record
class Location:
    """A place in training code; lines and columns count from 1."""

    path: str
    line: int
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None


@record
class Replacement:
    """Text that takes the place of `path`'s characters from offset `start` to `end`."""

    start: int
    end: int
    text: str


@record
class Edit:
    """A mechanical change of one file that makes a finding go away."""

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
    """What was seen: lower-case message with the values, no full stop, no advice.

    `step` is the tag of the entry's fix step that applies to what was seen; without one it is the first.
    `bound` is what it means for the loader plan.
    """

    message: str
    location: Location | None = None
    evidence: Mapping[str, object] = field(default_factory=dict)
    severity: Severity | None = None
    edit: Edit | None = None
    step: str | None = None
    bound: Bound | None = None


@record
class Passed:
    """What a healthy check saw, for the report's list of things that are well."""

    message: str


Result = Finding | Passed


@record
class Parameter:
    """A fact that a check asks for; `tolerates_absence` when it is annotated `Fact | Absent`."""

    name: str
    fact: type
    tolerates_absence: bool


CheckFunction = Callable[..., Iterator[Result]]


@record
class Check:
    """A decorated check: its name (kebab-case of the function's name), and what it needs.

    `words` are those of the decorator.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    function: CheckFunction
    module: str
    words: tuple[Words, ...] = ()

    @property
    def facts(self) -> tuple[type, ...]:
        """The types of the facts that the check asks for."""
        return tuple(parameter.fact for parameter in self.parameters)


@overload
def check(function: CheckFunction) -> Check: ...


@overload
def check(*, words: tuple[Words, ...]) -> Callable[[CheckFunction], Check]: ...


def check(
    function: CheckFunction | None = None, *, words: tuple[Words, ...] = ()
) -> Check | Callable[[CheckFunction], Check]:
    """Make a generator function a check.

    A check of training code names the words without which it finds nothing: a file that has none of them
    is not parsed. Without `words`, every file is parsed for it.

    Raises:
        CheckDefinitionError: the function is no generator, or a parameter is no fact.
    """
    if function is None:
        return lambda decorated: _make_check(decorated, words)
    return _make_check(function, words)


def _make_check(function: CheckFunction, words: tuple[Words, ...]) -> Check:
    where = f"{function.__module__}.{function.__name__}"
    if not inspect.isgeneratorfunction(function):
        raise CheckDefinitionError(f"{where}: a check is a generator function that yields findings")
    try:
        annotations = typing.get_type_hints(function)
    except (NameError, TypeError) as error:
        raise CheckDefinitionError(f"{where}: unreadable annotations: {error}") from error
    parameters = tuple(
        _read_parameter(where, name, annotations.get(name)) for name in inspect.signature(function).parameters
    )
    module = inspect.getmodule(function)
    summary = (inspect.getdoc(module) or "").strip().split("\n\n")[0].replace("\n", " ")
    name = function.__name__.strip("_").replace("_", "-")
    return Check(name, summary, parameters, function, function.__module__, words)


def known(value: T | Absent) -> T:
    """Give the value, or skip the check with the reason why it is absent.

    Raises:
        Skip: the value could not be observed.
    """
    if isinstance(value, Absent):
        raise Skip(value.reason)
    return value


def _read_parameter(where: str, name: str, annotation: object) -> Parameter:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        members = [member for member in typing.get_args(annotation) if member is not Absent]
        if len(members) == 1 and is_fact(members[0]):
            return Parameter(name, members[0], tolerates_absence=True)
    if isinstance(annotation, type) and is_fact(annotation):
        return Parameter(name, annotation, tolerates_absence=False)
    raise CheckDefinitionError(f"{where}: parameter {name!r} is annotated {annotation!r}, which is no fact")
