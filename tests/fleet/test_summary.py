"""The sums over many machines are right, and do not grow with their number."""

import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdoctor.facts import Absent
from torchdoctor.fleet.machine import LABELS, Configuration, Machine, MachineFinding
from torchdoctor.fleet.names import MOST_NAMES
from torchdoctor.fleet.summary import MOST_MACHINES, Summary
from torchdoctor.renderers.fleet import render, render_json, render_markdown
from torchdoctor.renderers.html import fleet as html

GIB = 1 << 30


def make_machine(name: str, severity: str | None = None, commit: int = 64 * GIB, **changes: str) -> Machine:
    values = {field: changes.get(field, "1") for field in LABELS}
    findings = () if severity is None else (MachineFinding(f"bad-{severity}", severity, "seen"),)
    return Machine(name, configuration=Configuration(**values, commit_limit_bytes=commit), findings=findings)


def summarise(machines):
    summary = Summary()
    for machine in machines:
        summary.add(machine)
    return summary.finish("now")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["error", "warning", "note", None, "unexamined"]), max_size=40))
def test_counts_add_up(levels: list[str | None]) -> None:
    report = summarise(
        Machine(f"m{number}", problem="gone")
        if level == "unexamined"
        else make_machine(f"m{number}", level, torch=str(number % 3))
        for number, level in enumerate(levels)
    )
    known = len(levels) - levels.count("unexamined")
    assert report.count == len(levels)
    assert report.unexamined_count == levels.count("unexamined")
    assert {name: count for name, count in report.levels.items() if count} == {
        level or "none": levels.count(level) for level in levels if level != "unexamined"
    }
    assert sum(group.machines.count for group in report.configurations) == known
    assert len(report.worst) == len(levels)
    ranks = [machine.rank for machine in report.worst]
    assert ranks == sorted(ranks, reverse=True)
    for text in (
        render(report, 80, False),
        render_json(report),
        render_markdown(report),
        html.render(report),
    ):
        assert text


@given(st.lists(st.integers(1, 4096), min_size=1, max_size=60))
def test_commit_range_holds_the_extremes(sizes: list[int]) -> None:
    report = summarise(make_machine(f"m{number}", commit=size * GIB) for number, size in enumerate(sizes))
    commit = report.commit
    assert commit is not None
    assert (commit.lowest_bytes, commit.highest_bytes) == (min(sizes) * GIB, max(sizes) * GIB)
    assert commit.lowest_machine == f"m{sizes.index(min(sizes))}"
    assert commit.highest_machine == f"m{sizes.index(max(sizes))}"


def test_same_machines_in_any_order_give_the_same_groups() -> None:
    machines = [make_machine(f"m{n}", torch=str(n % 3), commit=(n % 7 + 1) * 16 * GIB) for n in range(50)]
    shuffled = random.Random(1).sample(machines, len(machines))

    def group(report):
        return [
            (each.machines.count, sorted(each.machines.first), each.differences)
            for each in report.configurations
        ]

    assert sorted(map(str, group(summarise(machines)))) == sorted(map(str, group(summarise(shuffled))))


def test_memory_does_not_grow_with_the_machines() -> None:
    def measure(count: int) -> int:
        tracemalloc.start()
        report = summarise(
            make_machine(
                f"machine-{number:07d}",
                "error" if number % 5 else None,
                64 * GIB + number * 4096,
                driver=f"{number}.1",
            )
            for number in range(count)
        )
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(report.worst) == min(count, MOST_MACHINES)
        groups = sum(group.machines.count for group in report.configurations)
        assert groups + report.others.count == count
        assert len(report.findings[0].machines.first) <= MOST_NAMES
        return peak

    small, large = measure(3_000), measure(9_000)
    assert large < 1.5 * small


@pytest.mark.parametrize("field", ["torch", "cuda", "numpy"])
def test_absent_value_is_an_obstacle_and_no_difference(field: str) -> None:
    machine = make_machine("b")
    values = {name: getattr(machine.configuration, name) for name in (*LABELS, "commit_limit_bytes")}
    unknown = Configuration(**{**values, field: Absent("the disk is gone")})
    report = summarise([make_machine("a"), Machine("b", configuration=unknown)])
    assert [each for each in report.obstacles if "the disk is gone" in each.reason]
    assert not [each for each in report.obstacles if "differs" in each.reason]


def test_hostile_names_reach_no_terminal_and_no_markup() -> None:
    evil = "\x1b[31m<script>alert(1)</script>`|"
    machines = [make_machine(evil, "error"), Machine(evil, problem=evil), make_machine("b", torch=evil)]
    report = summarise(machines)
    assert "\x1b" not in render(report, 80, False)
    assert "<script>alert" not in html.render(report)
    assert "\x1b" not in render_markdown(report)
