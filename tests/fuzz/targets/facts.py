"""Facts files."""

import json
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from mutations import damaged_json, damaged_texts

from targets.table import (
    KNOWLEDGE,
    OF_FACTS,
    SHARED_MEMORY,
    read_samples,
    require_line,
    require_no_error,
    require_report,
    target,
)
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts.codec import FactsError, encode_facts, read_facts


@cache
def read_facts_files() -> tuple[object, ...]:
    """Return the facts of samples, as JSON: whole machines most often."""
    files = [
        json.loads(each) for each in (*read_samples("machines/*.json") * 8, *read_samples("[a-z]*_*/*.json"))
    ]
    return tuple({"schema_version": 1, "facts": each["facts"]} for each in files)


@target(st.deferred(lambda: damaged_json(read_facts_files())))
def facts(document: object) -> None:
    """A facts file is refused in one line, or gives a report."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "facts.json")
        file.write_bytes(json.dumps(document).encode("utf-8", errors="replace"))
        try:
            observed = read_facts(file)
        except FactsError as error:
            require_line(str(error))
            return
    outcomes = run_checks(OF_FACTS, observed, KNOWLEDGE)
    require_no_error(outcomes)
    require_report(outcomes, observed)


@target(st.deferred(lambda: damaged_texts([json.dumps(each) for each in read_facts_files()])))
def facts_text(document: str) -> None:
    """A facts file that is damaged as a text is refused in one line, or read."""
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        file = Path(folder, "facts.json")
        file.write_bytes(document.encode("utf-8", errors="replace"))
        try:
            encode_facts(read_facts(file))
        except FactsError as error:
            require_line(str(error))
