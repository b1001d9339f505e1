"""Rank candidates by confidence, causes before their echoes, and keep the best three."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.versions import VersionError, VersionRange
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.computer.hardware import UNUSABLE
from torchdoctor.explain.computer.platforms import is_foreign
from torchdoctor.explain.match import Candidate, Match
from torchdoctor.explain.subject import Subject, find_subject
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.explain.values.packages import find_package
from torchdoctor.knowledge import Entry

MAX_DIAGNOSES = 3
# The lowest score of each confidence.
_CERTAIN, _LIKELY, _POSSIBLE = 0.95, 0.6, 0.25
# Evidence below this weight is a hint; hints alone, however many, make nothing likely.
_HINT = 0.5
# A symptom of this weight only carries a value, for the cases of its entry.
_ONLY_VALUE = 0.05
# The weight of a mention of torch, which only counts beside stronger evidence.
_TORCH_WEIGHT = 0.15
# The score is multiplied by this when a version in the text is outside the range that the entry affects.
_OUT_OF_RANGE_FACTOR = 0.4
# Families whose messages any Windows program can print.
_LOADING_FAMILIES = ("dll", "install")
_DLL_PATH = r"\b[a-z]:[\\/][^\"\n]{1,300}\.dll\b"
_OTHER_FRAMEWORKS = frozenset({"tensorflow", "tensorflow-intel", "paddle", "mxnet", "jaxlib", "cntk"})
# Families whose messages any program with CUDA can print.
_CUDA_FAMILIES = ("gpu", "memory", "settings", "dll", "build")
_WARNING = r"\b[A-Za-z]{0,40}Warning:|\bWARNING\b"
# An error in the lines that a program prints after a warning: `Error running job: No module named 'x'`.
_ERROR_LINE = r"(?i)(?:^|[\])>:] {0,3})error\b[^:\n]{0,40}:"
# Evidence of this weight is specific to its entry, whatever other programs a text names.
DECISIVE = 0.9


class Ranked(NamedTuple):
    """A candidate with its confidence, its score and the evidence for its echoes."""

    entry: Entry
    confidence: Confidence
    score: float
    matches: tuple[Match, ...]
    echoes: tuple[Match, ...] = ()


def rank(
    candidates: Iterable[Candidate], units: Sequence[Unit], values: Mapping[str, str]
) -> tuple[Ranked, ...]:
    """Return the best diagnoses, best first."""
    candidates = tuple(candidates)
    claimed_units = _find_claimed_units(candidates, units)
    subject = find_subject(units)
    torch_weight = _TORCH_WEIGHT if subject.shows_torch else 0.0
    has_error = any(unit.kind is Kind.EXCEPTION and not is_warning(unit) for unit in units)
    scored = []
    for candidate in candidates:
        score = _combine(candidate.matches, torch_weight)
        if not _is_in_range(candidate.entry, values):
            score *= _OUT_OF_RANGE_FACTOR
        has_only_hints = max(match.weight for match in candidate.matches) < _HINT
        is_possible_at_most = (
            _is_for_other_system(candidate.entry, subject, values.get("run_on"))
            or subject.is_game
            or subject.is_torch_for_r
            or has_only_hints
            or _is_for_other_card(candidate.entry, values)
            or (subject.is_other_cuda_program and candidate.entry.family in _CUDA_FAMILIES)
            or (subject.is_other_executable and candidate.entry.family in _LOADING_FAMILIES)
            or (subject.loads_own_dll and candidate.entry.family in _LOADING_FAMILIES)
            or _is_claimed_by_others(candidate, claimed_units)
            or _is_about_other_program(candidate, units, subject.other_programs)
            or _is_of_other_framework(candidate, units)
            or (not subject.shows_python and _is_of_any_program(candidate))
            or (has_error and _is_only_warning(candidate, units))
        )
        confidence = _find_confidence(score, is_possible_at_most)
        is_sure = subject.has_error and (subject.shows_torch or not _names_dll_by_path(candidate, units))
        if confidence is Confidence.CERTAIN and not is_sure:
            confidence = Confidence.LIKELY
        if confidence:
            scored.append(Ranked(candidate.entry, confidence, score, candidate.matches))
    surest_cause = max((each.confidence.rank for each in scored if _is_cause(each, units)), default=-1)
    asides = find_asides(scored, units)
    scored.sort(
        key=lambda ranked: (
            bool(ranked.entry.echo_of) and ranked.confidence.rank <= surest_cause,
            ranked.entry.name in asides,
            _sort_key(ranked, units),
        )
    )
    return tuple(_fold_echoes(scored)[:MAX_DIAGNOSES])


def _is_for_other_system(entry: Entry, subject: Subject, run_on: str | None) -> bool:
    """Return whether the text looks like one of a system that the entry is not about.

    Where the program ran here, what it looks like is nothing against an entry that is about this system.
    """
    system = entry.affects.os
    if run_on is not None and system in (None, run_on):
        return False
    return subject.is_foreign and not (subject.is_wsl and system is None)


def _is_cause(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether an exception shows a recognised error that is no echo.

    Echoes that are not more certain are then ranked last.
    """
    if ranked.entry.echo_of or ranked.confidence is Confidence.POSSIBLE or ranked.entry.level != "error":
        return False
    return any(
        units[match.unit].kind is Kind.EXCEPTION and match.weight >= _LIKELY for match in ranked.matches
    )


