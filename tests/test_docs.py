"""The pages in docs/ name tests, checks and entries that exist."""

import ast
import re
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry

ROOT = Path(__file__).parents[1]
FEATURES = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", FEATURES)))


@pytest.mark.parametrize("name", TESTS)
def test_named_test_exists(name: str) -> None:
    file, _, function = name.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not function or f"def {function}(" in text


def test_named_entry_exists() -> None:
    registry = load_registry()
    # A name of two words or more with hyphens, alone in its code span.
    names = set(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", FEATURES))
    assert len(names) > 10 and names <= set(registry.knowledge.entries), names


def test_each_row_names_its_test() -> None:
    tables = FEATURES.split("## PyTorch's Windows FAQ")[0]
    rows = [line for line in tables.splitlines() if line.startswith("| ") and "---" not in line]
    assert [row for row in rows if "Shown by" not in row and "`tests/" not in row] == []


def _list_faults() -> list[str]:
    """Return the first line of the docstring of each journey; those of parametrised ones are other."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(ROOT.glob("tests/journeys/test_*.py"))]
    functions = [node for text in texts for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return [
        " ".join((ast.get_docstring(function) or "").partition("\n\n")[0].split()).rstrip(".")
        for function in functions
        if function.name.startswith("test_") and not function.decorator_list
    ]


@pytest.mark.parametrize("fault", _list_faults())
def test_fault_of_a_journey_is_in_the_table(fault: str) -> None:
    assert fault in (ROOT / "docs" / "journeys.md").read_text(encoding="utf-8")
