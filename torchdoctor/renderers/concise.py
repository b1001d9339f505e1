"""Render findings as one line each, as compilers do, for editors, problem matchers and grep."""

import re
from collections.abc import Sequence

from torchdoctor.core.controls import strip_controls
from torchdoctor.renderers.sarif import ENVIRONMENT_URI
from torchdoctor.report import Report
from torchdoctor.source.places import locate_without_cell

_OLD_COMMAND = re.compile(r"##\[")


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
    return "".join(f"{_disarm(strip_controls(line))}\n" for line in lines)


def _disarm(line: str) -> str:
    """Return a line in which the runner of GitHub, which reads what is printed, finds no command."""
    line = _OLD_COMMAND.sub("## [", line)
    return f"./{line}" if line.lstrip().startswith("::") else line
