"""Explanations and entries as text for a terminal or a pipe, and as JSON."""

import json
import textwrap
from dataclasses import asdict

from torchdoctor import __version__
from torchdoctor.explain.answer import Confidence, Diagnosis, Explanation
from torchdoctor.explain.clean import strip_controls
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.renderers.plain import MIN_WIDTH, style, wrap, wrap_markdown

SCHEMA_VERSION = 1

_LEVELS = {Confidence.CERTAIN: "error", Confidence.LIKELY: "warning", Confidence.POSSIBLE: "dim"}
_MAX_PROOF_LINES = 3


def render_text(explanation: Explanation, width: int, colour: bool) -> str:
    """Give the answer for people: the first diagnosis in full, the others in a line each."""
    page = _Page(max(width, MIN_WIDTH), colour)
    if not explanation.recognised:
        _write_not_recognised(page, explanation)
        return page.text()
    first, *others = explanation.diagnoses
    _write_diagnosis(page, first)
    if others:
        page.blank()
        page.heading("Also in this text")
        for other in others:
            page.paragraph(f"{other.name} ({other.confidence.value}): {other.title}", "  ", "    ")
    return page.text()


def render_json(explanation: Explanation) -> str:
    """Give the answer for programs."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": __version__,
        "recognised": explanation.recognised,
        "diagnoses": [_describe(diagnosis) for diagnosis in explanation.diagnoses],
        "values": dict(explanation.values),
    }
    return _dump(document)


def render_entry(entry: Entry, width: int, colour: bool) -> str:
    """Give an entry of the knowledge base for reading on a terminal."""
    page = _Page(max(width, MIN_WIDTH), colour)
    page.title(entry.fill(entry.title, {}))
    page.line(page.dim(f"{entry.name} ({entry.family})"))
    page.blank()
    page.paragraph(entry.fill(entry.lead, {}))
    _write_section(page, "Why", entry.fill(entry.body.why, {}))
    page.blank()
    page.heading("Fix")
    _write_steps(page, tuple(entry.fill(step, {}) for step in entry.fix))
    _write_section(page, "Verify", entry.fill(entry.body.verify, {}))
    _write_section(page, "Avoid", entry.fill(entry.body.avoid, {}))
    if entry.references:
        page.blank()
        page.heading("References")
        for reference in entry.references:
            page.line(f"  {reference}")
    return page.text()


def render_entry_json(entry: Entry) -> str:
    """Give an entry of the knowledge base for programs."""
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


def render_list(knowledge: Knowledge) -> str:
    """Give the name and the title of every entry, a line each."""
    longest = max((len(name) for name in knowledge.entries), default=0)
    lines = (f"{name:<{longest}}  {entry.fill(entry.title, {})}" for name, entry in knowledge.entries.items())
    return "".join(f"{strip_controls(line)}\n" for line in lines)


def render_list_json(knowledge: Knowledge) -> str:
    """Give name, title, family and severity of every entry for programs."""
    return _dump([_summarise(entry) for entry in knowledge.entries.values()])


def _dump(data: object) -> str:
    # Not the one of `renderers.json`, which takes all kinds of facts with it.
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
        "lead": diagnosis.lead,
        "fix": list(diagnosis.fix),
        "verify": diagnosis.verify,
    }


def _write_not_recognised(page: "_Page", explanation: Explanation) -> None:
    page.title("Not recognised")
    page.paragraph("Nothing in this text proves a known problem of PyTorch on Windows.")
    if explanation.diagnoses:
        page.blank()
        page.heading("Closest entries (possible at most)")
        for diagnosis in explanation.diagnoses:
            page.paragraph(f"{diagnosis.name}: {diagnosis.title}", "  ", "    ")
            for evidence in diagnosis.evidence[:1]:
                page.quote(f"  line {evidence.line}: ", evidence.text, 1)
        page.paragraph(f"Read one: torchdoctor explain {explanation.diagnoses[0].name}", "  ", "  ")
    page.blank()
    page.heading("What to paste")
    page.paragraph(
        "The whole output from the command to its end, with every Traceback: in a text with several, the "
        "first one names the cause. Where the program died without a word, paste its exit code.",
        "  ",
        "  ",
    )
    page.paragraph("torchdoctor scan examines this machine without a text.", "  ", "  ")


def _write_diagnosis(page: "_Page", diagnosis: Diagnosis) -> None:
    page.title(diagnosis.title)
    level = page.level(diagnosis.confidence)
    confirmed = {None: "", True: ", confirmed on this machine", False: ", not confirmed on this machine"}
    page.line(f"{level}{confirmed[diagnosis.confirmed]}  {page.dim(diagnosis.name)}")
    page.blank()
    for evidence in diagnosis.evidence:
        page.quote(f"line {evidence.line}: ", evidence.text, _MAX_PROOF_LINES)
    for echo in diagnosis.echoes:
        page.quote("only a consequence: ", echo, 2)
    page.blank()
    page.paragraph(diagnosis.lead)
    page.blank()
    page.heading("Fix")
    _write_steps(page, diagnosis.fix)
    _write_section(page, "Verify", diagnosis.verify)


def _write_section(page: "_Page", heading: str, text: str) -> None:
    if text:
        page.blank()
        page.heading(heading)
        page.markdown(text, "  ")


def _write_steps(page: "_Page", steps: tuple[str, ...]) -> None:
    for number, step in enumerate(steps, start=1):
        page.markdown(step, "     ", f"  {number}. ")


class _Page:
    """Lines of a page of a width; everything that is added is stripped of control sequences."""

    def __init__(self, width: int, colour: bool) -> None:
        self._width = width
        self._colour = colour
        self._lines: list[str] = []

    def text(self) -> str:
        return "\n".join(self._lines).rstrip("\n") + "\n"

    def dim(self, text: str) -> str:
        return style(text, "dim", colour=self._colour)

    def level(self, confidence: Confidence) -> str:
        return style(confidence.value, _LEVELS[confidence], colour=self._colour)

    def line(self, painted: str) -> None:
        """Add a line of parts that `level` or `dim` gave."""
        self._lines.append(painted)

    def quote(self, label: str, text: str, most: int) -> None:
        """Add what the text says, cut to so many lines; the end of a message often names the culprit."""
        room = most * (self._width - 4) - len(label)
        text = strip_controls(text)
        if len(text) > room:
            text = f"{text[: room // 2]} ... {text[-(room // 2 - 5) :]}"
        parts = textwrap.wrap(label + text, self._width - 4, break_on_hyphens=False)
        self._lines.extend(self.dim(f"  {'' if at == 0 else '  '}{part}") for at, part in enumerate(parts))

    def blank(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def title(self, text: str) -> None:
        self._lines.extend(style(part, "strong", colour=self._colour) for part in wrap(text, self._width, ""))

    def heading(self, text: str) -> None:
        self._lines.append(style(text, "strong", colour=self._colour))

    def paragraph(self, text: str, first: str = "", indent: str = "") -> None:
        self._lines.extend(wrap(text, self._width, indent, first))

    def markdown(self, text: str, indent: str, first: str | None = None) -> None:
        self._lines.extend(wrap_markdown(text, self._width, indent, colour=self._colour, first=first))
