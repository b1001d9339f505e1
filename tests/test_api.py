"""The Python interface: a value in, a value out, nothing printed, and no work at import."""

import doctest
import subprocess
import sys
from unittest.mock import Mock

import pytest

import torchdoctor
from torchdoctor import explain, explain_text, read_environment
from torchdoctor.engine import library

ERROR = "OSError: [WinError 1455] The paging file is too small for this operation to complete"


def test_the_examples_of_the_docstrings_are_true() -> None:
    results = doctest.testmod(torchdoctor)
    assert (results.failed, results.attempted > 0) == (0, True)


def test_the_package_can_be_called() -> None:
    assert explain(ERROR) == explain_text(ERROR)  # type: ignore[operator]


@pytest.mark.parametrize("text", [b"", "", b"\xff\xfe", "\x00", "no environment"])
def test_any_text_is_answered(text: str | bytes) -> None:
    assert read_environment(text) == ()


def test_the_knowledge_base_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Mock(side_effect=library.load_knowledge)
    monkeypatch.setattr(library, "load_knowledge", read)
    library.load_heads.cache_clear()
    explain(ERROR)  # type: ignore[operator]
    explain_text(ERROR)
    read_environment("PyTorch version: 2.1.0+cu121")
    assert read.call_count == 1


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    read_environment("PyTorch version: 2.1.0+cu121")
    explain_text(ERROR)
    assert capfd.readouterr() == ("", "")


def test_importing_it_does_no_work() -> None:
    program = "import sys, torchdoctor; print(sorted(n for n in sys.modules if n.startswith('torchdoctor')))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['torchdoctor', 'torchdoctor.core', 'torchdoctor.core.version']"
