"""Find the entries that units give evidence for: error numbers and literals, refined by patterns."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.codes import Code, read_codes
from torchdoctor.explain.computer.platforms import typed_on_windows
from torchdoctor.explain.context import is_about_computing
from torchdoctor.explain.text.fold import fold, lower
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.explain.values.packages import find_package
from torchdoctor.knowledge import Entry, Knowledge, Symptom
from torchdoctor.knowledge.told import FACTS
from torchdoctor.readers.proposals import find_proposals

# An error number that several entries list proves none of them without other evidence.
_OWN_CODE_WEIGHT, _SHARED_CODE_WEIGHT = 0.8, 0.5
# How programs of all kinds, and not Python, name an error number of Windows.
_OF_ANY_PROGRAM = ("error code", "getlasterror")
# Numbers with too many meanings, whichever entry lists them.
_VAGUE_CODES = frozenset(
    {("errno", 2), ("errno", 13), ("errno", 22), ("exit", 1), ("exit", 2), ("winerror", 2)}
)
_VAGUE_CODE_WEIGHT = 0.2
# A value in a pattern, and what separates the folders of a path, of which Python prints two in quotes.
_FIELD = re.compile(r"\{([a-z_]{2,30})\}")
_SEPARATORS = re.compile(r"[\\/]+")
# Further occurrences of a literal are ignored; a log may hold thousands.
_MAX_OCCURRENCES = 24


class Match(NamedTuple):
    """A piece of evidence: the index of its unit, its span there, its weight and the values read from it.

    `is_claim` is whether its symptom names the package that failed, `is_notice` whether it is a line after
    which the program goes on.
    """

    unit: int
    start: int
    end: int
    weight: float
    values: Mapping[str, str] = MappingProxyType({})
    is_code: bool = False
    is_claim: bool = False
    is_notice: bool = False


class Candidate(NamedTuple):
    """An entry with all the evidence for it."""

    entry: Entry
    matches: tuple[Match, ...]


class Haystack:
    """All units as one string, folded like the literals, so that one search finds every occurrence."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self._starts: list[int] = []
        self._answers: dict[str, bool] = {}
        self._proposals: dict[int, tuple[tuple[int, int], ...]] = {}
        self._told: dict[str, tuple[int, re.Match[str]] | None] = {}
        parts, length = [], 0
        for unit in units:
            self._starts.append(length)
            part = lower(unit.text)
            parts.append(part)
            length += len(part) + 1
        self.text = "\n".join(parts)

    @cached_property
    def is_typed_on_windows(self) -> bool:
        """Whether a command was typed at a prompt of Windows, and no code ran elsewhere."""
        return typed_on_windows(self.units)

    @cached_property
    def is_about_computing(self) -> bool:
        """Whether the text is about a program that computes, and not about a game or an editor."""
        return is_about_computing(self.units)

    def find(self, literal: str) -> Iterator[tuple[int, int]]:
        """Yield the first units that hold a folded literal: the index of each, and the offset in its text."""
        position, count = self.text.find(literal), 0
        while position >= 0 and count < _MAX_OCCURRENCES:
            index = bisect_right(self._starts, position) - 1
            yield index, position - self._starts[index]
            count += 1
            position = self.text.find(literal, self._find_end(index))

    def find_told(self, fact: str) -> tuple[int, re.Match[str]] | None:
        """Return the first unit in which a person tells a fact, and where."""
        if fact not in self._told:
            regex = self._compile_told(fact)
            found = (
                (index, regex.search(unit.text))
                for index, unit in enumerate(self.units)
                if regex is not None and unit.kind is Kind.LOOSE
            )
            self._told[fact] = next(((index, match) for index, match in found if match), None)
        return self._told[fact]

    def says(self, fact: str) -> bool:
        """Return whether any unit shows a fact, be it a sentence or an error."""
        regex = self._compile_told(fact)
        return regex is not None and self._search(regex)

    def _compile_told(self, fact: str) -> re.Pattern[str] | None:
        """Return the pattern of a fact, or None where the text has none of its words."""
        words, expression = FACTS[fact]
        return pattern(expression, True) if any(word in self.text for word in words.split("|")) else None

    def find_proposals(self, index: int) -> tuple[tuple[int, int], ...]:
        """Return the spans of what a unit only proposes."""
        if index not in self._proposals:
            self._proposals[index] = tuple(find_proposals(self.units[index].text))
        return self._proposals[index]

    def matches(self, expression: str) -> bool:
        """Return whether a unit matches a pattern."""
        if expression not in self._answers:
            self._answers[expression] = self._search(pattern(expression, True))
        return self._answers[expression]

    def matches_with(self, expression: str, values: Mapping[str, str]) -> bool:
        """Return whether a unit matches a pattern in which `{path}` stands for a value read from the text."""
        filled = _FIELD.sub(lambda field: _write_pattern(values.get(field[1], "")), expression)
        return self._search(re.compile(filled, re.IGNORECASE))

    def _search(self, regex: re.Pattern[str]) -> bool:
        return any(regex.search(unit.text) for unit in self.units)

    def _find_end(self, index: int) -> int:
        return self._starts[index + 1] if index + 1 < len(self._starts) else len(self.text)


