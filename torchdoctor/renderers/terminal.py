"""Render the report as text: findings, worst first, with the first step of each fix, then what passed."""

from collections.abc import Iterator

from torchdoctor.check import Finding
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain.clean import strip_controls
from torchdoctor.facts import Absent, Interpreter, OperatingSystem, Processor, TorchInstall
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.renderers.plain import cut, style, wrap, wrap_markdown
from torchdoctor.report import Report, find_advice

INDENT = "    "
# How many findings of one check are shown; the others are only counted. JSON has all of them.
MAX_SHOWN_FINDINGS = 10


def render(report: Report, *, width: int = 80, colour: bool = False) -> str:
    """Render a report for a terminal with a width in columns."""
    lines = [
        style(f"torchdoctor {report.version}", "strong", colour=colour),
        *_describe_subject(report, width),
        "",
    ]
    lines += _render_findings(report, width, colour)
    lines += _render_explanation(report, width, colour)
    lines += _render_broken(report, width, colour)
    lines += _render_passed(report, width, colour)
    lines += _render_skipped(report, width, colour)
    if not isinstance(report.facts.get(Processor), Absent):
        lines += render_plan(report.plan, width, colour=colour)
        lines.append("")
    return "\n".join([*lines, *wrap(_summarise(report), width, "")]) + "\n"


def render_plan(plan: LoaderPlan, width: int, *, colour: bool) -> list[str]:
    """Render the loader plan: each setting with its reason, then the bounds that are unknown."""
    lines = [style("Suggested DataLoader settings", "strong", colour=colour)]
    column = max(len(f"{setting.name}={setting.value}") for setting in plan.settings) + 2
    for setting in plan.settings:
        first = f"  {setting.name}={setting.value}".ljust(column + 2)
        lines += wrap(setting.reason, width, " " * (column + 2), first)
    for unknown in plan.unknown:
        lines += wrap(f"not known: {unknown}", width, INDENT, "  ")
    return [*lines, *wrap("A script to paste: torchdoctor loader", width, "  ")]


def _describe_subject(report: Report, width: int) -> list[str]:
    parts = []
    system = report.facts.get(OperatingSystem)
    if isinstance(system, OperatingSystem):
        machine = "" if isinstance(system.machine, Absent) else f" {system.machine}"
        layer = f" ({system.compatibility_layer})" if system.compatibility_layer else ""
        parts.append(f"{system.system.capitalize()} {system.version}{machine}{layer}")
    interpreter = report.facts.get(Interpreter)
    if isinstance(interpreter, Interpreter):
        parts.append(f"Python {interpreter.version} ({interpreter.bits}-bit) at {interpreter.executable}")
    torch = report.facts.get(TorchInstall)
    if isinstance(torch, TorchInstall):
        parts.append(f"torch {'of unknown version' if isinstance(torch.version, Absent) else torch.version}")
    return [line for part in parts for line in wrap(part, width, INDENT, "  ")]


def _render_findings(report: Report, width: int, colour: bool) -> Iterator[str]:
    findings_by_name: dict[str, list[Finding]] = {}
    outcomes: dict[str, Outcome] = {}
    for outcome, finding in report.findings():
        findings_by_name.setdefault(outcome.name, []).append(finding)
        outcomes[outcome.name] = outcome
    for name, findings in findings_by_name.items():
        for finding in findings[:MAX_SHOWN_FINDINGS]:
            yield from _render_finding(outcomes[name], finding, width, colour)
        if len(findings) > MAX_SHOWN_FINDINGS:
            yield f"{INDENT}and {len(findings) - MAX_SHOWN_FINDINGS} more of {name}"
        causes = report.causes_of(name)
        if causes:
            yield from wrap(f"A consequence of {', '.join(causes)}.", width, INDENT)
        else:
            yield from _render_advice(report, name, findings[0], width, colour)
        yield ""


def _render_finding(outcome: Outcome, finding: Finding, width: int, colour: bool) -> Iterator[str]:
    level = (finding.severity or outcome.severity).value
    yield f"{style(level.upper(), level, colour=colour)}  {style(outcome.name, 'strong', colour=colour)}"
    if finding.location is not None:
        place = f"{finding.location.path}:{finding.location.line}:{finding.location.column}"
        yield INDENT + strip_controls(place)
    yield from wrap(finding.message, width, INDENT)


def _render_advice(report: Report, name: str, finding: Finding, width: int, colour: bool) -> Iterator[str]:
    entry, step = report.knowledge.find(name), find_advice(finding, name, report.knowledge)
    if entry is None or step is None:
        return
    yield from wrap_markdown(step, width, INDENT + "     ", colour=colour, first=f"{INDENT}Fix: ")
    more = (
        f"{len(entry.fix)} steps, why, and how to verify" if len(entry.fix) > 1 else "why, and how to verify"
    )
    yield from wrap(f"More: torchdoctor explain {name}  ({more})", width, INDENT + "      ", INDENT)


def _render_explanation(report: Report, width: int, colour: bool) -> Iterator[str]:
    if report.explanation is None:
        return
    failed = {outcome.name for outcome in report.outcomes if outcome.findings}
    diagnoses = [diagnosis for diagnosis in report.explanation.diagnoses if diagnosis.name not in failed]
    if not diagnoses:
        return
    yield style("What the failed import printed points to", "strong", colour=colour)
    for diagnosis in diagnoses:
        yield from wrap(f"{diagnosis.confidence.value}: {diagnosis.title}", width, INDENT, "  ")
        yield from wrap(f"torchdoctor explain {diagnosis.name}", width, INDENT)
    yield ""


def _render_broken(report: Report, width: int, colour: bool) -> Iterator[str]:
    errored = [(outcome.name, outcome.reason or "") for outcome in report.outcomes_of("errored")]
    broken = [(item.name, item.reason) for item in report.broken] + errored
    if not broken:
        return
    yield style("The doctor's own failures", "warning", colour=colour)
    for name, reason in broken:
        yield from wrap(f"{name}: {reason}", width, INDENT, "  ")
    yield ""


def _render_passed(report: Report, width: int, colour: bool) -> Iterator[str]:
    passed = report.outcomes_of("passed")
    if not passed:
        return
    yield style("Passed", "strong", colour=colour)
    column = max(len(outcome.name) for outcome in passed) + 2
    for outcome in passed:
        # One line each, because a healthy machine passes dozens of checks. JSON has the whole text.
        observation = cut("; ".join(outcome.passed) or "nothing was found", width - column - 6)
        yield f"  {style('ok', 'ok', colour=colour)}  {outcome.name.ljust(column)}{observation}"
    yield ""


def _render_skipped(report: Report, width: int, colour: bool) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for outcome in report.outcomes_of("skipped"):
        reasons.setdefault(outcome.reason or "no reason", []).append(outcome.name)
    if not reasons:
        return
    yield style("Skipped", "strong", colour=colour)
    for reason, names in reasons.items():
        yield from wrap(f"{', '.join(names)}: {reason}", width, INDENT, "  ")
    yield ""


def _summarise(report: Report) -> str:
    levels = [finding.severity.value for _, finding in report.findings() if finding.severity]
    counts = [(levels.count(level), level) for level in ("error", "warning", "note")]
    findings = ", ".join(f"{count} {level}{'s' if count > 1 else ''}" for count, level in counts if count)
    passed, skipped = len(report.outcomes_of("passed")), len(report.outcomes_of("skipped"))
    return f"{findings or 'Nothing wrong was found'}; {passed} passed, {skipped} skipped."
