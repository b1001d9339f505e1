"""The knowledge base: Markdown entries with a TOML head."""

from torchdoctor.knowledge.bodies import EntryError, Sample
from torchdoctor.knowledge.entries import (
    CODE_KINDS,
    FAMILIES,
    SEVERITIES,
    Affected,
    Entry,
    Knowledge,
    Symptom,
    index_entries,
    parse_entry,
    parse_head,
    share_entry,
)
from torchdoctor.knowledge.programs import Program, find_program, index_programs, parse_program

__all__ = [
    "CODE_KINDS",
    "FAMILIES",
    "SEVERITIES",
    "Affected",
    "Entry",
    "EntryError",
    "Knowledge",
    "Program",
    "Sample",
    "Symptom",
    "find_program",
    "index_entries",
    "index_programs",
    "parse_entry",
    "parse_head",
    "parse_program",
    "share_entry",
]
