"""Render findings as one line each, as compilers do, for editors, problem matchers and grep."""

from collections.abc import Sequence

from torchdoctor.explain.clean import strip_controls
from torchdoctor.renderers.sarif import ENVIRONMENT_URI
from torchdoctor.report import Report
from torchdoctor.source.places import locate_without_cell


def render(report: Report) -> str:
    """Render each finding as `path:line:column: severity: message [check]`."""
    return render_all((report,))


def render_all(reports: Sequence[Report]) -> str:
    """Render the findings of several reports; the message of each names its source."""
    lines = []
    for report in reports:
        source = f"{report.source}: " if len(reports) > 1 else ""
        for outcome, finding in report.findings():
            place, cell = (None, "")
            if finding.location is not None:
                place, cell = locate_without_cell(finding.location)
            where = f"{ENVIRONMENT_URI}:1:1" if place is None else f"{place.path}:{place.line}:{place.column}"
            level = (finding.severity or outcome.severity).value
            lines.append(f"{where}: {level}: {source}{cell}{finding.message} [{outcome.name}]")
    return "".join(f"{strip_controls(line)}\n" for line in lines)
