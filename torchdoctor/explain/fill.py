"""Ranked entries to diagnoses: the advice of each entry with the values of this text."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.explain.answer import Diagnosis, Evidence
from torchdoctor.explain.match import Match
from torchdoctor.explain.rank import Ranked
from torchdoctor.explain.split import Kind, Unit
from torchdoctor.explain.values import merge_values

_MAX_EVIDENCE = 3
_MAX_ECHOES = 5
_MAX_SHOWN = 300


def fill(ranked: Ranked, units: Sequence[Unit], shared: Mapping[str, str]) -> Diagnosis:
    """Put the evidence and the values of the text into an entry's advice."""
    entry = ranked.entry
    proving = sorted(ranked.matches, key=lambda match: -match.weight)
    values = merge_values((match.values for match in proving), shared)
    return Diagnosis(
        name=entry.name,
        title=entry.fill(entry.title, values),
        confidence=ranked.confidence,
        evidence=tuple(_find_evidence(proving, units)),
        values=values,
        echoes=tuple(_find_echoes(ranked, units)),
        confirmed=None,
        lead=entry.fill(entry.lead, values),
        fix=tuple(entry.fill(step, values) for step in entry.fix),
        verify=entry.fill(entry.verify, values),
    )


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
    own = {match.unit for match in ranked.matches}
    seen: dict[str, None] = {}
    for match in sorted(ranked.echoes, key=lambda match: match.unit):
        if match.unit not in own and units[match.unit].kind is Kind.EXCEPTION:
            seen.setdefault(units[match.unit].lines[0].text.strip()[:_MAX_SHOWN])
    yield from list(seen)[:_MAX_ECHOES]
