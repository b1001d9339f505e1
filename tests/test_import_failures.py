"""A failed import of torch whose output is known: each format names the cause, and its step, first."""

import json
from html import unescape
from pathlib import Path

import pytest

from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.renderers import json as json_renderer
from torchdoctor.renderers import junit, markdown, sarif, terminal
from torchdoctor.renderers.html import report as html
from torchdoctor.report import Report

HEALTHY = Path(__file__).parent / "samples" / "machines" / "01-desktop-rtx-4090-all-well.json"
C10 = r'Error loading "C:\Users\me\project\.venv\Lib\site-packages\torch\lib\c10.dll" or one of its dependencies.'
# What the import did, the words of the title, and those of the step.
FAILURES = {
    "typing": (
        {
            "exception_type": "ImportError",
            "exception_message": "cannot import name 'TypeIs' from 'typing_extensions' (C:\\x\\typing_extensions.py)",
            "traceback": "Traceback (most recent call last):\n"
            '  File "C:\\v\\Lib\\site-packages\\torch\\__init__.py", line 32, in <module>\n'
            "    from typing_extensions import ParamSpec as _ParamSpec, TypeIs as _TypeIs\n"
            "ImportError: cannot import name 'TypeIs' from 'typing_extensions' (C:\\x\\typing_extensions.py)",
        },
        "A package that torch requires is missing or does not fit",
        '-m pip install --upgrade "typing_extensions',
    ),
    "policy": (
        {
            "exception_type": "OSError",
            "exception_message": f"[WinError 4551] An Application Control policy has blocked this file. {C10}",
            "winerror": 4551,
        },
        "Windows blocks the DLLs of torch",
        "Smart App Control",
    ),
    "mixed": (
        {
            "exception_type": "ImportError",
            "exception_message": "DLL load failed while importing _C: The specified procedure could not be found.",
        },
        "Probably: DLLs of two versions are mixed in torch",
        "torch==2.8.0 --index-url https://download.pytorch.org/whl/cu128",
    ),
    "commit": (
        {
            "exception_type": "OSError",
            "exception_message": f"[WinError 1455] The paging file is too small for this operation to complete. {C10}",
            "winerror": 1455,
        },
        "Windows has no commit memory left",
        "Give the page file a size",
    ),
    "crash": (
        {"outcome": "died", "exit_code": 0xC0000005, "exit_meaning": "exit code 3221225477 (0xC0000005)"},
        "Probably: A DLL of this environment, or one that another program adds, crashes",
        r"C:\envs\torch-test\Scripts\python.exe -m pip install torch==2.8.0 torchvision==0.23.0",
    ),
    "instruction": (
        {"outcome": "died", "exit_code": 0xC000001D, "exit_meaning": "exit code 3221225501 (0xC000001D)"},
        "Probably: The process uses an instruction that this CPU does not have",
        "name of the processor",
    ),
    "mkl": (
        {
            "outcome": "died",
            "exit_code": 2,
            "exit_meaning": "exit code 2",
            "stderr_tail": "Intel MKL FATAL ERROR: Cannot load mkl_intel_thread.2.dll.\n",
        },
        "MKL cannot load one of its own DLLs",
        "-m pip install --force-reinstall --no-deps numpy==2.",
    ),
    "last words": (
        {
            "outcome": "died",
            "exit_code": 200,
            "exit_meaning": "exit code 200",
            "stderr_tail": "forrtl: error (200): program aborting due to control-C event\n",
        },
        "Ctrl+C ends with",
        "If you pressed Ctrl+C only to stop the program",
    ),
    "omp": (
        {
            "outcome": "died",
            "exit_code": 3,
            "exit_meaning": "exit code 3",
            "stderr_tail": "OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.\n",
        },
        "Two OpenMP runtimes in one process",
        "where.exe libiomp5md.dll",
    ),
    "unknown": (
        {"exception_type": "KeyError", "exception_message": "'gpu'"},
        "the reason is not clear yet",
        r"C:\envs\torch-test",
    ),
}


@pytest.fixture(params=FAILURES)
def failure(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Report, str, str]:
    """Return the report on a machine where the import fails, and words of the cause's title and step."""
    changes, title, step = FAILURES[request.param]
    data = json.loads(HEALTHY.read_text(encoding="utf-8"))
    data["facts"]["torch_import_trial"] |= {
        "outcome": "raised", "version": None, "file": None, "exit_code": 1, "exit_meaning": "exit code 1", **changes
    }  # fmt: skip
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return scan(ScanRequest(facts_file=file)), title, step


@pytest.mark.parametrize(("width", "verbose"), [(80, False), (120, False), (80, True)])
def test_screen_begins_with_the_cause(failure: tuple[Report, str, str], width: int, verbose: bool) -> None:
    report, title, step = failure
    screen = terminal.render(report, width=width, verbose=verbose)
    first = " ".join(screen.split("\n\nExamined:")[0].split())
    assert first.startswith("ERROR")
    assert title in first.replace("`", "")
    assert step in first
    assert "Run the import alone" not in screen
    assert verbose or len(screen.splitlines()) <= 30


@pytest.mark.parametrize(
    "renderer", [html, markdown, junit, sarif, json_renderer], ids=lambda each: each.__name__
)
def test_each_format_has_the_step_of_the_cause(failure: tuple[Report, str, str], renderer) -> None:
    report, _, step = failure
    text = unescape(renderer.render(report)).replace("\\\\", "\\").replace('\\"', '"')
    assert " ".join(step.split()) in " ".join(text.split())


def test_cause_that_is_told_is_not_told_again(failure: tuple[Report, str, str]) -> None:
    report, _, _ = failure
    told = {outcome.name for outcome in report.outcomes if outcome.findings}
    told |= {cause.name for cause in map(report.explained_cause_of, told) if cause is not None}
    assert told.isdisjoint(each.name for each in report.list_other_explanations())


def test_check_that_passed_knows_better(tmp_path: Path) -> None:
    data = json.loads(HEALTHY.read_text(encoding="utf-8"))
    message = "partially initialized module 'torch' has no attribute 'version' (most likely due to a circular import)"
    data["facts"]["torch_import_trial"] |= {
        "outcome": "raised", "version": None, "exception_type": "AttributeError", "exception_message": message
    }  # fmt: skip
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    report = scan(ScanRequest(facts_file=file))
    assert report.explanation is not None
    assert report.explanation.diagnoses[0].name == "shadowed-or-partial-torch"
    assert report.explained_cause_of("torch-import-failed") is None
