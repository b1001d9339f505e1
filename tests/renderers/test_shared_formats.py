"""JUnit XML, Code Quality, Markdown and HTML: what parsers read of them, and what hostile text does in them."""

import json
import os
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from torchdoctor.check import Finding, Location, Severity
from torchdoctor.commands.described import scan_text
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain import explain
from torchdoctor.facts import DatasetTrial, DllClosure, Facts, Measurement
from torchdoctor.loader.plan import make_plan
from torchdoctor.renderers import concise, github, gitlab, junit, markdown, sarif, terminal
from torchdoctor.renderers import json as json_renderer
from torchdoctor.renderers.html import plan as html_plan
from torchdoctor.renderers.html import report as html
from torchdoctor.report import Report

KNOWLEDGE = load_knowledge()[0]
SAMPLES = Path(__file__).parents[1] / "samples"
SICK = SAMPLES / "vc_redist_outdated" / "bad-2.9-with-14.36.json"
# What ends a cell, a span, an element, a line or a command in one of the formats, and what must never appear.
HOSTILE = (
    "</code></pre></script><script>alert(1)</script><img src=x onerror=alert(1)> ]]> &amp; \" ' `` ``` @everyone #1 "
    "[x](javascript:alert(1)) ![x](http://h/x.png) <!-- \x1b[31m \x07 \ud800 \ufffe \u202e %0A::error::forged\n"
    "::error file=x::forged\r\n# heading\n| a | b |\n</details>"
)


def _report(*outcomes: Outcome, **changes: object) -> Report:
    report = Report("1.0", "2026-01-01T00:00:00+00:00", Facts(), outcomes, KNOWLEDGE, make_plan(Facts()))
    return replace(report, **changes)


def _failed(*findings: Finding, name: str = "missing-main-guard", status: str = "failed") -> Outcome:
    filled = tuple(replace(each, severity=each.severity or Severity.ERROR) for each in findings)
    return Outcome(name, status, Severity.ERROR, filled)


HOSTILE_REPORT = _report(
    _failed(
        Finding(HOSTILE, Location(f"src/{HOSTILE}.py", 3), {"dll": HOSTILE, "requirement": HOSTILE, "a": [HOSTILE]}),
        Finding(HOSTILE, Location("n.ipynb", 3, cell=2)),
    ),
    _failed(Finding(HOSTILE, evidence={"torch_version": HOSTILE}), name="cpu-only-build"),
    Outcome("tdr-timeout", "skipped", Severity.WARNING, reason=HOSTILE),
    Outcome("mkl-numpy", "passed", Severity.WARNING, passed=(HOSTILE,)),
    Outcome("posix-only", "errored", Severity.WARNING, reason=HOSTILE),
    broken=(Broken(HOSTILE, HOSTILE),),
    facts_file=HOSTILE,
    config_file=HOSTILE,
)  # fmt: skip


@pytest.fixture(scope="module")
def sick_report() -> Report:
    return scan(ScanRequest(facts_file=SICK))


# JUnit


def _read_suite(report: Report) -> ElementTree.Element:
    root = ElementTree.fromstring(junit.render(report))
    assert root.tag == "testsuites"
    return root[0]


def test_junit_has_a_test_for_each_check(sick_report: Report) -> None:
    suite = _read_suite(sick_report)
    assert [case.get("name") for case in suite] == [outcome.name for outcome in sick_report.outcomes]
    failed = [case for case in suite if case.find("failure") is not None]
    assert [case.get("name") for case in failed] == ["vc-redist-outdated"]
    failure = failed[0].find("failure")
    assert failure is not None
    assert ("14.36" in failure.get("message", ""), "vc_redist.x64.exe" in (failure.text or "")) == (
        True,
        True,
    )
    counts = [suite.get(key) for key in ("tests", "failures", "errors", "skipped")]
    assert counts == [
        str(len(sick_report.outcomes)), "1", "0", str(len(sick_report.outcomes_of("skipped"))),
    ]  # fmt: skip


