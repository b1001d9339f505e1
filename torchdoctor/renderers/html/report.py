"""Render a report as one HTML page that needs nothing else: no network, no other file."""

from collections.abc import Iterator, Sequence

from torchdoctor.check import Finding
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Absent, Interpreter, NvidiaDriver, OperatingSystem, TorchInstall
from torchdoctor.facts.partial import find_value
from torchdoctor.knowledge import Entry
from torchdoctor.renderers.described import describe_question
from torchdoctor.renderers.html.elements import (
    Content,
    Markup,
    element,
    fold,
    join,
    write_inline,
    write_markdown,
)
from torchdoctor.renderers.html.page import write_page
from torchdoctor.renderers.html.pictures import draw_commit, draw_missing
from torchdoctor.renderers.html.plan import write_settings
from torchdoctor.renderers.outcomes import (
    describe_explained,
    describe_nothing_found,
    describe_place,
    describe_problem,
    list_broken,
    summarise,
)
from torchdoctor.report import Report

# More findings of one check are only counted; JSON has all of them.
_MOST_FINDINGS_OF_A_CHECK = 50


def render(report: Report) -> str:
    """Render a report as a page."""
    return render_all((report,))


def render_part(report: Report) -> str:
    """Render a report as a part of a page."""
    return _write_report(report, has_filter=False).html


def render_all(reports: Sequence[Report]) -> str:
    """Render several reports as one page, one below the other, each with its source."""
    body: list[Content] = [element("a", "To the findings", href="#content", class_="skip")]
    status = element("p", "", id="status", role="status", class_="dim")
    written = (_write_report(report, has_filter=not number) for number, report in enumerate(reports))
    body.append(element("main", *written, status, id="content"))
    failed = sum(bool(report.findings()) for report in reports)
    title = f"torchdoctor: {'findings' if failed else 'nothing wrong was found'}"
    return write_page(title, body)


def _write_report(report: Report, *, has_filter: bool) -> Markup:
    parts: list[Content] = [_write_verdict(report)]
    if has_filter:
        parts.append(_write_filter())
    if report.findings():
        parts += [element("h2", "Findings"), *_write_findings(report)]
    if broken := list_broken(report):
        items = (element("li", element("code", name), f": {reason}") for name, reason in broken)
        parts += [element("h2", "The doctor's own failures"), element("ul", *items)]
    parts += [*_write_explanation(report), *_write_description(report), *draw_missing(report)]
    if report.known_plan is not None:
        parts += write_settings(report.plan)
    parts += draw_commit(report)
    parts += [element("h2", "Other checks"), _write_passed(report), _write_skipped(report)]
    return element("section", *parts)


def _write_verdict(report: Report) -> Markup:
    worst = report.worst()
    if report.findings():
        outcome, finding = report.findings()[0]
        heading = write_inline(describe_problem(report, outcome, finding))
    elif report.examined_nothing:
        heading = join(["Nothing was examined: each check was skipped"])
    else:
        heading = join([describe_nothing_found(report)])
    source = element("p", "From ", element("code", report.source)) if report.source else ""
    rows = [
        element("tr", element("th", name, scope="row"), element("td", value))
        for name, value in _describe_machine(report)
    ]
    return element(
        "header",
        element("h1", heading),
        element("p", summarise(report)),
        source,
        element("table", *rows),
        class_=f"verdict {worst.value if worst else ''}".strip(),
    )


def _describe_machine(report: Report) -> Iterator[tuple[str, str]]:
    yield "Examined", f"{report.taken_at}, by torchdoctor {report.version}"
    interpreter, torch = report.whole_facts.get(Interpreter), report.whole_facts.get(TorchInstall)
    system, driver = report.whole_facts.get(OperatingSystem), report.whole_facts.get(NvidiaDriver)
    if not isinstance(interpreter, Absent):
        version, bits = _say(interpreter, "version"), _say(interpreter, "bits")
        yield "Python", f"{version}, {bits}-bit, {_say(interpreter, 'executable')}"
    yield "torch", f"not known: {torch.reason}" if isinstance(torch, Absent) else _say(torch, "version")
    if not isinstance(system, Absent):
        yield (
            "System",
            f"{_say(system, 'system').capitalize()} {_say(system, 'version')} {_say(system, 'machine')}",
        )
    if not isinstance(driver, Absent):
        gpus = find_value(driver, "gpus")
        names = [] if isinstance(gpus, Absent) else [_say(gpu, "name") for gpu in gpus]
        state = _say(driver, "state")
        version = f"driver {_say(driver, 'version')}" if state == "working" else f"NVIDIA driver {state}"
        yield "GPU", ", ".join([*names, version])
    if report.config_file is not None:
        yield "Configuration", report.config_file


def _say(value: object, name: str) -> str:
    found = find_value(value, name)
    return "not known" if isinstance(found, Absent) else str(found)


