"""Text for terminals: wrapped prose, commands as they are, colours, and nothing a terminal would obey."""

import re
import textwrap
from collections.abc import Iterator

from torchdoctor.explain.clean import strip_controls

_STYLES = {
    "error": "1;31", "warning": "1;33", "note": "36", "ok": "32", "strong": "1", "dim": "2", "command": "36",
}  # fmt: skip
_FENCE = re.compile(r"^\s*```\w*\s*$")
MIN_WIDTH = 40


def style(text: str, name: str, *, colour: bool) -> str:
    """Clean a text, and colour it where colour is wanted."""
    text = strip_controls(text)
    return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if colour and text else text


def wrap(text: str, width: int, indent: str, first: str | None = None) -> list[str]:
    """Wrap one paragraph of Markdown; words longer than a line (paths) stay whole, to be copied."""
    return textwrap.wrap(
        _unmark(strip_controls(" ".join(text.split()))),
        width=max(width, MIN_WIDTH),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def cut(text: str, room: int) -> str:
    """Cut a text to one line of so many columns."""
    text = strip_controls(" ".join(text.split()))
    return text if len(text) <= room else f"{text[: max(0, room - 3)]}..."


def wrap_markdown(
    text: str, width: int, indent: str, *, colour: bool, first: str | None = None
) -> Iterator[str]:
    """Wrap the prose of a section and leave its fenced blocks as they are, ready to be copied."""
    lead = first
    for is_block, lines in _read_blocks(text):
        if is_block:
            yield from (style(f"{indent}  {line}".rstrip(), "command", colour=colour) for line in lines)
        else:
            yield from wrap(" ".join(lines), width, indent, lead)
        lead = None


def _read_blocks(text: str) -> Iterator[tuple[bool, list[str]]]:
    """Give runs of lines: fenced ones (without the fence and its indent), paragraphs and list items."""
    held: list[str] = []
    fence: str | None = None
    for line in text.split("\n"):
        if _FENCE.match(line):
            if held or fence is not None:
                yield fence is not None, held
            held = []
            fence = None if fence is not None else line[: len(line) - len(line.lstrip())]
        elif fence is not None:
            held.append(line.removeprefix(fence))
        elif not line.strip() or line.lstrip().startswith(("- ", "* ")):
            if held:
                yield False, held
            held = [line.strip()] if line.strip() else []
        else:
            held.append(line.strip())
    if held:
        yield fence is not None, held


def _unmark(text: str) -> str:
    """Take off Markdown's marks for code, emphasis and links, which a terminal would show as they are."""
    text = re.sub(r"\[([^\]\n]{1,300})\]\((https?://[^)\s]{1,500})\)", r"\1 (\2)", text)
    return re.sub(r"\*\*([^*\n]{1,300})\*\*", r"\1", text).replace("`", "")
