"""Leave out lines that a program prints and goes on, where a text is about something else."""

from collections.abc import Iterable, Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.match import Candidate, Match, fold_literal
from torchdoctor.explain.rank import Ranked, is_warning
from torchdoctor.explain.text.clean import Line
from torchdoctor.explain.text.fold import fold, lower
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.knowledge import Knowledge
from torchdoctor.readers.line_parts import blank_spans
from torchdoctor.readers.printed_errors import ERROR

# A symptom of a lower weight only carries a value.
_HINT = 0.25


def leave_out_beside_errors(candidates: Iterable[Candidate], units: Sequence[Unit]) -> Iterator[Candidate]:
    """Yield the candidates without the notices of an entry that also has an error of the text."""
    for candidate in candidates:
        places = {_find_place(match, units) for match in candidate.matches if match.is_notice}
        has_error = bool(places) and any(
            match.weight >= _HINT
            and _find_place(match, units) not in places
            and units[match.unit].kind is Kind.EXCEPTION
            and not is_warning(units[match.unit])
            for match in candidate.matches
        )
        others = tuple(match for match in candidate.matches if not match.is_notice)
        yield candidate._replace(matches=others) if has_error else candidate


def is_notice(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether all that a diagnosis rests on stands in lines after which the program goes on.

    What a person tells beside them may be about the problem as well, and what is read from it is a sign.
    """
    places = {_find_place(match, units) for match in ranked.matches if match.is_notice}
    others = [match for match in ranked.matches if _find_place(match, units) not in places]
    return bool(places) and not any(
        match.weight >= _HINT or units[match.unit].kind is Kind.LOOSE for match in others
    )


def asks_about(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether a person names what the notice of a diagnosis is about: flash-attn, DeepSpeed."""
    notices = [match for match in ranked.matches if match.is_notice]
    places = {_find_place(match, units) for match in notices}
    shown = " ".join(lower(units[match.unit].text[match.start : match.end]) for match in notices)
    names = [word for word in ranked.entry.name.split("-") if word in shown]
    told = [
        lower(line.text)
        for unit in units
        if unit.kind is not Kind.FRAME
        for line in unit.lines
        if line.number not in places
    ]
    return bool(names) and any(all(name in line for name in names) for line in told)


def _find_place(match: Match, units: Sequence[Unit]) -> int:
    return units[match.unit].find_line(match.start).number


def drop_notices(lines: Sequence[Line], knowledge: Knowledge) -> list[Line]:
    """Return the lines without the notices of entries; of a line with an error, the error stays."""
    literals = {
        fold_literal(symptom.text)
        for entry in knowledge.entries.values()
        for symptom in entry.symptoms
        if symptom.notice
    }
    return [line._replace(text=_drop_notices(line.text, literals)) for line in lines]


def _drop_notices(text: str, literals: set[str]) -> str:
    folded = fold(text)
    found = [literal for literal in literals if literal in folded]
    if not found:
        return text
    spans = [(place, place + len(each)) for each in found if (place := lower(text).find(each)) >= 0]
    rest = blank_spans(text, spans)
    return rest if spans and pattern(ERROR).search(rest) else ""
