from pathlib import Path

import pytest

from torchdoctor.knowledge import Knowledge, index_entries, parse_entry

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    paths = sorted((ROOT / "knowledge_base").glob("*.md"))
    return index_entries(
        parse_entry(path.stem.replace("_", "-"), path.read_text(encoding="utf-8")) for path in paths
    )


@pytest.fixture(scope="session")
def samples() -> Path:
    return ROOT / "tests" / "samples" / "explain"
