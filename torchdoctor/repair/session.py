"""Mend what an examination finds: step by step, each looked at again and kept to be undone."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from torchdoctor.check import Severity
from torchdoctor.core.usage import UsageError
from torchdoctor.core.version import __version__
from torchdoctor.facts import Absent, Distributions, TorchImportTrial
from torchdoctor.knowledge.commands import PACKAGES, VariableCommand
from torchdoctor.repair import environment as environments
from torchdoctor.repair.environment import PythonEnvironment
from torchdoctor.repair.journal import Event, Journal, find_unfinished, list_journals, make_journal
from torchdoctor.repair.plan import RepairPlan, RepairStep, leave_to_person, list_findings, make_plan
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
from torchdoctor.repair.running import StepError, run_step, undo_step
from torchdoctor.repair.variables import read_variable
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
        report = self._examine()
        return replace(self._finish(report, self._plan(report)), is_dry_run=True)

    def run(self) -> RepairResult:
        """Run the plan."""
        environment = environments.describe_environment(self._python)
        self._undo_unfinished(environment)
        report = self._examine()
        first_plan = plan = self._plan(report)
        if not plan.steps:
            return self._end(report, first_plan)
        self._dialogue.tell_plan(plan, self._python)
        while len(self._results) < _MOST_STEPS:
            step = next((each for each in plan.steps if each.commands not in self._tried), None)
            if step is None:
                break
            if refused := self._find_refusal(step, environment):
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
        """Let the person do what is left, and examine once more."""
        manual = self._plan(report).manual
        has_done = [self._dialogue.wait_for_person(number, each) for number, each in enumerate(manual, 1)]
        if any(has_done):
            report = self._examine()
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
        )
        if self._journal is not None:
            self._journal.write("finished", exit_code=result.exit_code)
        return result

    def _plan(self, report: Report) -> RepairPlan:
        plan = leave_to_person(make_plan(report, self._folder), _find_reason_not_to_run)
        return RepairPlan(
            tuple(step for step in plan.steps if self._is_selected(step.name, report)),
            tuple(step for step in plan.manual if self._is_selected(step.name, report)),
        )

    def _is_selected(self, name: str, report: Report) -> bool:
        entry = report.knowledge.find(name)
        names = {name, entry.family} if entry is not None else {name}
        return not self._request.select or not names.isdisjoint(self._request.select)

    def _find_refusal(self, step: RepairStep, environment: PythonEnvironment) -> str | None:
        """Return why a step must not change the packages of this Python, or None."""
        if step.subject != PACKAGES:
            return None
        if environment.owner is not None and not self._request.allows_system:
            return (
                f"{self._python} is {environment.owner}: other programs need it. Make an environment of your "
                "own, or add --yes-to-system"
            )
        if not environment.has_pip:
            return f"{self._python} has no pip; this gets it: {self._python} -m ensurepip"
        if reason := environments.find_read_only(environment):
            return reason
        using = environments.find_using_programs(environment)
        if using:
            names = ", ".join(f"{each.command or 'a program'} (process {each.number})" for each in using[:3])
            return f"programs that use this Python are running; close them first: {names}"
        return None

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
        journal = _keep(lambda: self._open_journal(report, environment))
        started = time.monotonic()
        try:
            ran = run_step(step, number, environment, journal, self._dialogue.tell_output)
        except StepError as error:
            return StepResult(number, step, FAILED, is_undone=True, reason=str(error)), report
        except OSError as error:
            raise UsageError(f"{journal.folder}: cannot be written: {error.strerror or error}") from error
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
        result = StepResult(number, step, verdict, ran, new)
        if verdict == MENDED or not self._goes_back(result):
            return result, after
        problems = undo_step(journal, number).problems
        return replace(result, is_undone=not problems, reason="; ".join(problems) or None), self._examine()

    def _goes_back(self, result: StepResult) -> bool:
        if self._request.says_yes:
            return True
        self._dialogue.tell_result(result)
        return self._dialogue.consents("Go back to the state before this step?")

    def _undo_unfinished(self, environment: PythonEnvironment) -> None:
        """Take back the steps of repairs of this Python that were cut off."""
        for journal in reversed(list_journals()):
            events = journal.read()
            if not _is_about(events, environment.prefix):
                continue
            for number in find_unfinished(events):
                # It can be long ago, and the person may have mended the environment since.
                question = f"The repair {journal.name} was cut off. Bring back what was before it?"
                if not self._request.says_yes and not self._dialogue.consents(question):
                    journal.write("ended", number=number, verdict="kept")
                    continue
                problems = undo_step(journal, number).problems
                if problems:
                    raise UsageError(
                        f"the repair {journal.name} was cut off, and cannot be taken back: {problems[0]}"
                    )
                self._dialogue.tell(
                    f"the repair {journal.name} was cut off: its step {number} was taken back"
                )


def _find_reason_not_to_run(step: RepairStep) -> str | None:
    for command in step.commands:
        if (
            isinstance(command, VariableCommand)
            and command.value is None
            and read_variable(command.name) is None
        ):
            return f"{command.name} is not a variable of your account: whatever starts this program sets it"
    return None


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
    is_mended = not any(key in now for key in step.findings)
    if has_lost_torch or (new and not is_mended):
        return WORSE, new
    # What the fault had hidden is found now: that is no harm of the step, if torch works no worse.
    return (MENDED if is_mended else UNCHANGED), new


def _imports_torch(report: Report) -> bool | None:
    trial = report.facts.get(TorchImportTrial)
    return None if isinstance(trial, Absent) else trial.outcome == "imported"


def _keep(action: "Callable[[], Journal]") -> Journal:
    try:
        return action()
    except OSError as error:
        raise UsageError(f"the journal cannot be written: {error.strerror or error}") from error


def _is_about(events: Sequence[Event], prefix: str) -> bool:
    return any(event["event"] == "started" and event.get("prefix") == prefix for event in events)
