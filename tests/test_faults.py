"""What the person sees when a file, a plugin, a torch or a stream is at fault: the table in docs/faults.md.

    TORCHDOCTOR_FAULTS=write python -m pytest tests/test_faults.py

writes the table anew from what was seen.
"""

import io
import os
import re
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "faults.md"
CODE = "from torch.utils.data import DataLoader\nfor b in DataLoader([1], num_workers=2, collate_fn=lambda b: b): pass\n"
FACTS = '{"schema_version": 1, "facts": {"memory": {"physical_bytes": %s}}}'
SCAN = "scan --no-trials --select source"
TORCH = {
    "p/torch/__init__.py": "%s",
    "p/torch-2.9.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: torch\nVersion: 2.9.0\n",
}
TRIAL = "scan --select torch-import-failed"
PLUGIN = {
    "p/faulty/__init__.py": "",
    "p/faulty-1.dist-info/entry_points.txt": "[torchdoctor.checks]\nfaulty = faulty.checks\n",
}
CHECK = (
    "import torchdoctor.facts as facts\nfrom torchdoctor.check import *\nfrom typing import *\nimport sys\n"
    "@check\ndef my_check(system: facts.OperatingSystem) -> Iterator[Finding]:\n    '''Look.'''\n    %s\n    yield\n"
)
ENTRY = '```toml\nfamily = "install"\nseverity = "error"\nsymptoms = []\n```\n\n# My check\n\nText.\n\n## Why\n\nx\n\n## Fix\n\n1. x\n\n## Verify\n\nx\n'


def add_plugin(statement: str) -> dict[str, str]:
    """Return the files of a plugin whose check has this statement."""
    groups = (
        "[torchdoctor.checks]\nfaulty = faulty.checks\n[torchdoctor.knowledge]\nfaulty = faulty.entries\n"
    )
    return PLUGIN | {
        "p/faulty-1.dist-info/entry_points.txt": groups,
        "p/faulty/checks/__init__.py": "",
        "p/faulty/checks/my_check.py": CHECK % statement,
        "p/faulty/entries/__init__.py": "",
        "p/faulty/entries/my_check.md": ENTRY,
    }


def add_torch(code: str) -> dict[str, str]:
    """Return the files of a torch whose import runs this code."""
    return {name: content.replace("%s", code) for name, content in TORCH.items()}


