"""Shows a repair on the terminal while it runs, and asks before each step."""

from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.knowledge.commands import Command
from torchdoctor.renderers import repair as renderer
from torchdoctor.renderers.plain import wrap
from torchdoctor.repair.plan import ManualStep, RepairPlan, RepairStep
from torchdoctor.repair.results import Dialogue, StepResult
from torchdoctor.terminal import asking, screen

_INDENT = "   "
# Of "[y/N] " and an answer, behind a question.
_ANSWER_COLUMNS = 12


class TerminalDialogue(Dialogue):
    """The dialogue with a person; without one, `asks` is false, and nothing waits for an answer."""

    def __init__(self, watch: Watcher, *, width: int, colour: bool, asks: bool, shows: bool) -> None:
        """Set how it is shown: `shows` is false if standard output belongs to another format."""
        self._watch = watch
        self._width, self._colour = width, colour
        self._asks = asks
        self._shows = shows
        self._python = ""
        self._planned: set[tuple[Command, ...]] = set()
        self._has_manual_head = False

    def tell_plan(self, plan: RepairPlan, python: str) -> None:
        """Show the plan."""
        self._python = python
        self._planned = {step.commands for step in plan.steps}
        self._show(renderer.render_plan(plan, python, width=self._width, colour=self._colour))

    def tell_step(self, number: int, step: RepairStep) -> None:
        """Name a step of the plan above its question; one that came up later is shown in full."""
        is_planned = step.commands in self._planned
        options = {"is_planned": is_planned, "colour": self._colour}
        self._show(renderer.render_step(number, step, self._python, width=self._width, **options))

    def tell_output(self, line: str) -> None:
        """Show what pip says."""
        self._show(f"   | {line}\n")

    def tell_result(self, result: StepResult) -> None:
        """Show what came of the step."""
        self._show(renderer.render_step_result(result, width=self._width, colour=self._colour))

    def tell(self, message: str) -> None:
        """Show a line on standard error."""
        screen.show_message(message)

    def consents(self, question: str) -> bool:
        """Ask the person."""
        lines = wrap(question, self._width - _ANSWER_COLUMNS, _INDENT, _INDENT)
        return asking.ask_yes("\n".join(lines), _INDENT)

    def wait_for_person(self, number: int, step: ManualStep) -> bool:
        """Show a step for the person, and wait for Enter; s leaves it out."""
        if not self._asks:
            return False
        if not self._has_manual_head:
            self._show("\nWhat torchdoctor does not do by itself:\n")
            self._has_manual_head = True
        self._show("\n" + renderer.render_manual(number, step, width=self._width, colour=self._colour))
        return asking.ask_done("   Enter when it is done, s to leave it out")

    def watch(self, subject: str, has_started: bool) -> None:
        """Show what is examined."""
        self._watch(subject, has_started)

    def _show(self, text: str) -> None:
        if self._shows:
            screen.show(text)
