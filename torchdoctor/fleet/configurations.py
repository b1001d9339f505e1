"""The configurations of the machines of a fleet: which are the same, and what differs."""

import statistics
from collections import Counter
from collections.abc import Iterator

from torchdoctor.core.record import record
from torchdoctor.domain.sizes import GIB, MIB
from torchdoctor.facts import Absent
from torchdoctor.fleet.machine import LABELS, Configuration, Machine
from torchdoctor.fleet.names import MOST_NAMES, Extremes, NameList, Names
from torchdoctor.policy.requirements import ENTRY_NAME

# Of what the project requires, so many sentences are kept of a group.
_MOST_MESSAGES = 5
# More different configurations are not kept apart.
_MOST_CONFIGURATIONS = 2000
# A commit limit so far from that of most machines is told; page files make it differ by less everywhere.
_UNUSUAL_COMMIT = 2


@record
class Difference:
    """A field of LABELS, or "commit limit", with its value on some machines and on most; None: not known."""

    field: str
    value: str | None
    usual: str | None


@record
class ConfigurationGroup:
    """The machines with one configuration.

    `differences` are those from the largest group, which has none; `unmet` is what the project requires and
    they do not have.
    """

    configuration: Configuration
    machines: Names
    differences: tuple[Difference, ...] = ()
    unmet: tuple[str, ...] = ()


@record
class CommitRange:
    """The lowest, the median and the highest commit limit in bytes, with a machine of the first and last.

    `count` is the number of the machines whose limit is known.
    """

    count: int
    lowest_bytes: int
    lowest_machine: str
    median_bytes: int
    highest_bytes: int
    highest_machine: str


class _Group:
    """The machines with one configuration."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration, self.names, self.unmet = configuration, NameList(), dict[str, None]()


class Configurations:
    """The configurations of machines that come one by one.

    `others` are the machines whose configurations are not kept apart.
    """

    def __init__(self) -> None:
        self.others = NameList()
        self._groups: dict[tuple[object, ...], _Group] = {}
        self._limits: Counter[int] = Counter()
        self._extremes: Extremes[int] = Extremes()

    def add(self, machine: Machine, configuration: Configuration) -> None:
        """Add the configuration of a machine."""
        limit = configuration.commit_limit_bytes
        if not isinstance(limit, Absent):
            self._add_limit(limit, machine.name)
        gib = None if isinstance(limit, Absent) else round(limit / GIB)
        # Why a value is not known makes no other configuration.
        key = (*(_find_known(configuration, name) for name in LABELS), gib)
        if key not in self._groups and len(self._groups) >= _MOST_CONFIGURATIONS:
            self.others.add(machine.name)
            return
        group = self._groups.setdefault(key, _Group(configuration))
        group.names.add(machine.name)
        for finding in machine.findings:
            if finding.name == ENTRY_NAME and len(group.unmet) < _MOST_MESSAGES:
                group.unmet[finding.message] = None

    def describe_commit(self) -> CommitRange | None:
        """Return the range of the commit limits, None if none is known."""
        median = self._find_median()
        if median is None:
            return None
        lowest, highest = self._extremes.lowest, self._extremes.highest
        return CommitRange(self._limits.total(), *lowest, median, *highest)

    def list_groups(self) -> Iterator[ConfigurationGroup]:
        """Yield the groups, the largest first; commit limits that are near the median count as the same."""
        median = self._find_median()
        merged: dict[tuple[object, ...], _Group] = {}
        for (*values, gib), group in self._groups.items():
            limit = group.configuration.commit_limit_bytes
            is_usual = isinstance(limit, Absent) or median is None or _is_near(limit, median)
            same = merged.setdefault((*values, None if is_usual else gib), _Group(group.configuration))
            same.names.merge(group.names)
            same.unmet.update(group.unmet)
        ordered = sorted(merged.values(), key=lambda group: (-group.names.count, group.names.first))
        for group in ordered:
            yield ConfigurationGroup(
                group.configuration,
                group.names.freeze(),
                tuple(_compare(group.configuration, ordered[0].configuration, median)),
                tuple(group.unmet)[:_MOST_MESSAGES],
            )

    def _add_limit(self, limit: int, name: str) -> None:
        self._extremes.add(limit, name)
        self._limits[limit] += 1
        for unit in (MIB, GIB, 64 * GIB):
            # Rounded, few are different.
            if len(self._limits) > 2 * MOST_NAMES:
                self._round_limits(unit)

    def _round_limits(self, unit: int) -> None:
        rounded: Counter[int] = Counter()
        for limit, count in self._limits.items():
            rounded[max(round(limit / unit), 1) * unit] += count
        self._limits = rounded

    def _find_median(self) -> int | None:
        return statistics.median_low(self._limits.elements()) if self._limits else None


def _compare(own: Configuration, usual: Configuration, median: int | None) -> Iterator[Difference]:
    for name, label in LABELS.items():
        value, other = _find_known(own, name), _find_known(usual, name)
        if value != other:
            yield Difference(label, value, other)
    value, other = (_describe_limit(each.commit_limit_bytes, median) for each in (own, usual))
    if value is not None and other is not None and value != other:
        yield Difference("commit limit", value, other)


def _find_known(configuration: Configuration, name: str) -> str | None:
    value: str | Absent = getattr(configuration, name)
    return None if isinstance(value, Absent) else value


def _describe_limit(limit: int | Absent, median: int | None) -> str | None:
    if isinstance(limit, Absent) or median is None:
        return None
    return f"about {median / GIB:.0f} GiB" if _is_near(limit, median) else f"{limit / GIB:.0f} GiB"


def _is_near(limit: int, median: int) -> bool:
    return median / _UNUSUAL_COMMIT <= limit <= median * _UNUSUAL_COMMIT
