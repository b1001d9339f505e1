"""Read the Markdown of entries into blocks and spans, which each renderer writes in its own way."""

import re
from collections.abc import Iterator

from torchdoctor.core.record import record

ITEM_MARKS = ("- ", "* ")
_FENCE = re.compile(r"^(\s*)```(\w*)\s*$")
_SPAN = re.compile(
    r"`([^`\n]{1,1000})`|\*\*([^*\n]{1,300})\*\*|\[([^\]\n]{1,300})\]\((https?://[^)\s]{1,500})\)"
    r"|(https?://[^\s<>()\"'`]{1,500}[^\s<>()\"'`.,;:!?])"
)


@record
class Block:
    """A paragraph, a list item, a table or a fenced block; `language` is that of the fence, else None."""

    lines: list[str]
    language: str | None = None


@record
class Span:
    """A part of a paragraph: `kind` is "text", "code", "strong" or "link", which has an `address`."""

    kind: str
    text: str
    address: str = ""


def read_blocks(text: str) -> Iterator[Block]:
    """Yield each block; the lines of a fenced block are without the fence and its indent."""
    lines: list[str] = []
    opening: re.Match[str] | None = None
    for line in text.split("\n"):
        if fence := _FENCE.match(line):
            if lines or opening:
                yield Block(lines, opening[2] if opening else None)
            lines, opening = [], None if opening else fence
        elif opening:
            lines.append(line.removeprefix(opening[1]))
        elif not line.strip() or line.lstrip().startswith(ITEM_MARKS):
            if lines:
                yield Block(lines)
            lines = [line.strip()] if line.strip() else []
        else:
            lines.append(line.strip())
    if lines:
        yield Block(lines, opening[2] if opening else None)


def read_spans(text: str) -> Iterator[Span]:
    """Yield the parts of a paragraph; a bare address is a link."""
    end = 0
    for match in _SPAN.finditer(text):
        if match.start() > end:
            yield Span("text", text[end : match.start()])
        code, strong, label, address, bare = match.groups()
        if code is not None:
            yield Span("code", code)
        elif strong is not None:
            yield Span("strong", strong)
        else:
            yield Span("link", label or bare, address or bare)
        end = match.end()
    if end < len(text):
        yield Span("text", text[end:])
