"""Ranked entries to diagnoses: the advice of each entry with the values of this text."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.explain.answer import Diagnosis, Evidence
from torchdoctor.explain.match import Match
from torchdoctor.explain.patterns import pattern
from torchdoctor.explain.rank import Ranked
from torchdoctor.explain.split import Kind, Unit
from torchdoctor.explain.values import merge_values, read_own_frame
from torchdoctor.knowledge import Entry

# Blocks and spans of code, which people copy; and what may be put there from a text of unknown origin.
_CODE = r"(```(?s:.*?)```|`[^`\n]{1,500}`)"
_HARMLESS = r"[\w./\\~][\w .:\\/+~=,()\[\]-]{0,260}"
_MAX_EVIDENCE = 3
_MAX_ECHOES = 5
_MAX_SHOWN = 300


def fill(ranked: Ranked, units: Sequence[Unit], shared: Mapping[str, str]) -> Diagnosis:
    """Put the evidence and the values of the text into an entry's advice."""
    entry = ranked.entry
    proving = sorted(ranked.matches, key=lambda match: -match.weight)
    traceback = units[proving[0].unit].traceback
    frame = read_own_frame([unit for unit in units if unit.traceback == traceback]) if traceback else {}
    values = merge_values((*(match.values for match in proving), frame), shared)
    return Diagnosis(
        name=entry.name,
        title=_fill(entry, entry.title, values),
        confidence=ranked.confidence,
        evidence=tuple(_find_evidence(proving, units)),
        values=values,
        echoes=tuple(_find_echoes(ranked, units)),
        confirmed=None,
        lead=_fill(entry, entry.lead, values),
        fix=tuple(_fill(entry, step, values) for step in entry.fix),
        verify=_fill(entry, entry.body.verify, values),
    )


def _fill(entry: Entry, text: str, values: Mapping[str, str]) -> str:
    """Fill prose with every value, and commands only with values that no shell could take for commands."""
    harmless = {name: value for name, value in values.items() if pattern(_HARMLESS).fullmatch(value)}
    parts = pattern(_CODE).split(text)
    return "".join(entry.fill(part, harmless if at % 2 else values) for at, part in enumerate(parts))


def _find_evidence(proving: Sequence[Match], units: Sequence[Unit]) -> Iterator[Evidence]:
    """The lines that prove the most, in the order of the text."""
    lines: dict[int, str] = {}
    strongest = max((match.weight for match in proving), default=0.0)
    for match in proving:
        line = units[match.unit].find_line(match.start)
        if len(lines) < _MAX_EVIDENCE and match.weight >= strongest / 2:
            lines.setdefault(line.number, line.text.strip()[:_MAX_SHOWN])
    for number in sorted(lines):
        yield Evidence(number, lines[number])


def _find_echoes(ranked: Ranked, units: Sequence[Unit]) -> Iterator[str]:
    """The exceptions that only follow from the cause, each once."""
    own = [units[match.unit].text[match.start : match.end] for match in ranked.matches]
    seen: dict[str, None] = {}
    for match in sorted(ranked.echoes, key=lambda match: match.unit):
        unit = units[match.unit]
        if unit.kind is Kind.EXCEPTION and not any(span in unit.text for span in own):
            seen.setdefault(unit.lines[0].text.strip()[:_MAX_SHOWN])
    yield from list(seen)[:_MAX_ECHOES]
