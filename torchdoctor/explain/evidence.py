"""Show the lines of a text that prove an entry: the best evidence, what a check rests on, and echoes."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from torchdoctor.explain.answer import Evidence, Verdict
from torchdoctor.explain.match import Match
from torchdoctor.explain.proof_words import find_proof_words
from torchdoctor.explain.rank import Ranked, is_warning
from torchdoctor.explain.text.clean import Line
from torchdoctor.explain.text.shown_lines import is_told, show_line, show_stated
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.knowledge import Entry
from torchdoctor.redaction.words.public_words import Names

_MAX_EVIDENCE = 3
_MAX_ECHOES = 5


def find_evidence(
    ranked: Ranked,
    units: Sequence[Unit],
    own: Names,
    verdict: Verdict | None,
    lines: Mapping[int, str],
    *,
    is_shared: bool,
) -> Iterator[Evidence]:
    """Yield the lines with the strongest evidence, and those of the environment that a failed check rests on.

    Arguments are as for `fill`.
    """
    matches = sorted(ranked.matches, key=lambda match: -match.weight)
    found = list(_find_in_text(ranked.entry, matches, units, own, is_shared=is_shared))
    yield from found
    yield from _find_statements(verdict, lines, {each.line for each in found}, is_shared=is_shared)


def find_echoes(ranked: Ranked, units: Sequence[Unit], own: Names, *, is_shared: bool) -> Iterator[str]:
    """Yield the exceptions that are consequences of the cause, each once."""
    cause_texts = [units[match.unit].text[match.start : match.end] for match in ranked.matches]
    seen: dict[str, None] = {}
    for match in sorted(ranked.echoes, key=lambda match: match.unit):
        unit = units[match.unit]
        if unit.kind is Kind.EXCEPTION and not any(text in unit.text for text in cause_texts):
            proof, of_proof = _read_proof(ranked.entry, unit, match, is_shared=is_shared)
            seen.setdefault(show_line(unit.lines[0].text, proof, own=own, of_proof=of_proof))
    yield from list(seen)[:_MAX_ECHOES]


def _find_in_text(
    entry: Entry, matches: Sequence[Match], units: Sequence[Unit], own: Names, *, is_shared: bool
) -> Iterator[Evidence]:
    """Yield the lines with the strongest evidence, in the order of the text; `matches` is strongest first.

    A warning is evidence only where nothing else is: torch warns before it raises.
    """
    matches = [match for match in matches if not is_warning(units[match.unit])] or matches
    lines: dict[int, str] = {}
    strongest = max((match.weight for match in matches), default=0.0)
    for match in matches:
        unit = units[match.unit]
        line = unit.find_line(match.start)
        by_words_alone = match.start == match.end
        if by_words_alone and unit.kind is not Kind.EXCEPTION and not is_told(line.text):
            continue
        if len(lines) < _MAX_EVIDENCE and match.weight >= strongest / 2:
            is_code = unit.kind is Kind.FRAME and line is not unit.lines[0]
            before = _find_line_before(unit, line)
            proof, of_proof = _read_proof(entry, unit, match, is_shared=is_shared)
            shown = show_line(line.text, proof, before, is_code=is_code, own=own, of_proof=of_proof)
            lines.setdefault(line.number, shown)
    for number in sorted(lines):
        yield Evidence(number, lines[number])


def _find_line_before(unit: Unit, line: Line) -> str:
    at = unit.lines.index(line)
    return unit.lines[at - 1].text if at else ""


def _read_proof(
    entry: Entry, unit: Unit, match: Match, *, is_shared: bool
) -> tuple[str, frozenset[str] | None]:
    """Return what has matched, and the words of it that the entry has; None of a line that is not shared."""
    proof = unit.text[match.start : match.end].partition("\n")[0]
    return proof, find_proof_words(entry, proof) if is_shared else None


def _find_statements(
    verdict: Verdict | None, lines: Mapping[int, str], shown: Collection[int], *, is_shared: bool
) -> Iterator[Evidence]:
    """Yield the lines of the environment that a failed check rests on, and that are not shown already."""
    if verdict is None or not verdict.failed:
        return
    values: dict[int, list[str]] = {}
    for statement in verdict.proof:
        if statement.line not in shown:
            values.setdefault(statement.line, []).append(statement.value)
    for number in list(values)[:_MAX_EVIDENCE]:
        yield Evidence(number, show_stated(lines.get(number, ""), values[number], is_shared=is_shared))
