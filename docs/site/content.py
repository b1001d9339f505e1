"""Make the pages of the site from the knowledge base and the documents of the repository."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from torchdoctor.engine.registry import Registry
from torchdoctor.knowledge import Entry
from torchdoctor.renderers.html.elements import element, write_inline, write_markdown
from torchdoctor.renderers.listing import render_markdown

ROOT = Path(__file__).resolve().parents[2]
# Shorter texts, and weaker evidence, are parts of many messages.
_SHORTEST_TEXT, _LEAST_WEIGHT = 8, 0.5
_MOST_DESCRIPTION_CHARACTERS = 300
_FAMILY_TITLES = {
    "install": "Installing and importing",
    "dll": "DLLs",
    "gpu": "Graphics card and driver",
    "memory": "Memory",
    "settings": "Settings",
    "multiprocessing": "Worker processes",
    "source": "Training code",
    "build": "Building extensions",
    "distributed": "Distributed training",
}
_NUMBER_LABELS = {"winerror": "WinError", "os": "os error", "errno": "Errno", "cuda": "CUDA error"}
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


def make_pages(registry: Registry) -> dict[str, str]:
    """Return the text of each page by its path; those that are written by hand are not among them."""
    entries = list(registry.knowledge.entries.values())
    pages = {f"entries/{entry.name}.md": _write_entry(entry) for entry in entries}
    pages["entries/index.md"] = _write_entry_list(entries)
    pages["checks.md"] = _write_checks(registry)
    pages["contributing/index.md"] = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    pages["contributing/architecture.md"] = _write_architecture()
    return pages


def make_index(entries: Iterable[Entry]) -> str:
    """Return what is searched before Python is there: title, numbers and texts of each entry, as JSON."""
    rows = [
        {
            "name": entry.name,
            "title": _plain(entry.fill(entry.title, {})),
            "numbers": sorted({form for form, _ in _list_numbers(entry)}),
            "texts": [
                text for text in list_texts(entry) if len(text) >= _SHORTEST_TEXT or not text.isascii()
            ],
        }
        for entry in entries
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def list_texts(entry: Entry) -> list[str]:
    """Return the texts by which an entry is recognised, those of Windows in other languages included."""
    texts = [
        symptom.text
        for symptom in entry.symptoms
        if not symptom.text.isascii()
        or (len(symptom.text) >= _SHORTEST_TEXT and symptom.weight >= _LEAST_WEIGHT)
    ]
    return list(dict.fromkeys(texts))


def list_numbers(entry: Entry) -> list[str]:
    """Return the error numbers of an entry, in each form in which a program prints them."""
    return list(dict.fromkeys(form for form, _ in _list_numbers(entry)))


def _list_numbers(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield each form of a number, and how it is headed."""
    for kind, numbers in entry.codes.items():
        for number in numbers:
            if kind == "exit":
                heading = f"exit code 0x{number:08X}"
                yield f"0x{number:08X}", heading
                yield str(number), heading
                yield str(number - (1 << 32) if number >= 1 << 31 else number), heading
            else:
                yield str(number), f"{_NUMBER_LABELS[kind]} {number}"


