"""Render a loader plan as an HTML page."""

from collections.abc import Iterator

from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.renderers.html.elements import Content, code_box, element, fold
from torchdoctor.renderers.html.page import write_page
from torchdoctor.renderers.html.pictures import draw_curve


def render_plan(plan: LoaderPlan, version: str) -> str:
    """Render a loader plan as a page: the settings, the script, what was measured, and the bounds."""
    bounds = [
        element("tr", element("td", each.name), element("td", str(each.workers)), element("td", each.reason))
        for each in plan.bounds
    ]
    head = element("tr", *(element("th", name, scope="col") for name in ("Bound", "Workers", "Reason")))
    parts: list[Content] = [
        element(
            "header",
            element("h1", f"{plan.num_workers} worker{'s' * (plan.num_workers != 1)} for a DataLoader here"),
            element("p", f"by torchdoctor {version}", class_="dim"),
            class_="verdict",
        ),
        *write_settings(plan),
        element("h2", "What bounds the number of workers"),
        element("table", head, *bounds),
    ]
    if plan.unknown:
        parts.append(element("p", f"Not known: {'; '.join(plan.unknown)}."))
    status = element("p", "", id="status", role="status", class_="dim")
    return write_page("torchdoctor: loader", [element("main", *parts, status)])


def write_settings(plan: LoaderPlan) -> Iterator[Content]:
    """Yield the settings with their reasons, the script, and what was measured."""
    rows = [
        element("tr", element("td", element("code", f"{each.name}={each.value}")), element("td", each.reason))
        for each in plan.settings
    ]
    head = element("tr", element("th", "Setting", scope="col"), element("th", "Reason", scope="col"))
    yield element("h2", "DataLoader settings that are safe here")
    yield element("table", head, *rows)
    yield fold("The settings as a script", code_box(plan.snippet, "the script"))
    yield from draw_curve(plan)
