"""The answer of `explain`: ranked diagnoses, each with the lines that prove it."""

from __future__ import annotations

import enum
from dataclasses import field

from torchdoctor.core.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from torchdoctor.engine.runner import Outcome
    from torchdoctor.readers.environment import Environment
    from torchdoctor.readers.questions import Question
    from torchdoctor.readers.statements import Statement
    from torchdoctor.redaction.shown_values import ShownValues


class Confidence(enum.Enum):
    """How sure a diagnosis is."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"

    @property
    def rank(self) -> int:
        """The place in the order of confidences; a higher rank is surer."""
        return _RANKS[self.value]


_RANKS = {"certain": 2, "likely": 1, "possible": 0}


@record
class Verdict:
    """What a check says of the environment that a text describes.

    `is_sure` is whether it says so by what programs printed alone. `proof` are the statements that it rests
    on.
    """

    failed: bool
    is_sure: bool
    outcome: Outcome
    proof: tuple[Statement, ...]

    @property
    def worst(self) -> int:
        """The rank of the worst severity among the findings, 0 without one."""
        severities = (finding.severity for finding in self.outcome.findings)
        return max((severity.rank for severity in severities if severity), default=0)


@record
class Evidence:
    """A line of the text that supports a diagnosis, with its number from 1."""

    line: int
    text: str


@record
class Diagnosis:
    """An entry that explains the text, with the values of the text filled into its advice.

    `echoes` are lines that look like separate errors but are only consequences of this one.
    `confirmed` is whether the entry's check failed; None if the check gave no result. It ran on what
    `examined` says: "machine", or "text" for the environment that the text describes.
    """

    name: str
    title: str
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    values: ShownValues
    echoes: tuple[str, ...]
    confirmed: bool | None
    lead: str
    fix: tuple[str, ...]
    verify: str
    examined: str = ""


@record
class ProgramError:
    """An error of the program itself or of its data: what it means, and what to do."""

    title: str
    lead: str
    fix: tuple[str, ...]
    evidence: Evidence


@record
class Explanation:
    """The answer to a pasted text: at most three diagnoses, best first, and the values read from the text.

    Without evidence, the diagnoses are only the entries with the most similar words. `is_suspected` is
    whether a text that is not recognised has more than hints for the first one, or words that are clearly
    about it. `environments` are those that the text describes. `question` asks for what would decide between
    the diagnoses. `program_error` is what a text without an answer is about, if it is known. `context` is
    what the text has beside the lines that are shown, as far as it may name a user or a secret: no output has
    it, and `redact` learns from it what to hide.
    """

    recognised: bool
    diagnoses: tuple[Diagnosis, ...]
    values: ShownValues
    has_evidence: bool = False
    is_suspected: bool = False
    environments: tuple[Environment, ...] = ()
    question: Question | None = None
    program_error: ProgramError | None = None
    context: str = field(default="", repr=False, compare=False)

    @property
    def has_answer(self) -> bool:
        """Whether the first diagnosis is the answer, proved or suspected."""
        return self.recognised or self.is_suspected

    @property
    def others(self) -> tuple[Diagnosis, ...]:
        """The further diagnoses that are worth showing beside an answer.

        What is only possible is none of them, and neither is what rests on lines of the answer alone.
        """
        others = self.diagnoses[1:]
        if not others or self.diagnoses[0].confidence is Confidence.POSSIBLE:
            return others
        used = {each.line for each in self.diagnoses[0].evidence}
        return tuple(
            each
            for each in others
            if each.confidence is not Confidence.POSSIBLE
            and (
                each.confidence is Confidence.CERTAIN
                or each.confirmed is not None
                or not used.issuperset(proof.line for proof in each.evidence)
            )
        )

    @property
    def headline(self) -> str:
        """The title of the answer."""
        if not self.has_answer:
            return "Not recognised" if self.program_error is None else self.program_error.title
        return f"Perhaps: {self.diagnoses[0].title}" if self.is_suspected else self.diagnoses[0].title