def _write_filter() -> Markup:
    label = element("label", "Filter", for_="filter")
    field = element("input", id="filter", type="search", autocomplete="off")
    return element("div", label, field, class_="filter", hidden=True)


def _write_findings(report: Report) -> Iterator[Markup]:
    groups: dict[str, list[tuple[Outcome, Finding]]] = {}
    for outcome, finding in report.findings():
        groups.setdefault(outcome.name, []).append((outcome, finding))
    for name, pairs in groups.items():
        yield _write_group(report, name, pairs)


def _write_group(report: Report, name: str, pairs: Sequence[tuple[Outcome, Finding]]) -> Markup:
    outcome, first = pairs[0]
    level = (first.severity or outcome.severity).value
    content: list[Content] = [
        element("span", level, class_=f"level {level}"),
        " ",
        element("span", name, class_="dim"),
        element("h3", write_inline(describe_problem(report, outcome, first))),
    ]
    cause = report.explained_cause_of(name)
    entry = report.knowledge.find(name if cause is None else cause.name)
    advice = [report.advise(name, finding) for _, finding in pairs[:_MOST_FINDINGS_OF_A_CHECK]]
    seen: list[Content] = []
    shown_advice: set[str] = set()
    relations = list(dict.fromkeys(report.describe_relation(name, finding) for _, finding in pairs))
    for (_, finding), step in zip(pairs, advice, strict=False):
        place = describe_place(finding)
        line: list[Content] = [element("code", place), ": "] if place else []
        # The heading says it already.
        is_said = len(pairs) == 1 and not place and describe_problem(report, outcome, first) == first.message
        fix: list[Content] = []
        if step is not None and step.text not in shown_advice and not any(relations):
            shown_advice.add(step.text)
            fix = [element("p", element("strong", "Fix")), write_markdown(step.text)]
        if is_said:
            content += fix
        else:
            seen.append(element("li", *line, finding.message, *fix))
    if len(pairs) > _MOST_FINDINGS_OF_A_CHECK:
        seen.append(element("li", f"and {len(pairs) - _MOST_FINDINGS_OF_A_CHECK} more"))
    if seen:
        content.append(element("ul", *seen))
    for relation in filter(None, relations):
        content.append(element("p", f"{relation[0].upper()}{relation[1:]}."))
    if entry is not None:
        content.append(_write_entry(entry))
    return element("article", *content, class_="finding", data_item=True)


def _write_entry(entry: Entry) -> Markup:
    def write(text: str) -> Markup:
        return write_markdown(entry.fill(text, {}))

    parts: list[Content] = [write(entry.body.why)]
    steps = [element("li", write(step)) for step in entry.fix]
    parts += [element("p", element("strong", "All steps")), element("ol", *steps)]
    if entry.body.verify:
        parts += [element("p", element("strong", "Verify")), write(entry.body.verify)]
    if entry.body.avoid:
        parts += [element("p", element("strong", "Avoid")), write(entry.body.avoid)]
    links = [element("li", write_inline(each)) for each in entry.references]
    if links:
        parts += [element("p", element("strong", "References")), element("ul", *links)]
    return fold("Why, all steps, how to verify, what to avoid", *parts)


def _write_explanation(report: Report) -> Iterator[Content]:
    others = report.list_other_explanations()
    if others:
        yield element("h2", describe_explained(report))
        for each in others:
            steps = [element("li", write_markdown(step)) for step in each.fix]
            head = f"{each.confidence.value}: {each.title}"
            yield fold(head, write_markdown(each.lead), element("ol", *steps))


def _write_description(report: Report) -> Iterator[Content]:
    if report.description is None:
        return
    environment, question = report.description.environment, report.description.question
    yield element("h2", "Read from the text")
    for conflict in environment.conflicts:
        yield element("p", f"Two lines differ: {conflict.describe()}.")
    head = (element("th", name, scope="col") for name in ("What", "Value", "Line"))
    rows = [
        element("tr", *(element("td", part) for part in (each.label, each.value, str(each.line))))
        for each in environment.statements
    ]
    yield element("table", element("tr", *head), *rows)
    if question is not None:
        yield element("p", write_inline(describe_question(question)))


def _write_passed(report: Report) -> Markup:
    outcomes = report.outcomes_of("passed")
    items = [_write_item(each.name, "; ".join(each.observations) or "nothing was found") for each in outcomes]
    return fold(f"{len(outcomes)} passed", element("ul", *items), class_="list")


def _write_skipped(report: Report) -> Markup:
    outcomes = report.outcomes_of("skipped")
    items = [_write_item(each.name, each.reason or "no reason") for each in outcomes]
    return fold(f"{len(outcomes)} skipped", element("ul", *items), class_="list")


def _write_item(name: str, text: str) -> Markup:
    return element("li", element("strong", name), f": {text}", data_item=True)