def find_candidates(units: Sequence[Unit], knowledge: Knowledge) -> tuple[Candidate, ...]:
    """Find the entries that have evidence in the units and are not ruled out."""
    haystack = Haystack(units)
    codes = _find_codes(haystack)
    owner_counts = _count_owners(knowledge)
    candidates = []
    for entry in knowledge.entries.values():
        matches = [*_match_codes(entry, codes, owner_counts), *_match_symptoms(entry, haystack)]
        if matches and not is_ruled_out(entry, haystack):
            candidates.append(Candidate(entry, tuple(matches)))
    return tuple(candidates)


def is_ruled_out(entry: Entry, haystack: Haystack) -> bool:
    """Return whether the text holds a literal that rules the entry out.

    A folder of Linux can also be on another computer, where the program itself ran on Windows.
    """
    found = [literal for literal in entry.unless if fold_literal(literal) in haystack.text]
    return any(not literal.startswith("/") for literal in found) or (
        bool(found) and not haystack.is_typed_on_windows
    )


def _find_codes(haystack: Haystack) -> Mapping[tuple[str, int], tuple[int, Code]]:
    """Return the first occurrence of each error number outside frames, with the index of its unit.

    Programs of all kinds print `error code 1114`, which counts only in a text about one that computes.
    """
    found: dict[tuple[str, int], tuple[int, Code]] = {}
    for index, unit in enumerate(haystack.units):
        if unit.kind is not Kind.FRAME:
            for code in read_codes(unit):
                words = unit.text[code.start : code.end].lower()
                if not words.startswith(_OF_ANY_PROGRAM) or haystack.is_about_computing:
                    found.setdefault((code.kind, code.number), (index, code))
    return found


def _count_owners(knowledge: Knowledge) -> Mapping[tuple[str, int], int]:
    """Count the entries that list each error number."""
    counts: dict[tuple[str, int], int] = {}
    for entry in knowledge.entries.values():
        for kind, numbers in entry.codes.items():
            for number in numbers:
                counts[kind, number] = counts.get((kind, number), 0) + 1
    return counts


def _match_codes(
    entry: Entry,
    codes: Mapping[tuple[str, int], tuple[int, Code]],
    owner_counts: Mapping[tuple[str, int], int],
) -> Iterator[Match]:
    for kind, numbers in entry.codes.items():
        for number in numbers:
            if (kind, number) in codes:
                index, code = codes[kind, number]
                weight = _OWN_CODE_WEIGHT if owner_counts[kind, number] == 1 else _SHARED_CODE_WEIGHT
                if (kind, number) in _VAGUE_CODES:
                    weight = _VAGUE_CODE_WEIGHT
                yield Match(index, code.start, code.end, weight, _values_of_code(code), is_code=True)


def _values_of_code(code: Code) -> Mapping[str, str]:
    if code.kind == "exit":
        return {"exit_code": f"0x{code.number:08X}" if code.number > 0xFFFF else str(code.number)}
    return {"winerror": str(code.number)} if code.kind in ("winerror", "os") else {}


def _write_pattern(value: str) -> str:
    """Return a pattern for a value; between folders may stand any separator."""
    return r"[\\/]{1,2}".join(map(re.escape, _SEPARATORS.split(value)))


