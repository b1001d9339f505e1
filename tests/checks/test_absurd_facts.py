"""No check crashes on absurd facts, and none gives a verdict without the facts that it needs."""

import dataclasses
import functools
import types
import typing
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_check
from torchdoctor.facts import SUBJECTS, Absent, Facts, OperatingSystem, occurs_many_times
from torchdoctor.facts.codec import decode_facts, encode_facts

REGISTRY = load_registry()
CHECKS = {check.name: check for check in REGISTRY.checks if not any(map(occurs_many_times, check.facts))}
# The codec accepts these values by their type; no machine reports them.
NUMBERS = st.sampled_from([-(2**63), -1, 0, 1, 2, 3, 64, 2**31, 2**63])
TEXTS = st.sampled_from(
    [
        "",
        " ",
        "0",
        "-1",
        "\x00",
        "windows",
        "x64",
        "2.9.0+cu128",
        "13.0",
        "nonsense",
        "..\\..",
        "imported",
        "{}",
    ]
)
FEW_EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
WINDOWS = {OperatingSystem: OperatingSystem("windows", "11 (10.0.22631)", "x64", 22631)}
REASONS = st.sampled_from(["the call was refused", "access is denied"])


def _absurd_values(hint: object) -> st.SearchStrategy:
    """Return a strategy for values of a type, as far from those of a real machine as the type allows."""
    origin, members = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([_absurd_values(member) for member in members])
    if origin is tuple:
        if members[-1] is Ellipsis:
            return st.lists(_absurd_values(members[0]), max_size=2).map(tuple)
        return st.tuples(*map(_absurd_values, members))
    simple = {
        bool: st.booleans(),
        int: NUMBERS,
        float: st.sampled_from([-1.0, 0.0, 1e308, 3.5]),
        str: TEXTS,
        type(None): st.none(),
        Absent: REASONS.map(Absent),
    }
    if hint in simple:
        return simple[hint]
    assert isinstance(hint, type) and dataclasses.is_dataclass(hint), hint
    return _absurd_records(hint)


@functools.cache
def _absurd_records(record: type) -> st.SearchStrategy:
    hints = typing.get_type_hints(record)
    return st.builds(record, **{f.name: _absurd_values(hints[f.name]) for f in dataclasses.fields(record)})


def _absurd_facts(fact_types: Iterable[type]) -> st.SearchStrategy[Facts]:
    return st.fixed_dictionaries(
        {fact: st.one_of(_absurd_records(fact), REASONS.map(Absent)) for fact in fact_types}
    ).map(Facts)


def _run(name: str, facts: Facts):
    return run_check(CHECKS[name], facts, REGISTRY.knowledge.entries[name])


@pytest.mark.parametrize("name", CHECKS)
def test_check_does_not_crash_on_absurd_facts(name: str) -> None:
    @FEW_EXAMPLES
    @given(facts=_absurd_facts({*CHECKS[name].facts}))
    def examine(facts: Facts) -> None:
        outcome = _run(name, facts)
        assert outcome.status in ("passed", "failed", "skipped"), outcome.reason

    examine()


@pytest.mark.parametrize("name", CHECKS)
def test_refused_fact_skips_the_check(name: str) -> None:
    needed_facts = [item.fact for item in CHECKS[name].parameters if not item.tolerates_absence]
    refused = Absent("refused for this test")

    @FEW_EXAMPLES
    @given(facts=_absurd_facts({*CHECKS[name].facts}))
    def examine(facts: Facts) -> None:
        for fact in needed_facts:
            outcome = _run(name, facts.with_values({**WINDOWS, fact: refused}))
            assert outcome.status == "skipped"

    examine()


@pytest.mark.parametrize("name", CHECKS)
def test_check_skips_if_nothing_was_observed(name: str) -> None:
    everything = Facts({fact: Absent("could not be observed") for fact in SUBJECTS})
    outcome = _run(name, everything)
    assert (outcome.status, bool(outcome.reason)) == ("skipped", True)


@FEW_EXAMPLES
@given(facts=_absurd_facts(SUBJECTS))
def test_absurd_facts_survive_encoding(facts: Facts) -> None:
    data = {"schema_version": 1, "facts": encode_facts(facts)}
    assert decode_facts(data).values == facts.values
