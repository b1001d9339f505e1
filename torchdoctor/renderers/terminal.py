"""Render the report as text: the verdict with its proof and first step, then the rest, briefly or in full."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torchdoctor.advice import Advice
from torchdoctor.check import Finding, Severity
from torchdoctor.core.controls import strip_controls
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import (
    Absent,
    CudaTrial,
    Interpreter,
    OperatingSystem,
    TorchImportTrial,
    TorchInstall,
)
from torchdoctor.probes.python_choice import GIVEN
from torchdoctor.renderers.outcomes import (
    INDENT,
    describe_explained,
    describe_nothing_found,
    describe_place,
    describe_problem,
    list_broken,
    render_broken,
    render_passed,
    render_skipped,
    summarise,
)
from torchdoctor.renderers.plain import style, wrap, wrap_blocks
from torchdoctor.renderers.plan import render_plan
from torchdoctor.repair.plan import can_be_run
from torchdoctor.report import Report

# A brief report fits a terminal with 25 lines, with the command above it and the prompt below it.
MAX_LINES = 23
MAX_PROOF_LINES = 5
MAX_ADVICE_LINES = 8
# The least room for findings besides the worst one, even if the screen gets longer.
MIN_OTHER_LINES = 6
# If more checks passed, or one has findings, a brief report only counts them.
MAX_SHOWN_PASSED = 3
# How many findings of one check a full report shows; the others are only counted. JSON has all of them.
MAX_SHOWN_FINDINGS = 10


class _Other(NamedTuple):
    """The lines of a finding besides the worst one, and whether another finding causes or mends it."""

    lines: list[str]
    is_consequence: bool


# Lines of a step that are printed rather than announced.
_SHORT_REST = 2


def render(report: Report, *, width: int = 80, colour: bool = False, verbose: bool = False) -> str:
    """Render a report for a terminal with a width in columns.

    A brief report has the worst finding with its proof and first step, a line or two for each other one, the
    machine, the plan and the counts, in MAX_LINES at 80 columns. A verbose one has every finding with its
    advice, and every check that passed or was skipped.
    """
    blocks = _list_blocks(report, width, colour) if verbose else _list_brief_blocks(report, width, colour)
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def render_all(
    reports: Sequence[Report], *, width: int = 80, colour: bool = False, verbose: bool = False
) -> str:
    """Render the reports of several facts files or texts, each below a line that names its source."""
    return "\n".join(
        style(f"=== {strip_controls(report.source or '')}", "strong", colour=colour)
        + "\n\n"
        + render(report, width=width, colour=colour, verbose=verbose)
        for report in reports
    )


def _list_brief_blocks(report: Report, width: int, colour: bool) -> list[list[str]]:
    verdict = _render_verdict(report, width, colour)
    explanation = list(_render_explanation(report, width, colour))
    broken = list(render_broken(report, width, colour))
    passed = report.outcomes_of("passed")
    shows_passed = len(passed) <= MAX_SHOWN_PASSED and not report.findings()
    shown_passed = list(render_passed(report, width, colour)) if shows_passed else []
    ending = [*_describe_subject(report, width), *_render_plan_line(report, width)]
    ending += wrap(f"{summarise(report)} Option -v lists all.", width, INDENT, "")
    blocks = [block for block in (verdict, explanation, broken, shown_passed, ending) if block]
    room = MAX_LINES - sum(len(block) + 1 for block in blocks)
    next_step = _name_next_step(report, width)
    others = _list_other_findings(report, width, colour)
    shown_others = _limit(others, max(room - len(next_step), MIN_OTHER_LINES)) + next_step
    left = room - len(shown_others) - bool(shown_others)
    if left > 0:
        # The step goes on with its other paragraphs where there is room for them.
        verdict = _render_verdict(report, width, colour, MAX_ADVICE_LINES + left)
    return [verdict, shown_others, explanation, broken, shown_passed, ending]


def _list_blocks(report: Report, width: int, colour: bool) -> list[list[str]]:
    rendered = (
        _render_explanation(report, width, colour),
        render_broken(report, width, colour),
        _describe_subject(report, width),
        render_passed(report, width, colour),
        render_skipped(report, width, colour),
        render_plan(report.known_plan, width, colour=colour) if report.known_plan else [],
        wrap(summarise(report), width, ""),
    )
    return [*_list_findings(report, width, colour), *map(list, rendered)]


def _has_notes_only(report: Report) -> bool:
    """Return whether nothing of this machine is wrong, though something is worth a note."""
    return all(
        (finding.severity or outcome.severity) is Severity.NOTE and finding.location is None
        for outcome, finding in report.findings()
    )


def _render_verdict(
    report: Report, width: int, colour: bool, most_lines: int = MAX_ADVICE_LINES
) -> list[str]:
    """Return what is wrong, the proof, and the first step in `most_lines`; first, if so, that nothing is."""
    health = _render_health(report, width, colour) if _has_notes_only(report) else []
    if not report.findings():
        return health
    outcome, finding = report.findings()[0]
    lines = [*health, ""] if health else []
    lines += _render_title(report, outcome, finding, width, colour)
    lines += _render_proof(report, outcome, finding, width)[:MAX_PROOF_LINES]
    return [*lines, *_render_advice(report, outcome.name, finding, width, colour, most_lines)]


def _render_health(report: Report, width: int, colour: bool) -> list[str]:
    """Return that nothing wrong was found, and what was seen to work: the import, a kernel on the GPU."""
    seen = ""
    if report.examined_nothing:
        lines = wrap("Nothing was examined: each check was skipped. Option -v says why.", width, "")
        return [style(line, "warning", colour=colour) for line in lines]
    if _imports_torch(report) and not report.known_count:
        cuda = report.whole_facts.get(CudaTrial)
        seen = ", and torch can be imported"
        if isinstance(cuda, CudaTrial) and cuda.kernel_ran and cuda.kernel_error is None:
            seen = f"; torch can be imported, and ran a kernel on {cuda.device_name or 'the GPU'}"
    if report.description is not None:
        seen = " in what the text states"
        seen += "; its error points to another problem" if report.list_other_explanations() else ""
    is_partial = bool(list_broken(report) or report.notices)
    part = " in what could be examined" if is_partial else ""
    if count := sum(": not read" in notice for notice in report.notices):
        seen += f"; {count} file{'s' if count > 1 else ''} could not be read to the end"
    lines = wrap(f"{describe_nothing_found(report)}{part}{seen}.", width, "")
    return [style(line, "warning" if is_partial else "ok", colour=colour) for line in lines]


def _imports_torch(report: Report) -> bool | None:
    """Return whether torch can be imported, or None if that was not tried."""
    trial = report.whole_facts.get(TorchImportTrial)
    return trial.imports_torch if isinstance(trial, TorchImportTrial) else None


def _render_title(report: Report, outcome: Outcome, finding: Finding, width: int, colour: bool) -> list[str]:
    level = (finding.severity or outcome.severity).value
    indent = " " * (len(level) + 2)
    lines = wrap(describe_problem(report, outcome, finding), width, indent)
    heading = style(level.upper(), level, colour=colour) + "  "
    lines = [style(line.strip(), "strong", colour=colour) for line in lines]
    return [heading + lines[0], *(indent + line for line in lines[1:])]


def _render_proof(report: Report, outcome: Outcome, finding: Finding, width: int) -> list[str]:
    place = [] if finding.location is None else [INDENT + describe_place(finding)]
    if describe_problem(report, outcome, finding) == finding.message:
        return place
    return [*place, *wrap(finding.message, width, INDENT)]


def _list_other_findings(report: Report, width: int, colour: bool) -> list[_Other]:
    """Return the lines of the first finding of each check, besides the worst finding, and how many follow."""
    items = []
    findings = report.findings()
    counts = Counter(outcome.name for outcome, _ in findings[1:])
    for outcome, finding in findings[1:]:
        count = counts.pop(outcome.name, 0)
        if not count:
            continue
        level = (finding.severity or outcome.severity).value
        if finding.location is not None:
            text = f"{describe_place(finding)}: {finding.message}"
        elif outcome.name == findings[0][0].name:
            text = finding.message
        else:
            text = describe_problem(report, outcome, finding)
        relation = report.describe_relation(outcome.name, finding)
        more = f", and {count - 1} more" if count > 1 else ""
        ending = f", {relation}" if relation else ""
        lines = wrap(f"{text} ({outcome.name}{more}{ending})", width, " " * 11)
        head = f"  {style(level, level, colour=colour)}{' ' * (9 - len(level))}"
        items.append(_Other([head + lines[0].strip(), *lines[1:]], bool(relation)))
    return items


def _name_next_step(report: Report, width: int) -> list[str]:
    """Return what to do after the first step, if there is another cause, whose step is not shown."""
    findings = report.findings()
    first = {outcome.name for outcome, _ in findings[:1]}
    if all(
        outcome.name in first
        or finding.location is not None
        or (finding.severity or outcome.severity) is Severity.NOTE
        or report.describe_relation(outcome.name, finding)
        for outcome, finding in findings[1:]
    ):
        return []
    again = f"torchdoctor scan{_name_given_python(report)}"
    return wrap(f"Then run {again} again for the next fix; option -v shows all of them.", width, "  ")


def _limit(items: list[_Other], room: int) -> list[str]:
    """Return the lines of the first items, in at most `room` lines, and how many are left."""
    lines: list[str] = []
    for number, item in enumerate(items):
        is_last = number == len(items) - 1
        if len(lines) + len(item.lines) > room - (not is_last):
            are_consequences = all(each.is_consequence for each in items[number:])
            what = ", consequences of the above" if are_consequences else ""
            return [*lines, f"  and {len(items) - number} more{what}"]
        lines += item.lines
    return lines


def _render_plan_line(report: Report, width: int) -> list[str]:
    if report.known_plan is None:
        return []
    setting = report.known_plan.settings[0]
    suggestion = f"{setting.name}={setting.value} ({setting.reason})"
    return wrap(f"Suggested for DataLoader: {suggestion}; script: torchdoctor loader", width, INDENT, "")


def _describe_subject(report: Report, width: int) -> list[str]:
    if report.description is not None:
        # Imported here: only a report on a text needs what reads texts.
        from torchdoctor.renderers.described import render_description

        return render_description(report.description, width)
    parts = []
    interpreter = report.whole_facts.get(Interpreter)
    if isinstance(interpreter, Interpreter):
        reason = interpreter.chosen_because
        chosen = "" if isinstance(reason, Absent) else f" ({reason})"
        place = f"{interpreter.executable}{chosen}"
        parts.append(f"Python {interpreter.version} ({interpreter.bits}-bit) at {place}")
    torch = report.whole_facts.get(TorchInstall)
    if isinstance(torch, TorchInstall):
        parts.append(f"torch {'of unknown version' if isinstance(torch.version, Absent) else torch.version}")
    system = report.whole_facts.get(OperatingSystem)
    if isinstance(system, OperatingSystem):
        machine = "" if isinstance(system.machine, Absent) else f" {system.machine}"
        layer = f" ({system.compatibility_layer})" if system.compatibility_layer else ""
        parts.append(f"{system.system.capitalize()} {system.version}{machine}{layer}")
    if report.config_file is not None:
        parts.append(f"as {report.config_file} says")
    return wrap(f"Examined: {', '.join(parts)}", width, INDENT, "") if parts else []


def _list_findings(report: Report, width: int, colour: bool) -> Iterator[list[str]]:
    """Yield the lines of all findings of each check; a step stands below the last one that it is for."""
    findings_by_name: dict[str, list[Finding]] = {}
    outcomes: dict[str, Outcome] = {}
    if _has_notes_only(report):
        yield _render_health(report, width, colour)
    for outcome, finding in report.findings():
        findings_by_name.setdefault(outcome.name, []).append(finding)
        outcomes[outcome.name] = outcome
    for name, findings in findings_by_name.items():
        lines: list[str] = []
        title = None
        shown = findings[:MAX_SHOWN_FINDINGS]
        steps = [report.advise(name, finding) for finding in shown]
        for finding, step, next_step in zip(shown, steps, [*steps[1:], None], strict=True):
            problem = describe_problem(report, outcomes[name], finding)
            if problem != title:
                lines += _render_title(report, outcomes[name], finding, width, colour)
            title = problem
            lines += _render_proof(report, outcomes[name], finding, width)
            if next_step not in (None, step) and not report.describe_relation(name, finding):
                lines += _render_step(step, width, colour)
        if len(findings) > MAX_SHOWN_FINDINGS:
            lines.append(f"{INDENT}and {len(findings) - MAX_SHOWN_FINDINGS} more of {name}")
        yield [*lines, *_render_advice(report, name, shown[-1], width, colour)]


def _render_advice(
    report: Report, name: str, finding: Finding, width: int, colour: bool, most_lines: int | None = None
) -> Iterator[str]:
    """Yield the first step, with all of its paragraphs or those that fit `most_lines`, and what has more."""
    if relation := report.describe_relation(name, finding):
        yield from wrap(f"{relation[0].upper()}{relation[1:]} ({name}).", width, INDENT)
        return
    cause = report.explained_cause_of(name)
    entry = report.knowledge.find(name if cause is None else cause.name)
    step = report.advise(name, finding)
    if entry is None or step is None:
        return
    yield from _render_step(step, width, colour, most_lines)
    more = (
        f"{len(entry.fix)} steps, why, and how to verify" if len(entry.fix) > 1 else "why, and how to verify"
    )
    yield from wrap(f"More: torchdoctor explain {entry.name}  ({more})", width, INDENT + "      ", INDENT)
    if report.source is None and can_be_run(finding, name, report):
        yield from wrap(
            f"Or let torchdoctor do it: torchdoctor repair{_name_given_python(report)}", width, INDENT
        )


def _name_given_python(report: Report) -> str:
    """Return the option that names the examined interpreter again, if it was named."""
    interpreter = report.whole_facts.get(Interpreter)
    if not isinstance(interpreter, Interpreter) or interpreter.chosen_because != GIVEN:
        return ""
    path = interpreter.executable
    return f' --python "{path}"' if " " in path else f" --python {path}"


def _render_step(step: Advice | None, width: int, colour: bool, most_lines: int | None = None) -> list[str]:
    """Return the paragraphs of a step, or those that fit `most_lines`."""
    lines: list[str] = []
    text = "" if step is None else step.text
    blocks = list(wrap_blocks(text, width, INDENT + "     ", colour=colour, first=f"{INDENT}Fix: "))
    for number, block in enumerate(blocks):
        # A command belongs to the sentence before it, which ends with a colon.
        is_complete = bool(lines) and not lines[-1].endswith(":")
        rest = sum(map(len, blocks[number:]))
        # A line that says so takes as much room as a short rest.
        if (
            most_lines is not None
            and is_complete
            and len(lines) + len(block) > most_lines
            and rest > _SHORT_REST
        ):
            lines += wrap("The step goes on: option -v shows all of it.", width, INDENT + "     ")
            break
        lines += block
    return lines


def _render_explanation(report: Report, width: int, colour: bool) -> Iterator[str]:
    diagnoses = report.list_other_explanations()
    if not diagnoses:
        return
    yield style(describe_explained(report), "strong", colour=colour)
    for diagnosis in diagnoses:
        yield from wrap(f"{diagnosis.confidence.value}: {diagnosis.title}", width, INDENT, "  ")
        yield from wrap(f"torchdoctor explain {diagnosis.name}", width, INDENT)
