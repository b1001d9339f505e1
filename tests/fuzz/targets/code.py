"""Training code, notebooks and configuration."""

import json
import re
from functools import cache

from hypothesis import strategies as st
from mutations import PIECES, damaged_json, damaged_lines, damaged_texts

from targets.table import (
    ENTRIES,
    KNOWLEDGE,
    OF_CODE,
    read_samples,
    require_line,
    require_no_error,
    require_report,
    target,
)
from torchdoctor.check import Check, Finding
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts import (
    Facts,
)
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.edits.changes import plan_change
from torchdoctor.source.edits.mentions import find_mentions
from torchdoctor.source.edits.programs import find_role
from torchdoctor.source.files.configuration import read_settings
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.idioms.worker_numbers.options import read_options

PYTHON_PIECES = (
    *(
        "global n",
        "nonlocal n",
        "return",
        "yield",
        "await x",
        "async def f(): pass",
        "del n",
        "import torch as n",
    ),
    *("class A(A): n = n", "n: int", "(n := n)", "n, *n = n", "match n:\n case [n]: pass", "lambda: n", "@n"),
    *(
        "from x import *",
        "__name__ = n",
        "if __name__ == '__main__':",
        "try:\n n\nfinally:\n n",
        "with n as n: n",
    ),
    *(
        "# torchdoctor: ignore",
        "#!/bin/sh",
        "%matplotlib inline",
        "!pip install x",
        "\f",
        "\\",
        ";",
        "x = 1;",
    ),
    *(
        "n = DataLoader(n, num_workers=n)",
        "DataLoader(*n, **n)",
        "torch.multiprocessing.spawn(n)",
        "f'{n!r:{n}}'",
    ),
    *PIECES,
)
CODINGS = ("cp1252", "koi8-r", "shift_jis", "gbk", "iso-2022-jp", "utf-7")
CODE_FORMS = ("[a-z]*_*/*.py", "../projects/*/*.py", "../projects/*/*/*.py")


@cache
def read_code() -> tuple[str, ...]:
    """Return training code: the samples, and those of entries."""
    blocks = [
        block
        for file in sorted(ENTRIES.glob("*.md"))
        for block in re.findall("(?ms)^```python\n(.*?)^```", file.read_text(encoding="utf-8"))
    ]
    return (*blocks, *(each for form in CODE_FORMS for each in read_samples(form) if len(each) < 4000))


@target(
    st.deferred(
        lambda: damaged_lines(read_code(), PYTHON_PIECES) | damaged_texts(read_code(), PYTHON_PIECES)
    ),
    st.sampled_from(("train.py", "train.py", "train.py", "setup.cfg.py", "a\u202eb.py")),
    st.sampled_from(("\n", "\r\n", "\r")),
    st.sampled_from((None, None, "utf-8-sig", *CODINGS)),
)
def code(written: str, path: str, line_end: str, coding: str | None) -> None:
    """Code is reported as unreadable, or read by every check; its edits leave valid code."""
    text = written.replace("\n", line_end)
    if coding is None:
        raw = text.encode("utf-8", errors="surrogatepass")
    else:
        raw = f"# coding: {coding.removesuffix('-sig')}{line_end}{text}".encode(coding, errors="replace")
    find_mentions(path, raw.decode("utf-8", "replace"))
    source = parse_source(path, raw)
    if not isinstance(source, SourceFile):
        require_line(f"{source}")
        return
    find_role(source)
    options = read_options(source)
    values = Facts({SourceFile: (source,), ConfigFile: () if options is None else (options,)})
    outcomes = drop_suppressed(run_checks(OF_CODE, values, KNOWLEDGE), source)
    require_no_error(outcomes)
    change = plan_change(source, find_findings)
    if change is not None:
        assert not can_run(change.before) or can_run(change.after), change.after
        assert set(change.after) <= {*change.before, *map(chr, range(128))}, "other letters than before"
        change.diff()
        again = parse_source(path, change.after.encode(change.encoding, errors="surrogatepass"))
        assert isinstance(again, SourceFile)
        assert plan_change(again, find_findings) is None, "a second run would change more"
    require_report(outcomes, values)


@st.composite
def notebooks(draw: st.DrawFn) -> bytes:
    """Make notebooks of code, with odd cells."""
    sources = draw(st.lists(st.sampled_from(read_code()) | st.sampled_from(PYTHON_PIECES), max_size=4))
    cells = [
        {"cell_type": "code", "source": each.splitlines(True) if draw(st.booleans()) else each}
        for each in sources
    ]
    document = draw(damaged_json([{"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}]))
    return json.dumps(document).encode("utf-8", errors="replace")


@target(notebooks())
def notebook(raw: bytes) -> None:
    """A notebook is reported as unreadable, or read by every check."""
    source = parse_source("train.ipynb", raw)
    if not isinstance(source, SourceFile):
        require_line(f"{source}")
        return
    values = Facts({SourceFile: (source,)})
    outcomes = drop_suppressed(run_checks(OF_CODE, values, KNOWLEDGE), source)
    require_no_error(outcomes)
    require_report(outcomes, values)


def can_run(text: str) -> bool:
    """Return whether a text compiles; some that parses does not, such as a nonlocal statement in a module."""
    try:
        compile(text, "train.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def find_findings(source: SourceFile) -> list[tuple[Check, Finding]]:
    """Return what the checks that read code find."""
    outcomes = run_checks(OF_CODE, Facts({SourceFile: (source,), ConfigFile: ()}), KNOWLEDGE)
    pairs = zip(OF_CODE, outcomes, strict=True)
    return [(check, finding) for check, outcome in pairs for finding in outcome.findings]


CONFIGURATIONS = (
    *("num_workers: 8\ndata:\n  train:\n    workers: 4 # four\n", '[loader]\nnum_workers = 8\npin = "x"\n'),
    *(
        '{"data": {"num_workers": 8, "list": [1, {"workers": 2}]}}',
        "DATALOADER:\n    NUM_WORKERS: !!int 16\n",
    ),
    *("a: &x {num_workers: 3}\nb: *x\n- num_workers: [1, 2]\n", "num_workers = 4\n[a.b]\nworkers = 0x10\n"),
)


@target(damaged_texts(CONFIGURATIONS), st.sampled_from(("a.yaml", "a.json", "a.toml", "a.yml")))
def configuration(written: str, path: str) -> None:
    """A configuration file is read, whatever it holds."""
    settings = read_settings(path, written.encode("utf-8", errors="surrogatepass"))
    values = Facts({ConfigFile: (settings,), SourceFile: ()})
    outcomes = run_checks(OF_CODE, values, KNOWLEDGE)
    require_no_error(outcomes)
    require_report(outcomes, values)
