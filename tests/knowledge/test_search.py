"""A few words find entries: a number, a DLL, a setting, a half-remembered name."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.knowledge.search import MAX_FOUND, is_query, search_entries

KNOWLEDGE = load_knowledge()[0]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("1455", "paging-file-too-small"),
        ("error 1455", "paging-file-too-small"),
        ("WinError 126", "dll-missing-dependency"),
        ("main guard", "missing-main-guard"),
        ("missing-guard", "missing-main-guard"),
        ("page file", "paging-file-too-small"),
        ("TDR", "tdr-timeout"),
        ("c10.dll", "vc-redist-missing"),
        ("num_workers", "unpicklable-dataset"),
    ],
)
def test_finds_an_entry(query: str, name: str) -> None:
    assert name in [entry.name for entry in search_entries(KNOWLEDGE, query)]


@pytest.mark.parametrize("query", ["", "error", "windows torch", "zebra", "zebra 1455"])
def test_finds_nothing_without_a_telling_word(query: str) -> None:
    assert search_entries(KNOWLEDGE, query) == ()


def test_list_is_short() -> None:
    assert 0 < len(search_entries(KNOWLEDGE, "cuda")) <= MAX_FOUND


@pytest.mark.parametrize(
    ("text", "expected"), [("page file", True), ("a b c d e", False), ("Traceback\nx", False), (" ", False)]
)
def test_tells_a_query_from_a_message(text: str, expected: bool) -> None:
    assert is_query(text) is expected
