"""Find the answers to a text: those of messages and checks, else those that its words make possible."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.explain.answer import Confidence, ProgramError, Verdict
from torchdoctor.explain.errors import find_errors
from torchdoctor.explain.match import find_candidates
from torchdoctor.explain.rank import Ranked, is_in_exception, is_only_warned_of, is_suspected, rank
from torchdoctor.explain.statements.deeds import is_done
from torchdoctor.explain.statements.notices import (
    asks_about,
    drop_notices,
    is_notice,
    leave_out_beside_errors,
)
from torchdoctor.explain.statements.quotations import drop_quoted
from torchdoctor.explain.statements.said import Said
from torchdoctor.explain.statements.settled import drop_settled
from torchdoctor.explain.statements.successes import Works
from torchdoctor.explain.statements.told_success import doubt_where_all_works
from torchdoctor.explain.text.clean import Line, clean_printed
from torchdoctor.explain.text.split import Kind, Unit, split
from torchdoctor.knowledge import Entry, Knowledge, Program
from torchdoctor.redaction.words.public_words import Names

# A kernel prints where it stopped: its source, its block and its thread.
_ON_CARD = r"\.cuh?:\d{1,6}: |\bblock: \[\d{1,6},"

# One looks, and one cures.
_FIRST_STEPS = 2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from torchdoctor.readers import Environment


@record
class Reading:
    """What is read in the lines of a text; `own` are the names that it defines.

    `is_told` is whether a person may have told it; `on_screen` is as for `explain`. `own_lines` are those
    that say something of the writer's computer.
    """

    printed: tuple[Line, ...]
    units: Sequence[Unit]
    values: Mapping[str, str]
    environments: "tuple[Environment, ...]"
    own: Names
    program: Program | None
    is_told: bool
    on_screen: bool
    own_lines: Sequence[Line]


@record
class Answers:
    """The ranked answers to a text, and the units they are of; the other fields are as in Explanation."""

    units: Sequence[Unit]
    ranked: tuple[Ranked, ...]
    verdicts: Mapping[str, Verdict]
    recognised: bool = False
    has_evidence: bool = False
    is_suspected: bool = False
    program_error: ProgramError | None = None

    @property
    def undecided(self) -> tuple[Entry, ...]:
        """The entries between which more about the environment can decide; none where one is certain."""
        recognised = [each for each in self.ranked if each.confidence is not Confidence.POSSIBLE]
        is_certain = bool(recognised) and recognised[0].confidence is Confidence.CERTAIN
        entries = tuple(each.entry for each in recognised or self.ranked)
        if self.program_error is not None or is_certain or (recognised and not entries[0].decided_by):
            return ()
        return entries if any(entry.decided_by for entry in entries) else ()


def find_answers(reading: Reading, knowledge: Knowledge) -> Answers:
    """Return the answers to a text without what is settled and what it quotes, else those to all of it."""
    unquoted = drop_quoted(reading.printed)
    settled = drop_settled(unquoted)
    if settled is not unquoted:
        found = _answer_lines(clean_printed(settled), reading, knowledge)
        is_of_text = found.recognised and any(each.matches for each in found.ranked[:1])
        if is_of_text or found.program_error is not None:
            return found
    if unquoted is not reading.printed:
        found = _answer_lines(clean_printed(unquoted), reading, knowledge)
        # An own error that proves nothing says more than that of somebody else.
        if found.recognised or found.program_error is not None or found.has_evidence:
            return found
    return _answer_lines(clean_printed(reading.printed), reading, knowledge)


def _answer_lines(lines: Sequence[Line], reading: Reading, knowledge: Knowledge) -> Answers:
    """Return the answers to lines, those of notices only where nothing else is the matter.

    A program that prints a notice goes on: what ends it later is another error, known or not. Where its work
    came to an end, nothing is the matter.
    """
    found = _answer(split(lines), reading, knowledge)
    if not found.ranked or not is_notice(found.ranked[0], found.units):
        return found
    rest = _answer(split(drop_notices(lines, knowledge)), reading, knowledge)
    if rest.program_error is not None or _is_answered(rest, found):
        return rest
    works = Works(reading.printed, reading.environments)
    if not find_errors(rest.units) and not works.runs_through:
        return found
    ranked = tuple(each._replace(confidence=Confidence.POSSIBLE) for each in found.ranked)
    return replace(found, ranked=ranked, recognised=False, is_suspected=False)


def _is_answered(rest: Answers, found: Answers) -> bool:
    """Return whether a text without its notices has an answer, by more than words about the notice."""
    if not rest.recognised or not rest.ranked[0].matches:
        return False
    return is_in_exception(rest.ranked[0], rest.units) or not asks_about(found.ranked[0], found.units)


def _answer(units: Sequence[Unit], reading: Reading, knowledge: Knowledge) -> Answers:
    """Return the answers that messages and checks give; where none is recognised, those guessed by words.

    Where an error of the program is shown, nothing is guessed.
    """
    candidates = leave_out_beside_errors(find_candidates(units, knowledge), units)
    ranked = rank(candidates, units, reading.values)
    environments = reading.environments
    describes_environment = any(environment.is_decisive for environment in environments)
    verdicts: Mapping[str, Verdict] = {}
    if describes_environment:
        # Imported here: few texts describe an environment, and the checks take as long to load as the rest.
        from torchdoctor.explain.decide import decide

        ranked, verdicts = decide(ranked, environments, units, reading.printed, knowledge)
    ranked = doubt_where_all_works(ranked, units)
    if _has_failed_assertion(units):
        # What CUDA's libraries then report is a consequence of the program's own error.
        asserted = _find_program_error(units, reading)
        if asserted is not None:
            ranked = tuple(each for each in ranked if not _is_about_gpu(each.entry))
    if any(each.confidence is not Confidence.POSSIBLE for each in ranked):
        return Answers(units, ranked, verdicts, recognised=True, has_evidence=True)
    is_report = describes_environment and not _has_exception(units)
    is_suspected_problem = bool(ranked) and not is_report and is_suspected(ranked[0], units)
    found = Answers(units, ranked, verdicts, has_evidence=bool(ranked), is_suspected=is_suspected_problem)
    # What only a remark of the text suggests is not what ended the program.
    is_beside = is_suspected_problem and not _is_in_message(ranked[0], units) and _has_exception(units)
    is_answered = is_suspected_problem and not is_beside and not is_only_warned_of(ranked[0], units)
    program_error = None if is_answered else _find_program_error(units, reading)
    if program_error is not None:
        return replace(found, program_error=program_error, is_suspected=False)
    return _guess(found, reading, knowledge, is_report=is_report)


def _is_about_gpu(entry: Entry) -> bool:
    return "gpu" in (entry.family, *entry.decided_by)


def _is_in_message(ranked: Ranked, units: Sequence[Unit]) -> bool:
    """Return whether some evidence is in the first line of an exception; remarks may stand below it."""
    return any(
        units[match.unit].kind is Kind.EXCEPTION and match.start < (*units[match.unit].starts, match.end)[1]
        for match in ranked.matches
    )


def _has_exception(units: Sequence[Unit]) -> bool:
    return any(unit.kind is Kind.EXCEPTION for unit in units)


def _has_failed_assertion(units: Sequence[Unit]) -> bool:
    """Return whether code on the card has checked its input, and refused it."""
    return any("Assertion `" in unit.text and pattern(_ON_CARD).search(unit.text) for unit in units)


def _find_program_error(units: Sequence[Unit], reading: Reading) -> ProgramError | None:
    # Imported here: most texts are recognised.
    from torchdoctor.explain.program_errors import find_program_error

    return find_program_error(units, reading.own, on_screen=reading.on_screen)


def _guess(found: Answers, reading: Reading, knowledge: Knowledge, *, is_report: bool) -> Answers:
    """Return answers with those that are possible by words; a printed report asks for one clearly first."""
    # Imported here: most texts are recognised.
    from torchdoctor.explain.own_words.guess import guess

    stated = frozenset[str]()
    if found.verdicts:
        # Imported here, as above.
        from torchdoctor.explain.decide import find_stated

        stated = find_stated(found.verdicts, reading.printed, reading.environments, knowledge)
    guessed = guess(found.ranked, found.units, knowledge, found.verdicts, stated, is_told=reading.is_told)
    is_printed = any(environment.keep_printed().is_decisive for environment in reading.environments)
    if is_report and is_printed and not guessed.is_clear:
        return found
    stays_first = found.is_suspected and guessed.ranked[0].entry is found.ranked[0].entry
    ranked = doubt_where_all_works(_doubt_where_mended(guessed.ranked, found.ranked, reading), found.units)
    recognised = any(each.confidence is not Confidence.POSSIBLE for each in ranked)
    return replace(
        found,
        ranked=ranked,
        recognised=recognised,
        has_evidence=found.has_evidence or guessed.is_clear,
        is_suspected=not recognised and (guessed.is_clear or stays_first),
    )


def _doubt_where_mended(
    guessed: Sequence[Ranked], proved: Sequence[Ranked], reading: Reading
) -> tuple[Ranked, ...]:
    """Make possible what words alone make likely, and whose first steps the text says to be done."""
    said = Said(reading.own_lines, reading.environments)
    names = {each.entry.name for each in proved}
    return tuple(
        each._replace(confidence=Confidence.POSSIBLE)
        if each.confidence is Confidence.LIKELY
        and each.entry.name not in names
        and any(is_done(step.text, said) for step in each.entry.body.steps[:_FIRST_STEPS])
        else each
        for each in guessed
    )
