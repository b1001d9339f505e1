"""Whether the machines of a fleet can train together: what has to be the same, and what is in the way."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.check import Severity
from torchdoctor.core.record import record
from torchdoctor.facts import Absent
from torchdoctor.fleet.machine import LABELS, Configuration, Machine
from torchdoctor.fleet.names import MOST_NAMES, Extremes, NameList, Names, describe_names

# What has to be the same on all machines; of NumPy the major version, whose binary interface is its own.
EQUAL_FIELDS = ("torch", "cuda", "numpy")
# So many machines, or values, are told by name.
_MOST_TOLD = 10
# What stands for all values after the first MOST_NAMES.
_OTHER_VALUES = "other values"


@record
class Obstacle:
    """Why machines cannot train together, and those of them that it is about."""

    reason: str
    machines: Names


class Readiness:
    """What stands in the way of training, summed up over machines that come one by one."""

    def __init__(self) -> None:
        self._values: dict[str, dict[object, NameList]] = {name: {} for name in EQUAL_FIELDS}
        self._by_severity = {severity: NameList() for severity in reversed(Severity)}
        self._failed, self._untried = NameList(), NameList()
        self._times: Extremes[str] = Extremes()

    def add(self, machine: Machine, configuration: Configuration) -> None:
        """Add a machine that was examined."""
        if machine.worst is not None:
            self._by_severity[Severity(machine.worst.severity)].add(machine.name)
        if machine.failures:
            self._failed.add(machine.name)
        if isinstance(machine.has_imported_torch, Absent):
            self._untried.add(machine.name)
        if machine.taken_at:
            self._times.add(machine.taken_at, machine.name)
        for name, names in self._values.items():
            value = getattr(configuration, name)
            if name == "numpy" and isinstance(value, str):
                value = value.partition(".")[0]
            if value not in names and len(names) >= MOST_NAMES:
                value = _OTHER_VALUES
            names.setdefault(value, NameList()).add(machine.name)

    def list_obstacles(
        self, fail_on: Severity, unexamined: Sequence[Machine], unexamined_count: int
    ) -> Iterator[Obstacle]:
        """Yield what is in the way, and the findings that are as bad as `fail_on`.

        `unexamined` are the first machines that could not be examined.
        """
        if not unexamined_count and not any(self._values.values()):
            yield Obstacle("there is no machine", Names(0, ()))
        for machine in unexamined[:_MOST_TOLD]:
            reason = f"{machine.name} could not be examined: {machine.problem}"
            yield Obstacle(reason, Names(1, (machine.name,)))
        if unexamined_count > _MOST_TOLD:
            count = unexamined_count - _MOST_TOLD
            others = tuple(machine.name for machine in unexamined[_MOST_TOLD:])
            yield Obstacle(f"{count:,} more machines could not be examined", Names(count, others))
        for field, values in self._values.items():
            label = "the major version of NumPy" if field == "numpy" else LABELS[field]
            yield from _compare(label, values)
        for severity, bad in self._by_severity.items():
            if bad.count and severity.rank >= fail_on.rank:
                where = describe_names(bad.freeze(), _MOST_TOLD)
                yield Obstacle(f"{severity.value}s were found on {where}", bad.freeze())
        if self._failed.count:
            failed = self._failed.freeze()
            yield Obstacle(f"the doctor itself failed on {describe_names(failed)}", failed)

    def list_caveats(self) -> Iterator[str]:
        """Yield sentences on what was not seen, and is no obstacle."""
        if self._untried.count:
            where = describe_names(self._untried.freeze())
            yield f"import torch was not tried on {where}: torchdoctor facts without --no-trials tries it"
        if self._times:
            (first, one), (last, other) = self._times.lowest, self._times.highest
            if first[:10] != last[:10]:
                yield f"the facts are from {first[:10]} ({one}) to {last[:10]} ({other})"


def _compare(label: str, values: Mapping[object, NameList]) -> Iterator[Obstacle]:
    """Yield that machines differ, with those that do not have what most have, and those of no known value."""
    known = {value: names for value, names in values.items() if not isinstance(value, Absent)}
    ordered = sorted(known.items(), key=lambda pair: (-pair[1].count, pair[1].first))
    if len(ordered) > 1:
        parts = (f"{value} on {describe_names(names.freeze())}" for value, names in ordered[:_MOST_TOLD])
        more = f"; and {len(ordered) - _MOST_TOLD} more" if len(ordered) > _MOST_TOLD else ""
        others = NameList()
        for _, names in ordered[1:]:
            others.merge(names)
        yield Obstacle(f"{label} differs: {'; '.join(parts)}{more}", others.freeze())
    for value, names in values.items():
        if isinstance(value, Absent):
            where = names.freeze()
            yield Obstacle(f"{label} is not known on {describe_names(where)}: {value.reason}", where)
