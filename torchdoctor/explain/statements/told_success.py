"""Find whether a person says that the program works, and only asks about what it prints, or pastes it."""

from bisect import bisect_right
from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.match import Match
from torchdoctor.explain.rank import Ranked, is_warning
from torchdoctor.explain.text.split import Kind, Unit

# A line that follows one that fills the screen is joined to it.
_CLAUSE = r"[.,;:!](?=\s|$|\(|[A-Za-z]{3})|\n|\bbut\b"
_WORKS = (
    r"\b(?:it|this|everything|all(?= (?:is|works|runs)\b)|training|program|comfy ?ui|web ?ui|app|script|torch"
    r"|inference|generation)\b"
    r"[^\n]{0,12}\b(?:works?|runs|trains|generates?|ok|fine"
    r"|starts(?= (?:and|fine|well|ok|normally|anyway|without)\b))"
    r"(?: and (?:generates?|works?|runs?|trains))?"
    r"(?: (?:fine|well|ok|normally|anyway|without (?:problems?|errors?)))?"
    r"\W{0,3}$"
)
# A clause that tells of another time, place or condition.
_ELSEWHERE = (
    r"\b(?:was|were|had|while|as an?|after|not|no longer|only|cpu|instead|before|previously"
    r"|yesterday|used to|until"
    r"|if|when|then|should|would|first|with|without|none|nothing|neither|never|hardly|barely"
    r"|here it|as soon as"
    r"|on (?:my|another|the other|(?:the |an? )?(?:linux|\w+ server)|windows|colab)"
    r"|in (?:wsl|colab|linux))\b|n['’]t\b"
)
# An error within a sentence.
_ERROR = r"\b\w{0,40}(?:Error|Exception)\b ?:|\[WinError \d|\bTraceback\b|\b(?:error|fatal): \w"
# Words of somebody who has a problem all the same.
_COMPLAINS = (
    r"\?|\b(?:slow\w*|why|instead|nan|only (?:uses?|using|on)|black|disabled"
    r"|clos(?:e|es|ed)|stops?|loop|did not|fails?|problem|issue|false"
    r"|stuck|hangs?|crash\w*|freez\w+|help|cannot|how|wrong|garbage|error)\b|n['’]t\b"
    r"|not (?:be(?:ing)? )?us(?:e|ed|ing)\b"
    r"|\b(?:do|does|is|can)nt\b|\bon (?:the |my )?cpu\b|\bdoes not\b|\bis not (?:used|working|found)\b"
)


def doubt_where_all_works(ranked: tuple[Ranked, ...], units: Sequence[Unit]) -> tuple[Ranked, ...]:
    """Return the diagnoses, those of errors only as possible where the program works in spite of them.

    What only a warning or a line of a log shows ends no program whose user says that it works.
    """
    if not ranked or not _says_it_works(ranked, units):
        return ranked
    return tuple(
        each._replace(confidence=Confidence.POSSIBLE) if each.entry.level == "error" else each
        for each in ranked
    )


def _says_it_works(ranked: Sequence[Ranked], units: Sequence[Unit]) -> bool:
    if any(unit.kind is Kind.EXCEPTION and not is_warning(unit) for unit in units):
        return False
    if any(pattern(_ERROR).search(unit.text) for unit in units):
        return False
    shown = {place for each in ranked for match in each.matches for place in _find_lines(match, units)}
    told = [
        line.text
        for index, unit in enumerate(units)
        if unit.kind is not Kind.FRAME
        for number, line in enumerate(unit.lines)
        # The first line of a warning is what the program says.
        if (index, number) not in shown and (number or unit.kind is Kind.LOOSE)
    ]
    if any(pattern(_COMPLAINS, True).search(line) for line in told):
        return False
    lines = [line.text for unit in units for line in unit.lines if unit.kind is not Kind.FRAME]
    clauses = [clause for line in lines for clause in pattern(_CLAUSE, True).split(line)]
    return any(
        pattern(_WORKS, True).search(clause)
        and not pattern(_ELSEWHERE, True).search(clause)
        and not pattern(_COMPLAINS, True).search(clause)
        for clause in clauses
    )


def _find_lines(match: Match, units: Sequence[Unit]) -> list[tuple[int, int]]:
    """Return the lines in which a piece of evidence stands: the index of its unit, and theirs in it."""
    starts = units[match.unit].starts
    first, last = (max(bisect_right(starts, place) - 1, 0) for place in (match.start, match.end - 1))
    return [(match.unit, number) for number in range(first, last + 1)]
