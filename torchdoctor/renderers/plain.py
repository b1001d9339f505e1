"""Plain text for terminals: colours, wrapping, and nothing that a terminal would obey."""

import re
import textwrap

# C0 and C1 controls, DEL, and the marks that reorder text: names and messages come from anywhere.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "note": "36",
    "ok": "32",
    "strong": "1",
    "dim": "2",
    "code": "36",
}
_FENCE = re.compile(r"^\s*```")


def clean(text: str) -> str:
    """Take out everything that could steer a terminal."""
    return _CONTROLS.sub("", text)


def style(text: str, name: str, *, colour: bool) -> str:
    """Colour a text where colour is wanted."""
    return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if colour else text


def wrap(text: str, width: int, indent: str, first: str | None = None) -> list[str]:
    """Wrap one paragraph; words longer than a line (paths) stay whole."""
    return textwrap.wrap(
        clean(" ".join(text.split())),
        width=max(width, 40),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def wrap_markdown(text: str, width: int, indent: str, *, colour: bool, first: str | None = None) -> list[str]:
    """Set an entry's Markdown for a terminal: prose is wrapped, commands stay as they are."""
    lines: list[str] = []
    lead, paragraph, in_fence = first, list[str](), False

    def flush() -> None:
        nonlocal lead
        if paragraph:
            lines.extend(wrap(_strip_marks(" ".join(paragraph)), width, indent, lead))
            lead = None
            paragraph.clear()

    for line in textwrap.dedent(_align(text)).splitlines():
        if _FENCE.match(line):
            flush()
            in_fence = not in_fence
        elif in_fence:
            lines.append(indent + "    " + style(clean(line), "code", colour=colour))
        elif not line.strip():
            flush()
        elif line.lstrip().startswith(("- ", "* ")):
            flush()
            paragraph.append(line.strip())
        else:
            paragraph.append(line.strip())
    flush()
    return lines


def _align(text: str) -> str:
    # A step's first line stands behind its number, the rest is indented by it.
    head, newline, rest = text.partition("\n")
    return head.strip() + newline + textwrap.dedent(rest) if newline else head.strip()


def _strip_marks(text: str) -> str:
    text = re.sub(r"\[([^\]]+)\]\((https?://[^)\s]+)\)", r"\1 (\2)", text)
    return re.sub(r"(\*\*|__|`)([^*`_]+?)\1", r"\2", text)