def test_junit_fails_for_what_counts_only() -> None:
    note = _failed(Finding("a note", severity=Severity.NOTE))
    for fail_on, failures in ((Severity.ERROR, "0"), (Severity.NOTE, "1")):
        suite = _read_suite(_report(note, fail_on=fail_on))
        assert suite.get("failures") == failures
    assert "a note" in (_read_suite(_report(note))[0].findtext("system-out") or "")


def test_junit_names_what_the_doctor_could_not_do() -> None:
    suite = _read_suite(
        _report(Outcome("tdr-timeout", "errored", Severity.ERROR, reason="why"), broken=(Broken("p", "q"),))
    )
    errors = {
        case.get("name"): error.get("message") for case in suite if (error := case.find("error")) is not None
    }
    assert errors == {"tdr-timeout": "why", "p": "q"}
    assert (suite.get("tests"), suite.get("errors")) == ("2", "2")


def test_junit_of_a_check_that_failed_and_found() -> None:
    both = replace(_failed(Finding("found"), status="errored"), reason="then it broke")
    suite = _read_suite(_report(both))
    assert [[child.tag for child in case] for case in suite] == [["failure"], ["error"]]


def test_junit_of_several_machines(sick_report: Report) -> None:
    root = ElementTree.fromstring(junit.render_all((sick_report, replace(sick_report, facts_file="b.json"))))
    assert [suite.get("name") for suite in root] == [f"torchdoctor: {SICK}", "torchdoctor: b.json"]


# Code Quality


def test_gitlab_has_what_the_merge_request_shows() -> None:
    items = json.loads(
        gitlab.render(_report(_failed(Finding("x", Location(".\\src\\a.py", 7)), Finding("y"))))
    )
    assert [(each["check_name"], each["severity"], each["location"]) for each in items] == [
        ("missing-main-guard", "critical", {"path": "python-environment", "lines": {"begin": 1}}),
        ("missing-main-guard", "critical", {"path": "src/a.py", "lines": {"begin": 7}}),
    ]


def test_gitlab_fingerprints_differ_and_do_not_depend_on_the_line() -> None:
    def read(line: int) -> list[str]:
        places = [Location("a.py", line), Location("a.py", line + 5), Location("b.py", line)]
        report = _report(_failed(*(Finding("x", place) for place in places)))
        return [each["fingerprint"] for each in json.loads(gitlab.render(report))]

    assert (len(set(read(1))), read(1)) == (3, read(9))


# Markdown


def test_markdown_is_short_and_folded(sick_report: Report) -> None:
    text = markdown.render(sick_report)
    shown = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    assert shown.startswith("**torchdoctor ")
    assert "### error: " in shown
    assert len(shown.splitlines()) < 40
    assert (text.count("<details>"), text.count("</details>")) == (3, 3)
    assert "\n\n\n" not in text


def test_markdown_of_a_healthy_machine() -> None:
    assert "Nothing wrong was found." in markdown.render(
        _report(Outcome("tdr-timeout", "passed", Severity.ERROR))
    )


def test_markdown_shows_the_first_findings_and_folds_the_others() -> None:
    findings = [Finding(f"m{number}", Location("a.py", number + 1)) for number in range(150)]
    text = markdown.render(_report(_failed(*findings)))
    assert ("<summary>149 more findings</summary>" in text, "- and 49 more" in text) == (True, True)


def test_markdown_of_an_explanation() -> None:
    text = "OSError: [WinError 1455] The paging file is too small for this operation to complete. `@everyone`"
    rendered = markdown.render_explanation(explain(text, KNOWLEDGE))
    assert rendered.startswith("### Windows has no commit memory left")
    assert "line 1: OSError: [WinError 1455]" in rendered
    assert "1. Let Windows manage the page file" in rendered


def test_markdown_of_a_text_that_is_not_recognised() -> None:
    assert markdown.render_explanation(explain("hello", KNOWLEDGE)).startswith("**Not recognised.**")


def _drop_code(text: str) -> str:
    """Return Markdown without its fenced blocks and code spans, in which nothing is read."""
    text = re.sub(r"^( *)(`{3,})[^\n]*\n.*?^\1\2 *$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", text)


