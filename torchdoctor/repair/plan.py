"""Choose from a report what can be mended without a person, in the order in which it has to be done."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from torchdoctor.advice import Advice
from torchdoctor.check import Finding, Severity
from torchdoctor.core.record import record
from torchdoctor.facts import Absent, CondaEnvironment, Facts
from torchdoctor.knowledge.commands import (
    VARIABLES,
    Command,
    CommandError,
    PipCommand,
    RemoveCommand,
    RenameCommand,
    read_commands,
)
from torchdoctor.report import Report

# What conda calls a package of pip, where that is another name.
_CONDA_NAMES = {"torch": ("pytorch", "libtorch", "pytorch-cpu", "pytorch-gpu")}

# Names of an entry and a finding of it: what was seen.
Key = tuple[str, str]


@record
class RepairStep:
    """A step of an entry that is run as it is printed, and the findings that it is for, the worst first."""

    name: str
    title: str
    findings: tuple[Key, ...]
    markdown: str
    subject: str
    commands: tuple[Command, ...]
    severity: Severity

    @property
    def messages(self) -> tuple[str, ...]:
        """What was seen."""
        return tuple(message for _, message in self.findings)


@record
class ManualStep:
    """A finding that a person has to mend, the printed step, and why it is not run."""

    name: str
    title: str
    message: str
    markdown: str
    severity: Severity
    reason: str


@record
class RepairPlan:
    """What is run, and what a person has to do."""

    steps: tuple[RepairStep, ...]
    manual: tuple[ManualStep, ...]


def list_findings(report: Report) -> dict[Key, Severity]:
    """Return the findings that are not about training code, with their severities."""
    return {
        (outcome.name, finding.message): finding.severity or outcome.severity
        for outcome, finding in report.findings()
        if finding.location is None
    }


def make_plan(report: Report, folder: str | None = None) -> RepairPlan:
    """Return the plan for what a report found: causes before consequences, each command once.

    `folder` has the packages if none come from the network. A finding that is only a consequence of others,
    or that their steps mend as well, gets no step: it is looked at again when they are mended. Of two steps
    that want different releases of a package, the first one stays.
    """
    steps: list[RepairStep] = []
    manual: list[ManualStep] = []
    for outcome, finding in report.findings():
        if finding.location is not None or report.describe_relation(outcome.name, finding):
            continue
        advice = report.advise(outcome.name, finding)
        if advice is None:
            continue
        severity = finding.severity or outcome.severity
        title = report.find_title(outcome.name, finding)
        key = (outcome.name, finding.message)
        commands = _read(advice, folder, report.facts)
        reason = commands if isinstance(commands, str) else _find_conflict(commands, steps)
        if reason or isinstance(commands, str):
            if severity is not Severity.NOTE:
                manual.append(
                    ManualStep(outcome.name, title, finding.message, advice.text, severity, reason or "")
                )
            continue
        same = next((place for place, step in enumerate(steps) if step.commands == commands), None)
        if same is None:
            steps.append(
                RepairStep(outcome.name, title, (key,), advice.text, advice.subject, commands, severity)
            )
        else:
            steps[same] = replace(steps[same], findings=(*steps[same].findings, key))
    steps = [replace(step, findings=(*step.findings, *_list_mended(step, report))) for step in steps]
    return RepairPlan(tuple(_put_in_order(steps)), tuple(manual))


def _list_mended(step: RepairStep, report: Report) -> list[Key]:
    """Return the findings that have no step of their own, because this one mends them as well."""
    return [
        (outcome.name, finding.message)
        for outcome, finding in report.findings()
        if step.name in report.mended_with(outcome.name, finding)
    ]


def can_be_run(finding: Finding, name: str, report: Report) -> bool:
    """Return whether `repair` runs the fix step of a finding."""
    advice = report.advise(name, finding)
    return (
        finding.location is None
        and advice is not None
        and not isinstance(_read(advice, None, report.facts), str)
    )


def _read(advice: Advice, folder: str | None, facts: Facts) -> tuple[Command, ...] | str:
    """Return the commands of a step, or why they are not run."""
    if not advice.subject:
        return "nothing in this step can be run without you: it looks, asks or decides"
    if advice.unfilled:
        return "the build of torch is not known, so the command needs your answer"
    try:
        commands = read_commands(advice.text, advice.subject)
    except CommandError as error:
        return str(error)
    if reason := _find_conda_package(commands, facts):
        return reason
    if folder is None:
        return commands
    return tuple(each.from_folder(folder) if isinstance(each, PipCommand) else each for each in commands)


def _find_conda_package(commands: Sequence[Command], facts: Facts) -> str | None:
    """Return why pip does not change a package that conda installed, or None."""
    conda = facts.get(CondaEnvironment)
    if isinstance(conda, Absent):
        return None
    for name in _list_wanted(commands):
        if any(conda.find(each) for each in _CONDA_NAMES.get(name, (name,))):
            return f"conda installed {name} here, and pip would mix its files with conda's"
    return None


def _find_conflict(commands: Sequence[Command], steps: Sequence[RepairStep]) -> str | None:
    """Return which earlier step does something else with what these commands change, or None."""
    wanted, paths = _list_wanted(commands), _list_paths(commands)
    for step in steps:
        if step.commands == tuple(commands):
            continue
        before = _list_wanted(step.commands)
        both = sorted(name for name in wanted if name in before and wanted[name] != before[name])
        if both:
            return f"the step for {step.name} changes {both[0]} in another way"
        if paths & _list_paths(step.commands):
            return f"the step for {step.name} moves the same file"
    return None


def _list_wanted(commands: Sequence[Command]) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for command in commands:
        if isinstance(command, PipCommand):
            wanted.update(command.wanted)
    return wanted


def _list_paths(commands: Sequence[Command]) -> set[str]:
    paths: set[str] = set()
    for command in commands:
        if isinstance(command, RenameCommand):
            paths.add(command.path)
        elif isinstance(command, RemoveCommand):
            paths.update(command.paths)
    return paths


def _put_in_order(steps: Sequence[RepairStep]) -> list[RepairStep]:
    """Return the steps with those for variables first: pip itself runs under them."""
    return sorted(steps, key=lambda step: step.subject != VARIABLES)


def leave_to_person(plan: RepairPlan, find_reason: Callable[[RepairStep], str | None]) -> RepairPlan:
    """Return the plan without the steps that cannot be run here; a person has to do them."""
    kept: list[RepairStep] = []
    manual = list(plan.manual)
    for step in plan.steps:
        reason = find_reason(step)
        if reason is None:
            kept.append(step)
        else:
            message = "; ".join(step.messages)
            manual.append(ManualStep(step.name, step.title, message, step.markdown, step.severity, reason))
    return RepairPlan(tuple(kept), tuple(manual))
