"""What a file of the user does to `import torch`, found without running it."""

import sys
from pathlib import Path

import pytest

from torchdoctor.probes.stand_ins import find_failures

# A torch that needs what the real one needs of random, in a folder of the import path.
FAKE = "from random import Random\nimport queue\nqueue.Queue"


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    package = tmp_path / "fake" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(FAKE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return sys.executable


@pytest.mark.parametrize(
    ("module", "code", "expected"),
    [
        ("random", "raise SystemExit('it ran')", "ImportError: cannot import name 'Random' from 'random'"),
        ("queue", "raise SystemExit('it ran')", "AttributeError: module 'queue' has no attribute 'Queue'"),
        ("random", "class Random: pass", None),
        ("random", "try:\n  from other import Random\nexcept ImportError:\n  Random = None", None),
        ("random", "from other import *", None),
        ("random", "def __getattr__(name): return None", None),
        ("random", "this is no Python", None),
        ("copy", "raise SystemExit('it ran')", None),
    ],
    ids=["random", "queue", "complete", "conditional", "star", "getattr", "no-python", "not-needed"],
)
def test_tells_a_file_that_breaks_the_import(
    python: str, tmp_path: Path, module: str, code: str, expected: str | None
) -> None:
    file = tmp_path / f"{module}.py"
    file.write_text(code, encoding="utf-8")
    failure = find_failures(python, {module: file}, 30).get(module)
    assert failure is None if expected is None else str(failure).startswith(expected)


def test_failure_names_the_users_file(python: str, tmp_path: Path) -> None:
    folder = tmp_path / "random"
    folder.mkdir()
    (folder / "__init__.py").write_text("x = 1", encoding="utf-8")
    assert str(folder / "__init__.py") in find_failures(python, {"random": folder}, 30)["random"]
