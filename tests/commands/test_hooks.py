"""Exceptions are explained where they are shown: at the end of a program and below a cell."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import torchdoctor

PAGING = 'OSError("[WinError 1455] The paging file is too small for this operation to complete")'


def _run(code: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "program.py"
    file.write_text(f"import torchdoctor\ntorchdoctor.install_hook()\n{code}\n", encoding="utf-8")
    return subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120)


def test_program_ends_with_its_traceback_and_the_explanation(tmp_path: Path) -> None:
    result = _run(f"torchdoctor.install_hook()\nraise {PAGING}", tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("Traceback (most recent call last):")
    assert result.stderr.count("paging-file-too-small") >= 1
    assert result.stderr.count("Windows has no commit memory left") == 1
    assert result.stderr.index(": [WinError 1455]") < result.stderr.index("Windows has no commit")


def test_cause_of_another_exception_is_explained(tmp_path: Path) -> None:
    code = f"try:\n    raise {PAGING}\nexcept OSError as error:\n    raise RuntimeError('x') from error"
    assert "paging-file-too-small" in _run(code, tmp_path).stderr


@pytest.mark.parametrize(
    "code",
    [
        "raise ValueError('something else')",
        "raise SystemExit(3)",
        "raise KeyboardInterrupt",
        "def f(): f()\nf()",
        "raise ValueError('x' * 3_000_000)",
    ],
)
def test_other_exceptions_end_as_they_do_without(code: str, tmp_path: Path) -> None:
    result = _run(code, tmp_path)
    plain = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert result.returncode == plain.returncode
    assert result.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]


def test_hook_of_before_is_called(tmp_path: Path) -> None:
    code = "import sys\nsys.excepthook = lambda *a: print('mine')\ntorchdoctor.install_hook()\nraise ValueError('x')"
    assert _run(code, tmp_path).stdout == "mine\n"


def test_what_goes_wrong_in_the_hook_is_one_line(tmp_path: Path) -> None:
    code = (
        "import torchdoctor.explain\ndef broken(*a, **b): raise RuntimeError('defect')\n"
        "torchdoctor.explain.explain = broken\nraise ValueError('x')"
    )
    lines = _run(code, tmp_path).stderr.splitlines()
    assert lines[-2] == "ValueError: x"
    assert lines[-1].startswith("torchdoctor: no explanation: defect in torchdoctor: RuntimeError")


class Events:
    """The events of an IPython shell."""

    def __init__(self) -> None:
        self.functions: list = []

    def register(self, name: str, function) -> None:
        assert name == "post_run_cell"
        self.functions.append(function)

    def unregister(self, name: str, function) -> None:
        self.functions.remove(function)


def _run_cell(shell, before: BaseException | None = None, inside: BaseException | None = None) -> None:
    for function in shell.events.functions:
        function(SimpleNamespace(error_before_exec=before, error_in_exec=inside))


def test_cells_are_explained_until_the_extension_is_unloaded(capsys) -> None:
    shell = SimpleNamespace(events=Events())
    torchdoctor.load_ipython_extension(shell)
    torchdoctor.load_ipython_extension(shell)
    assert len(shell.events.functions) == 1
    _run_cell(shell)
    _run_cell(shell, inside=ValueError("x"))
    assert capsys.readouterr() == ("", "")
    _run_cell(shell, inside=eval(PAGING))
    shown = capsys.readouterr()
    assert (shown.out, "paging-file-too-small" in shown.err) == ("", True)
    torchdoctor.unload_ipython_extension(shell)
    torchdoctor.unload_ipython_extension(shell)
    assert shell.events.functions == []


def test_extension_works_in_ipython(capsys) -> None:
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    shell = interactive.InteractiveShell()
    shell.run_line_magic("load_ext", "torchdoctor")
    shell.run_cell(f"raise {PAGING}")
    assert "paging-file-too-small" in capsys.readouterr().err
