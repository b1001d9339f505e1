"""The table of targets, and what must hold for every output."""

import json
import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hypothesis import strategies as st

from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import (
    Facts,
    occurs_many_times,
)
from torchdoctor.facts.codec import decode_facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.loader.plan import make_plan
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.renderers import concise, github, gitlab, junit, markdown, sarif, terminal
from torchdoctor.renderers import json as reports
from torchdoctor.renderers.html import report as html
from torchdoctor.report import Report

SAMPLES = Path(__file__).parents[2] / "samples"
ENTRIES = Path(__file__).parents[3] / "knowledge_base"
REGISTRY = load_registry()
KNOWLEDGE, _ = load_knowledge()
IDENTITY = Identity("/home/mary", "mary", "mary-pc", "")
OF_FACTS = tuple(each for each in REGISTRY.checks if not any(map(occurs_many_times, each.facts)))
OF_CODE = tuple(each for each in REGISTRY.checks if any(map(occurs_many_times, each.facts)))
# Many small files are made; where there is such a folder, they cost no disk.
SHARED_MEMORY = next((each for each in ("/dev/shm",) if os.access(each, os.W_OK)), None)
# Characters that change the direction of text, or are shown as nothing.
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@dataclass(frozen=True)
class Target:
    """A function, and the strategies of its arguments."""

    function: Callable[..., None]
    strategies: tuple[st.SearchStrategy[Any], ...]


TARGETS: dict[str, Target] = {}


def target(*strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Enter a function in the table; it raises an exception where a promise is broken."""

    def enter(function: Callable[..., None]) -> Callable[..., None]:
        TARGETS[function.__name__] = Target(function, strategies)
        return function

    return enter


def require_plain(text: str) -> None:
    """Assert that no character of a text is interpreted by a terminal, and that it can be encoded."""
    text.encode("utf-8")
    bad = {
        each
        for each in set(text) - {"\n"}
        if unicodedata.category(each) in ("Cc", "Cs") or unicodedata.bidirectional(each) in DIRECTIONS
    }
    assert not bad, f"the output holds {sorted(bad)!r}"


def require_line(message: str) -> None:
    """Assert that a message is one line that is not empty."""
    assert message.strip(), "the message is empty"
    assert len(message.splitlines()) == 1, message
    assert len(message) < 1000, f"{len(message)} characters"


def require_report(outcomes: tuple[Outcome, ...], facts: Facts, knowledge: Knowledge = KNOWLEDGE) -> None:
    """Assert that a report of the outcomes can be written in every form, and read again."""
    report = Report("1", "2026-01-01T00:00:00Z", facts, outcomes, knowledge, make_plan(facts))
    shared = redact(report, IDENTITY, (Knowledge,))
    require_plain(terminal.render(report, width=80))
    require_plain(terminal.render(report, width=30, verbose=True))
    for renderer in (reports, sarif, github, concise, gitlab, junit, markdown, html):
        text = renderer.render(shared)
        text.encode("utf-8")
        require_plain(text)
    ElementTree.fromstring(junit.render(shared))
    document = json.loads(reports.render(shared), parse_constant=refuse)
    json.loads(sarif.render(shared), parse_constant=refuse)
    assert decode_facts(document).values.keys() == facts.values.keys() - {
        each for each in facts.values if occurs_many_times(each)
    }


def refuse(constant: str) -> None:
    """Refuse a constant that JSON does not have."""
    raise AssertionError(f"{constant} is no JSON")


def require_no_error(outcomes: tuple[Outcome, ...]) -> None:
    """Assert that no check failed itself."""
    errored = [f"{each.name}: {each.reason}" for each in outcomes if each.status == "errored"]
    assert not errored, errored


@cache
def read_samples(pattern: str) -> tuple[str, ...]:
    """Return the texts of the samples of a pattern."""
    files = sorted(SAMPLES.glob(pattern))
    assert files, pattern
    return tuple(each.read_text(encoding="utf-8", errors="replace") for each in files)
