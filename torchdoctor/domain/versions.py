"""Version ranges in the syntax of `packaging` (`>=2.9,<2.15`), compared by release numbers only."""

import re

from torchdoctor.core.record import record

_CLAUSE = re.compile(r"(>=|<=|==|!=|~=|<|>)\s*(\d+(?:\.\d+)*)(\.\*)?")


class VersionError(ValueError):
    """A version or a version range cannot be parsed."""


def parse_release(version: str) -> tuple[int, ...]:
    """Parse the release numbers of a version: `2.8.0a0+cu128` is (2, 8, 0).

    Raises:
        VersionError: the text does not begin with a number.
    """
    match = re.match(r"v?(\d{1,18}(?:\.\d{1,18})*)", version.strip(), re.ASCII)
    if match is None:
        raise VersionError(f"not a version: {version!r}")
    return tuple(int(part) for part in match[1].split("."))


@record
class VersionRange:
    """The clauses that a version has to satisfy; without any, the range has every version.

    A clause is an operator, release numbers, and whether they end with `.*`.
    """

    text: str
    clauses: tuple[tuple[str, tuple[int, ...], bool], ...]

    def __contains__(self, version: str) -> bool:
        release = parse_release(version)
        return all(_satisfies(release, *clause) for clause in self.clauses)


def parse_range(text: str) -> VersionRange:
    """Parse a version range.

    Raises:
        VersionError: a clause is not an operator with a number.
    """
    clauses: list[tuple[str, tuple[int, ...], bool]] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _CLAUSE.fullmatch(part)
        if match is None:
            raise VersionError(f"not a version clause: {part!r}")
        release = parse_release(match[2])
        if match[1] != "~=":
            clauses.append((match[1], release, match[3] is not None))
        elif len(release) > 1 and not match[3]:
            # "~=2.9.1" is ">=2.9.1,==2.9.*".
            clauses += [(">=", release, False), ("==", release[:-1], True)]
        else:
            raise VersionError(f"not a version clause: {part!r}")
    return VersionRange(text, tuple(clauses))


def accepts(versions: str, version: str) -> bool:
    """Return whether a range has a version; False if either of them cannot be parsed."""
    try:
        return version in parse_range(versions)
    except VersionError:
        return False


def _satisfies(release: tuple[int, ...], operator: str, bound: tuple[int, ...], is_prefix: bool) -> bool:
    if is_prefix:
        return (release[: len(bound)] == bound) == (operator == "==")
    length = max(len(release), len(bound))
    left, right = (numbers + (0,) * (length - len(numbers)) for numbers in (release, bound))
    match operator:
        case ">=":
            return left >= right
        case "<=":
            return left <= right
        case "<":
            return left < right
        case ">":
            return left > right
        case "==":
            return left == right
    return left != right
