"""Names of machines: all are counted, and the first are kept."""

from typing import Generic, TypeVar

from torchdoctor.core.record import record

V = TypeVar("V", int, str)

# Of more machines only the number is kept, so that the memory does not grow with the fleet.
MOST_NAMES = 1000


@record
class Names:
    """Some machines: how many, and the names of the first ones."""

    count: int
    first: tuple[str, ...]


class NameList:
    """Names that are counted, of which the first are kept."""

    def __init__(self) -> None:
        self.count, self.first = 0, list[str]()

    def add(self, name: str) -> None:
        """Count a name."""
        self.count += 1
        if len(self.first) < MOST_NAMES:
            self.first.append(name)

    def merge(self, other: "NameList") -> None:
        """Count the names of another list."""
        self.count += other.count
        self.first = sorted([*self.first, *other.first])[:MOST_NAMES] if self.first else [*other.first]

    def freeze(self) -> Names:
        """Return the number and the names."""
        return Names(self.count, tuple(self.first))


class Extremes(Generic[V]):
    """The lowest and the highest of some values, each with the first machine that has it."""

    def __init__(self) -> None:
        self._machines: dict[V, str] = {}

    def __bool__(self) -> bool:
        return bool(self._machines)

    def add(self, value: V, machine: str) -> None:
        """Add the value of a machine."""
        self._machines.setdefault(value, machine)
        if len(self._machines) > 2:
            ends = (min(self._machines), max(self._machines))
            self._machines = {each: self._machines[each] for each in ends}

    @property
    def lowest(self) -> tuple[V, str]:
        """The lowest value, with its machine."""
        return min(self._machines.items())

    @property
    def highest(self) -> tuple[V, str]:
        """The highest value, with its machine."""
        return max(self._machines.items())


def describe_names(names: Names, most: int = 5) -> str:
    """Return the names of some machines, or how many they are: "pc-1, pc-2 and 3 more"."""
    if names.count <= most:
        return ", ".join(names.first)
    if names.count > 4 * most:
        return f"{names.count:,} machines ({', '.join(names.first[:2])}, …)"
    return f"{', '.join(names.first[: most - 1])} and {names.count - most + 1} more"
