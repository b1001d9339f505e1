"""Render a report as JUnit XML, which CI servers show as a list of tests: each check is one.

The form is the one that Jenkins, GitLab and the actions for GitHub read:
https://github.com/testmoapp/junitxml
"""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from torchdoctor.check import Finding
from torchdoctor.core.controls import strip_controls
from torchdoctor.engine.runner import Outcome
from torchdoctor.renderers.outcomes import describe_place, list_broken
from torchdoctor.report import Report

# What XML 1.0 has no form for, besides the control characters that are stripped: halves of pairs.
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


def render(report: Report) -> str:
    """Render one test suite with a test for each check."""
    return render_all((report,))


def render_all(reports: Sequence[Report]) -> str:
    """Render a test suite for each report.

    A finding that does not count by `--fail-on` is printed output of its test, which passes.
    """
    root = ElementTree.Element("testsuites", name="torchdoctor")
    for report in reports:
        _add_suite(root, report)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _add_suite(root: ElementTree.Element, report: Report) -> None:
    name = "torchdoctor" if report.source is None else f"torchdoctor: {_clean(report.source)}"
    suite = ElementTree.SubElement(root, "testsuite", name=name, timestamp=_clean(report.taken_at[:19]))
    failures = skipped = 0
    for outcome in report.outcomes:
        family = report.knowledge.entries[outcome.name].family
        case = ElementTree.SubElement(suite, "testcase", name=outcome.name, classname=f"torchdoctor.{family}")
        case.set("time", f"{report.timings.checks.get(outcome.name, 0):.3f}" if report.timings else "0")
        counting = [each for each in outcome.findings if _counts(each, outcome, report)]
        failures += bool(counting)
        if counting:
            _add_text(case, "failure", report, outcome, counting)
        elif outcome.status == "skipped":
            skipped += 1
            ElementTree.SubElement(case, "skipped", message=_clean(outcome.reason or ""))
        others = [each for each in outcome.findings if not _counts(each, outcome, report)]
        if others:
            _add_text(case, "system-out", report, outcome, others)
    broken = list_broken(report)
    for broken_name, reason in broken:
        case = ElementTree.SubElement(suite, "testcase", name=_clean(broken_name), classname="torchdoctor")
        case.set("time", "0")
        ElementTree.SubElement(case, "error", message=_clean(reason))
    errored = {outcome.name for outcome in report.outcomes_of("errored")}
    for case in list(suite):
        # A check that failed to run is in the list above.
        if case.get("name") in errored and case.find("error") is None and case.find("failure") is None:
            suite.remove(case)
    counts = {"tests": len(suite), "failures": failures, "errors": len(broken), "skipped": skipped}
    for key, count in counts.items():
        suite.set(key, str(count))
    if report.notices:
        ElementTree.SubElement(suite, "system-err").text = _clean("\n".join(report.notices))


def _counts(finding: Finding, outcome: Outcome, report: Report) -> bool:
    return (finding.severity or outcome.severity).rank >= report.fail_on.rank


def _add_text(
    case: ElementTree.Element, tag: str, report: Report, outcome: Outcome, findings: Sequence[Finding]
) -> None:
    element = ElementTree.SubElement(case, tag)
    if tag == "failure":
        element.set("message", _clean(findings[0].message))
        element.set("type", (findings[0].severity or outcome.severity).value)
    element.text = "\n\n".join(_describe(report, outcome, finding) for finding in findings)


def _describe(report: Report, outcome: Outcome, finding: Finding) -> str:
    advice = report.advise(outcome.name, finding)
    place = describe_place(finding)
    lines = [f"{place}: {finding.message}" if place else finding.message]
    lines += ["", *("" if advice is None else advice.text).splitlines()]
    return "\n".join(map(_clean, lines)).rstrip()


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("?", strip_controls(text))
