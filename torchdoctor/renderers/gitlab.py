"""Render findings as a Code Quality report of GitLab, which shows them in a merge request.

https://docs.gitlab.com/ci/testing/code_quality/ has the properties.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence

from torchdoctor.check import Severity
from torchdoctor.core.controls import strip_controls
from torchdoctor.renderers.json import dump
from torchdoctor.renderers.sarif import ENVIRONMENT_URI
from torchdoctor.report import Report
from torchdoctor.source.places import locate_without_cell

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render(report: Report) -> str:
    """Render the findings of a report."""
    return render_all((report,))


def render_all(reports: Sequence[Report]) -> str:
    """Render the findings of several facts files as one list, with the file in the description."""
    items = []
    counts: Counter[tuple[str, str, str]] = Counter()
    for report in reports:
        source = f"{report.source}: " if len(reports) > 1 else ""
        for outcome, finding in report.findings():
            place, cell = (None, "")
            if finding.location is not None:
                place, cell = locate_without_cell(finding.location)
            path = ENVIRONMENT_URI if place is None else place.path.replace("\\", "/").removeprefix("./")
            key = (outcome.name, path, f"{source}{finding.message}")
            counts[key] += 1
            items.append(
                {
                    "description": strip_controls(f"{source}{cell}{finding.message}"),
                    "check_name": outcome.name,
                    # Without the line, so that a finding stays the same one where code above it moves.
                    "fingerprint": hashlib.sha256(
                        "\0".join((*key, str(counts[key]))).encode("utf-8", "replace")
                    ).hexdigest()[:40],
                    "severity": _SEVERITIES[finding.severity or outcome.severity],
                    "location": {"path": path, "lines": {"begin": 1 if place is None else place.line}},
                }
            )
    return dump(items)
