"""The entries of the knowledge base, each parsed when it is first asked for."""

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView

from torchdoctor.engine.plugins import Broken
from torchdoctor.knowledge import Entry, share_entry


class EntriesOnDemand(Mapping[str, Entry]):
    """Entries by name, as `index_entries` returns them.

    Most runs of the checks need a third of them, and parsing all is a fifth of the start. One that cannot be
    parsed is missing, and then in `broken`.
    """

    def __init__(self, readers: Mapping[str, Callable[[], Entry | Broken]]) -> None:
        """Set what reads each entry, without what it has from others."""
        self.broken: list[Broken] = []
        self._readers = dict(sorted(readers.items()))
        self._own: dict[str, Entry] = {}
        self._shared: dict[str, Entry] = {}

    def __getitem__(self, name: str) -> Entry:
        if name not in self._shared:
            entry = self._read(name)
            if entry is None:
                raise KeyError(name)
            self._shared[name] = share_entry(entry, self._read)
        return self._shared[name]

    def _read(self, name: str) -> Entry | None:
        if name not in self._own and name in self._readers:
            entry = self._readers[name]()
            if isinstance(entry, Broken):
                del self._readers[name]
                self.broken.append(entry)
            else:
                self._own[name] = entry
        return self._own.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._readers))

    def __len__(self) -> int:
        return len(self._readers)

    def values(self) -> ValuesView[Entry]:
        """Return all entries that can be parsed."""
        return self._parse_all().values()

    def items(self) -> ItemsView[str, Entry]:
        """Return all entries that can be parsed, by name."""
        return self._parse_all().items()

    def _parse_all(self) -> Mapping[str, Entry]:
        return {name: self[name] for name in self if self._read(name) is not None}
