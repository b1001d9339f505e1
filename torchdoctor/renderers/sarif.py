"""Render findings as SARIF 2.1.0 for code scanning, with their locations and the help of their entries."""

from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import quote

from torchdoctor.check import Finding, Location
from torchdoctor.engine.runner import Outcome
from torchdoctor.knowledge import Entry
from torchdoctor.renderers.json import dump
from torchdoctor.report import Report, find_advice
from torchdoctor.source.places import locate_without_cell


def render(report: Report) -> str:
    """Render the findings of a report; a check without findings is a rule without results."""
    return render_all((report,))


def render_all(reports: Sequence[Report]) -> str:
    """Render the findings of several facts files, a run for each."""
    return dump(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [_describe_run(report) for report in reports],
        }
    )


def _describe_run(report: Report) -> dict[str, object]:
    names = sorted(outcome.name for outcome in report.outcomes)
    rules = [_describe_rule(report.knowledge.entries[name]) for name in names]
    results = [
        _describe_result(report, outcome, finding, names.index(outcome.name))
        for outcome, finding in report.findings()
    ]
    driver = {"name": "torchdoctor", "version": report.version, "rules": rules}
    invocation = {
        "executionSuccessful": not report.broken and not report.outcomes_of("errored"),
        "toolExecutionNotifications": [
            {"level": "error", "message": {"text": f"{item.name}: {item.reason}"}} for item in report.broken
        ],
    }
    run: dict[str, object] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    if report.facts_file is not None:
        # Code scanning takes one run of a tool and category in a file; what is before the last slash is the
        # category.
        run["automationDetails"] = {"id": f"torchdoctor/{PurePath(report.facts_file).name}/"}
    return run


def _describe_rule(entry: Entry) -> dict[str, object]:
    lead = entry.fill(entry.lead, {})
    rule: dict[str, object] = {
        "id": entry.name,
        "shortDescription": {"text": entry.fill(entry.title, {})},
        "fullDescription": {"text": lead},
        "help": {"text": lead, "markdown": entry.fill(entry.markdown, {})},
        "defaultConfiguration": {"level": entry.severity.value},
        "properties": {"tags": [entry.family]},
    }
    if entry.references:
        rule["helpUri"] = entry.references[0]
    return rule


def _describe_result(report: Report, outcome: Outcome, finding: Finding, index: int) -> dict[str, object]:
    advice = find_advice(finding, outcome.name, report.knowledge, report.facts)
    place, cell = locate_without_cell(finding.location) if finding.location is not None else (None, "")
    message = f"{cell}{finding.message}"
    result: dict[str, object] = {
        "ruleId": outcome.name,
        "ruleIndex": index,
        "level": (finding.severity or outcome.severity).value,
        "message": {"text": f"{message}\n\n{advice}" if advice else message},
    }
    if place is not None:
        result["locations"] = [{"physicalLocation": _describe_location(place)}]
    return result


def _describe_location(location: Location) -> dict[str, object]:
    region = {
        "startLine": location.line,
        "startColumn": location.column,
        "endLine": location.end_line,
        "endColumn": location.end_column,
    }
    return {
        "artifactLocation": {"uri": write_uri(location.path)},
        "region": {key: value for key, value in region.items() if value is not None},
    }


def write_uri(path: str) -> str:
    """Return a path as a URI; a relative path stays relative, so that code scanning finds the file."""
    is_windows = "\\" in path or path[1:2] == ":"
    pure: PurePath = PureWindowsPath(path) if is_windows else PurePosixPath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())