@pytest.mark.parametrize(
    "text",
    [
        markdown.render(HOSTILE_REPORT),
        markdown.render_explanation(
            explain(f"OSError: [WinError 1455] The paging file is too small {HOSTILE}", KNOWLEDGE)
        ),
    ],
    ids=["report", "explanation"],
)
def test_markdown_of_hostile_text_has_no_other_markup(text: str) -> None:
    rest = _drop_code(text)
    assert not re.search(r"<(?!/?details>|/?summary>|https?://)", rest)
    assert not re.search(r"(?<!\\)@|javascript:|!\[|^#{1,6} heading|(?<!\\)#\d", rest, re.MULTILINE)
    assert not any(ord(each) < 32 and each != "\n" for each in text)


# HTML


class _Page(HTMLParser):
    """The elements of a page, and what its text says; an element that is not closed is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("report", [HOSTILE_REPORT, _report()], ids=["hostile", "empty"])
def test_html_has_only_its_own_elements(report: Report) -> None:
    page = _Page(html.render(report))
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("script"), tags.count("style"), "img" in tags) == (1, 1, False)
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") or name in ("src", "style") for name in attributes), tag
        assert re.match("https?://|#content$", attributes.get("href") or "#content"), attributes
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_html_shows_hostile_text_as_text() -> None:
    text = "".join(_Page(html.render(HOSTILE_REPORT)).text)
    assert "<script>alert(1)</script>" in text
    assert not any(ord(each) < 32 and each != "\n" for each in html.render(HOSTILE_REPORT))


def test_html_policy_allows_its_own_style_and_script_alone(sick_report: Report) -> None:
    import base64
    import hashlib

    text = html.render(sick_report)
    page = _Page(text)
    policy = next(
        a["content"] or "" for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        body = text.split(f"<{tag}>")[1].split(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "http:" not in re.sub(r'href="[^"]*"', "", text.split("<main")[0])


def test_html_has_fix_and_every_list(sick_report: Report) -> None:
    text = "".join(_Page(html.render(sick_report)).text)
    for part in ("vc-redist-outdated", "Fix", "All steps", "Avoid", "passed", "skipped"):
        assert part in text, part


def test_html_draws_the_commit_budget() -> None:
    report = scan(ScanRequest(facts_file=next((SAMPLES / "machines").glob("16-*.json"))))
    page = _Page(html.render(report))
    pictures = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert ["Commit budget" in (each["aria-label"] or "") for each in pictures] == [True]
    workers = [each for tag, each in page.elements if tag == "rect" and each["class"] == "worker"]
    assert len(workers) == report.plan.num_workers + 1


def test_html_draws_the_chain_of_a_missing_dll() -> None:
    sample = SAMPLES / "dll_missing_dependency" / "bad-libomp140.json"
    report = scan(ScanRequest(facts_file=sample))
    closure = report.facts.get(DllClosure)
    assert isinstance(closure, DllClosure)
    (missing,) = closure.missing
    longer = replace(missing, chain=("torch_python.dll", *missing.chain))
    other = replace(missing, name="other.dll", chain=("torch_python.dll", "c10.dll", "other.dll"))
    facts = report.facts.with_values({DllClosure: replace(closure, missing=(longer, other))})
    tree = html.render(replace(report, facts=facts)).split('<div class="tree">')[1].split("</div>")[0]
    assert re.findall(r"<(?:code|span[^>]*)>([^<:]+)", tree) == [*longer.chain, "c10.dll", "other.dll"]
    assert tree.count("<ul>") == 4


def test_html_of_a_plan_draws_what_was_measured() -> None:
    measurements = tuple(Measurement(each, 1.0, 9.0 - each, 10.0, 10.0, False, ()) for each in (0, 1, 2))
    trial = DatasetTrial("d.py:make", (), 1.0, None, measurements=measurements)
    plan = replace(make_plan(Facts()), trial=trial, num_workers=2)
    page = _Page(html_plan.render_plan(plan, "1.0"))
    assert [tag for tag, _ in page.elements].count("circle") == 3
    labels = [attributes.get("aria-label") for tag, attributes in page.elements if tag == "svg"]
    assert labels == ["Measured seconds of an epoch by number of workers. 0: 9 s, 1: 8 s, 2: 7 s."]
    assert "2 workers for a DataLoader here" in "".join(page.text)


def test_html_of_several_machines_has_each(sick_report: Report) -> None:
    page = _Page(html.render_all((sick_report, replace(sick_report, facts_file="b.json"))))
    assert "".join(page.text).count("b.json") == 1
    assert [tag for tag, _ in page.elements].count("h1") == 2


# What every format keeps


@pytest.mark.parametrize("renderer", [github, gitlab, html, junit, markdown, sarif])
def test_formats_can_be_written_as_utf8(renderer) -> None:
    assert renderer.render(HOSTILE_REPORT).encode("utf-8")
    assert renderer.render_all((HOSTILE_REPORT, HOSTILE_REPORT)).encode("utf-8")


@pytest.mark.parametrize(
    "path", ["::error file=a::x.py", " ::error::x.py", "\u2028::error::x.py", "a##[error]x.py"]
)
def test_no_line_on_the_screen_is_a_command_of_the_runner(path: str) -> None:
    report = _report(_failed(Finding("found", Location(path, 1)), Finding("too", Location(path, 2))))
    for text in (concise.render(report), terminal.render(report), terminal.render(report, verbose=True)):
        assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert "##[" not in concise.render(report)


def test_json_has_no_half_of_a_pair() -> None:
    report = _report(_failed(Finding("x", Location("a\udcff.py", 1), {"\ud800": ["\udfff"]})))
    for renderer in (json_renderer, sarif, gitlab):
        assert not re.search(r"\\ud[89a-f]", renderer.render(report))
        json.loads(renderer.render(report))


def test_annotation_cannot_be_forged() -> None:
    lines = github.render(HOSTILE_REPORT).splitlines()
    assert len(lines) == 3
    assert all(line.startswith("::error title=torchdoctor") for line in lines)


@pytest.mark.parametrize("renderer", [html, markdown])
def test_page_of_a_text_has_what_was_read(renderer, tmp_path: Path) -> None:
    file = tmp_path / "issue.txt"
    file.write_text(
        "PyTorch version: 2.6.0+cu124\nNvidia driver version: 451.48\ntorch: 2.1.0\n", encoding="utf-8"
    )
    (report,) = scan_text(ScanRequest(), str(file))
    text = unescape(renderer.render(report))
    for part in ("Read from the text", "NVIDIA driver", "451.48", "wo lines differ", "prints it"):
        assert part in text, part


def test_html_says_what_a_failed_import_points_to() -> None:
    text = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
    page = html.render(_report(explanation=explain(text, KNOWLEDGE)))
    assert "What torch printed points to" in page
    assert "Let Windows manage the page file" in page


BROWSER = os.environ.get("TORCHDOCTOR_CHROMIUM", "/usr/bin/chromium")
REPORTS = {
    "hostile": lambda: HOSTILE_REPORT,
    "sick": lambda: scan(ScanRequest(facts_file=SICK)),
    "machine": lambda: scan(ScanRequest(facts_file=next((SAMPLES / "machines").glob("16-*.json")))),
}


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", REPORTS)
def test_page_in_a_browser(name: str, width: int, scheme: str, tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    file = tmp_path / "report.html"
    file.write_text(html.render(REPORTS[name]()), encoding="utf-8")
    said: list[str] = []
    requests: list[str] = []
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        for button in page.locator(".code button").all()[:1]:
            button.click()
        page.fill("#filter", "no such word")
        # The policy of the page allows no evaluation, by which a function could be waited for.
        page.locator("#status", has_text="0 of ").wait_for()
        assert page.locator("[data-item]:visible").count() == 0
        page.fill("#filter", "")
        assert page.locator("article:visible").count() == page.locator("article").count()
        browser.close()
    assert (said, requests) == ([], [file.as_uri()])
