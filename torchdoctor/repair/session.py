"""Mend what an examination finds: step by step, each looked at again and kept to be undone."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from torchdoctor.check import Severity
from torchdoctor.core.version import __version__
from torchdoctor.facts import Absent, Distributions, TorchImportTrial
from torchdoctor.repair import environment as environments
from torchdoctor.repair.environment import PythonEnvironment
from torchdoctor.repair.events import STAYS, Event
from torchdoctor.repair.journal import (
    Journal,
    JournalError,
    find_unfinished,
    is_left,
    list_journals,
    make_journal,
)
from torchdoctor.repair.pip import StepError
from torchdoctor.repair.plan import RepairPlan, RepairStep, leave_to_person, list_findings, make_plan
from torchdoctor.repair.refusals import find_reason_not_to_run, find_reason_to_leave_alone, find_refusal
from torchdoctor.repair.results import (
    DECLINED,
    FAILED,
    MENDED,
    UNCHANGED,
    WORSE,
    Dialogue,
    RepairRequest,
    RepairResult,
    StepResult,
)
from torchdoctor.repair.running import (
    describe_later_changes,
    describe_left,
    describe_lost,
    describe_moved,
    find_later_changes,
    run_step,
    undo_step,
)
from torchdoctor.repair.snapshot import Restored, SnapshotError
from torchdoctor.report import Report

# A step that is followed by another one, and so on, is not what mends an environment.
_MOST_STEPS = 20


class Session:
    """One repair of one Python."""

    def __init__(
        self, request: RepairRequest, dialogue: Dialogue, python: str, examine: Callable[[], Report]
    ) -> None:
        """Set what is repaired, and the function that examines it."""
        self._request = request
        self._dialogue = dialogue
        self._python = python
        self._examine = examine
        self._folder = None if request.folder is None else os.path.abspath(request.folder)
        self._journal: Journal | None = None
        self._results: list[StepResult] = []
        self._tried: set[tuple[object, ...]] = set()

    def plan_only(self) -> RepairResult:
        """Return the plan; nothing is changed."""
        for journal, event in self._list_unfinished(environments.describe_environment(self._python)):
            self._dialogue.tell(
                f"{_describe_unfinished(journal, event)}; before anything else, torchdoctor repair takes "
                "that back"
            )
        report = self._examine()
        return replace(self._finish(report, self._plan(report)), is_dry_run=True)

    def run(self) -> RepairResult:
        """Run the plan; Ctrl-C takes back the step that runs, says what is kept, and is raised again."""
        try:
            return self._run()
        except KeyboardInterrupt:
            self._dialogue.tell(self._describe_stop())
            raise

    def _describe_stop(self) -> str:
        if self._journal is None:
            return "stopped: everything is as it was"
        undo = f"torchdoctor repair --undo {self._journal.name}"
        try:
            events = self._journal.read()
        except JournalError as error:
            return f"stopped: {error}"
        if find_unfinished(events):
            # The person did not wait, or a file could not be brought back.
            return f"stopped: not everything is as it was; {undo} takes it back"
        lost = [path for event in events for path in event.get("lost", ())]
        left = f"; {describe_lost(lost)}" if lost else ""
        if any(result.verdict != DECLINED and not result.is_undone for result in self._results):
            return f"stopped: what was mended stays; {undo} takes it back{left}"
        return f"stopped: everything is as it was{left.replace(';', ', but', 1)}"

    def _run(self) -> RepairResult:
        allows_system = self._request.allows_system
        environment = environments.describe_environment(self._python)
        if refused := self._undo_unfinished(environment):
            report = self._examine()
            return replace(self._finish(report, self._plan(report)), refused=refused)
        report = self._examine()
        first_plan = plan = self._plan(report)
        if not plan.steps:
            return self._end(report, first_plan)
        self._dialogue.tell_plan(plan, self._python)
        while len(self._results) < _MOST_STEPS:
            step = next((each for each in plan.steps if each.commands not in self._tried), None)
            if step is None:
                break
            if refused := find_refusal(step, environment, allows_system=allows_system):
                return replace(self._finish(report, first_plan), refused=refused)
            self._tried.add(step.commands)
            number = len(self._results) + 1
            self._dialogue.tell_step(number, step)
            if not self._request.says_yes and not self._dialogue.consents("Run this step?"):
                self._results.append(StepResult(number, step, DECLINED))
                continue
            result, report = self._run_step(number, step, report, environment)
            self._results.append(result)
            self._dialogue.tell_result(result)
            plan = self._plan(report)
        return self._end(report, first_plan)

    def _end(self, report: Report, first_plan: RepairPlan) -> RepairResult:
        """Ask the person to do what is left, and examine once more."""
        manual = self._plan(report).manual
        has_done = [self._dialogue.wait_for_person(number, each) for number, each in enumerate(manual, 1)]
        if any(has_done):
            report = self._examine()
            return replace(self._finish(report, first_plan), was_mended_by_person=True)
        return self._finish(report, first_plan)

    def _finish(self, report: Report, first_plan: RepairPlan) -> RepairResult:
        findings = list_findings(report)
        left = [
            message
            for (name, message), severity in findings.items()
            if severity is Severity.ERROR and self._is_selected(name, report)
        ]
        result = RepairResult(
            name=None if self._journal is None else self._journal.name,
            python=self._python,
            plan=first_plan,
            results=tuple(self._results),
            left=tuple(left),
            manual=self._plan(report).manual,
            selected=self._request.select,
        )
        if self._journal is not None:
            self._journal.write("finished", exit_code=result.exit_code)
        return result

    def _plan(self, report: Report) -> RepairPlan:
        plan = leave_to_person(make_plan(report, self._folder), find_reason_not_to_run)
        return RepairPlan(
            tuple(step for step in plan.steps if self._is_selected(step.name, report)),
            tuple(step for step in plan.manual if self._is_selected(step.name, report)),
        )

    def _is_selected(self, name: str, report: Report) -> bool:
        entry = report.knowledge.find(name)
        names = {name, entry.family} if entry is not None else {name}
        return not self._request.select or not names.isdisjoint(self._request.select)

    def _open_journal(self, report: Report, environment: PythonEnvironment) -> Journal:
        if self._journal is None:
            self._journal = make_journal()
            distributions = report.facts.get(Distributions)
            installed = () if isinstance(distributions, Absent) else distributions.installed
            self._journal.write(
                "started",
                torchdoctor=__version__,
                python=self._python,
                prefix=environment.prefix,
                packages=[f"{each.name}=={each.version}" for each in installed],
            )
        return self._journal

    def _run_step(
        self, number: int, step: RepairStep, report: Report, environment: PythonEnvironment
    ) -> tuple[StepResult, Report]:
        journal = self._open_journal(report, environment)
        started = time.monotonic()
        try:
            ran, lost = run_step(step, number, environment, journal, self._dialogue.tell_output)
        except StepError as error:
            result = StepResult(
                number, step, FAILED, is_undone=error.is_undone, reason=str(error), lost=error.lost
            )
            return result, report
        after = self._examine()
        verdict, new = _compare(step, report, after)
        journal.write(
            "ended",
            number=number,
            verdict=verdict,
            seconds=round(time.monotonic() - started, 1),
            before=[message for _, message in list_findings(report)],
            after=[message for _, message in list_findings(after)],
        )
        result = StepResult(number, step, verdict, ran, new, lost=lost)
        if verdict == MENDED or not self._goes_back(result):
            return result, after
        restored = undo_step(journal, number)
        result = replace(
            result, is_undone=not restored.problems, reason=describe_left(restored), lost=restored.lost
        )
        return result, self._examine()

    def _goes_back(self, result: StepResult) -> bool:
        if self._request.says_yes:
            return True
        self._dialogue.tell_result(result)
        return self._dialogue.consents("Go back to the state before this step?")

    def _list_unfinished(self, environment: PythonEnvironment) -> Iterator[tuple[Journal, Event]]:
        """Yield the steps of repairs of this Python that were cut off, the last one first."""
        for journal in reversed(list_journals()):
            try:
                events = journal.read()
            except JournalError as error:
                self._dialogue.tell(f"{error}: it is left out")
                continue
            if _is_about(events, environment.prefix):
                steps = {event["number"]: event for event in events if event["event"] == "step"}
                yield from ((journal, steps[number]) for number in find_unfinished(events))

    def _undo_unfinished(self, environment: PythonEnvironment) -> str | None:
        """Take back the steps of repairs that were cut off; return why they must stay, or None."""
        allows_system = self._request.allows_system
        for journal, event in self._list_unfinished(environment):
            if refused := find_reason_to_leave_alone(environment, allows_system=allows_system):
                return refused
            # It can be long ago, and the person may have mended the environment since.
            self._dialogue.tell(_describe_unfinished(journal, event))
            question = "Bring back what was before it? With no, what is there now stays."
            if not self._request.says_yes and not self._dialogue.consents(question):
                journal.write("ended", number=event["number"], verdict=STAYS)
                continue
            restored = _take_back(journal, event)
            if restored.problems:
                # What is there now is examined and mended like any other fault.
                journal.write("ended", number=event["number"], verdict=STAYS)
                self._dialogue.tell(f"it is not taken back: {restored.problems[0]}")
            else:
                left = describe_left(restored)
                self._dialogue.tell(f"it was taken back{'' if left is None else f'; {left}'}")
                if restored.moved_to:
                    self._dialogue.tell(describe_moved(restored.moved_to))
        return None


def _describe_unfinished(journal: Journal, event: Event) -> str:
    if is_left(journal.read(), event["number"]):
        return f"the step {event['name']} of the repair {journal.name} was not taken back whole"
    return f"the repair {journal.name} was cut off in its step {event['name']}"


def _take_back(journal: Journal, event: Event) -> Restored:
    """Take back a step that was cut off; a problem is why it was not, as after changes of the person."""
    try:
        journal.read_whole()
        later = find_later_changes([event])
    except (JournalError, SnapshotError) as error:
        return Restored(0, 0, (str(error),))
    if later:
        return Restored(0, 0, (describe_later_changes(later),))
    return undo_step(journal, event["number"])


def _compare(step: RepairStep, before: Report, after: Report) -> tuple[str, tuple[str, ...]]:
    """Return the verdict about a step, and what is found only now and is an error."""
    old, now = list_findings(before), list_findings(after)
    names = {name for (name, _), severity in old.items() if severity is Severity.ERROR}
    new = tuple(
        message
        for (name, message), severity in now.items()
        if severity is Severity.ERROR and name not in names
    )
    has_lost_torch = _imports_torch(before) is True and _imports_torch(after) is False
    names_of_step = {name for name, _ in step.findings}
    is_mended = not any(key in now for key in step.findings) and not any(
        name in names_of_step and (name, message) not in old for name, message in now
    )
    if has_lost_torch or (new and not is_mended):
        return WORSE, new
    # What a check says in other words now is there still. What the fault had hidden is found now: that is no
    # harm of the step, if torch works no worse.
    return (MENDED if is_mended else UNCHANGED), new


def _imports_torch(report: Report) -> bool | None:
    trial = report.facts.get(TorchImportTrial)
    return None if isinstance(trial, Absent) else trial.imports_torch


def _is_about(events: Sequence[Event], prefix: str) -> bool:
    return any(event["event"] == "started" and event.get("prefix") == prefix for event in events)