def _match_symptoms(entry: Entry, haystack: Haystack) -> Iterator[Match]:
    for symptom in entry.symptoms:
        if symptom.told:
            match = _match_told(symptom, haystack)
            if match:
                yield match
            continue
        literal = fold_literal(symptom.text)
        if literal in haystack.text and (not symptom.context or haystack.is_about_computing):
            match = _match_symptom(symptom, literal, haystack)
            if match:
                yield match


def _match_symptom(symptom: Symptom, literal: str, haystack: Haystack) -> Match | None:
    has_fields = symptom.beside is not None and _FIELD.search(symptom.beside) is not None
    if symptom.beside and not has_fields and not haystack.matches(symptom.beside):
        return None
    # An error that is quoted as a title has no traceback: the error itself comes first.
    found_at = sorted(
        haystack.find(literal), key=lambda found: haystack.units[found[0]].kind is not Kind.EXCEPTION
    )
    for index, offset in found_at:
        if symptom.after and not _occurs_before(haystack, index, fold_literal(symptom.after)):
            continue
        if symptom.packages and find_package(haystack.units, index) not in symptom.packages:
            continue
        is_claim = bool(symptom.packages)
        if symptom.pattern is None:
            if symptom.without and haystack.matches(symptom.without):
                return None
            return Match(
                index,
                offset,
                offset + len(literal),
                symptom.weight,
                is_claim=is_claim,
                is_notice=symptom.notice,
            )
        unit = haystack.units[index]
        regex = pattern(symptom.pattern, True)
        # A pattern may end with `$`: the end of the line or, where it does not match there, of the message.
        spans = [_find_context(unit, offset), _find_lines(unit, offset, before=0, after=0)]
        if symptom.pattern.endswith("$"):
            spans.reverse()
        found = next(filter(None, (regex.search(unit.text, *span) for span in spans)), None)
        if found:
            values = {name: value.strip() for name, value in found.groupdict().items() if value}
            if values and (proposed := haystack.find_proposals(index)):
                values = {
                    name: value for name, value in values.items() if not _meets(found.span(name), proposed)
                }
                if not values:
                    continue
            if symptom.beside and has_fields and not haystack.matches_with(symptom.beside, values):
                continue
            if symptom.without and haystack.matches_with(symptom.without, values):
                continue
            return Match(
                index,
                min(found.start(), offset),
                max(found.end(), offset + len(literal)),
                symptom.weight,
                values,
                is_claim=is_claim,
                is_notice=symptom.notice,
            )
    return None


def _meets(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _match_told(symptom: Symptom, haystack: Haystack) -> Match | None:
    """Match the first set of facts that a person tells; `told` has the first fact of the set."""
    for facts in symptom.told:
        found = [haystack.find_told(fact) for fact in facts]
        if found[0] is None or None in found:
            continue
        if any(haystack.says(fact) for fact in symptom.not_told):
            return None
        if symptom.without and haystack.matches(symptom.without):
            return None
        index, match = found[0]
        return Match(index, match.start(), match.end(), symptom.weight, {"told": facts[0]})
    return None


def _occurs_before(haystack: Haystack, index: int, literal: str) -> bool:
    """Return whether a literal occurs in an earlier unit of the same traceback."""
    traceback = haystack.units[index].traceback
    return any(
        haystack.units[earlier].traceback == traceback
        for earlier, _ in haystack.find(literal)
        if earlier < index
    )


def _find_context(unit: Unit, offset: int) -> tuple[int, int]:
    """Return the span that a pattern may search: the whole exception or frame, or the nearest loose lines."""
    if unit.kind is not Kind.LOOSE:
        return 0, len(unit.text)
    return _find_lines(unit, offset, before=1, after=2)


def _find_lines(unit: Unit, offset: int, before: int, after: int) -> tuple[int, int]:
    """Return the span of the line at an offset, with some lines before and after it."""
    line = bisect_right(unit.starts, offset) - 1
    start = unit.starts[max(0, line - before)]
    following = line + after + 1
    end = unit.starts[following] - 1 if following < len(unit.starts) else len(unit.text)
    return start, end


@lru_cache(maxsize=4096)
def fold_literal(text: str) -> str:
    """Return the folded form of an entry's literal."""
    return fold(text)
