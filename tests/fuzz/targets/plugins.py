"""Checks of third parties."""

import contextlib
import io
from collections.abc import Iterator

from hypothesis import strategies as st
from mutations import PIECES, VALUES

from targets.table import KNOWLEDGE, OF_FACTS, require_report, target
from torchdoctor.check import (
    Bound,
    Edit,
    Finding,
    Location,
    Passed,
    Replacement,
    Severity,
    Skip,
    check,
)
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts import (
    Facts,
    Memory,
)


class Hostile:
    """An object that fails at whatever it is asked."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__
    __bool__ = __iter__ = __len__ = __hash__ = __eq__ = __str__  # type: ignore[assignment]


class HostileText(str):
    """A text that is no text when it is asked."""

    def __str__(self) -> str:
        raise ValueError

    __len__ = __format__ = splitlines = split = __str__  # type: ignore[assignment]


class HostileError(Exception):
    """An exception that cannot be told."""

    def __str__(self) -> str:
        raise SystemExit(0)

    __repr__ = __str__


ANYTHING = (
    st.sampled_from((*VALUES, b"x", {1: 2}, {"a": {1}}, float("nan")))
    | st.builds(object)
    | st.builds(Hostile)
    | st.builds(HostileText)
)
TEXTS = st.text(max_size=20) | st.sampled_from(PIECES) | st.builds(HostileText)
LOCATIONS = st.builds(Location, TEXTS, st.sampled_from((0, 1, -1, 10**9))) | st.none()
EVIDENCE = st.dictionaries(TEXTS, ANYTHING, max_size=3)
EDITS = st.builds(Edit, TEXTS, TEXTS, st.just((Replacement(5, 1, "x"), Replacement(-1, 99, "y")))) | st.none()
STEPS = st.none() | TEXTS
BOUNDS = st.none() | st.builds(Bound, TEXTS, st.sampled_from((-1, 0, 1, 10**30)), TEXTS)
SEVERITIES = st.none() | st.sampled_from(Severity)
FINDINGS = st.builds(Finding, TEXTS, LOCATIONS, EVIDENCE, SEVERITIES, EDITS, STEPS, BOUNDS)
ODD_FINDINGS = st.builds(Finding, *[ANYTHING] * 7) | st.builds(Passed, ANYTHING)
ERRORS_OF_CHECKS = st.builds(HostileError) | st.sampled_from(
    (ValueError("x"), Skip("y"), Skip(b"z"), SystemExit(0), RecursionError(), MemoryError())
)


@target(st.lists(FINDINGS | ODD_FINDINGS | ANYTHING | ERRORS_OF_CHECKS, max_size=4))
def plugin(results: list[object]) -> None:
    """A check yields and raises what it likes; the report names it, and has the others."""

    @check
    def paging_file_too_small(memory: Memory) -> Iterator[Finding]:
        for result in results:
            print("\x1b[31mnoise")
            if isinstance(result, BaseException):
                raise result
            yield result  # type: ignore[misc]

    values = Facts({Memory: Memory(8 << 30, 4 << 30, 16 << 30, 8 << 30, 9 << 30, 8 << 30, ())})
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()) as printed:
        outcomes = run_checks((paging_file_too_small, *OF_FACTS[:3]), values, KNOWLEDGE)
    assert printed.getvalue() == ""
    assert len(outcomes) == 4
    require_report(outcomes, values)
