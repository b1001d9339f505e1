"""Render the answer to a pasted text as a part of a page."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from torchdoctor.explain.answer import Diagnosis, Explanation, ProgramError
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.renderers.html.elements import (
    Content,
    Markup,
    element,
    fold,
    join,
    write_inline,
    write_markdown,
)
from torchdoctor.renderers.wording import (
    CONFLICTS_SHOWN,
    FIX,
    FIX_STEPS,
    NOT_RECOGNISED,
    OF_PROGRAM,
    SUSPECTED,
    WHAT_TO_DO,
    describe_confirmation,
    describe_conflict,
    describe_doubt,
    describe_offline,
    describe_python,
    describe_what_to_paste,
)

if TYPE_CHECKING:
    from torchdoctor.readers import Environment

_LEVELS = {"certain": "ok", "likely": "warning", "possible": "note"}


def render_explanation(explanation: Explanation, knowledge: Knowledge, entry_address: str) -> str:
    """Render an explanation; its headings begin with h2.

    `entry_address` is the address of an entry, with `{}` in place of its name.
    """
    page = _Answer(explanation, knowledge, entry_address)
    if explanation.has_answer:
        return join(page.write_diagnoses()).html
    if explanation.program_error is not None:
        return join(_write_program_error(explanation.program_error)).html
    return join(page.write_closest()).html


def render_entries(entries: Sequence[Entry], entry_address: str) -> str:
    """Render a list of entries that a few words found."""
    items = (
        element("li", element("a", entry.fill(entry.title, {}), href=entry_address.format(entry.name)))
        for entry in entries
    )
    return join([element("h2", "Entries with such words"), element("ul", *items)]).html


class _Answer:
    """Writes the parts of one explanation."""

    def __init__(self, explanation: Explanation, knowledge: Knowledge, entry_address: str) -> None:
        self._explanation = explanation
        self._knowledge = knowledge
        self._entry_address = entry_address

    def write_diagnoses(self) -> Iterator[Content]:
        """Yield the first diagnosis in full, and the others folded."""
        first, others = self._explanation.diagnoses[0], self._explanation.others
        yield element("article", *self._write_first(first), class_="finding")
        if others:
            yield element("h2", "Also in this text")
            for each in others:
                head = f"{each.confidence.value}: {each.title}"
                steps = element("ol", *(element("li", write_markdown(step)) for step in each.fix))
                yield fold(head, *_write_evidence(each), write_markdown(each.lead), steps, self._link(each))
        yield from self._write_environments("The environment in the text")

    def write_closest(self) -> Iterator[Content]:
        """Yield the answer to a text that is not recognised, with the closest entries."""
        explanation = self._explanation
        yield element("h2", explanation.headline)
        yield element("p", NOT_RECOGNISED)
        if explanation.diagnoses:
            yield element("h3", "It may be one of these, the first most likely")
            for each in explanation.diagnoses:
                steps = element("ol", *(element("li", write_markdown(step)) for step in each.fix))
                yield fold(
                    each.title, *_write_evidence(each), write_markdown(each.lead), steps, self._link(each)
                )
        yield element("h3", "What to paste")
        yield element("p", describe_what_to_paste(explanation))
        if explanation.question is not None:
            question = explanation.question
            yield element(
                "p",
                "Also the output of ",
                element("code", question.command),
                f", which says {question.unknown}.",
            )
        yield from self._write_environments("The environment in the text, where no check fails")

    def _write_first(self, diagnosis: Diagnosis) -> Iterator[Content]:
        explanation = self._explanation
        yield element("h2", write_inline(explanation.headline))
        level = element(
            "span", diagnosis.confidence.value, class_=f"level {_LEVELS[diagnosis.confidence.value]}"
        )
        yield element("p", level, f"{describe_confirmation(diagnosis)} ", self._name(diagnosis))
        yield from _write_evidence(diagnosis)
        conflicts = [each for found in explanation.environments for each in found.conflicts]
        for conflict in conflicts[:CONFLICTS_SHOWN]:
            yield element("p", describe_conflict(conflict))
        if explanation.question is not None:
            yield element("p", write_inline(describe_doubt(explanation.question, "`")))
        if explanation.is_suspected:
            yield element("p", SUSPECTED)
        yield write_markdown(diagnosis.lead)
        for sentence in filter(None, (describe_python(diagnosis), describe_offline(diagnosis))):
            yield element("p", sentence)
        yield element("h3", FIX_STEPS if len(diagnosis.fix) > 1 else FIX)
        yield element("ol", *(element("li", write_markdown(step)) for step in diagnosis.fix))
        if diagnosis.verify:
            yield element("h3", "Verify")
            yield write_markdown(diagnosis.verify)
        entry = self._knowledge.find(diagnosis.name)
        if entry is not None:
            yield _write_background(entry)

    def _name(self, diagnosis: Diagnosis) -> Markup:
        return element("a", diagnosis.name, href=self._entry_address.format(diagnosis.name))

    def _link(self, diagnosis: Diagnosis) -> Markup:
        return element("p", "More: ", self._name(diagnosis))

    def _write_environments(self, heading: str) -> Iterator[Content]:
        for environment in self._explanation.environments:
            rows = list(_write_rows(environment))
            if rows:
                yield element("h2", heading)
                yield element("table", *rows, class_="environment")


def _write_program_error(error: ProgramError) -> Iterator[Content]:
    yield element("h2", write_inline(error.title))
    yield element("p", OF_PROGRAM)
    line = element("span", f"line {error.evidence.line}", class_="dim")
    yield element("ul", element("li", line, " ", element("code", error.evidence.text)), class_="evidence")
    yield write_markdown(error.lead)
    yield element("h3", WHAT_TO_DO)
    yield element("ol", *(element("li", write_markdown(step)) for step in error.fix))


def _write_evidence(diagnosis: Diagnosis) -> Iterator[Content]:
    items = [
        element("li", element("span", f"line {each.line}", class_="dim"), " ", element("code", each.text))
        for each in diagnosis.evidence
    ]
    items += [
        element("li", element("span", "only a consequence", class_="dim"), " ", element("code", echo))
        for echo in diagnosis.echoes
    ]
    if items:
        yield element("ul", *items, class_="evidence")


def _write_rows(environment: "Environment") -> Iterator[Markup]:
    # Imported here: few texts describe an environment.
    from torchdoctor.renderers.described import describe_environment

    for heading, values in describe_environment(environment):
        yield element("tr", element("th", heading, scope="row"), element("td", values))


def _write_background(entry: Entry) -> Markup:
    parts: list[Content] = [write_markdown(entry.fill(entry.body.why, {}))]
    if entry.body.avoid:
        parts += [element("h3", "Avoid"), write_markdown(entry.fill(entry.body.avoid, {}))]
    links = [element("li", write_inline(each)) for each in entry.references]
    if links:
        parts += [element("h3", "References"), element("ul", *links)]
    return fold("Why, what to avoid, references", *parts)
