"""Write HTML elements; every text and every attribute is escaped here, and nowhere else."""

import re
from collections.abc import Iterable
from html import escape

from torchdoctor.core.controls import strip_controls
from torchdoctor.core.record import record
from torchdoctor.renderers.blocks import Block, read_blocks, read_spans

_VOID = frozenset({"input", "meta"})
# Halves of pairs, which UTF-8 cannot write.
_HALVES = re.compile("[\ud800-\udfff]")
_LABEL_CHARACTERS = 60


@record
class Markup:
    """Text that is HTML already; only this module makes it from other text."""

    html: str


Content = str | Markup


def write_text(text: str) -> str:
    """Return a text without control characters, escaped for HTML."""
    return escape(_HALVES.sub("?", strip_controls(text)))


def element(tag: str, *content: Content, **attributes: str | bool) -> Markup:
    """Return an element; text is escaped. `class_` stands for `class`, `_` for `-`; False leaves one out."""
    parts = [f"<{tag}"]
    for name, value in attributes.items():
        if value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        parts.append(f" {name}" if value is True else f' {name}="{write_text(str(value))}"')
    parts.append(">")
    if tag not in _VOID:
        parts += [each.html if isinstance(each, Markup) else write_text(each) for each in content]
        parts.append(f"</{tag}>")
    return Markup("".join(parts))


def join(parts: Iterable[Content]) -> Markup:
    """Return parts one after the other."""
    return Markup("".join(each.html if isinstance(each, Markup) else write_text(each) for each in parts))


def fold(summary: str, *content: Content, class_: str = "") -> Markup:
    """Return content that is shown only when its summary is opened."""
    return element("details", element("summary", summary), *content, class_=class_ or False)


def code_box(code: str, label: str = "") -> Markup:
    """Return code in a box, which gets a button that copies it."""
    lines = "\n".join(write_text(line) for line in code.splitlines())
    first = label or " ".join(code.split())[:_LABEL_CHARACTERS]
    pre = element("pre", element("code", Markup(lines)))
    return element("div", pre, class_="code", data_label=first)


def write_markdown(text: str) -> Markup:
    """Return the Markdown of an entry as HTML; lists of items become lists."""
    parts: list[Markup] = []
    items: list[Markup] = []
    for block in read_blocks(text):
        if _is_item(block):
            items.append(element("li", write_inline(" ".join(block.lines)[2:])))
            continue
        if items:
            parts.append(element("ul", *items))
            items = []
        parts.append(_write_block(block))
    if items:
        parts.append(element("ul", *items))
    return join(parts)


def _is_item(block: Block) -> bool:
    return block.language is None and block.lines[0].startswith(("- ", "* "))


def _write_block(block: Block) -> Markup:
    if block.language is not None:
        return code_box("\n".join(block.lines))
    if all(line.startswith("|") for line in block.lines):
        rows = [line.strip().strip("|").split("|") for line in block.lines if set(line) - set("|-: ")]
        return element("table", *(_write_row(row, is_head=not number) for number, row in enumerate(rows)))
    return element("p", write_inline(" ".join(block.lines)))


def _write_row(cells: list[str], *, is_head: bool) -> Markup:
    if is_head:
        return element("tr", *(element("th", write_inline(cell.strip()), scope="col") for cell in cells))
    return element("tr", *(element("td", write_inline(cell.strip())) for cell in cells))


def write_inline(text: str) -> Markup:
    """Return a paragraph of Markdown with its code, emphasis and links."""
    parts: list[Content] = []
    for span in read_spans(strip_controls(text)):
        if span.kind == "code":
            parts.append(element("code", span.text))
        elif span.kind == "strong":
            parts.append(element("strong", span.text))
        elif span.kind == "link":
            parts.append(element("a", span.text, href=span.address, rel="noreferrer"))
        else:
            parts.append(span.text)
    return join(parts)
