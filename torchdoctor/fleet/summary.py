"""Put the machines of a fleet together: what is wrong on which of them, and what differs between them."""

import heapq
import itertools
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping

from torchdoctor.check import Severity
from torchdoctor.core.record import record
from torchdoctor.core.version import __version__
from torchdoctor.domain.sizes import GIB
from torchdoctor.facts import Absent
from torchdoctor.fleet.machine import LABELS, Configuration, Machine, MachineFinding, list_differences
from torchdoctor.policy.requirements import ENTRY_NAME

# Of more machines only the number is kept, so that the memory does not grow with the fleet.
MOST_NAMES = 1000
# The machines that a page shows one by one.
MOST_MACHINES = 2000
_MOST_MESSAGES = 5
# More different configurations are not kept apart.
_MOST_CONFIGURATIONS = 2000
# A commit limit so far from that of most machines is told; page files make it differ by less everywhere.
_UNUSUAL_COMMIT = 2
# What stands in the way of training is told of so many machines, or values, by name.
MOST_OBSTACLES = 10
# What has to be the same before training on several machines, and how it is compared.
EQUAL_FIELDS = ("torch", "cuda", "numpy")


@record
class Names:
    """Some machines: how many, and the names of the first ones."""

    count: int
    first: tuple[str, ...]


@record
class FindingGroup:
    """A problem with one step, the machines that have it, and what was seen on one of them, `example`.

    `causes` are the checks whose findings cause it on all of these machines.
    """

    name: str
    severity: str
    machines: Names
    example: str
    title: str
    message: str
    fix: str | None
    causes: tuple[str, ...]


@record
class Obstacle:
    """Why machines cannot train together, and those of them that it is about."""

    reason: str
    machines: Names


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


@record
class FleetReport:
    """What came of the examination of a fleet.

    `levels` counts the machines by their worst severity, "none" for those without findings. `unexamined` are
    the first machines that could not be examined, with the reasons. `others` have configurations of which so
    many were seen before that these are not compared. `versions` are the other versions of
    torchdoctor that observed facts. `obstacles` are what forbids to train on all of them together, `caveats`
    what else has to be known for that, in sentences. `worst` are the machines themselves, worst first.
    """

    version: str
    taken_at: str
    count: int
    levels: Mapping[str, int]
    unexamined_count: int
    unexamined: tuple[Machine, ...]
    findings: tuple[FindingGroup, ...]
    configurations: tuple[ConfigurationGroup, ...]
    others: Names
    commit: CommitRange | None
    versions: tuple[tuple[str, Names], ...]
    failures: tuple[tuple[str, Names], ...]
    obstacles: tuple[Obstacle, ...]
    caveats: tuple[str, ...]
    worst: tuple[Machine, ...]
    fail_on: Severity = Severity.ERROR
    is_gate: bool = False
    is_live: bool = False

    @property
    def exit_code(self) -> int:
        """As for a scan: 1 for findings, 2 for files that cannot be used, 3 if the doctor itself failed.

        A machine that gave no answer is a finding. Before training, any obstacle is one.
        """
        ranks = [Severity(name).rank for name, count in self.levels.items() if name != "none" and count]
        is_sick = any(rank >= self.fail_on.rank for rank in ranks)
        if self.is_gate and self.obstacles:
            return 1
        if self.unexamined_count and not self.is_live:
            return 2
        if is_sick or self.unexamined_count:
            return 1
        return 3 if self.failures else 0


class _NameList:
    """Names that are counted, of which the first are kept."""

    def __init__(self) -> None:
        self.count, self.first = 0, list[str]()

    def add(self, name: str) -> None:
        self.count += 1
        if len(self.first) < MOST_NAMES:
            self.first.append(name)

    def merge(self, other: "_NameList") -> None:
        self.count += other.count
        self.first = sorted([*self.first, *other.first])[:MOST_NAMES]

    def freeze(self) -> Names:
        return Names(self.count, tuple(self.first))