def pack(size: int) -> bytes:
    """Return a wheel with a DLL of zeros."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.dll", bytes(size))
    return file.getvalue()


@dataclass
class Fault:
    """What is wrong, the files, the command, and a step of the shell that prepares the folder."""

    name: str
    command: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    prepare: str = ""
    ending: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


LIMIT = {"TORCHDOCTOR_TRIAL_SECONDS": "2"}
FAULTS = {
    "Facts": [
        Fault("no JSON", "scan --facts f.json", {"f.json": "{"}),
        Fault("a number that JSON does not have", "scan --facts f.json", {"f.json": FACTS % "NaN"}),
        Fault("a number of 400 digits", "scan --facts f.json", {"f.json": FACTS % ("9" * 400)}),
        Fault("a text in place of a number", "scan --facts f.json", {"f.json": FACTS % '"8 GB"'}),
        Fault("one of two files is damaged", "scan --facts f.json --facts g.json --select paging-file-too-small",
              {"f.json": "{", "g.json": '{"schema_version": 1, "facts": {}}'}),
        Fault("a pipe", "scan --facts f.json", prepare="mkfifo f.json"),
    ],
    "Training code": [
        Fault("an encoding of bytes", f"{SCAN} .", {"a.py": "# -*- coding: hex -*-\n" + CODE, "train.py": CODE}),
        Fault("a null byte", f"{SCAN} .", {"a.py": CODE + "x = '\0'\n", "train.py": CODE}),
        Fault("5000 brackets", f"{SCAN} .", {"a.py": CODE + "x = " + "(" * 5000 + ")" * 5000, "train.py": CODE}),
        Fault("8 MB", f"{SCAN} .", {"a.py": CODE + "#" * 8_000_000, "train.py": CODE}),
        Fault("a damaged notebook", f"{SCAN} .", {"a.ipynb": '{"cells": DataLoader num_workers', "train.py": CODE}),
        Fault("a link that leads nowhere", f"{SCAN} a.py", prepare="ln -s nowhere a.py"),
        Fault("a device", f"{SCAN} /dev/zero"),
        Fault("no such file", f"{SCAN} a.py"),
        Fault("an empty name", "scan ''"),
        Fault("the current folder was deleted", f"{SCAN} .", prepare="mkdir d && cd d && rmdir ../d"),
        Fault("no folder for the cache", f"{SCAN} train.py", {"train.py": CODE},
              variables={"TORCHDOCTOR_CACHE_DIR": "/dev/null"}),
        Fault("read-only, with --fix", "scan a.py --select unpicklable-dataset --fix", {"a.py": CODE}, "chmod a-w a.py"),
        Fault("a link to elsewhere, with --fix", "scan code --select unpicklable-dataset --fix", {"a.py": CODE},
              "mkdir code && ln -s ../a.py code/link.py"),
    ],
    "Configuration and baseline": [
        Fault("a key that is not known", f"{SCAN} .", {"torchdoctor.toml": "fial-on = 'note'"}),
        Fault("no TOML", f"{SCAN} .", {"torchdoctor.toml": "["}),
        Fault("a key of 50,000 parts", f"{SCAN} .", {"torchdoctor.toml": "a" + ".a" * 50_000 + " = 1"}),
        Fault("a requirement that is no range", f"{SCAN} .", {"torchdoctor.toml": "[require]\ntorch = '2.9'"}),
        Fault("a check that is not known", f"{SCAN} .",
              {"torchdoctor.toml": "per-path-ignores = { 'a' = ['nosuch'] }"}),
        Fault("a folder of the name", f"{SCAN} .", prepare="mkdir torchdoctor.toml"),
        Fault("no baseline", f"{SCAN} . --baseline known.json"),
        Fault("another file as baseline", f"{SCAN} . --baseline known.json --write-baseline", {"known.json": "x"}),
        Fault("a folder that cannot be written", f"{SCAN} . --baseline /proc/known.json --write-baseline"),
        Fault("two formats for one place", f"{SCAN} . --format json --format sarif"),
    ],
    "Error texts": [
        Fault("nothing that is known", "explain something happened"),
        Fault("an escape sequence", "explain $'OSError: [WinError 1455] \\e[31m\\e]0;x\\a'"),
        Fault("a device", "explain --file /dev/zero"),
        Fault("an empty file", "explain --file a.log", {"a.log": ""}),
    ],
    "DLLs and wheels": [
        Fault("no zip file", "dlls a.whl", {"a.whl": "x"}),
        Fault("a bomb", "dlls a.whl", {"a.whl": pack(200 << 20)}),
        Fault("a DLL that is cut short", "dlls lib", {"lib/a.dll": b"MZ" + bytes(70)}),
    ],
    "Plugins": [
        Fault("a check that cannot be imported", f"{SCAN} .", PLUGIN | {
            "p/faulty/checks/__init__.py": "", "p/faulty/checks/my_check.py": "raise SystemExit(0)"}),
        Fault("a check that ends the program", "scan --no-trials --select my-check", add_plugin("sys.exit(0)")),
        Fault("a check that yields a number", "scan --no-trials --select my-check", add_plugin("yield 5")),
        Fault("a check that prints", "scan --no-trials --select my-check --format github", add_plugin("print(1); return")),
        Fault("an entry that cannot be read", "scan --no-trials --select my-check",
              add_plugin("return") | {"p/faulty/entries/my_check.md": "# no head"}),
    ],
    "torch and its Python": [
        Fault("the import raises", TRIAL, add_torch("raise OSError('[WinError 126] c10.dll')")),
        Fault("an exception that cannot be told", TRIAL, add_torch(
            "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E")),
        Fault("the import hangs", TRIAL, add_torch("import time; time.sleep(99)"), variables=LIMIT),
        Fault("the import crashes", TRIAL, add_torch("import os; os.abort()")),
        Fault("the import ends the process", TRIAL, add_torch("import os; os._exit(0)")),
        Fault("the import leaves a process behind", TRIAL, add_torch(
            "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(60)\nraise OSError('x')")),
        Fault("no Python", "scan --python /bin/true"),
        Fault("a Python that is not there", "scan --python /nowhere/python"),
    ],
    "Streams": [
        Fault("a full disk", "explain 'WinError 1455'", ending=">/dev/full"),
        Fault("closed output", "explain 'WinError 1455'", ending=">&-"),
        Fault("nobody reads on", "explain 'WinError 1455'", ending="| true"),
        Fault("nobody reads the help", "scan --help", ending="| true"),
        Fault("a folder in place of the output file", "explain 'WinError 1455' --output ."),
    ],
}  # fmt: skip
ROWS = [pytest.param(fault, id=f"{group}: {fault.name}") for group in FAULTS for fault in FAULTS[group]]


def describe(fault: Fault, folder: Path) -> str:
    """Make the fault in a folder, run the command, and return the row of the table."""
    for name, content in fault.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    script = (
        f'set -o pipefail; {fault.prepare or ":"}; "$PYTHON" -m torchdoctor {fault.command} {fault.ending}'
    )
    result = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(folder / "p"), "COLUMNS": "80", **fault.variables},
    )  # fmt: skip
    # A report is shown by its verdict, and what failed in the doctor or a plugin.
    paragraphs = result.stdout.decode().split("\n\n")[: 2 if result.returncode == 3 else 1]
    said = [
        " ".join(each.split()).partition(" Fix: ")[0]
        for each in (result.stderr.decode(), "\n".join(paragraphs))
    ]
    assert all(each.isprintable() and "Traceback" not in each for each in said), said
    words = [textwrap.shorten(each.replace(str(folder), "FOLDER"), 250).replace("|", "\\|") for each in said]
    shown = re.sub(r"\$'([^']*)'", r"'\1'", f"{fault.command} {fault.ending}".strip()).replace("|", "\\|")
    return f"| {fault.name} | `{shown}` | {result.returncode} | {' | '.join(words)} |".replace("<", "\\<")


@pytest.mark.skipif(sys.platform != "linux", reason="the faults are made with bash and Linux files")
@pytest.mark.parametrize("fault", ROWS)
def test_row_is_what_the_person_sees(fault: Fault, tmp_path: Path, seen: Callable[[str], None]) -> None:
    row = describe(fault, tmp_path)
    seen(row)
    if os.environ.get("TORCHDOCTOR_FAULTS") != "write":
        # The words of Python's own messages are those of the version that wrote the page.
        cells = None if sys.version_info[:2] == (3, 11) else 3
        rows = [line.split(" | ")[:cells] for line in PAGE.read_text(encoding="utf-8").splitlines()]
        assert row.split(" | ")[:cells] in rows


@pytest.fixture(scope="module")
def seen() -> object:
    """Return a function that takes a row; the rows are written at the end if that is asked for."""
    rows: list[str] = []
    yield rows.append
    if os.environ.get("TORCHDOCTOR_FAULTS") == "write":
        assert len(rows) == len(ROWS)
        tables = iter(rows)
        PAGE.write_text(
            write_page({group: [next(tables) for _ in FAULTS[group]] for group in FAULTS}), encoding="utf-8"
        )


def write_page(groups: Mapping[str, list[str]]) -> str:
    """Return the page with a table for each group."""
    parts = [
        "# What is said when something is at fault\n\nWhatever a file, a plugin, a torch or a stream does, torchdoctor "
        "gives the report or one clear line. The rows\nare what the commands printed on Linux with Python 3.11, of a "
        "report the beginning; `tests/test_faults.py` makes each\nfault and compares.\n"
    ]
    for group, rows in groups.items():
        head = "| fault | command | exit code | on stderr | on the screen |\n| --- | --- | --- | --- | --- |"
        parts.append("\n".join((f"## {group}\n", head, *rows, "")))
    return "\n".join(parts)
