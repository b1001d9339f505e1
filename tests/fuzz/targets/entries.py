"""Entries and programs of the knowledge base."""

import json
from functools import cache

from hypothesis import strategies as st
from mutations import PIECES, damaged_lines, damaged_texts

from targets.table import ENTRIES, KNOWLEDGE, require_line, require_plain, target
from targets.texts import ERRORS
from torchdoctor.explain import explain_stream
from torchdoctor.knowledge import EntryError, index_entries, parse_program
from torchdoctor.renderers import explanation as explanations


@cache
def read_entries() -> tuple[str, ...]:
    """Return the entries of the knowledge base."""
    return tuple(each.read_text(encoding="utf-8") for each in sorted(ENTRIES.glob("*.md")))


HEADS = (
    "symptoms = 1",
    "codes = {}",
    'family = ""',
    "[a]\n[a]",
    "x = [",
    "pattern = '(a+)+$'",
    "unless = [1]",
    "```",
)


@target(
    st.deferred(
        lambda: damaged_lines(read_entries(), (*HEADS, *PIECES)) | damaged_texts(read_entries(), HEADS)
    ),
    st.sampled_from(ERRORS),
)
def entry(markdown: str, pasted: str) -> None:
    """An entry is refused in one line, or can be searched, explained and shown."""
    from torchdoctor.engine import library

    try:
        parsed = library.parse_whole("an-entry", markdown)
    except EntryError as error:
        require_line(str(error))
        return
    knowledge = index_entries([parsed])
    explanation = explain_stream((pasted.encode(),), knowledge)
    require_plain(explanations.render_text(explanation, 80, False))
    require_plain(explanations.render_entry(parsed, 80, False))
    json.loads(explanations.render_entry_json(parsed))


@cache
def read_programs() -> tuple[str, ...]:
    """Return the files of the programs."""
    return tuple(each.read_text(encoding="utf-8") for each in sorted(ENTRIES.glob("programs/*.toml")))


SETTINGS = ("signs = []", "signs = [1]", "program = 1", 'like = "a-program"', 'place = "{place}"', "cpu = ''")


@target(
    st.deferred(
        lambda: (
            damaged_lines(read_programs(), (*SETTINGS, *PIECES)) | damaged_texts(read_programs(), SETTINGS)
        )
    ),
    st.sampled_from(ERRORS),
)
def program(toml: str, pasted: str) -> None:
    """A file of a program is refused in one line, or its settings can be shown in an answer."""
    try:
        parsed = parse_program("a-program", toml)
    except EntryError as error:
        require_line(str(error))
        return
    knowledge = index_entries(KNOWLEDGE.entries.values(), [parsed])
    text = f"{pasted}\n{parsed.signs[0]}"
    require_plain(explanations.render_text(explain_stream((text.encode(),), knowledge), 80, False))
