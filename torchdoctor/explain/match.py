"""Which entries the units speak for: error numbers and literal symptoms, refined by patterns."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from torchdoctor.explain.codes import Code, read_codes
from torchdoctor.explain.fold import fold, lower
from torchdoctor.explain.patterns import pattern
from torchdoctor.explain.split import Kind, Unit
from torchdoctor.knowledge import Entry, Knowledge, Symptom

# What an error number says of its entry: much when no other entry has the number, else it needs company.
OWN_CODE, SHARED_CODE = 0.8, 0.5
# Numbers that mean a hundred things, whichever entry lists them.
_VAGUE_CODES = frozenset(
    {("errno", 2), ("errno", 13), ("errno", 22), ("exit", 1), ("exit", 2), ("winerror", 2)}
)
_VAGUE_CODE = 0.2
# Occurrences of one literal that are looked at; a log may hold thousands.
_MAX_OCCURRENCES = 24


class Match(NamedTuple):
    """A piece of evidence: where it stands, how much it says and what its groups read."""

    unit: int
    start: int
    end: int
    weight: float
    values: Mapping[str, str] = MappingProxyType({})
    is_code: bool = False


class Candidate(NamedTuple):
    """An entry with all the evidence for it."""

    entry: Entry
    matches: tuple[Match, ...]


class Haystack:
    """All units as one string in the form of the literals, so that one search finds every place."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self._starts: list[int] = []
        parts, length = [], 0
        for unit in units:
            self._starts.append(length)
            part = lower(unit.text)
            parts.append(part)
            length += len(part) + 1
        self.text = "\n".join(parts)

    def find(self, literal: str) -> Iterator[tuple[int, int]]:
        """Give unit and offset of the first occurrences of a folded literal, one a unit."""
        at, seen = self.text.find(literal), 0
        while at >= 0 and seen < _MAX_OCCURRENCES:
            unit = bisect_right(self._starts, at) - 1
            yield unit, at - self._starts[unit]
            seen += 1
            at = self.text.find(literal, self._end_of(unit))

    def _end_of(self, unit: int) -> int:
        return self._starts[unit + 1] if unit + 1 < len(self._starts) else len(self.text)


def find_candidates(units: Sequence[Unit], knowledge: Knowledge) -> tuple[Candidate, ...]:
    """Find every entry that the units hold evidence for and nothing rules out."""
    haystack = Haystack(units)
    by_code = _find_codes(units)
    owners = _count_owners(knowledge)
    found = []
    for entry in knowledge.entries.values():
        matches = [*_match_codes(entry, by_code, owners), *_match_symptoms(entry, haystack)]
        if matches and not is_ruled_out(entry, haystack):
            found.append(Candidate(entry, tuple(matches)))
    return tuple(found)


def is_ruled_out(entry: Entry, haystack: Haystack) -> bool:
    """Say that the text holds what the entry names as evidence against it."""
    return any(fold_literal(literal) in haystack.text for literal in entry.unless)


def _find_codes(units: Sequence[Unit]) -> Mapping[tuple[str, int], tuple[int, Code]]:
    """Where each number stands, the last place first: what ended the program comes last."""
    found: dict[tuple[str, int], tuple[int, Code]] = {}
    for index, unit in enumerate(units):
        if unit.kind is not Kind.FRAME:
            for code in read_codes(unit):
                found.setdefault((code.kind, code.number), (index, code))
    return found


def _count_owners(knowledge: Knowledge) -> Mapping[tuple[str, int], int]:
    counts: dict[tuple[str, int], int] = {}
    for entry in knowledge.entries.values():
        for kind, numbers in entry.codes.items():
            for number in numbers:
                counts[kind, number] = counts.get((kind, number), 0) + 1
    return counts


def _match_codes(
    entry: Entry,
    by_code: Mapping[tuple[str, int], tuple[int, Code]],
    owners: Mapping[tuple[str, int], int],
) -> Iterator[Match]:
    for kind, numbers in entry.codes.items():
        for number in numbers:
            if (kind, number) in by_code:
                unit, code = by_code[kind, number]
                weight = OWN_CODE if owners[kind, number] == 1 else SHARED_CODE
                if (kind, number) in _VAGUE_CODES:
                    weight = _VAGUE_CODE
                yield Match(unit, code.start, code.end, weight, _code_values(code), is_code=True)


def _code_values(code: Code) -> Mapping[str, str]:
    if code.kind == "exit":
        return {"exit_code": f"0x{code.number:08X}" if code.number > 0xFFFF else str(code.number)}
    return {"winerror": str(code.number)} if code.kind in ("winerror", "os") else {}


def _match_symptoms(entry: Entry, haystack: Haystack) -> Iterator[Match]:
    for symptom in entry.symptoms:
        literal = fold_literal(symptom.text)
        if literal in haystack.text:
            match = _match_symptom(symptom, literal, haystack)
            if match:
                yield match


def _match_symptom(symptom: Symptom, literal: str, haystack: Haystack) -> Match | None:
    for index, offset in haystack.find(literal):
        if symptom.after and not _stands_before(haystack, index, fold_literal(symptom.after)):
            continue
        if symptom.pattern is None:
            return Match(index, offset, offset + len(literal), symptom.weight)
        unit = haystack.units[index]
        refined = pattern(symptom.pattern, True)
        # A pattern may end with `$`, which is the end of the message or of the line.
        windows = (_find_window(unit, offset, 1, 2), _find_window(unit, offset, 0, 0))
        found = next(filter(None, (refined.search(unit.text, *window) for window in windows)), None)
        if found:
            values = {name: value.strip() for name, value in found.groupdict().items() if value}
            return Match(
                index,
                min(found.start(), offset),
                max(found.end(), offset + len(literal)),
                symptom.weight,
                values,
            )
    return None


def _stands_before(haystack: Haystack, index: int, literal: str) -> bool:
    """Say that a literal stands in an earlier unit of the traceback of a unit."""
    traceback = haystack.units[index].traceback
    return any(
        haystack.units[unit].traceback == traceback for unit, _ in haystack.find(literal) if unit < index
    )


def _find_window(unit: Unit, offset: int, before: int, after: int) -> tuple[int, int]:
    """A message is one context; of loose lines only the neighbours are."""
    if unit.kind is not Kind.LOOSE and before:
        return 0, len(unit.text)
    line = bisect_right(unit.starts, offset) - 1
    low = unit.starts[max(0, line - before)]
    following = line + after + 1
    high = unit.starts[following] - 1 if following < len(unit.starts) else len(unit.text)
    return low, high


@lru_cache(maxsize=4096)
def fold_literal(text: str) -> str:
    """Fold a literal of an entry."""
    return fold(text)