class _Group:
    """The machines with one configuration."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration, self.names, self.unmet = configuration, _NameList(), dict[str, None]()


class _Problem:
    """One problem that one step mends: the first example, and the machines."""

    def __init__(self, machine: str, finding: MachineFinding) -> None:
        self.names, self.example, self.finding = _NameList(), machine, finding


class Summary:
    """The sums over machines that come one by one; what it keeps does not grow with their number."""

    def __init__(self) -> None:
        self._count = self._unexamined_count = 0
        self._order = itertools.count()
        self._levels: Counter[str] = Counter()
        self._unexamined: list[Machine] = []
        self._problems: dict[tuple[object, ...], _Problem] = {}
        self._groups: dict[tuple[object, ...], _Group] = {}
        self._others = _NameList()
        self._versions: dict[str, _NameList] = {}
        self._failures: dict[str, _NameList] = {}
        self._equal: dict[str, dict[object, _NameList]] = {name: {} for name in EQUAL_FIELDS}
        self._bad = {severity.value: _NameList() for severity in Severity}
        self._failed, self._untried = _NameList(), _NameList()
        self._times: dict[str, str] = {}
        self._limits: Counter[int] = Counter()
        self._limit_of: dict[int, str] = {}
        self._worst: list[tuple[tuple[int, int, int], Machine]] = []

    def add(self, machine: Machine) -> None:
        """Add one machine."""
        self._count += 1
        self._keep(machine)
        if machine.configuration is None:
            self._unexamined_count += 1
            if len(self._unexamined) < MOST_NAMES:
                self._unexamined.append(machine)
            return
        worst = max(machine.findings, key=lambda finding: finding.rank, default=None)
        self._levels[worst.severity if worst is not None else "none"] += 1
        if worst is not None:
            self._bad[worst.severity].add(machine.name)
        if isinstance(machine.has_imported_torch, Absent):
            self._untried.add(machine.name)
        self._add_time(machine)
        self._add_findings(machine)
        self._add_configuration(machine, machine.configuration)
        is_other = bool(machine.torchdoctor) and machine.torchdoctor != __version__
        if is_other and (machine.torchdoctor in self._versions or len(self._versions) < MOST_NAMES):
            self._versions.setdefault(machine.torchdoctor, _NameList()).add(machine.name)
        if machine.failures:
            self._failed.add(machine.name)
        for failure in machine.failures:
            if failure in self._failures or len(self._failures) < MOST_NAMES:
                self._failures.setdefault(failure, _NameList()).add(machine.name)

    def finish(
        self,
        taken_at: str,
        *,
        fail_on: Severity = Severity.ERROR,
        is_gate: bool = False,
        is_live: bool = False,
        caveats: tuple[str, ...] = (),
    ) -> FleetReport:
        """Return what came of all machines."""
        return FleetReport(
            version=__version__,
            taken_at=taken_at,
            count=self._count,
            levels={name: self._levels[name] for name in ("error", "warning", "note", "none")},
            unexamined_count=self._unexamined_count,
            unexamined=tuple(self._unexamined),
            findings=tuple(self._list_findings()),
            configurations=tuple(self._list_configurations()),
            others=self._others.freeze(),
            commit=self._describe_commit(),
            versions=tuple((name, names.freeze()) for name, names in sorted(self._versions.items())),
            failures=tuple((name, names.freeze()) for name, names in sorted(self._failures.items())),
            obstacles=tuple(self._list_obstacles(fail_on)),
            caveats=(*caveats, *self._list_caveats()),
            worst=tuple(
                machine for _, machine in sorted(self._worst, key=lambda pair: pair[0], reverse=True)
            ),
            fail_on=fail_on,
            is_gate=is_gate,
            is_live=is_live,
        )

    def _keep(self, machine: Machine) -> None:
        # The number of each machine decides between equals, the first one first.
        order = (machine.rank, len(machine.findings), -next(self._order))
        if len(self._worst) < MOST_MACHINES:
            heapq.heappush(self._worst, (order, machine))
        else:
            heapq.heappushpop(self._worst, (order, machine))

    def _add_findings(self, machine: Machine) -> None:
        keys = dict[tuple[object, ...], MachineFinding]()
        for finding in machine.findings:
            keys.setdefault((finding.name, finding.severity, finding.step, finding.causes), finding)
        for key, finding in keys.items():
            if key in self._problems or len(self._problems) < MOST_NAMES:
                self._problems.setdefault(key, _Problem(machine.name, finding)).names.add(machine.name)

    def _add_time(self, machine: Machine) -> None:
        """Keep the first and the last time at which facts were observed, with their machines."""
        if machine.taken_at:
            self._times.setdefault(machine.taken_at, machine.name)
        if len(self._times) > 2:
            self._times = {each: self._times[each] for each in (min(self._times), max(self._times))}

    def _add_configuration(self, machine: Machine, configuration: Configuration) -> None:
        limit = configuration.commit_limit_bytes
        gib = None if isinstance(limit, Absent) else round(limit / GIB)
        # Why a value is not known makes no other configuration.
        key = (*(_find_known(configuration, name) for name in LABELS), gib)
        if key in self._groups or len(self._groups) < _MOST_CONFIGURATIONS:
            group = self._groups.setdefault(key, _Group(configuration))
            group.names.add(machine.name)
            for finding in machine.findings:
                if finding.name == ENTRY_NAME and len(group.unmet) < _MOST_MESSAGES:
                    group.unmet[finding.message] = None
        else:
            self._others.add(machine.name)
        for name, values in self._equal.items():
            value = getattr(configuration, name)
            if name == "numpy" and isinstance(value, str):
                value = value.partition(".")[0]
            if value not in values and len(values) >= MOST_NAMES:
                value = "other values"
            values.setdefault(value, _NameList()).add(machine.name)
        if not isinstance(limit, Absent):
            self._limits[limit] += 1
            if len(self._limits) > 2 * MOST_NAMES:
                self._thin_limits()
            for extreme in (min, max):
                if extreme(limit, *self._limit_of or (limit,)) == limit:
                    self._limit_of.setdefault(limit, machine.name)
            if len(self._limit_of) > 2:
                kept = (min(self._limit_of), max(self._limit_of))
                self._limit_of = {each: self._limit_of[each] for each in kept}

    def _thin_limits(self) -> None:
        """Round the commit limits to MiB, then GiB, so that few are different."""
        for unit in (1 << 20, GIB, 64 * GIB):
            if len(self._limits) <= MOST_NAMES:
                return
            rounded: Counter[int] = Counter()
            for limit, count in self._limits.items():
                rounded[max(round(limit / unit), 1) * unit] += count
            self._limits = rounded

    def _list_findings(self) -> Iterator[FindingGroup]:
        problems = sorted(
            self._problems.values(),
            key=lambda problem: (
                bool(problem.finding.causes),
                -problem.finding.rank,
                -problem.names.count,
                problem.finding.name,
                problem.example,
            ),
        )
        for problem in problems:
            finding = problem.finding
            yield FindingGroup(
                name=finding.name,
                severity=finding.severity,
                machines=problem.names.freeze(),
                example=problem.example,
                title=finding.title or finding.name,
                message=finding.message,
                fix=finding.fix,
                causes=finding.causes,
            )

    def _find_median(self) -> int | None:
        return statistics.median_low(self._limits.elements()) if self._limits else None

    def _describe_commit(self) -> CommitRange | None:
        median = self._find_median()
        if median is None:
            return None
        lowest, highest = min(self._limit_of), max(self._limit_of)
        count = self._limits.total()
        return CommitRange(count, lowest, self._limit_of[lowest], median, highest, self._limit_of[highest])

    def _list_configurations(self) -> Iterator[ConfigurationGroup]:
        """Yield the groups, the largest first; commit limits that are near the median count as the same."""
        median = self._find_median()
        merged: dict[tuple[object, ...], _Group] = {}
        for (*values, gib), group in self._groups.items():
            limit = group.configuration.commit_limit_bytes
            is_usual = isinstance(limit, Absent) or median is None or _is_near(limit, median)
            key = (*values, None if is_usual else gib)
            if key in merged:
                merged[key].names.merge(group.names)
                merged[key].unmet.update(group.unmet)
            else:
                merged[key] = group
        ordered = sorted(
            merged.values(),
            key=lambda group: (-group.names.count, group.names.first and group.names.first[0]),
        )
        for group in ordered:
            yield ConfigurationGroup(
                group.configuration,
                group.names.freeze(),
                tuple(_compare(group.configuration, ordered[0].configuration, median)),
                tuple(group.unmet)[:_MOST_MESSAGES],
            )

    def _list_obstacles(self, fail_on: Severity) -> Iterator[Obstacle]:
        if not self._count:
            yield Obstacle("there is no machine", Names(0, ()))
        for machine in self._unexamined[:MOST_OBSTACLES]:
            reason = f"{machine.name} could not be examined: {machine.problem}"
            yield Obstacle(reason, Names(1, (machine.name,)))
        if self._unexamined_count > MOST_OBSTACLES:
            others = tuple(machine.name for machine in self._unexamined[MOST_OBSTACLES:])
            count = self._unexamined_count - MOST_OBSTACLES
            yield Obstacle(f"{count:,} more machines could not be examined", Names(count, others))
        for field, values in self._equal.items():
            label = "the major version of NumPy" if field == "numpy" else LABELS[field]
            yield from _compare_values(label, values)
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
            names = self._bad[severity.value].freeze()
            if names.count and severity.rank >= min(fail_on.rank, Severity.ERROR.rank):
                yield Obstacle(
                    f"{severity.value}s were found on {describe_names(names, MOST_OBSTACLES)}", names
                )
        if self._failed.count:
            failed = self._failed.freeze()
            yield Obstacle(f"the doctor itself failed on {describe_names(failed)}", failed)

    def _list_caveats(self) -> Iterator[str]:
        if self._untried.count:
            where = describe_names(self._untried.freeze())
            yield f"import torch was not tried on {where}: torchdoctor facts without --no-trials tries it"
        if len(self._times) > 1:
            first, last = min(self._times), max(self._times)
            if first[:10] != last[:10]:
                yield (
                    f"the facts are from {first[:10]} ({self._times[first]}) to {last[:10]}"
                    f" ({self._times[last]})"
                )


def _compare_values(label: str, values: Mapping[object, _NameList]) -> Iterator[Obstacle]:
    """Yield that machines differ, with those that do not have what most have, and those of no known value."""
    known = {value: names for value, names in values.items() if not isinstance(value, Absent)}
    ordered = sorted(known.items(), key=lambda pair: (-pair[1].count, pair[1].first))
    if len(ordered) > 1:
        parts = (f"{value} on {describe_names(names.freeze())}" for value, names in ordered[:MOST_OBSTACLES])
        more = f"; and {len(ordered) - MOST_OBSTACLES} more" if len(ordered) > MOST_OBSTACLES else ""
        others = _NameList()
        for _, names in ordered[1:]:
            others.merge(names)
        yield Obstacle(f"{label} differs: {'; '.join(parts)}{more}", others.freeze())
    for value, names in values.items():
        if isinstance(value, Absent):
            where = names.freeze()
            yield Obstacle(f"{label} is not known on {describe_names(where)}: {value.reason}", where)


def describe_names(names: Names, most: int = 5) -> str:
    """Return the names of some machines, or how many they are: "pc-1, pc-2 and 3 more"."""
    if names.count <= most:
        return ", ".join(names.first)
    if names.count > 4 * most:
        return f"{names.count:,} machines ({', '.join(names.first[:2])}, …)"
    return f"{', '.join(names.first[: most - 1])} and {names.count - most + 1} more"


def describe_value(value: object) -> str:
    """Return the value of a field of a configuration for people."""
    return f"not known ({value.reason})" if isinstance(value, Absent) else str(value)


def _find_known(configuration: Configuration, name: str) -> str | None:
    value: str | Absent = getattr(configuration, name)
    return None if isinstance(value, Absent) else value


def _is_near(limit: int, median: int) -> bool:
    return median / _UNUSUAL_COMMIT <= limit <= median * _UNUSUAL_COMMIT


def _compare(own: Configuration, usual: Configuration, median: int | None) -> Iterator[Difference]:
    for name in list_differences(own, usual):
        yield Difference(LABELS[name], _find_known(own, name), _find_known(usual, name))
    limits = (own.commit_limit_bytes, usual.commit_limit_bytes)
    if median is not None and not any(isinstance(limit, Absent) for limit in limits):
        value, other = (_describe_limit(limit, median) for limit in limits if isinstance(limit, int))
        if value != other:
            yield Difference("commit limit", value, other)


def _describe_limit(limit: int, median: int) -> str:
    return f"about {median / GIB:.0f} GiB" if _is_near(limit, median) else f"{limit / GIB:.0f} GiB"
