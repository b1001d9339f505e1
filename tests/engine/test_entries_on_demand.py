"""Entries that are parsed when they are asked for are those that are parsed at once."""

from torchdoctor.engine.entries_on_demand import EntriesOnDemand
from torchdoctor.engine.library import load_knowledge, load_knowledge_on_demand
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.registry import load_registry

KNOWLEDGE = load_knowledge()[0]


def test_entries_are_the_same_whenever_they_are_parsed() -> None:
    entries = load_knowledge_on_demand()[1]
    assert dict(entries.items()) == dict(KNOWLEDGE.entries)


def test_entry_alone_has_the_steps_that_others_share_with_it() -> None:
    name = next(entry.name for entry in KNOWLEDGE.entries.values() if entry.shared is not None)
    assert load_knowledge_on_demand()[1][name] == KNOWLEDGE.entries[name]


def test_entry_is_parsed_when_it_is_asked_for_and_only_once() -> None:
    read: list[str] = []

    def parse(name: str):
        read.append(name)
        return KNOWLEDGE.entries[name]

    entries = EntriesOnDemand(
        {name: lambda name=name: parse(name) for name in ("paging-file-too-small", "long-path")}
    )
    assert (entries["long-path"].name, entries["long-path"].name, read) == (
        "long-path",
        "long-path",
        ["long-path"],
    )


def test_broken_entry_is_missing_and_named() -> None:
    entries = EntriesOnDemand({"a": lambda: Broken("a", "garbage")})
    assert ("a" in entries, [*entries.values()], len(entries), entries.broken) == (
        False,
        [],
        0,
        [Broken("a", "garbage")],
    )


def test_only_named_checks_are_loaded() -> None:
    registry = load_registry(names=("long-path",), loads_all_entries=False)
    assert ([check.name for check in registry.checks], registry.left_out) == (["long-path"], ())
