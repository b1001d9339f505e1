"""Training code is examined file by file, and comments and edits are applied to what is found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.registered import REGISTRY, WINDOWS
from torchdoctor.check import (
    Check,
    Edit,
    Finding,
    Location,
    Parameter,
    Replacement,
    Severity,
)
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.code.edits import drop_unusable_edits
from torchdoctor.engine.code.examination import examine_code, read_code, reads_code
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import OperatingSystem
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source

# A file with a finding in each line that has "f", on each line with a comment.
COMMENTED = """f()
f()  # torchdoctor: ignore
f()  # TORCHDOCTOR: ignore[Posix_Only]
f()  # torchdoctor: ignore[other]
f(  # torchdoctor: ignore
    f())
if a:  # torchdoctor: ignore
    f()
elif f(
    f()):  # torchdoctor: ignore
    pass
try:
    pass
except f:  # torchdoctor: ignore
    f()
    f(
        f())  # torchdoctor: ignore
match a:
    case 1:
        f(  # torchdoctor: ignore
            f())
with a: f(
    f()); f()  # torchdoctor:ignore[posix-only,other]
"""


def find_in_lines(source: SourceFile) -> Outcome:
    lines = [number for number, line in enumerate(source.text.split("\n"), 1) if "f(" in line or "f:" in line]
    findings = tuple(Finding(str(line), Location(source.path, line)) for line in lines)
    return Outcome(
        "posix-only",
        "failed",
        Severity.NOTE,
        (*findings, Finding("no place"), Finding("b", Location("b.py", 2))),
    )


def test_comments_suppress_findings() -> None:
    source = parse_source("a.py", COMMENTED.encode())
    assert isinstance(source, SourceFile)
    (outcome,) = drop_suppressed([find_in_lines(source)], source)
    kept = [finding.message for finding in outcome.findings]
    assert (kept, outcome.suppressed) == (["1", "4", "8", "9", "15", "16", "22", "no place", "b"], 10)


STATUSES = {
    "no last newline": (("x  # torchdoctor: ignore",), "failed", "passed"),
    "all": (("x  # torchdoctor: ignore\n",), "failed", "passed"),
    "errored": (("x  # torchdoctor: ignore\n",), "errored", "errored"),
    "none": (("x  # torchdoctor: nothing\n",), "failed", "failed"),
    "errored and kept": (("x\n# torchdoctor: ignore\n",), "errored", "errored"),
}


@pytest.mark.parametrize("name", STATUSES)
def test_status_without_suppressed_findings(name: str) -> None:
    (text,), before, after = STATUSES[name]
    source = parse_source("a.py", text.encode())
    assert isinstance(source, SourceFile)
    outcome = Outcome("posix-only", before, Severity.NOTE, (Finding("x", Location("a.py", 1)),))
    assert drop_suppressed([outcome], source)[0].status == after


def test_comment_in_a_cell_suppresses_findings_of_its_line() -> None:
    cells = [["x\n", "f()  # torchdoctor: ignore\n"], ["f()\n", "f()\n"]]
    notebook = {
        "cells": [{"cell_type": "code", "source": cell} for cell in cells],
        "nbformat": 4,
        "metadata": {},
    }
    source = parse_source("a.ipynb", json.dumps(notebook).encode())
    assert isinstance(source, SourceFile)
    places = [Location("a.ipynb", line, cell=cell) for cell in (1, 2, 9) for line in (1, 2)]
    outcome = Outcome("posix-only", "failed", Severity.NOTE, tuple(Finding("x", place) for place in places))
    (kept,) = drop_suppressed([outcome], source)
    assert [(each.location.cell, each.location.line) for each in kept.findings if each.location] == [
        (1, 1), (2, 1), (2, 2), (9, 1),
    ]  # fmt: skip


def write_tree(folder: Path) -> Path:
    files = {
        "a.py": "import os\nos.fork()\n",
        "b.py": "import os\nos.fork()  # torchdoctor: ignore\n",
        "broken.py": "import os\nos.fork(\n",
        "c.yaml": "dataloader:\n  num_workers: 16\n",
        "options.py": "_C.DATALOADER.NUM_WORKERS = 8\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def examine(*names: str, paths: list[Path]) -> list[object]:
    checks = [check for check in REGISTRY.checks if check.name in names]
    code = examine_code(paths, checks, WINDOWS, REGISTRY.knowledge)
    notices = [notice.partition(": ")[2] for notice in code.notices]
    places = [
        [each.location and Path(each.location.path).name for each in one.findings] for one in code.outcomes
    ]
    return [[(one.name, one.status, one.observations) for one in code.outcomes], places, notices]


def test_code_is_examined_file_by_file(tmp_path: Path) -> None:
    assert examine("posix-only", "workers-in-config", paths=[write_tree(tmp_path)]) == [
        [("posix-only", "failed", ("1 suppressed by a comment",)), ("workers-in-config", "failed", ())],
        [["a.py"], ["c.yaml", "options.py"]],
        ["not read: line 2: '(' was never closed"],
    ]


def test_options_are_read_only_for_a_check_of_settings(tmp_path: Path) -> None:
    assert examine("posix-only", paths=[write_tree(tmp_path) / "options.py"]) == [
        [("posix-only", "passed", ())],
        [[]],
        [],
    ]


def test_no_code_skips_the_checks_of_code() -> None:
    assert examine("posix-only", paths=[]) == [[("posix-only", "skipped", ())], [[]], []]


@pytest.mark.parametrize(
    ("name", "reason"), [("none.py", "no such file or folder"), ("/dev/null", "neither a file nor a folder")]
)
def test_path_that_cannot_be_read_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        read_code([tmp_path / name], [])


def test_checks_of_code_are_told_from_others() -> None:
    assert [check.name for check in REGISTRY.checks if reads_code(check)] == [
        check.name for check in REGISTRY.checks if REGISTRY.knowledge.entries[check.name].reads_code
    ]


def test_edit_that_cannot_be_tried_is_left_out() -> None:
    source = parse_source("a.py", b"x = 1\n")
    assert isinstance(source, SourceFile)
    edit = Edit("a.py", "change", (Replacement(0, 1, "y"),))
    findings = tuple(Finding(str(i), Location("a.py", 1), edit=edit) for i in range(4))
    outcome = Outcome("posix-only", "failed", Severity.NOTE, findings)

    def keep(*results: object, fact: type = SourceFile, text: str = "") -> int:
        def function(source: SourceFile) -> Iterator[object]:
            for result in results if source.text.startswith(text) else ():
                if isinstance(result, BaseException):
                    raise result
                yield result

        check = Check("posix-only", "", (Parameter("source", fact, False),), function, "p")  # type: ignore[arg-type]
        return sum(
            each.edit is not None for each in drop_unusable_edits([outcome], [check], source)[0].findings
        )

    kept = [
        keep(),
        keep(*findings),
        keep(ValueError()),
        keep(fact=OperatingSystem),
        keep(findings[0], text="x"),
    ]
    assert kept == [4, 0, 0, 0, 4]
