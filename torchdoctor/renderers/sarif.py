"""Render findings as SARIF 2.1.0 for code scanning, with their locations and the help of their entries.

GitHub refuses a file with a result that has no location, and asks for the properties of
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import quote

from torchdoctor.check import Finding, Location
from torchdoctor.engine.runner import Outcome
from torchdoctor.knowledge import Entry
from torchdoctor.renderers.json import dump
from torchdoctor.report import Report
from torchdoctor.source.places import locate_without_cell

# In place of a file in results about the machine; no file has to have this name.
ENVIRONMENT_URI = "python-environment"
# What a step is for, which checks and `explain` read: `1. <!-- torch --> Install torch again.`
_TAG = re.compile(r"^(?P<number>\d{1,2}\. )<!-- [^\n>]{1,100} -->\s{1,8}", re.MULTILINE)


def render(report: Report) -> str:
    """Render the findings of a report; a check without findings is a rule without results."""
    return render_all((report,))


def render_all(reports: Sequence[Report]) -> str:
    """Render the findings of several facts files, a run for each."""
    return dump(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [_describe_run(report, is_alone=len(reports) == 1) for report in reports],
        }
    )


def _describe_run(report: Report, *, is_alone: bool) -> dict[str, object]:
    names = sorted(outcome.name for outcome in report.outcomes)
    rules = [_describe_rule(report.knowledge.entries[name]) for name in names]
    counts: Counter[str] = Counter()
    results = []
    for outcome, finding in report.findings():
        counts[outcome.name] += 1
        result = _describe_result(report, outcome, finding, names.index(outcome.name))
        if finding.location is None:
            # The message has figures that change from run to run. For code, the upload takes the lines.
            fingerprint = f"{outcome.name}:{counts[outcome.name]}"
            result["partialFingerprints"] = {"primaryLocationLineHash": fingerprint}
        results.append(result)
    driver = {"name": "torchdoctor", "version": report.version, "rules": rules}
    failures = [f"{item.name}: {item.reason}" for item in report.broken]
    invocation = {
        "executionSuccessful": not report.has_failed,
        "toolExecutionNotifications": [
            *({"level": "error", "message": {"text": failure}} for failure in failures),
            *({"level": "warning", "message": {"text": notice}} for notice in report.notices),
        ],
    }
    run: dict[str, object] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    if report.python is not None:
        run["properties"] = {"python": report.python}
    if report.facts_file is not None and not is_alone:
        # Code scanning takes one run of a tool and category; the category ends at the last slash.
        category = report.facts_file.replace("\\", "/").strip("/")
        run["automationDetails"] = {"id": f"torchdoctor/{category}/"}
    return run


def _describe_rule(entry: Entry) -> dict[str, object]:
    lead = entry.fill(entry.lead, {})
    rule: dict[str, object] = {
        "id": entry.name,
        "shortDescription": {"text": entry.fill(entry.title, {})},
        "fullDescription": {"text": lead},
        "help": {"text": lead, "markdown": entry.fill(_TAG.sub(r"\g<number>", entry.markdown), {})},
        "defaultConfiguration": {"level": entry.severity.value},
        "properties": {"tags": [entry.family]},
    }
    if entry.references:
        rule["helpUri"] = entry.references[0]
    return rule


def _describe_result(report: Report, outcome: Outcome, finding: Finding, index: int) -> dict[str, object]:
    advice = report.advise(outcome.name, finding)
    place, cell = locate_without_cell(finding.location) if finding.location is not None else (None, "")
    message = f"{cell}{finding.message}"
    return {
        "ruleId": outcome.name,
        "ruleIndex": index,
        "level": (finding.severity or outcome.severity).value,
        "message": {"text": message if advice is None else f"{message}\n\n{advice.text}"},
        "locations": [{"physicalLocation": _describe_location(place or Location(ENVIRONMENT_URI, 1))}],
    }


def _describe_location(location: Location) -> dict[str, object]:
    region = {
        "startLine": location.line,
        "startColumn": location.column,
        "endLine": location.end_line or location.line,
        "endColumn": location.end_column or location.column + 1,
    }
    return {"artifactLocation": {"uri": write_uri(location.path)}, "region": region}


def write_uri(path: str) -> str:
    """Return a path as a URI; a relative path stays relative, so that code scanning finds the file."""
    is_windows = "\\" in path or path[1:2] == ":"
    pure: PurePath = PureWindowsPath(path) if is_windows else PurePosixPath(path)
    try:
        # A name on Linux need not be UTF-8; its bytes are kept.
        raw = pure.as_posix().encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Half of a pair, in saved facts.
        raw = pure.as_posix().encode("utf-8", "replace")
    quoted = quote(raw)
    if not pure.is_absolute():
        return quoted
    return pure.as_uri() if is_windows else f"file://{quoted}"
