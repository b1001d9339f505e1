"""Evidence to confidence, causes before their echoes, the best three."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from torchdoctor.domain.versions import VersionError, VersionRange
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.match import Candidate, Match
from torchdoctor.explain.patterns import pattern
from torchdoctor.explain.platforms import is_foreign
from torchdoctor.explain.split import Kind, Unit
from torchdoctor.knowledge import Entry

MAX_DIAGNOSES = 3
_CERTAIN, _LIKELY, _POSSIBLE = 0.95, 0.6, 0.25
# Below this a piece of evidence is a hint; hints alone, however many, make nothing likely.
_HINT = 0.5
# A text that shows torch itself is company for evidence that needs some.
_TORCH_COMPANY = 0.15
# What a value read from the text costs when it lies outside the range that the entry affects.
_OUT_OF_RANGE = 0.4
# Families whose messages any Windows program prints, and how a text says which program it is.
_LOADING = ("dll", "install")
_OTHER = (
    r"load failed while importing (?!_C\b)(\w{1,80})|[\\/]site-packages[\\/](?!pip[\\/])(\w{1,80})[\\/]"
    r"|([\w.-]{1,80})\.(?:dll|pyd|so)\b|\b(?!python|py\.|pip|conda|cmd\.|powershell|uv\.)([\w-]{1,80})\.exe\b"
    r"|\b(tensorflow|keras|theano|mxnet|paddle)"
    r"|\bfrom (\w{1,80})(?:\.\w{1,80}){0,8} import\b|(?:<module>|>>>|-> \d{1,6}) import (\w{1,80})"
)
# What any text about a Python program has somewhere: without it, a Windows message may be any program's.
_PYTHON = (
    r"python|pycharm|\bpip\b|conda|\.pyd?\b|\bimport|traceback|\bwin ?error|\b[a-z]{2,40}Error\b|load failed"
    r"|\bexit(?:ed)?\b|cud(?:a|nn)|\bOMP\b|\bmkl|退出代码|one of its dependencies|Packages?NotFound|os error"
)
_WARNING = r"\b[A-Za-z]{0,40}Warning:|\bWARNING\b"
# Evidence of this weight is about the entry's own subject, whatever else a text names.
_DECISIVE = 0.9


class Ranked(NamedTuple):
    """A candidate with its confidence and with the evidence of its mere consequences."""

    entry: Entry
    confidence: Confidence
    score: float
    matches: tuple[Match, ...]
    echoes: tuple[Match, ...] = ()


def rank(
    candidates: Iterable[Candidate], units: Sequence[Unit], values: Mapping[str, str]
) -> tuple[Ranked, ...]:
    """Give the best diagnoses, best first."""
    foreign = is_foreign(units)
    shows_torch = _shows_torch(units)
    company = _TORCH_COMPANY if shows_torch else 0.0
    others = frozenset() if shows_torch else _find_others(units)
    nameless = not (shows_torch or _shows_python(units))
    raised = any(unit.kind is Kind.EXCEPTION and not _is_warning(unit) for unit in units)
    scored = []
    for candidate in candidates:
        score = _combine(candidate.matches, company)
        if not _is_in_range(candidate.entry, values):
            score *= _OUT_OF_RANGE
        hinted = max(match.weight for match in candidate.matches) < _HINT
        capped = (
            foreign
            or hinted
            or _speaks_of_others(candidate, units, others)
            or (nameless and _is_any_programs(candidate))
            or (raised and _is_mere_warning(candidate, units))
        )
        confidence = _judge(score, capped)
        if confidence:
            scored.append(Ranked(candidate.entry, confidence, score, candidate.matches))
    has_cause = any(_is_cause(ranked, units) for ranked in scored)
    scored.sort(key=lambda ranked: (has_cause and bool(ranked.entry.echo_of), _order(ranked, units)))
    return tuple(_fold_echoes(scored)[:MAX_DIAGNOSES])


def _is_cause(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Say that something recognised was raised that is no echo of anything: it goes before every echo."""
    if ranked.entry.echo_of or ranked.confidence is Confidence.POSSIBLE or ranked.entry.level != "error":
        return False
    return any(
        units[match.unit].kind is Kind.EXCEPTION and match.weight >= _LIKELY for match in ranked.matches
    )


