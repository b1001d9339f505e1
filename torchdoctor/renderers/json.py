"""Render the report, the facts, the DLL analysis and the loader plan as JSON."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchdoctor.advice import Advice, find_advice, find_build, find_python
from torchdoctor.check import Finding, Location
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import DllClosure, Facts
from torchdoctor.facts.codec import SCHEMA_VERSION, encode, encode_facts
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.knowledge.interpreter import name_python_in_steps
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.report import Description, Report

if TYPE_CHECKING:
    from torchdoctor.explain.answer import Explanation

_HALVES = re.compile("[\ud800-\udfff]")


def render(report: Report) -> str:
    """Render a report; schemas/report.json describes the format."""
    return dump(_encode_report(report))


def render_all(reports: Sequence[Report]) -> str:
    """Render the reports of several facts files as an array, in their order."""
    return dump([_encode_report(report) for report in reports])


def render_facts(facts: Facts, version: str, taken_at: str) -> str:
    """Render facts alone, to be examined elsewhere with `scan --facts`."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": version,
        "taken_at": taken_at,
        "facts": encode_facts(facts),
    }
    return dump(data)


def render_dlls(closure: DllClosure, outcomes: Sequence[Outcome], knowledge: Knowledge, version: str) -> str:
    """Render what the DLLs of a folder need; schemas/dlls.json describes the format."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": version,
        "folder": closure.folder,
        "images": encode(closure.images),
        "edges": closure.edges,
        "missing": encode(closure.missing),
        "damaged": encode(closure.damaged),
        "foreign": encode(closure.foreign),
        "assumed": encode(closure.assumed),
        "outcomes": [
            _encode_outcome(
                outcome,
                [find_advice(finding, outcome.name, knowledge, Facts()) for finding in outcome.findings],
                knowledge,
                Facts(),
            )
            for outcome in outcomes
        ],
    }
    return dump(data)


def render_plan(plan: LoaderPlan, version: str) -> str:
    """Render the loader plan and its trial; schemas/loader.json describes the format."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": version,
        "loader": encode_plan(plan),
        "trial": None if plan.trial is None else encode(plan.trial),
    }
    return dump(data)


def dump(data: object) -> str:
    """Return data as JSON in ASCII, which every console and code page can show."""
    text = json.dumps(data, indent=2, ensure_ascii=True, default=str)
    if "\\ud" in text:
        # A name that is not UTF-8 has halves of pairs, which many parsers refuse.
        text = json.dumps(replace_halves(data), indent=2, ensure_ascii=True, default=str)
    return text + "\n"


def replace_halves(value: object) -> object:
    """Return data without halves of surrogate pairs, which stand for names that are not UTF-8."""
    if isinstance(value, str):
        return _HALVES.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {replace_halves(key): replace_halves(item) for key, item in value.items()}
    return [replace_halves(item) for item in value] if isinstance(value, (list, tuple)) else value


def encode_plan(plan: LoaderPlan) -> dict[str, object]:
    """Return a plan as data for JSON."""
    return {
        "num_workers": plan.num_workers,
        "settings": encode(plan.settings),
        "bounds": encode(plan.bounds),
        "unknown": encode(plan.unknown),
        "snippet": plan.snippet,
        "measurements": encode(plan.measurements),
    }


def _encode_report(report: Report) -> dict[str, object]:
    data: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": report.version,
        "taken_at": report.taken_at,
        "facts_file": report.facts_file,
        "config_file": report.config_file,
        "text": None if report.description is None else _encode_description(report.description),
        "python": report.python,
        "facts": encode_facts(report.facts),
        "outcomes": [
            _encode_outcome(
                outcome,
                [report.advise(outcome.name, finding) for finding in outcome.findings],
                report.knowledge,
                report.facts,
            )
            for outcome in report.outcomes
        ],
        "loader": encode_plan(report.plan),
        "explanation": _encode_explanation(report.explanation),
        "summary": _summarise(report),
    }
    if report.timings is not None:
        data["timings"] = {
            "probes_seconds": dict(report.timings.probes),
            "checks_seconds": dict(report.timings.checks),
        }
    return data


def _encode_description(description: Description) -> dict[str, object]:
    # Imported here: only a report on a text needs what reads texts.
    from torchdoctor.renderers.described import encode_environment, encode_question

    return {
        "source": description.source,
        **encode_environment(description.environment),
        "question": encode_question(description.question),
    }


def _encode_outcome(
    outcome: Outcome, advice: Sequence[Advice | None], knowledge: Knowledge, facts: Facts
) -> dict[str, object]:
    data: dict[str, object] = {
        "name": outcome.name,
        "status": outcome.status,
        "severity": outcome.severity.value,
        "reason": outcome.reason,
        "passed": list(outcome.observations),
        "findings": [
            _encode_finding(finding, outcome, step)
            for finding, step in zip(outcome.findings, advice, strict=True)
        ],
    }
    entry = knowledge.find(outcome.name)
    if entry is not None and outcome.findings:
        data["title"] = entry.fill(entry.title, {})
        data["fix"] = list(_list_fix(entry, facts))
        data["references"] = list(entry.references)
    return data


def _list_fix(entry: Entry, facts: Facts) -> tuple[str, ...]:
    """Return the steps of an entry for the examined interpreter and build of torch."""
    build, python = find_build(facts), find_python(facts)
    steps = tuple(entry.fill(step, build) for step in entry.choose_fix(build)[1])
    return steps if python is None else name_python_in_steps(steps, python)


def _encode_finding(finding: Finding, outcome: Outcome, advice: Advice | None) -> dict[str, object]:
    return {
        "message": finding.message,
        "severity": (finding.severity or outcome.severity).value,
        "location": _encode_location(finding.location),
        "evidence": {key: encode(value) for key, value in finding.evidence.items()},
        "fix": None if advice is None else advice.text,
    }


def _encode_explanation(explanation: "Explanation | None") -> object:
    if explanation is None:
        return None
    return [
        {"name": item.name, "title": item.title, "confidence": item.confidence.value}
        for item in explanation.diagnoses
    ]


def _encode_location(location: Location | None) -> object:
    return None if location is None else encode(location)


def _summarise(report: Report) -> dict[str, object]:
    findings = [finding for _, finding in report.findings()]
    worst = report.worst()
    counts = {
        f"{level}s": sum(
            finding.severity is not None and finding.severity.value == level for finding in findings
        )
        for level in ("error", "warning", "note")
    }
    statuses = {
        status: len(report.outcomes_of(status)) for status in ("passed", "failed", "skipped", "errored")
    }
    return {
        **counts,
        **statuses,
        "worst": worst.value if worst else None,
        "broken": encode(report.broken),
        "notices": list(report.notices),
    }
