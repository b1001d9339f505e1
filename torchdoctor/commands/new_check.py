"""The `new-check` command: the files of a new check, to begin with something that passes its tests."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.engine.library import load_heads
from torchdoctor.knowledge.entries import FAMILIES

_LONGEST_NAME = 60
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+){1,7}")
# What only a clone of torchdoctor has.
_OF_A_CLONE = ("checks", "knowledge_base", "torchdoctor", "tests/samples")


@record
class NewCheck:
    """The files to write, by path, and what to do next, one step a line."""

    files: Mapping[Path, str]
    next_steps: tuple[str, ...]


def make_check(name: str, family: str, folder: Path) -> NewCheck:
    """Make a check, its entry and its samples: in a clone of torchdoctor, or else as a package of their own.

    Raises:
        UsageError: the name or the family is not usable, or a file is there already.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise UsageError(f"{name} is no name for a check: write two or more words, such as scratch-disk-full")
    if family not in FAMILIES:
        raise UsageError(
            f"{family} is no family; choose from {', '.join(FAMILIES)}{suggest(family, FAMILIES)}"
        )
    if name in load_heads().entries:
        raise UsageError(f"there is an entry {name} already; torchdoctor explain {name} shows it")
    stem = name.replace("-", "_")
    is_clone = all(os.path.isdir(folder / part) for part in _OF_A_CLONE)
    made = _fill_clone(name, stem, family) if is_clone else _fill_package(name, stem, family)
    files = {folder / path: text for path, text in made.items()}
    for path in files:
        if os.path.lexists(path):
            raise UsageError(f"{path} is there already; choose another name")
    return NewCheck(files, _CLONE_STEPS if is_clone else _list_package_steps(name))


def _fill_clone(name: str, stem: str, family: str) -> Mapping[str, str]:
    return {
        f"checks/{stem}.py": _CHECK.format(stem=stem),
        f"knowledge_base/{stem}.md": _ENTRY.format(name=name, family=family),
        **{f"tests/samples/{stem}/{sample}": text for sample, text in _SAMPLES.items()},
    }


def _fill_package(name: str, stem: str, family: str) -> Mapping[str, str]:
    root, package = f"torchdoctor-{name}", f"torchdoctor_{stem}"
    return {
        f"{root}/pyproject.toml": _PROJECT.format(name=name, package=package),
        f"{root}/README.md": _README.format(name=name),
        f"{root}/{package}/__init__.py": f'"""Checks for torchdoctor: {name}."""\n',
        f"{root}/{package}/{stem}.py": _CHECK.format(stem=stem),
        f"{root}/{package}/{stem}.md": _ENTRY.format(name=name, family=family),
        f"{root}/tests/test_{stem}.py": _TEST.format(name=name, stem=stem),
        **{f"{root}/tests/{stem}/{sample}": text for sample, text in _SAMPLES.items()},
    }


_CLONE_STEPS = (
    "write what the check looks at, its entry and its samples; CONTRIBUTING.md has the rules",
    "put the output of torchdoctor checks --format markdown between the marks of the catalogue in README.md",
    "python -m pytest tests/checks tests/knowledge tests/test_structure.py tests/test_readme.py",
)


def _list_package_steps(name: str) -> tuple[str, ...]:
    root = f"torchdoctor-{name}"
    return (
        f"python -m pip install -e {root}",
        f"python -m pytest {root}",
        f"torchdoctor scan --select {name}",
    )


_CHECK = '''"""The machine has less memory than this needs."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check
from torchdoctor.domain.sizes import GIB, describe_bytes
from torchdoctor.facts import Memory

# Replace the example: look at the facts that your problem shows in. A figure has its source here.
LEAST_BYTES = 2 * GIB


@check
def {stem}(memory: Memory) -> Iterator[Finding | Passed]:
    """Compare the physical memory with the least that is needed."""
    size = describe_bytes(memory.physical_bytes)
    if memory.physical_bytes >= LEAST_BYTES:
        yield Passed(f"{{size}} of physical memory")
        return
    yield Finding(f"{{size}} of physical memory", step="close")
'''

_ENTRY = """```toml
family = "{family}"
severity = "warning"
symptoms = []
references = ["https://docs.pytorch.org/docs/stable/notes/windows.html"]
```

# The computer has too little memory

The program needs more memory than this computer has. Close other programs, or use less.

## Why

torch itself, the model, its gradients and the batches are in memory at once.

## Fix

1. Train with a smaller batch. This changes nothing else:

   ```powershell
   python train.py --batch-size 4
   ```
2. <!-- close --> Close other programs, browsers first.

## Verify

```powershell
torchdoctor scan --select {name}
```

reports that `{name}` passed.
"""

_SAMPLES = {
    "bad-1-gib.json": """{
 "schema_version": 1,
 "status": "failed",
 "findings": [{"message": "1.0 GiB of physical memory", "severity": "warning", "step": "close"}],
 "facts": {"memory": {"physical_bytes": 1073741824, "physical_available_bytes": 536870912}}
}
""",
    "good-8-gib.json": """{
 "schema_version": 1,
 "status": "passed",
 "passed": ["8.0 GiB of physical memory"],
 "findings": [],
 "facts": {"memory": {"physical_bytes": 8589934592, "physical_available_bytes": 1073741824}}
}
""",
}

_PROJECT = """[build-system]
requires = ["setuptools>=64"]
build-backend = "setuptools.build_meta"

[project]
name = "torchdoctor-{name}"
version = "0.1.0"
description = "A check for torchdoctor."
requires-python = ">=3.10"
dependencies = ["torchdoctor"]

# Each names a package with one module, or one entry, for each problem.
[project.entry-points."torchdoctor.checks"]
{name} = "{package}"

[project.entry-points."torchdoctor.knowledge"]
{name} = "{package}"

[tool.setuptools]
packages = ["{package}"]

[tool.setuptools.package-data]
"{package}" = ["*.md"]
"""

_README = """# torchdoctor-{name}

A check for torchdoctor. Install it beside torchdoctor; `torchdoctor scan` then runs it.

    python -m pip install -e .
    python -m pytest
"""

_TEST = '''"""The check says what each of its samples expects."""

import json
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_check
from torchdoctor.facts.codec import decode_facts

SAMPLES = sorted((Path(__file__).parent / "{stem}").glob("*.json"))
REGISTRY = load_registry()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_sample(file: Path) -> None:
    (check,) = (each for each in REGISTRY.checks if each.name == "{name}")
    data = json.loads(file.read_text(encoding="utf-8"))
    outcome = run_check(check, decode_facts(data), REGISTRY.knowledge.entries["{name}"])
    found = [
        {{"message": each.message, "severity": each.severity.value, "step": each.step}}
        for each in outcome.findings
    ]
    assert (outcome.status, list(outcome.passed), found) == (
        data["status"], data.get("passed", []), data["findings"],
    )


def test_package_is_whole() -> None:
    assert REGISTRY.broken == ()
'''
