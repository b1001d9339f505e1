"""Markdown of entries on the terminal: tables, lists and code."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.renderers.plain import wrap_markdown

KNOWLEDGE = load_knowledge()[0]
TABLE = """| torch | folders |
|---|---|
| 2.1 | `cu118` |
| 2.10 | cu126 |"""


def _render(text: str, width: int = 80) -> list[str]:
    return list(wrap_markdown(text, width, "  ", colour=False))


def test_table_has_aligned_columns() -> None:
    assert _render(TABLE) == ["  torch  folders", "  2.1    cu118", "  2.10   cu126"]


def test_long_last_column_is_wrapped_below_itself() -> None:
    lines = _render(f"| a | b |\n|---|---|\n| x | {'word ' * 20}|", width=40)
    assert lines[:3] == ["  a  b", f"  x  {'word ' * 7}".rstrip(), f"     {'word ' * 7}".rstrip()]


def test_wide_table_is_a_list() -> None:
    lines = _render(f"| a | b |\n|---|---|\n| {'x' * 77} | see there |")
    assert lines == [f"  - {'x' * 77}:", "    see there"]


def test_list_item_keeps_its_indent() -> None:
    assert _render("- one two\n  three four\n- five", width=40) == ["  - one two three four", "  - five"]
    assert _render(f"- {'word ' * 12}", width=40)[1].startswith("    word")


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_entry_has_no_line_beyond_80_columns_but_commands(name: str) -> None:
    entry = KNOWLEDGE.entries[name]
    prose = (entry.lead, entry.body.why, entry.body.avoid)
    lines = [line for text in prose for line in _render(entry.fill(text, {}))]
    assert [
        line for line in lines if len(line) > 80 and not line.startswith("    ") and " " in line.strip()
    ] == []
