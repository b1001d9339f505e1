"""Edits change what their finding reports, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from torchdoctor.check import Check, Finding, Replacement
from torchdoctor.engine.registry import load_registry
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.changes import Change, apply_replacements, plan_change
from torchdoctor.source.files.reading import parse_source

CHECKS = {check.name: check for check in load_registry().checks}
HEAD = "from torch.utils.data import DataLoader\n"


def plan_edit(name: str, text: str, path: str = "a.py") -> Change | None:
    source = parse_source(path, text.encode())
    assert isinstance(source, SourceFile)
    check: Check = CHECKS[name]
    return plan_change(
        source, [(check, finding) for finding in check.function(source) if isinstance(finding, Finding)]
    )


def edit(name: str, text: str) -> str | None:
    change = plan_edit(name, text)
    return None if change is None else change.after


def test_training_code_moves_into_a_function() -> None:
    text = HEAD + "loader = DataLoader(data, num_workers=2)\nfor x in loader:\n    print(x)\n"
    assert edit("missing-main-guard", text) == HEAD + (
        "\ndef main():\n    loader = DataLoader(data, num_workers=2)\n    for x in loader:\n        print(x)\n"
        '\n\nif __name__ == "__main__":\n    main()\n'
    )


def test_names_that_functions_read_stay_global() -> None:
    text = (
        HEAD
        + "def f():\n    for x in loader: print(x)\n\nloader = DataLoader(d, num_workers=2)\nx = f()\ng = lambda: x\n"
    )
    assert edit("missing-main-guard", text) == text.replace(
        "x = f()\ng", 'if __name__ == "__main__":\n    x = f()\n    g'
    )


@pytest.mark.parametrize(
    "literal",
    ['"""one\n  two\nthree"""', "'''a\n\n b'''", "f'''x\n{1}\ny'''", "'a\\\nb'"],
    ids=["triple", "blank-line", "f-string", "continued"],
)
def test_multi_line_strings_keep_their_value(literal: str) -> None:
    text = f"{HEAD}count = 0\ndef f(): return count\nfor x in DataLoader(d, num_workers=2):\n    count = {literal}\n"
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert eval(changed[changed.index("count = ", changed.index("for")) + 8 :]) == eval(literal)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "for x in DataLoader(d, num_workers=2): pass\ndef f(): pass\n",
        HEAD + "import os; [x for x in DataLoader(d, num_workers=2)]\n",
    ],
    ids=["definition-after", "same-line"],
)
def test_unsafe_guard_is_not_offered(text: str) -> None:
    assert plan_edit("missing-main-guard", text) is None


def test_name_bound_before_the_training_code_stays_global() -> None:
    text = HEAD + "import best\nfor best in DataLoader(d, num_workers=2):\n    pass\n"
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert "def main" not in changed


def test_tabs_stay_tabs() -> None:
    text = HEAD + "for x in DataLoader(d, num_workers=2):\n\tprint(x)\n"
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert "\n\tfor x in" in changed
    assert "\n\t\tprint(x)" in changed


def test_crlf_line_endings_stay() -> None:
    text = (HEAD + "for x in DataLoader(d, num_workers=2):\n    print(x)").replace("\n", "\r\n")
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert changed.count("\n") == changed.count("\r\n")


def test_lambda_becomes_a_function() -> None:
    text = (
        HEAD
        + "\ndef make(data):\n    return DataLoader(data, collate_fn=lambda batch: batch[0], num_workers=2)\n"
    )
    assert edit("unpicklable-dataset", text) == HEAD + (
        "\ndef apply_collate_fn(batch):\n    return batch[0]\n\n\n"
        "def make(data):\n    return DataLoader(data, collate_fn=apply_collate_fn, num_workers=2)\n"
    )


def test_lambda_that_uses_a_local_name_is_kept() -> None:
    text = (
        HEAD
        + "def make(data, pad):\n    return DataLoader(data, collate_fn=lambda b: pad(b), num_workers=2)\n"
    )
    assert plan_edit("unpicklable-dataset", text) is None


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "DataLoader(data, num_workers=2)",
            "DataLoader(data, num_workers=2, generator=torch.Generator().manual_seed(0))",
        ),
        (
            "DataLoader(\n    data,  # é\n    num_workers=2,\n)",
            "DataLoader(\n    data,  # é\n    num_workers=2,\n    generator=torch.Generator().manual_seed(0),\n)",
        ),
    ],
    ids=["one-line", "trailing-comma"],
)
def test_generator_is_added(call: str, expected: str) -> None:
    text = f"import random\nimport torch\n{HEAD}random.seed(0)\nloader = {call}\n"
    assert edit("unseeded-loader", text) == text.replace(call, expected)


def test_diff_is_unified() -> None:
    change = Change("src/a.py", "a\nb\n", "a\nc", ("",))
    assert (
        change.diff()
        == "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"
    )


def test_replacements_may_come_in_any_order() -> None:
    assert apply_replacements("abcd", [Replacement(3, 4, "D"), Replacement(0, 1, "AA")]) == "AAbcD"


def test_guarded_script_runs(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    text = (
        "import concurrent.futures\ntotal = 0\nwith concurrent.futures.ProcessPoolExecutor() as pool:\n"
        "    for value in [1, 2]:\n        total += value\nprint(total)\n"
    )
    path.write_text(text, encoding="utf-8")
    change = plan_edit("missing-main-guard", text, str(path))
    assert change is not None
    path.write_text(change.after, encoding="utf-8")
    result = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert result.stdout == "3\n"