def _combine(matches: Sequence[Match], company: float) -> float:
    """Independent pieces of evidence add up; overlapping ones are one piece."""
    doubt = 1.0
    taken: list[Match] = []
    for match in sorted(matches, key=lambda match: -match.weight):
        if any(_overlap(match, other) for other in taken):
            continue
        taken.append(match)
        doubt *= 1.0 - min(match.weight, 1.0)
    if max(match.weight for match in matches) < _HINT:
        company = 0.0
    return 1.0 - doubt * (1.0 - company)


def _overlap(one: Match, other: Match) -> bool:
    if one.is_code != other.is_code:
        return False
    return one.unit == other.unit and one.start < other.end and other.start < one.end


def _judge(score: float, capped: bool) -> Confidence | None:
    if score < _POSSIBLE:
        return None
    if capped or score < _LIKELY:
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if score >= _CERTAIN else Confidence.LIKELY


def _is_in_range(entry: Entry, values: Mapping[str, str]) -> bool:
    return _holds(entry.affects.torch, values.get("torch_version")) and _holds(
        entry.affects.python, values.get("python_version")
    )


def _holds(affected: VersionRange | None, version: str | None) -> bool:
    if affected is None or version is None:
        return True
    try:
        return version in affected
    except VersionError:
        return True


def _shows_torch(units: Sequence[Unit]) -> bool:
    return any("torch" in unit.text.lower() for unit in units)


def _shows_python(units: Sequence[Unit]) -> bool:
    return any(pattern(_PYTHON, True).search(unit.text) for unit in units)


def _find_others(units: Sequence[Unit]) -> frozenset[str]:
    """Name the packages and modules that a text without torch in it is about."""
    names: set[str] = set()
    for unit in units:
        names.update(
            next(filter(None, match.groups())).lower() for match in pattern(_OTHER, True).finditer(unit.text)
        )
    return frozenset(names)


def _is_mere_warning(candidate: Candidate, units: Sequence[Unit]) -> bool:
    """Say that the evidence is not decisive and stands in warnings only, while the text has an error too."""
    return all(match.weight < _DECISIVE and _is_warning(units[match.unit]) for match in candidate.matches)


def _is_warning(unit: Unit) -> bool:
    return unit.kind is not Kind.FRAME and pattern(_WARNING).search(unit.text, 0, 300) is not None


def _speaks_of_others(candidate: Candidate, units: Sequence[Unit], others: frozenset[str]) -> bool:
    """Say that a text is about another program, and that nothing of the evidence names that program."""
    if not others or not _is_any_programs(candidate):
        return False
    spans = " ".join(units[match.unit].text[match.start : match.end].lower() for match in candidate.matches)
    return not any(name in spans for name in others)


def _is_any_programs(candidate: Candidate) -> bool:
    """Say that any Windows program may have printed the evidence."""
    return candidate.entry.family in _LOADING and all(match.weight < _DECISIVE for match in candidate.matches)


def _order(ranked: Ranked, units: Sequence[Unit]) -> tuple[int, float, int, int, str]:
    """Surest first; then the stronger evidence, what was raised rather than printed, the deeper cause."""
    best = max(ranked.matches, key=lambda match: match.weight)
    unit = units[best.unit]
    kind = 0 if unit.kind is Kind.EXCEPTION else 1
    return (-ranked.confidence.rank, -round(ranked.score, 1), kind, best.unit, ranked.entry.name)


def _fold_echoes(scored: Sequence[Ranked]) -> list[Ranked]:
    """Hang each echo on the first cause above or below it; what names no cause of the text stays."""
    known = {ranked.entry.name for ranked in scored if ranked.confidence is not Confidence.POSSIBLE}
    echoes: dict[str, list[Match]] = {}
    kept = []
    for ranked in scored:
        cause = next((name for name in ranked.entry.echo_of if name in known), None)
        if cause is None or cause == ranked.entry.name:
            kept.append(ranked)
        else:
            echoes.setdefault(cause, []).extend(ranked.matches)
    return [
        Ranked(
            ranked.entry,
            ranked.confidence,
            ranked.score,
            ranked.matches,
            tuple(echoes.get(ranked.entry.name, ())),
        )
        for ranked in kept
    ]