def is_suspected(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether a diagnosis has more than hints, in a text that is not from another system."""
    return any(match.weight >= _HINT for match in ranked.matches) and not is_foreign(units)


def find_asides(scored: Sequence[Ranked], units: Sequence[Unit]) -> frozenset[str]:
    """Return the names of what does not end the program, where something else is recognised that does.

    That is what lines say of the GPU where torch, or a package, could not be loaded at all, and what is only
    shown by a warning, after which the program went on.
    """
    is_not_loaded = any(_is_failed_import(ranked, units) for ranked in scored)
    endings = [ranked for ranked in scored if _ends_program(ranked, units)]
    return frozenset(
        ranked.entry.name
        for ranked in scored
        if (is_not_loaded and _is_about_gpu(ranked.entry) and not is_in_exception(ranked, units))
        or (is_only_warned_of(ranked, units) and any(_is_other_error(each, ranked) for each in endings))
    )


def _is_about_gpu(entry: Entry) -> bool:
    return "gpu" in (entry.family, *entry.decided_by)


def is_only_warned_of(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether a diagnosis rests on warnings alone."""
    return bool(ranked.matches) and all(is_warning(units[match.unit]) for match in ranked.matches)


def _ends_program(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether a diagnosis that is not merely possible is shown by an error."""
    return ranked.confidence is not Confidence.POSSIBLE and any(
        units[match.unit].kind is Kind.EXCEPTION and not is_warning(units[match.unit])
        for match in ranked.matches
    )


def _is_other_error(ending: Ranked, warned: Ranked) -> bool:
    """Return whether an error is neither the problem of a warning nor a consequence of it."""
    return warned.entry.name not in (ending.entry.name, *ending.entry.echo_of)


def _is_failed_import(ranked: Ranked, units: Sequence[Unit]) -> bool:
    is_known = ranked.confidence is not Confidence.POSSIBLE
    return is_known and ranked.entry.family == "dll" and is_in_exception(ranked, units)


def is_in_exception(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether an exception is among the evidence."""
    return any(units[match.unit].kind is Kind.EXCEPTION for match in ranked.matches)


def _combine(matches: Sequence[Match], torch_weight: float) -> float:
    """Return the score of all evidence; of matches that overlap, only the strongest counts."""
    doubt = 1.0
    counted: list[Match] = []
    for match in sorted(matches, key=lambda match: -match.weight):
        if match.weight <= _ONLY_VALUE or any(_overlap(match, other) for other in counted):
            continue
        counted.append(match)
        doubt *= 1.0 - min(match.weight, 1.0)
    if max(match.weight for match in matches) < _HINT:
        torch_weight = 0.0
    return 1.0 - doubt * (1.0 - torch_weight)


def _overlap(one: Match, other: Match) -> bool:
    if one.is_code != other.is_code:
        return False
    return one.unit == other.unit and one.start < other.end and other.start < one.end


def _find_confidence(score: float, is_possible_at_most: bool) -> Confidence | None:
    if score < _POSSIBLE:
        return None
    if is_possible_at_most or score < _LIKELY:
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if score >= _CERTAIN else Confidence.LIKELY


def _is_in_range(entry: Entry, values: Mapping[str, str]) -> bool:
    return _may_include(entry.affects.torch, values.get("torch_version")) and _may_include(
        entry.affects.python, values.get("python_version")
    )


def _is_for_other_card(entry: Entry, values: Mapping[str, str]) -> bool:
    """Return whether an entry is about the cards of one maker, and the text names one of another maker."""
    maker = values.get("maker", "none")
    return maker not in ("none", UNUSABLE) and entry.affects.maker not in (None, maker)


def _may_include(affected: VersionRange | None, version: str | None) -> bool:
    if affected is None or version is None:
        return True
    try:
        return version in affected
    except VersionError:
        return True


def _names_dll_by_path(candidate: Candidate, units: Sequence[Unit]) -> bool:
    """Return whether the evidence has the path of a DLL, which in a text without torch is not torch's."""
    return all(match.weight <= DECISIVE for match in candidate.matches) and any(
        pattern(_DLL_PATH, True).search(units[match.unit].text) for match in candidate.matches
    )


def _is_only_warning(candidate: Candidate, units: Sequence[Unit]) -> bool:
    """Return whether the evidence occurs in warnings only, and none of it is specific to the entry."""
    return all(
        (match.weight < DECISIVE or match.is_claim)
        and is_warning(units[match.unit])
        and not _is_in_error_line(match, units[match.unit])
        for match in candidate.matches
    )


def _is_in_error_line(match: Match, unit: Unit) -> bool:
    """Return whether evidence is in a line among loose ones that says of itself that it is an error."""
    if unit.kind is not Kind.LOOSE:
        return False
    before = unit.text[unit.starts[bisect_right(unit.starts, match.start) - 1] : match.start]
    return bool(pattern(_ERROR_LINE).search(before)) and not pattern(_WARNING).search(before)


def is_warning(unit: Unit) -> bool:
    """Return whether a unit is a warning, which a program prints and goes on."""
    return unit.kind is not Kind.FRAME and pattern(_WARNING).search(unit.text, 0, 300) is not None


def _find_claimed_units(candidates: Iterable[Candidate], units: Sequence[Unit]) -> frozenset[int]:
    """Return the indices of the errors that an entry claims by naming the package that failed."""
    claims = {match.unit for candidate in candidates for match in candidate.matches if match.is_claim}
    chains = {units[index].chain for index in claims} - {0}
    return frozenset(claims) | {index for index, unit in enumerate(units) if unit.chain in chains}


def _is_claimed_by_others(candidate: Candidate, claimed_units: frozenset[int]) -> bool:
    """Return whether all evidence is in errors that other entries claim."""
    return all(match.unit in claimed_units and not match.is_claim for match in candidate.matches)


def _is_about_other_program(
    candidate: Candidate, units: Sequence[Unit], other_programs: frozenset[str]
) -> bool:
    """Return whether a text is about other programs, and the evidence names none of them."""
    if not other_programs or not _is_of_any_program(candidate):
        return False
    evidence = " ".join(
        units[match.unit].text[match.start : match.end].lower() for match in candidate.matches
    )
    return not any(name in evidence for name in other_programs)


def _is_of_other_framework(candidate: Candidate, units: Sequence[Unit]) -> bool:
    """Return whether the error is one of another framework, which also loads DLLs of CUDA."""
    if candidate.entry.family not in _LOADING_FAMILIES:
        return False
    best = max(candidate.matches, key=lambda match: match.weight)
    return find_package(units, best.unit) in _OTHER_FRAMEWORKS


def _is_of_any_program(candidate: Candidate) -> bool:
    """Return whether any Windows program may have printed the evidence."""
    if all(match.is_code for match in candidate.matches):
        return True
    return candidate.entry.family in _LOADING_FAMILIES and all(
        match.weight < DECISIVE for match in candidate.matches
    )


def _sort_key(ranked: Ranked, units: Sequence[Unit]) -> tuple[int, float, int, int, str]:
    """Return a key that sorts by confidence, score, exceptions before other text, and place in the text."""
    best = max(ranked.matches, key=lambda match: match.weight)
    unit = units[best.unit]
    kind = 0 if unit.kind is Kind.EXCEPTION else 1
    return (-ranked.confidence.rank, -round(ranked.score, 1), kind, best.unit, ranked.entry.name)


def _fold_echoes(scored: Sequence[Ranked]) -> list[Ranked]:
    """Move the evidence for each echo to its first recognised cause; keep echoes without one."""
    recognised = {ranked.entry.name for ranked in scored if ranked.confidence is not Confidence.POSSIBLE}
    echoes: dict[str, list[Match]] = {}
    kept = []
    for ranked in scored:
        cause = next((name for name in ranked.entry.echo_of if name in recognised), None)
        if cause is None or cause == ranked.entry.name:
            kept.append(ranked)
        else:
            echoes.setdefault(cause, []).extend(ranked.matches)
    return [ranked._replace(echoes=tuple(echoes.get(ranked.entry.name, ()))) for ranked in kept]
