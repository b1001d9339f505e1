"""Summarise the machines of a fleet: what is wrong on which of them."""

import heapq
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping

from torchdoctor.check import Severity
from torchdoctor.core.record import record
from torchdoctor.core.version import __version__
from torchdoctor.fleet.configurations import CommitRange, ConfigurationGroup, Configurations
from torchdoctor.fleet.machine import Machine, MachineFinding
from torchdoctor.fleet.names import MOST_NAMES, NameList, Names
from torchdoctor.fleet.readiness import Obstacle, Readiness

# The machines that a page shows one by one.
MOST_MACHINES = 2000


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
class FleetReport:
    """What came of the examination of a fleet.

    `levels` counts the machines by their worst severity, "none" for those without findings. `unexamined` are
    the first machines that could not be examined, with the reasons. `others` have configurations of which so
    many were seen before that these are not compared. `versions` are the other versions of torchdoctor that
    observed facts. `obstacles` are what forbids to train on all of them together, `caveats` what else has to
    be known for that, in sentences. `worst` are the machines themselves, worst first.
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


class _Problem:
    """One problem that one step mends: the first example, and the machines."""

    def __init__(self, machine: str, finding: MachineFinding) -> None:
        self.names, self.example, self.finding = NameList(), machine, finding


class _NamesByText:
    """The machines of which a text is true, for at most MOST_NAMES texts."""

    def __init__(self) -> None:
        self._names: dict[str, NameList] = {}

    def add(self, text: str, machine: str) -> None:
        if text in self._names or len(self._names) < MOST_NAMES:
            self._names.setdefault(text, NameList()).add(machine)

    def freeze(self) -> tuple[tuple[str, Names], ...]:
        return tuple((text, names.freeze()) for text, names in sorted(self._names.items()))


class Summary:
    """The sums over machines that come one by one; what it keeps does not grow with their number."""

    def __init__(self) -> None:
        self._unexamined_count = 0
        self._unexamined: list[Machine] = []
        self._order = itertools.count()
        self._levels: Counter[str] = Counter()
        self._problems: dict[tuple[object, ...], _Problem] = {}
        self._configurations, self._readiness = Configurations(), Readiness()
        self._versions, self._failures = _NamesByText(), _NamesByText()
        self._worst: list[tuple[tuple[int, int, int], Machine]] = []

    def add(self, machine: Machine) -> None:
        """Add one machine."""
        self._keep(machine)
        if machine.configuration is None:
            self._unexamined_count += 1
            if len(self._unexamined) < MOST_NAMES:
                self._unexamined.append(machine)
            return
        self._levels["none" if machine.worst is None else machine.worst.severity] += 1
        self._add_findings(machine)
        self._configurations.add(machine, machine.configuration)
        self._readiness.add(machine, machine.configuration)
        if machine.torchdoctor not in ("", __version__):
            self._versions.add(machine.torchdoctor, machine.name)
        for failure in machine.failures:
            self._failures.add(failure, machine.name)

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
        worst = sorted(self._worst, key=lambda pair: pair[0], reverse=True)
        return FleetReport(
            version=__version__,
            taken_at=taken_at,
            count=self._unexamined_count + self._levels.total(),
            levels={name: self._levels[name] for name in ("error", "warning", "note", "none")},
            unexamined_count=self._unexamined_count,
            unexamined=tuple(self._unexamined),
            findings=tuple(self._list_findings()),
            configurations=tuple(self._configurations.list_groups()),
            others=self._configurations.others.freeze(),
            commit=self._configurations.describe_commit(),
            versions=self._versions.freeze(),
            failures=self._failures.freeze(),
            obstacles=tuple(
                self._readiness.list_obstacles(fail_on, self._unexamined, self._unexamined_count)
            ),
            caveats=(*caveats, *self._readiness.list_caveats()),
            worst=tuple(machine for _, machine in worst),
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
