"""What renderers say of outcomes: the problem, its place, what passed or was skipped, and the counts."""

from collections.abc import Iterator

from torchdoctor.check import Finding
from torchdoctor.core.controls import strip_controls
from torchdoctor.engine.runner import Outcome
from torchdoctor.renderers.plain import style, wrap
from torchdoctor.report import Report

INDENT = "    "


def describe_problem(report: Report, outcome: Outcome, finding: Finding) -> str:
    """Return the title of the problem, or what was seen if it is less severe, a consequence, or mended."""
    is_title_true = finding.severity in (None, outcome.severity) and not report.describe_relation(
        outcome.name, finding
    )
    return report.find_title(outcome.name, finding) if is_title_true else finding.message


def describe_explained(report: Report) -> str:
    """Return the heading of what an explanation adds to the findings."""
    printed = "torch printed" if report.description is None else "the error in the text"
    return f"What {printed} points to"


def describe_place(finding: Finding) -> str:
    """Return the file, cell, line and column of a finding; "" without a location."""
    location = finding.location
    if location is None:
        return ""
    path = strip_controls(location.path)
    # The runner of GitHub takes a line that begins so for a command.
    path = f"./{path}" if path.lstrip().startswith("::") else path
    if location.cell is not None:
        return f"{path}, cell {location.cell}, line {location.line}"
    return f"{path}:{location.line}:{location.column}"


def list_broken(report: Report) -> list[tuple[str, str]]:
    """Return what the doctor could not examine through a failure of its own, with the reasons."""
    errored = [(outcome.name, outcome.reason or "") for outcome in report.outcomes_of("errored")]
    return [(item.name, item.reason) for item in report.broken] + errored


def render_broken(report: Report, width: int, colour: bool) -> Iterator[str]:
    """Yield what the doctor itself could not do; nothing if there is none."""
    broken = list_broken(report)
    if not broken:
        return
    yield style("The doctor's own failures", "warning", colour=colour)
    for name, reason in broken:
        yield from wrap(f"{name}: {reason}", width, INDENT, "  ")


def render_passed(report: Report, width: int, colour: bool) -> Iterator[str]:
    """Yield the checks that passed, with what they saw."""
    passed = report.outcomes_of("passed")
    if not passed:
        return
    yield style("Passed", "strong", colour=colour)
    for outcome in passed:
        observation = "; ".join(outcome.observations) or "nothing was found"
        lines = wrap(f"{observation} ({outcome.name})", width, " " * 6)
        yield f"  {style('ok', 'ok', colour=colour)}  {lines[0].strip()}"
        yield from lines[1:]


def render_skipped(report: Report, width: int, colour: bool) -> Iterator[str]:
    """Yield the checks that were skipped, by reason."""
    reasons: dict[str, list[str]] = {}
    for outcome in report.outcomes_of("skipped"):
        reasons.setdefault(outcome.reason or "no reason", []).append(outcome.name)
    if not reasons:
        return
    yield style("Skipped", "strong", colour=colour)
    for reason, names in reasons.items():
        yield from wrap(f"{', '.join(names)}: {reason}", width, INDENT, "  ")


def summarise(report: Report) -> str:
    """Return how many findings there are of each severity, and how many checks passed and were skipped."""
    levels = [finding.severity.value for _, finding in report.findings() if finding.severity]
    counts = [(levels.count(level), level) for level in ("error", "warning", "note")]
    findings = ", ".join(f"{count} {level}{'s' if count > 1 else ''}" for count, level in counts if count)
    passed, skipped = len(report.outcomes_of("passed")), len(report.outcomes_of("skipped"))
    return f"{f'{findings}; ' if findings else ''}{passed} passed, {skipped} skipped."


def describe_nothing_found(report: Report) -> str:
    """Return the words for a report without a finding; one with a baseline may have known ones."""
    if not report.known_count:
        return "Nothing wrong was found"
    count = "1 finding is" if report.known_count == 1 else f"{report.known_count} findings are"
    return f"Nothing new was found ({count} known from the baseline)"
