"""Render explanations and entries as text for a terminal or a pipe, and as JSON."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from torchdoctor.core.controls import strip_controls
from torchdoctor.core.version import __version__
from torchdoctor.explain.answer import Confidence, Diagnosis, Explanation, ProgramError
from torchdoctor.knowledge import Entry
from torchdoctor.renderers.columns import count_columns, cut_middle, wrap_columns
from torchdoctor.renderers.plain import MIN_WIDTH, style, wrap, wrap_markdown
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
    shorten_step,
)

if TYPE_CHECKING:
    from torchdoctor.readers.questions import Question

SCHEMA_VERSION = 1

_LEVELS = {Confidence.CERTAIN: "strong", Confidence.LIKELY: "warning", Confidence.POSSIBLE: "dim"}
_MAX_EVIDENCE_LINES = 3
# The rows of a screen for the command above the text and the prompt below it, and those of a recap that are
# not its step: a blank one, a title of up to two, and what follows the step.
_PROMPT_ROWS, _RECAP_ROWS = 2, 4


def render_text(
    explanation: Explanation,
    width: int,
    colour: bool,
    related: Sequence[Entry] = (),
    screen_rows: int | None = None,
    asks_for_more: bool = True,
) -> str:
    """Render an explanation as text: the first diagnosis in full, the others in one line each.

    If the text is not recognised, `related` are entries to list, and `asks_for_more` says what else to
    paste. A text of more than `screen_rows` ends with the answer and the first step again: its beginning has
    left the screen.
    """
    page = _Page(max(width, MIN_WIDTH), colour)
    if not explanation.has_answer:
        if explanation.program_error is not None:
            _write_program_error(page, explanation.program_error)
            return page.text()
        _write_not_recognised(page, explanation, related)
        if asks_for_more:
            _write_what_to_paste(page, explanation, explanation.question)
        return page.text()
    first, others = explanation.diagnoses[0], explanation.others
    _write_diagnosis(page, first, explanation)
    if others:
        page.add_blank()
        page.add_heading("Also in this text" if explanation.recognised else "Or")
        for other in others:
            page.add_paragraph(f"{other.name} ({other.confidence.value}): {other.title}", "  ", "    ")
    if explanation.is_suspected and asks_for_more:
        _write_what_to_paste(page, explanation, None)
    if screen_rows is not None and page.count_rows() > screen_rows - _PROMPT_ROWS:
        _write_recap(page, first, screen_rows)
    return page.text()


def render_part(name: str, explanation: Explanation, form: str, number: int, width: int, colour: bool) -> str:
    """Render one of many explanations: below its name, or as an item of an array.

    `number` counts them from 1.
    """
    if form == "text":
        heading = style(f"=== {strip_controls(name)}", "strong", colour=colour)
        blank = "" if number == 1 else "\n"
        return f"{blank}{heading}\n\n{render_text(explanation, width, colour, asks_for_more=False)}"
    document = {"file": name, **_describe_explanation(explanation)}
    return ("[\n" if number == 1 else ",\n") + _dump(document).rstrip("\n")


def render_line(name: str, explanation: Explanation, digest: str) -> str:
    """Render one of many explanations as a line of JSON."""
    document = {"file": name, **_describe_explanation(explanation), "digest": digest}
    return json.dumps(document, ensure_ascii=True) + "\n"


def render_end(form: str, count: int) -> str:
    """Return what follows many explanations."""
    if form != "json":
        return ""
    return "\n]\n" if count else "[]\n"


def render_json(explanation: Explanation) -> str:
    """Render an explanation as JSON."""
    return _dump(_describe_explanation(explanation))


def _describe_explanation(explanation: Explanation) -> dict[str, object]:
    # Imported here: few texts describe an environment.
    from torchdoctor.renderers.described import encode_environment, encode_question

    return {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": __version__,
        "recognised": explanation.recognised,
        "diagnoses": [_describe(diagnosis) for diagnosis in explanation.diagnoses],
        "values": dict(explanation.values),
        "environments": [encode_environment(each) for each in explanation.environments],
        "question": encode_question(explanation.question),
        "program_error": None if explanation.program_error is None else asdict(explanation.program_error),
    }


def render_entry(entry: Entry, width: int, colour: bool) -> str:
    """Render an entry of the knowledge base as text."""
    page = _Page(max(width, MIN_WIDTH), colour)
    page.add_title(entry.fill(entry.title, {}))
    page.add_line(page.dim(f"{entry.name} ({entry.family})"))
    page.add_blank()
    page.add_paragraph(entry.fill(entry.lead, {}))
    _write_section(page, "Why", entry.fill(entry.body.why, {}))
    page.add_blank()
    page.add_heading("Fix")
    _write_steps(page, tuple(entry.fill(step, {}) for step in entry.fix))
    _write_section(page, "Verify", entry.fill(entry.body.verify, {}))
    _write_section(page, "Avoid", entry.fill(entry.body.avoid, {}))
    if entry.references:
        page.add_blank()
        page.add_heading("References")
        for reference in entry.references:
            page.add_line(f"  {reference}")
    return page.text()


def render_entry_json(entry: Entry) -> str:
    """Render an entry of the knowledge base as JSON."""
    return _dump(
        {
            **_summarise(entry),
            "lead": entry.fill(entry.lead, {}),
            "why": entry.fill(entry.body.why, {}),
            "fix": [entry.fill(step, {}) for step in entry.fix],
            "verify": entry.fill(entry.body.verify, {}),
            "avoid": entry.fill(entry.body.avoid, {}),
            "references": list(entry.references),
        }
    )


def render_list(entries: Collection[Entry]) -> str:
    """Render the name and the title of entries, one line each."""
    longest = max((len(entry.name) for entry in entries), default=0)
    lines = (f"{entry.name:<{longest}}  {entry.fill(entry.title, {})}" for entry in entries)
    return "".join(f"{strip_controls(line)}\n" for line in lines)


def render_list_json(entries: Iterable[Entry]) -> str:
    """Render the name, title, family and severity of entries as JSON."""
    return _dump([_summarise(entry) for entry in entries])


def _dump(data: object) -> str:
    # Not `renderers.json.dump`: importing that module also imports every kind of fact.
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"


def _summarise(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "title": entry.fill(entry.title, {}),
        "family": entry.family,
        "severity": entry.level,
    }


def _describe(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "name": diagnosis.name,
        "title": diagnosis.title,
        "confidence": diagnosis.confidence.value,
        "evidence": [asdict(evidence) for evidence in diagnosis.evidence],
        "values": dict(diagnosis.values),
        "echoes": list(diagnosis.echoes),
        "confirmed": diagnosis.confirmed,
        "examined": diagnosis.examined or None,
        "lead": diagnosis.lead,
        "fix": list(diagnosis.fix),
        "verify": diagnosis.verify,
    }


def _write_program_error(page: "_Page", error: ProgramError) -> None:
    page.add_title(error.title)
    page.add_line(OF_PROGRAM)
    page.add_blank()
    page.add_quote(f"line {error.evidence.line}: ", error.evidence.text, _MAX_EVIDENCE_LINES)
    page.add_blank()
    page.add_paragraph(error.lead)
    page.add_blank()
    page.add_heading(WHAT_TO_DO)
    _write_steps(page, error.fix)


def _write_not_recognised(page: "_Page", explanation: Explanation, related: Sequence[Entry]) -> None:
    page.add_title(explanation.headline)
    page.add_paragraph(NOT_RECOGNISED)
    if "lost_letters" in explanation.values:
        _write_lost_letters(page)
    if not explanation.has_evidence and any(each.is_decisive for each in explanation.environments):
        _write_what_was_read(page, explanation)
    if explanation.diagnoses:
        page.add_blank()
        page.add_heading("It may be one of these, the first most likely")
        for diagnosis in explanation.diagnoses:
            page.add_paragraph(f"{diagnosis.title} ({diagnosis.name})", "  ", "    ")
            for evidence in diagnosis.evidence[:1]:
                page.add_quote(f"    line {evidence.line}: ", evidence.text, 1)
            is_written_below = explanation.has_evidence and diagnosis is explanation.diagnoses[0]
            if diagnosis.fix and not is_written_below:
                page.add_markdown(shorten_step(diagnosis.fix[0]), "      ", "    If so: ")
        page.add_paragraph(
            f"The other steps of the first: torchdoctor explain {explanation.diagnoses[0].name}", "  ", "  "
        )
        if explanation.has_evidence:
            _write_closest(page, explanation.diagnoses[0])
    if related:
        page.add_blank()
        page.add_heading("Entries with such words")
        for entry in related:
            page.add_paragraph(f"{entry.name}: {entry.fill(entry.title, {})}", "  ", "    ")
        page.add_paragraph(f"Read one: torchdoctor explain {related[0].name}", "  ", "  ")


def _write_what_was_read(page: "_Page", explanation: Explanation) -> None:
    from torchdoctor.renderers.described import render_statements

    for environment in explanation.environments:
        page.add_blank()
        page.add_heading("The environment in the text, where no check fails")
        page.add_table(render_statements(environment, page.width))
    _write_conflicts(page, explanation)


def _write_what_to_paste(page: "_Page", explanation: Explanation, question: "Question | None") -> None:
    page.add_blank()
    page.add_heading("What to paste")
    page.add_paragraph(describe_what_to_paste(explanation), "  ", "  ")
    if question is not None:
        page.add_paragraph(
            f"Also the output of {question.command}, which says {question.unknown}.", "  ", "  "
        )
    page.add_paragraph("torchdoctor scan examines this machine without a text.", "  ", "  ")


def _write_closest(page: "_Page", diagnosis: Diagnosis) -> None:
    """Write the steps of the closest entry: a short text can be right without proving anything."""
    page.add_blank()
    page.add_heading(f"If it is {diagnosis.name}")
    page.add_paragraph(diagnosis.lead, "  ", "  ")
    _write_steps(page, diagnosis.fix)


def _write_lost_letters(page: "_Page") -> None:
    page.add_blank()
    page.add_paragraph(
        "Question marks stand where letters were. Windows PowerShell 5 replaces letters outside ASCII in what"
        " it passes to a program. Before the command, say once in this console:"
    )
    page.add_line("  $OutputEncoding = [System.Text.Encoding]::UTF8")
    page.add_paragraph(
        "Or copy the text from the window in which it appeared, and paste it after: torchdoctor explain"
    )


def _write_conflicts(page: "_Page", explanation: Explanation) -> bool:
    conflicts = [conflict for each in explanation.environments for conflict in each.conflicts]
    for conflict in conflicts[:CONFLICTS_SHOWN]:
        page.add_paragraph(describe_conflict(conflict))
    return bool(conflicts)


def _write_environment(page: "_Page", explanation: Explanation) -> None:
    """Write what two lines state differently, and what would decide."""
    has_conflicts = _write_conflicts(page, explanation)
    if explanation.question is not None:
        page.add_paragraph(describe_doubt(explanation.question))
    if has_conflicts or explanation.question is not None:
        page.add_blank()


def _write_diagnosis(page: "_Page", diagnosis: Diagnosis, explanation: Explanation) -> None:
    page.add_title(explanation.headline)
    level = page.level(diagnosis.confidence)
    page.add_line(f"{level}{describe_confirmation(diagnosis)}  {page.dim(diagnosis.name)}")
    page.add_blank()
    for evidence in diagnosis.evidence:
        page.add_quote(f"line {evidence.line}: ", evidence.text, _MAX_EVIDENCE_LINES)
    for echo in diagnosis.echoes:
        page.add_quote("only a consequence: ", echo, 2)
    page.add_blank()
    _write_environment(page, explanation)
    if explanation.is_suspected:
        page.add_paragraph(SUSPECTED)
    if explanation.is_suspected and "lost_letters" in explanation.values:
        _write_lost_letters(page)
        page.add_blank()
    page.add_paragraph(diagnosis.lead)
    for sentence in filter(None, (describe_python(diagnosis), describe_offline(diagnosis))):
        page.add_blank()
        page.add_paragraph(sentence)
    page.add_blank()
    page.add_heading(FIX_STEPS if len(diagnosis.fix) > 1 else FIX)
    _write_steps(page, diagnosis.fix)
    _write_section(page, "Verify", diagnosis.verify)
    page.add_blank()
    page.add_paragraph(f"Why, what to avoid, references: torchdoctor explain {diagnosis.name}")


def _write_recap(page: "_Page", diagnosis: Diagnosis, screen_rows: int) -> None:
    """Write the answer and the first step again, as far as they fit on the screen."""
    page.add_blank()
    page.add_title(f"In short: {diagnosis.title}")
    is_whole = page.add_start_of_step(diagnosis.fix[0], screen_rows - _PROMPT_ROWS - _RECAP_ROWS)
    count = len(diagnosis.fix) - 1
    above = [] if is_whole else ["the rest of this step"]
    if count:
        above.append(f"{count} more {'step' if count == 1 else 'steps'}")
    page.add_paragraph(f"Above: {', '.join([*above, 'how to verify'])}.", "  ", "  ")


def _write_section(page: "_Page", heading: str, text: str) -> None:
    if text:
        page.add_blank()
        page.add_heading(heading)
        page.add_markdown(text, "  ")


def _write_steps(page: "_Page", steps: tuple[str, ...]) -> None:
    for number, step in enumerate(steps, start=1):
        page.add_markdown(step, "     ", f"  {number}. ")


class _Page:
    """The lines of a text of a given width; control sequences are removed from what is added."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self._colour = colour
        self._lines: list[str] = []

    def text(self) -> str:
        return "\n".join(self._lines).rstrip("\n") + "\n"

    def dim(self, text: str) -> str:
        return style(text, "dim", colour=self._colour)

    def level(self, confidence: Confidence) -> str:
        return style(confidence.value, _LEVELS[confidence], colour=self._colour)

    def add_line(self, text: str) -> None:
        """Add a line as it is; parts that need cleaning come from `level` or `dim`."""
        self._lines.append(text)

    def add_quote(self, label: str, text: str, max_lines: int) -> None:
        """Add quoted text, cut in the middle to fit: the end of a message often names the cause."""
        room = max_lines * (self.width - 4) - len(label)
        quote = label + cut_middle(strip_controls(text), room)
        parts = wrap_columns(quote, self.width - 4, cuts=True)
        for number, part in enumerate(parts):
            indent = "  " if number == 0 else "    "
            self._lines.append(self.dim(indent + part))

    def add_blank(self) -> None:
        """Add an empty line, unless the last line is empty or there is none."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def add_table(self, lines: Sequence[str]) -> None:
        """Add lines that are wrapped and cleaned."""
        self._lines.extend(lines)

    def add_title(self, text: str) -> None:
        self._lines.extend(style(part, "strong", colour=self._colour) for part in wrap(text, self.width, ""))

    def add_heading(self, text: str) -> None:
        self._lines.append(style(text, "strong", colour=self._colour))

    def add_paragraph(self, text: str, first: str = "", indent: str = "") -> None:
        self._lines.extend(wrap(text, self.width, indent, first))

    def add_markdown(self, text: str, indent: str, first: str | None = None) -> None:
        self._lines.extend(wrap_markdown(text, self.width, indent, colour=self._colour, first=first))

    def add_start_of_step(self, step: str, max_rows: int) -> bool:
        """Add the first step, or its first lines that fit; return whether all of it was added."""
        lines = list(wrap_markdown(step, self.width, "     ", colour=self._colour, first="  1. "))
        fitting = len(lines)
        while fitting > 1 and self._count_rows(lines[:fitting]) > max_rows:
            fitting -= 1
        self._lines.extend(lines[:fitting])
        return fitting == len(lines)

    def count_rows(self) -> int:
        """Return how many rows of the screen the lines take; a terminal wraps long commands."""
        return self._count_rows(self._lines)

    def _count_rows(self, lines: Sequence[str]) -> int:
        return sum(max(1, -(-count_columns(strip_controls(line)) // self.width)) for line in lines)
