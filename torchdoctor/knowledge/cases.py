"""The cases of an entry: what values prove, the short answer for it, and the steps that cure it."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from torchdoctor.core.record import record
from torchdoctor.domain.versions import VersionError, VersionRange, parse_range
from torchdoctor.knowledge.bodies import Step

_TEXTS = frozenset({"says", "steps", "supposes", "title", "verify"})
_SUPPOSED = re.compile(r"(?P<name>[a-z][\w-]{1,40})(?P<versions>[<>=!][^\s]{1,40})")
_RANGE_OPERATORS = ("<", ">", "=", "!")


@record
class Case:
    """A case: the conditions on values, the short answer, and the tags of the steps that cure it, best first.

    `title` and `verify` take the place of the entry's, where those are about something else. Without
    conditions, `says` may be "": the entry's own short answer. `supposes` are packages in the versions with
    which the message comes ("numpy>=1.24"): a text that states another one tells of another Python.

    A condition is the name of a value, and patterns of which one must match: file name patterns without case
    ("cudnn*.dll"), what a value must not be ("not torch"), or version ranges (">=2.9,<2.15").
    """

    conditions: tuple[tuple[str, tuple["str | VersionRange", ...]], ...]
    says: str
    steps: tuple[str, ...]
    title: str = ""
    verify: str = ""
    supposes: tuple[tuple[str, VersionRange], ...] = ()

    def matches(self, values: Mapping[str, str]) -> bool:
        """Return whether the values meet all conditions; an unknown value meets none."""
        return all(
            values.get(name) and any(_matches(values[name], pattern) for pattern in patterns)
            for name, patterns in self.conditions
        )


def _read_case(data: object) -> Case:
    """Read a case from an inline table of the head.

    Raises:
        ValueError: the table has no answer or step, or a value that is no text.
        VersionError: a version range cannot be parsed.
    """
    if not isinstance(data, dict):
        raise ValueError("a case is a table")
    says, steps = data.get("says", ""), data.get("steps")
    conditions = {name: value for name, value in data.items() if name not in _TEXTS}
    supposes = tuple(map(_read_supposed, _as_list(data.get("supposes", []))))
    if not (isinstance(says, str) and steps and (says or not conditions)):
        raise ValueError("a case has says and steps")
    return Case(
        tuple((name, tuple(map(_read_pattern, _as_list(value)))) for name, value in conditions.items()),
        says,
        tuple(_as_list(steps)),
        str(data.get("title", "")),
        str(data.get("verify", "")),
        supposes,
    )


def read_cases(data: Sequence[object]) -> tuple[Case, ...]:
    """Read the cases of a head; the last may have no conditions, for all that the others leave.

    Raises:
        ValueError: a case is damaged, or stands below one without conditions.
        VersionError: a version range cannot be parsed.
    """
    cases = tuple(map(_read_case, data))
    if not all(case.conditions for case in cases[:-1]):
        raise ValueError("a case without conditions is the last one")
    return cases


def choose_steps(steps: Sequence[Step], case: Case | None) -> tuple[Step, ...]:
    """Return the steps of the case, best first, and those that are for any case; without a case, all."""
    if case is None:
        return tuple(steps)
    first = [step for tag in case.steps for step in steps if step.tag == tag]
    return (*first, *(step for step in steps if not step.tag))


def find_case(cases: Sequence[Case], values: Mapping[str, str]) -> Case | None:
    """Return the first case whose conditions the values meet, or None."""
    return next((case for case in cases if case.matches(values)), None)


def _as_list(value: object) -> list[str]:
    items = [str(item) for item in value] if isinstance(value, list) else [str(value)]
    if not all(items):
        raise ValueError("an empty text in a case")
    return items


def _read_supposed(text: str) -> tuple[str, VersionRange]:
    match = _SUPPOSED.fullmatch(text)
    if match is None:
        raise ValueError("supposes has packages with versions")
    return match["name"], parse_range(match["versions"])


def _read_pattern(text: str) -> "str | VersionRange":
    return parse_range(text) if text.startswith(_RANGE_OPERATORS) else _spell(text)


def _spell(text: str) -> str:
    """Return a text in lower case, with the backslashes of a path as a person writes them.

    A path in an error is often the spelling of Python, which has each of them twice.
    """
    return text.replace("\\\\", "\\").lower()


def _matches(value: str, pattern: "str | VersionRange") -> bool:
    if isinstance(pattern, str):
        wanted = pattern.removeprefix("not ")
        return fnmatchcase(_spell(value), wanted) == (wanted == pattern)
    try:
        return value in pattern
    except VersionError:
        return False
