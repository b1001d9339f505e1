"""The work of reading training code grows with its size, not with its square."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from torchdoctor.engine.code.edits import drop_unusable_edits
from torchdoctor.engine.code.noise import lower_asides
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts import Facts
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.idioms.worker_numbers.options import read_options

# What a file of training code may repeat; {i} is the number of the repetition.
GROWTH = json.loads((Path(__file__).with_name("growth.json")).read_text(encoding="utf-8"))
SMALL = 12
KNOWLEDGE = load_registry().knowledge
CHECKS = [check for check in load_registry().checks if SourceFile in check.facts]
# Three times the size takes about three times the work, and seven times or more if the work is quadratic or worse.
MOST = 4.0


def count_lines(call: Callable[[], object]) -> int:
    """Return how many lines a call runs, each turn of a loop counted; the number does not depend on the machine."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def read_all(text: str) -> dict[str, int]:
    """Return the lines that each check runs for a text, and what is done with its findings."""
    counts = {}
    for check in CHECKS:
        source = parse_source("train.py", text.encode())
        assert isinstance(source, SourceFile)
        _ = source.module.nodes, source.module.bindings, source.module.calls
        counts[check.name] = count_lines(lambda c=check, s=source: list(c.function(s)))  # type: ignore[misc]
    source = parse_source("train.py", text.encode())
    assert isinstance(source, SourceFile)
    outcomes = list(run_checks(CHECKS, Facts({SourceFile: (source,)}), KNOWLEDGE))
    counts["suppressed"] = count_lines(lambda: drop_suppressed(outcomes, source))
    counts["asides"] = count_lines(lambda: lower_asides(outcomes, source, ()))
    counts["edits"] = count_lines(lambda: drop_unusable_edits(outcomes, CHECKS, source))
    counts["options"] = count_lines(lambda: read_options(source))
    return counts


@pytest.mark.parametrize("name", sorted(GROWTH["blocks"]))
def test_work_grows_with_the_size(name: str) -> None:
    def repeat(count: int) -> str:
        blocks = [line.format(i=i, j=i + 1) for i in range(count) for line in GROWTH["blocks"][name]]
        inner = GROWTH["inner_heads"].get(name, [])
        return "\n".join([*GROWTH["head"], *inner, *blocks, *GROWTH["tail"], ""])

    small, large = read_all(repeat(SMALL)), read_all(repeat(3 * SMALL))
    growth = {check: large[check] / max(small[check], 1_000) for check in small}
    assert {check: round(value, 1) for check, value in growth.items() if value > MOST} == {}
