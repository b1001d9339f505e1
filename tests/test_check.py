"""`check` reads the facts that a function asks for, and `run_check` gives the outcome."""

import sys
from collections.abc import Iterator

import pytest

from torchdoctor.check import CheckDefinitionError, Finding, Severity, check, known
from torchdoctor.engine.runner import run_check
from torchdoctor.facts import Absent, Facts, Interpreter, Memory
from torchdoctor.knowledge import parse_entry
from torchdoctor.source import ConfigFile, SourceFile

ENTRY = parse_entry(
    "sample-check",
    '```toml\nfamily = "memory"\nseverity = "warning"\n```\n\n# Title\n\nLead.\n\n## Why\nBecause.\n\n## Fix\n1. Do it.\n',
)
MEMORY = Memory(1, 1, Absent("refused"), Absent("refused"), Absent("-"), Absent("-"), Absent("-"))


def test_name_is_the_function_name_in_kebab_case() -> None:
    @check
    def paging_file(memory: Memory) -> Iterator[Finding]:
        yield Finding("x")

    assert paging_file.name == "paging-file"


def test_check_of_several_kinds_of_files_asks_for_each_of_them() -> None:
    @check
    def backend(file: SourceFile | ConfigFile) -> Iterator[Finding]:
        yield Finding(file.path)

    assert backend.facts == (SourceFile, ConfigFile)
    configuration = Facts().with_values(
        {SourceFile: (), ConfigFile: (ConfigFile("a.yaml"), ConfigFile("b.yaml"))}
    )
    assert [each.message for each in run_check(backend, configuration, ENTRY).findings] == [
        "a.yaml",
        "b.yaml",
    ]


def test_refuses_several_facts_that_occur_once() -> None:
    def wrong(memory: Memory | Interpreter) -> Iterator[Finding]:
        yield Finding("x")

    with pytest.raises(CheckDefinitionError, match=r"wrong: parameter 'memory'.*no fact"):
        check(wrong)


def test_refuses_a_parameter_that_is_not_a_fact() -> None:
    def wrong(memory: Memory, limit: int) -> Iterator[Finding]:
        yield Finding("x")

    with pytest.raises(CheckDefinitionError, match=r"wrong: parameter 'limit'.*no fact"):
        check(wrong)


def test_refuses_a_function_that_is_not_a_generator() -> None:
    def returns_list(memory: Memory) -> list[Finding]:
        return []

    with pytest.raises(CheckDefinitionError, match="generator"):
        check(returns_list)


def test_absent_fact_skips_the_check_with_its_reason() -> None:
    @check
    def asks_for_interpreter(interpreter: Interpreter) -> Iterator[Finding]:
        yield Finding("x")

    outcome = run_check(asks_for_interpreter, Facts({Interpreter: Absent("it did not start")}), ENTRY)
    assert (outcome.status, outcome.reason) == ("skipped", "it did not start")


def test_fact_that_was_not_examined_skips_the_check() -> None:
    @check
    def asks_for_interpreter(interpreter: Interpreter) -> Iterator[Finding]:
        yield Finding("x")

    assert run_check(asks_for_interpreter, Facts(), ENTRY).reason == "not examined: interpreter"


def test_check_that_accepts_absence_receives_it() -> None:
    @check
    def accepts_absence(interpreter: Interpreter | Absent) -> Iterator[Finding]:
        yield Finding(f"got {type(interpreter).__name__}")

    assert run_check(accepts_absence, Facts(), ENTRY).findings[0].message == "got Absent"


def test_known_skips_with_the_reason_of_an_absent_value() -> None:
    @check
    def reads_commit_limit(memory: Memory) -> Iterator[Finding]:
        yield Finding(f"{known(memory.commit_limit_bytes)}")

    outcome = run_check(reads_commit_limit, Facts({Memory: MEMORY}), ENTRY)
    assert (outcome.status, outcome.reason) == ("skipped", "refused")


def test_check_that_raises_is_errored() -> None:
    @check
    def divides_by_zero(memory: Memory) -> Iterator[Finding]:
        yield Finding(str(1 // 0))

    outcome = run_check(divides_by_zero, Facts({Memory: MEMORY}), ENTRY)
    assert (outcome.status, outcome.reason) == (
        "errored",
        "ZeroDivisionError: integer division or modulo by zero",
    )


def test_check_that_exits_is_errored() -> None:
    @check
    def exits(memory: Memory) -> Iterator[Finding]:
        yield Finding(f"{sys.exit(0)}")

    assert run_check(exits, Facts({Memory: MEMORY}), ENTRY).reason == "SystemExit: 0"


def test_check_that_yields_something_else_is_errored() -> None:
    @check
    def yields_text(memory: Memory) -> Iterator[Finding]:
        yield "a text"  # type: ignore[misc]

    outcome = run_check(yields_text, Facts({Memory: MEMORY}), ENTRY)
    assert outcome.reason == "TypeError: the check yielded a value of the type str, not a Finding"


def test_finding_has_the_severity_of_the_entry() -> None:
    @check
    def always_fails(memory: Memory) -> Iterator[Finding]:
        yield Finding("x")

    outcome = run_check(always_fails, Facts({Memory: MEMORY}), ENTRY)
    assert outcome.findings[0].severity is Severity.WARNING
