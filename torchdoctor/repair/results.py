"""What a repair is asked for, what it tells while it runs, and what came of it."""

from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.repair.plan import ManualStep, RepairPlan, RepairStep
from torchdoctor.repair.running import Ran

MENDED, UNCHANGED, WORSE, FAILED, DECLINED = "mended", "unchanged", "worse", "failed", "declined"


@record
class RepairRequest:
    """The arguments of `repair`; `folder` has the packages if none may come from the network."""

    python: str | None = None
    select: tuple[str, ...] = ()
    is_dry_run: bool = False
    says_yes: bool = False
    allows_system: bool = False
    folder: Path | None = None


@record
class StepResult:
    """What came of a step.

    `verdict` is "mended", "unchanged", "worse", "failed" or "declined"; `new` are the findings that came with
    it, `is_undone` says whether it was taken back, and `reason` why it failed, or was not taken back. `lost`
    are the files that were not taken back with it, and that `--undo` cannot bring back.
    """

    number: int
    step: RepairStep
    verdict: str
    ran: tuple[Ran, ...] = ()
    new: tuple[str, ...] = ()
    is_undone: bool = False
    reason: str | None = None
    lost: tuple[str, ...] = ()


@record
class RepairResult:
    """What a repair did: its name for `--undo` (None if it changed nothing), and what is left.

    `left` are the errors that are still found. `refused` says why no step could be run, `selected` are the
    names of the checks and families that were asked for, if not all were.
    """

    name: str | None
    python: str
    plan: RepairPlan
    results: tuple[StepResult, ...]
    left: tuple[str, ...]
    manual: tuple[ManualStep, ...]
    refused: str | None = None
    is_dry_run: bool = False
    selected: tuple[str, ...] = ()
    was_mended_by_person: bool = False

    @property
    def exit_code(self) -> int:
        """0 if everything was mended or nothing was to do, else 1."""
        if self.is_dry_run:
            return 1 if self.plan.steps or self.left else 0
        is_mended = all(result.verdict == MENDED for result in self.results)
        return 0 if is_mended and not self.left and self.refused is None else 1


@record
class UndoResult:
    """What was brought back: how many files returned and how many were taken away, and what was not.

    With `problems`, another try can do more; `lost` are files that nothing brings back. `moved_to` are the
    folders of files that were taken away and may be somebody's work.
    """

    name: str
    returned: int
    removed: int
    problems: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    moved_to: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if something could not be brought back, else 0."""
        return 1 if self.problems or self.lost else 0


class Dialogue:
    """What a repair tells the person, and asks; this one is silent, and nobody answers."""

    def tell_plan(self, plan: RepairPlan, python: str) -> None:
        """Show what will be done."""

    def tell_step(self, number: int, step: RepairStep) -> None:
        """Show a step that is about to run: why, what it changes, and its commands."""

    def tell_output(self, line: str) -> None:
        """Show a line that a command printed."""

    def tell_result(self, result: StepResult) -> None:
        """Show what came of a step."""

    def tell(self, message: str) -> None:
        """Show a line about the course of the repair."""

    def consents(self, question: str) -> bool:
        """Ask whether to go on.

        Raises:
            EOFError: nobody is there to answer.
        """
        raise EOFError

    def wait_for_person(self, number: int, step: ManualStep) -> bool:
        """Show a step that the person does; return whether it was done."""
        return False

    def watch(self, subject: str, has_started: bool) -> None:
        """Show what is examined."""
