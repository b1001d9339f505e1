"""Render what came of a fleet as one page, with a table of machines that sorts and filters."""

from collections.abc import Iterable, Iterator

from torchdoctor.facts import Absent
from torchdoctor.fleet.configurations import ConfigurationGroup
from torchdoctor.fleet.machine import LABELS, Machine
from torchdoctor.fleet.names import describe_names
from torchdoctor.fleet.summary import MOST_MACHINES, FindingGroup, FleetReport
from torchdoctor.renderers.fleet import (
    describe_commit,
    describe_configuration,
    describe_gate,
    describe_group,
    list_caveats,
    summarise,
)
from torchdoctor.renderers.html.elements import Content, Markup, element, fold, write_inline, write_markdown
from torchdoctor.renderers.html.page import write_page

_MOST_CONFIGURATIONS = 200
# So many names stand in the text itself.
_FEW_NAMES = 5


def render(report: FleetReport) -> str:
    """Render a report as a page."""
    body: list[Content] = [element("a", "To the machines", href="#machines", class_="skip")]
    parts: list[Content] = [_write_verdict(report), *_write_links(report)]
    if report.findings:
        parts += [element("h2", "What is wrong", id="wrong"), *_write_findings(report)]
    if report.configurations:
        parts += [element("h2", "What differs", id="differs"), _write_configurations(report)]
    if report.failures:
        items = (element("li", f"{describe_names(names)}: {reason}") for reason, names in report.failures)
        parts += [element("h2", "The doctor's own failures"), element("ul", *items)]
    parts += _write_machines(report)
    status = element("p", "", id="status", role="status", class_="dim")
    body.append(element("main", *parts, status, id="content"))
    return write_page(f"torchdoctor: {summarise(report)}", body)


def _write_verdict(report: FleetReport) -> Markup:
    is_sick = bool(report.levels["error"] or report.unexamined_count)
    parts: list[Content] = [element("h1", summarise(report))]
    if report.is_gate:
        parts.append(element("p", element("strong", describe_gate(report))))
        reasons = [*(each.reason for each in report.obstacles), *list_caveats(report)]
        parts.append(element("ul", *(element("li", each) for each in reasons)))
    parts.append(element("p", f"Examined {report.taken_at}, by torchdoctor {report.version}"))
    for version, names in report.versions:
        parts.append(element("p", f"Observed by torchdoctor {version}: {describe_names(names)}"))
    level = "error" if is_sick else "warning" if report.levels["warning"] else ""
    return element("header", *parts, class_=f"verdict {level}".strip())


def _write_links(report: FleetReport) -> Iterator[Content]:
    places = [("wrong", "What is wrong")] if report.findings else []
    places += [("differs", "What differs")] if report.configurations else []
    links: list[Content] = []
    for place, text in [*places, ("machines", "Machines")]:
        links += [" · "] if links else []
        links.append(element("a", text, href=f"#{place}"))
    yield element("nav", *links, aria_label="Parts of this page")
    if any("<user>" in (group.fix or "") for group in report.findings):
        yield element(
            "p",
            "Names of users are taken out. In a command, put the name in place of ",
            element("code", "<user>"),
            ", or make the page with --no-redact.",
        )


def _write_findings(report: FleetReport) -> Iterator[Markup]:
    # A problem that several steps mend is reached by its first group.
    seen: set[str] = set()
    for group in report.findings:
        yield _write_finding(group, False if group.name in seen else f"problem-{group.name}")
        seen.add(group.name)


def _write_finding(group: FindingGroup, place: str | bool) -> Markup:
    count = group.machines.count
    content: list[Content] = [
        element("span", group.severity, class_=f"level {group.severity}"),
        " ",
        element("span", group.name, class_="dim"),
        element("h3", write_inline(describe_group(group))),
        element("p", f"{count:,} machine{'s' * (count != 1)}: {describe_names(group.machines)}"),
        element("p", element("code", group.example), ": ", group.message),
    ]
    if group.causes:
        content.append(element("p", f"A consequence of {', '.join(group.causes)}."))
    elif group.fix is not None:
        content += [
            element("p", element("strong", f"First step on {group.example}")),
            write_markdown(group.fix),
        ]
    if group.machines.count > _FEW_NAMES:
        more = group.machines.count - len(group.machines.first)
        names = ", ".join(group.machines.first) + (f" and {more:,} more" if more else "")
        content.append(fold("All machines", element("p", names)))
    return element("article", *content, class_="finding", id=place)


def _write_configurations(report: FleetReport) -> Markup:
    head = (element("th", name, scope="col") for name in ("Machines", "Names", "What they have"))
    rows = [
        _write_configuration(group, is_usual=not number)
        for number, group in enumerate(report.configurations[:_MOST_CONFIGURATIONS])
    ]
    commit = [] if report.commit is None else [element("p", describe_commit(report.commit))]
    table = element("table", element("tr", *head), *rows)
    return element("section", table, *commit)


def _write_configuration(group: ConfigurationGroup, *, is_usual: bool) -> Markup:
    cells = (
        f"{group.machines.count:,}",
        describe_names(group.machines),
        describe_configuration(group, is_usual=is_usual),
    )
    return element("tr", *(element("td", cell) for cell in cells))


def _write_machines(report: FleetReport) -> Iterator[Content]:
    yield element("h2", "Machines", id="machines")
    if report.count > len(report.worst):
        yield element(
            "p", f"The {MOST_MACHINES:,} worst of {report.count:,}; --format jsonl has all of them."
        )
    label = element("label", "Filter the machines", for_="filter")
    field = element("input", id="filter", type="search", autocomplete="off")
    yield element("div", label, field, class_="filter", hidden=True)
    names = ("Machine", "State", "Findings", *LABELS.values(), "Commit limit, GiB")
    head = element(
        "tr",
        *(
            element("th", name, scope="col", data_first="down" if name == "State" else False)
            for name in names
        ),
    )
    rows = (_write_machine(machine) for machine in report.worst)
    table = element(
        "table",
        element("thead", head),
        element("tbody", *rows),
        class_="sortable",
    )
    yield element("div", table, class_="wide", tabindex="0", role="region", aria_label="Machines")


def _list_problems(machine: Machine, names: Iterable[str]) -> Iterator[Content]:
    if machine.problem is not None:
        yield machine.problem
        return
    for number, name in enumerate(names):
        yield ", " if number else ""
        yield element("a", name, href=f"#problem-{name}")


def _write_machine(machine: Machine) -> Markup:
    worst = machine.worst
    state = "not examined" if machine.problem is not None else "well" if worst is None else worst.severity
    names = dict.fromkeys(finding.name for finding in machine.findings)
    configuration = machine.configuration
    cells: list[Content] = [
        element("th", machine.name, scope="row"),
        element("td", state, data_sort=f"{machine.rank:+d}", class_=f"level {state}"),
        element("td", *_list_problems(machine, names), class_="long"),
    ]
    for name in LABELS:
        value: str | Absent = getattr(configuration, name, Absent(""))
        if isinstance(value, Absent):
            cells.append(element("td", "not known", title=value.reason, class_="dim"))
        else:
            cells.append(element("td", value))
    limit = None if configuration is None else configuration.commit_limit_bytes
    text = f"{limit / (1 << 30):.1f}" if isinstance(limit, int) else ""
    cells.append(element("td", text, data_sort=text))
    return element("tr", *cells, data_item=True)