def _write_entry(entry: Entry) -> str:
    title, lead = _plain(entry.fill(entry.title, {})), entry.fill(entry.lead, {})
    body = entry.body
    numbers = list(dict.fromkeys(heading for _, heading in _list_numbers(entry)))
    description = _cut(_plain(lead))
    keywords = ", ".join([*numbers, *(text for text in list_texts(entry) if "," not in text)])
    lines = [
        "---",
        f"title: {json.dumps(', '.join([title, *numbers[:2]]), ensure_ascii=False)}",
        f"description: {json.dumps(description, ensure_ascii=False)}",
        f"keywords: {json.dumps(keywords, ensure_ascii=False)}",
        "---",
        "",
        f"# {_escape(title)}",
        "",
        element("p", write_inline(lead), class_="lead").html,
        "",
        "## Fix",
        "",
        element("ol", *(element("li", write_markdown(entry.fill(step, {}))) for step in entry.fix)).html,
        "",
    ]
    if body.verify:
        lines += ["## Verify", "", write_markdown(entry.fill(body.verify, {})).html, ""]
    lines += ["## Why", "", write_markdown(entry.fill(body.why, {})).html, ""]
    if body.avoid:
        lines += ["## Avoid", "", write_markdown(entry.fill(body.avoid, {})).html, ""]
    lines += [*_write_signs(entry, numbers), *_write_samples(entry)]
    if entry.references:
        links = element("ul", *(element("li", write_inline(each)) for each in entry.references))
        lines += ["## References", "", links.html, ""]
    lines += [f"In a terminal: `torchdoctor explain {entry.name}`.", ""]
    return "\n".join(lines)


def _write_signs(entry: Entry, numbers: list[str]) -> Iterator[str]:
    """Yield the numbers and the texts of the error, which people search for."""
    if numbers:
        forms = [form for form in list_numbers(entry) if not any(form in heading for heading in numbers)]
        more = f" An exit code is also printed as {' or '.join(forms)}." if forms else ""
        yield f"## Error numbers: {', '.join(numbers)}"
        yield ""
        yield element("p", f"These numbers point to this problem: {', '.join(numbers)}.{more}").html
        yield ""
    texts = list_texts(entry)
    if own := [text for text in texts if text.isascii()]:
        yield "## Error texts"
        yield ""
        yield element("ul", *(element("li", element("code", text)) for text in own)).html
        yield ""
    if own := [text for text in texts if not text.isascii()]:
        yield "## Error texts in other languages"
        yield ""
        # The search of the site ranks what stands in a heading first.
        yield from (f"### {_escape(text)}\n" for text in own)


def _write_samples(entry: Entry) -> Iterator[str]:
    for heading, samples in (("Code that has it", entry.body.bad), ("Code without it", entry.body.good)):
        if samples:
            yield f"## {heading}"
            yield ""
            for sample in samples:
                yield f"```{sample.language}\n{sample.text.rstrip()}\n```"
                yield ""


def _write_entry_list(entries: Iterable[Entry]) -> str:
    lines = [
        "# Problems",
        "",
        "Each problem with its fix, by what fails. The search finds error numbers and texts.",
        "",
    ]
    entries = list(entries)
    for family, title in _FAMILY_TITLES.items():
        own = [entry for entry in entries if entry.family == family]
        lines += [f"## {title}", ""]
        lines += [f"- [{_escape(_plain(entry.fill(entry.title, {})))}]({entry.name}.md)" for entry in own]
        lines.append("")
    return "\n".join(lines)


def _write_checks(registry: Registry) -> str:
    table = re.sub(r"\| `([\w-]+)` \|", r"| [`\1`](entries/\1.md) |", render_markdown(registry))
    return (
        "# Checks\n\nWhat `torchdoctor scan` looks for. Names and families select checks: "
        "`torchdoctor scan --select memory`.\n\n" + table
    )


def _write_architecture() -> str:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = _SECTION.split(page)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    return (
        "# Architecture\n\n![How torchdoctor works: probes observe facts, checks turn facts into findings, "
        "and a report shows them; a pasted text becomes diagnoses of the same knowledge base]"
        "(../assets/architecture.svg)"
        f"\n\n## The picture\n{sections['The picture']}\n## Where things are\n{sections['Where things are']}"
    )


def _plain(text: str) -> str:
    """Return a text of an entry without its marks."""
    return " ".join(text.replace("`", "").replace("**", "").split())


def _cut(text: str) -> str:
    return (
        text
        if len(text) <= _MOST_DESCRIPTION_CHARACTERS
        else f"{text[: _MOST_DESCRIPTION_CHARACTERS - 3]}..."
    )


def _escape(text: str) -> str:
    """Return a text in which Markdown sees no marks."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)
