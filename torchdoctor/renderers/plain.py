"""Format text for terminals: wrap prose, keep commands, add colours, and remove control sequences."""

import re
from collections.abc import Iterator

from torchdoctor.core.controls import strip_controls
from torchdoctor.knowledge.shells import find_shell, is_of_a_batch_file, write_for_cmd
from torchdoctor.renderers.blocks import ITEM_MARKS, read_blocks
from torchdoctor.renderers.columns import count_columns, pad, wrap_columns

_STYLES = {
    "error": "1;31", "warning": "1;33", "note": "36", "ok": "32", "strong": "1", "dim": "2", "command": "36",
}  # fmt: skip
MIN_WIDTH = 40
# A table whose last column would be narrower is shown as a list.
_LEAST_LAST_WIDTH = 24


def style(text: str, name: str, *, colour: bool) -> str:
    """Return the text without control sequences, in the colour of a named style if `colour` is true."""
    text = strip_controls(text)
    return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if colour and text else text


def wrap(text: str, width: int, indent: str, first: str | None = None) -> list[str]:
    """Wrap one paragraph of Markdown; words longer than a line (paths) stay whole, so they can be copied."""
    paragraph = _strip_marks(strip_controls(" ".join(text.split())))
    # A paragraph of control sequences has nothing left.
    return wrap_columns(paragraph, max(width, MIN_WIDTH), indent if first is None else first, indent) or [""]


def wrap_markdown(
    text: str, width: int, indent: str, *, colour: bool, first: str | None = None
) -> Iterator[str]:
    """Wrap the prose of a section; the lines of fenced blocks stay as they are, so they can be copied."""
    for block in wrap_blocks(text, width, indent, colour=colour, first=first):
        yield from block


def wrap_blocks(
    text: str, width: int, indent: str, *, colour: bool, first: str | None = None
) -> Iterator[list[str]]:
    """Yield the lines of each paragraph, list item and fenced block, as `wrap_markdown` does."""
    lead = first
    for block in read_blocks(text):
        lines = block.lines
        if block.language is not None:
            yield list(_render_code(block.language, lines, indent, colour))
        elif all(line.startswith("|") for line in lines):
            yield _lay_out_table(lines, width, indent)
        elif lines[0].startswith(ITEM_MARKS) and lead is None:
            yield wrap(" ".join(lines), width, f"{indent}  ", indent)
        else:
            yield wrap(" ".join(lines), width, indent, lead)
        lead = None


def _render_code(language: str, lines: list[str], indent: str, colour: bool) -> Iterator[str]:
    """Yield the lines of a fenced block, below the shell that they are for if only one reads them."""
    code = "\n".join(lines)
    shell = find_shell(language, code)
    code_for_cmd = write_for_cmd(code) if shell == "PowerShell" else None
    if is_of_a_batch_file(code):
        shell = "a .bat file, where the step says"
    elif shell == "PowerShell" and code_for_cmd is None:
        shell = "PowerShell (in cmd, type powershell first)"
    for name, part in ((shell, code), ("cmd", code_for_cmd)):
        if part is not None and name is not None:
            yield style(f"{indent}In {name}:", "dim", colour=colour)
        if part is not None:
            yield from (
                style(f"{indent}  {line}".rstrip(), "command", colour=colour) for line in part.split("\n")
            )


def _lay_out_table(rows: list[str], width: int, indent: str) -> list[str]:
    """Return the rows of a Markdown table with aligned columns, or as a list if they are wide."""
    cells = [
        [_strip_marks(strip_controls(cell.strip())) for cell in row.strip().strip("|").split("|")]
        for row in rows
        if set(row) - set("|-: ")
    ]
    if not cells:
        return []
    most = max(map(len, cells))
    cells = [[*row, *[""] * (most - len(row))] for row in cells]
    *widths, last_width = [max(map(count_columns, column)) for column in zip(*cells, strict=True)]
    if len(indent) + sum(widths) + 2 * len(widths) + min(last_width, _LEAST_LAST_WIDTH) > width:
        items = (": ".join(filter(None, row)) for row in cells[1:])
        return [line for item in items for line in wrap(item, width, f"{indent}  ", f"{indent}- ")]
    lines: list[str] = []
    for row in cells:
        first = indent + "".join(f"{pad(cell, room)}  " for cell, room in zip(row, widths, strict=False))
        lines += wrap(row[-1], width, " " * count_columns(first), first) or [first.rstrip()]
    return lines


def _strip_marks(text: str) -> str:
    """Remove the Markdown marks of code, emphasis and links, which a terminal shows as they are."""
    text = re.sub(r"\[([^\]\n]{1,300})\]\((https?://[^)\s]{1,500})\)", r"\1 (\2)", text)
    return re.sub(r"\*\*([^*\n]{1,300})\*\*", r"\1", text).replace("`", "")
