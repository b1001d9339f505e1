"""Render findings as workflow commands of GitHub Actions: annotations in a pull request."""

from collections.abc import Sequence

from torchdoctor.check import Finding, Severity
from torchdoctor.core.controls import strip_controls
from torchdoctor.engine.runner import Outcome
from torchdoctor.report import Report
from torchdoctor.source.places import locate_without_cell

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report) -> str:
    """Render one annotation for each finding."""
    return render_all((report,))


def render_all(reports: Sequence[Report]) -> str:
    """Render one annotation for each finding of several facts files, and name the file in it."""
    return "".join(
        _write_annotation(outcome, finding, f"{report.facts_file}: " if len(reports) > 1 else "") + "\n"
        for report in reports
        for outcome, finding in report.findings()
    )


def _write_annotation(outcome: Outcome, finding: Finding, source: str) -> str:
    properties = {"title": f"torchdoctor: {outcome.name}"}
    place, cell = locate_without_cell(finding.location) if finding.location is not None else (None, "")
    if place is not None:
        properties |= {
            "file": place.path.replace("\\", "/"),
            "line": str(place.line),
            "col": str(place.column),
        }
        if place.end_line is not None:
            properties["endLine"] = str(place.end_line)
    pairs = ",".join(f"{key}={_escape(value, is_property=True)}" for key, value in properties.items())
    command = _COMMANDS[finding.severity or outcome.severity]
    return f"::{command} {pairs}::{_escape(source + cell + finding.message, is_property=False)}"


def _escape(text: str, *, is_property: bool) -> str:
    # The runner takes these characters for the end of the command or of a property.
    text = strip_controls(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if is_property else text
