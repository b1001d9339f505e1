"""The pages in docs/ name tests, checks and entries that exist."""

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
    assert f"def {function}" in (ROOT / file).read_text(encoding="utf-8")


def test_named_entry_exists() -> None:
    registry = load_registry()
    # A name of two words or more with hyphens, alone in its code span.
    names = set(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", FEATURES))
    assert len(names) > 10 and names <= set(registry.knowledge.entries), names


def test_each_row_names_its_test() -> None:
    tables = FEATURES.split("## PyTorch's Windows FAQ")[0]
    rows = [line for line in tables.splitlines() if line.startswith("| ") and "---" not in line]
    assert [row for row in rows if "Shown by" not in row and "`tests/" not in row] == []
