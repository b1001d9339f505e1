"""The last error that a text does not call solved, and that is of the writer's computer, comes first."""

import pytest

from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain

KNOWLEDGE = load_heads()
ERRORS = {
    "driver-too-old": "RuntimeError: The NVIDIA driver on your system is too old (found version 9010).",
    "cpu-only-build": "AssertionError: Torch not compiled with CUDA enabled",
    "worker-exited-unexpectedly": "RuntimeError: DataLoader worker (pid(s) 10440) exited unexpectedly",
    "cuda-oom": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB.",
    "paging-file-too-small": "OSError: [WinError 1455] The paging file is too small for this operation to complete",
}
PAIRS = [(first, last) for first in ERRORS for last in ERRORS if first != last]
TURNS = (
    "bob: Update.\nalice: Done, is_available is True now. New error:",
    "Edit: that is solved, I reinstalled it. Now I get this:",
    "SOLVED by reinstalling. But now it fails with",
    "I fixed it. A new problem:",
    "Then I moved to my Windows PC:",
    "已解决。现在又报：",
    "Das ist behoben. Neuer Fehler:",
)
STAYS = (
    "This is not solved. I also see this in another program's log, which goes on:",
    "How can this be fixed? Below is the output of the other program:",
)
ELSEWHERE = (
    "Also on my other PC: {}",
    "My friend's computer says {}",
    "Macbook of a colleague: {}",
)


def _find_first(text: str) -> str:
    return explain(text, KNOWLEDGE).diagnoses[0].name


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("first", "last"), PAIRS)
def test_error_after_a_solved_one_comes_first(first: str, last: str, turn: str) -> None:
    assert _find_first(f"{ERRORS[first]}\n{turn}\n{ERRORS[last]}") == last


@pytest.mark.parametrize(("first", "last"), PAIRS)
def test_last_post_of_a_thread_comes_first(first: str, last: str) -> None:
    text = f"alice (2019): torch 1.1.0\n{ERRORS[first]}\nbob (2020): same\ncarol (2024): and I get\n{ERRORS[last]}"
    assert _find_first(text) == last


# A program has started in spite of what its log shows before.
STARTED = (
    "Starting server\n\nTo see the GUI go to: http://127.0.0.1:8188\ngot prompt",
    "Running on local URL:  http://127.0.0.1:7860",
    "INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)",
    "Startup time: 12.1s (prepare environment: 4.0s, import torch: 3.1s).",
    "[2025-05-02 10:11:12] Application startup complete.",
)
AT_THE_START = (
    "ModuleNotFoundError: No module named 'triton'",
    "ModuleNotFoundError: No module named 'insightface'",
    "ImportError: DLL load failed while importing onnxruntime_pybind11_state: The specified module could not be found.",
)


@pytest.mark.parametrize("mark", STARTED)
@pytest.mark.parametrize("before", AT_THE_START)
@pytest.mark.parametrize("last", ["cuda-oom", "worker-exited-unexpectedly", "paging-file-too-small"])
def test_error_after_a_start_comes_before_those_of_it(before: str, mark: str, last: str) -> None:
    assert _find_first(f"{before}\n{mark}\n{ERRORS[last]}") == last


@pytest.mark.parametrize("mark", STARTED)
@pytest.mark.parametrize("before", AT_THE_START)
def test_error_of_the_program_after_a_start_is_explained(before: str, mark: str) -> None:
    error = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x8 and 9x2)"
    assert explain(f"{before}\n{mark}\n{error}", KNOWLEDGE).program_error is not None


@pytest.mark.parametrize("turn", STAYS)
@pytest.mark.parametrize(("first", "last"), PAIRS)
def test_order_stays_where_nothing_is_solved(first: str, last: str, turn: str) -> None:
    text = f"{ERRORS[first]}\n{turn}\n{ERRORS[last]}"
    assert _find_first(text) == _find_first(text.replace(turn, ""))


@pytest.mark.parametrize("told", ELSEWHERE)
@pytest.mark.parametrize(("own", "other"), PAIRS)
def test_error_of_another_computer_is_not_first(own: str, other: str, told: str) -> None:
    message = ERRORS[other].partition(": ")[2]
    traceback = (
        f'Traceback (most recent call last):\n  File "D:\\w\\a.py", line 1, in <module>\n{ERRORS[own]}'
    )
    assert _find_first(f"{traceback}\n\n{told.format(message)}") == own


@pytest.mark.parametrize("error", ERRORS)
def test_solved_error_alone_is_not_certain(error: str) -> None:
    first = explain(f"{ERRORS[error]}\nSOLVED by a new installation. Now it works!", KNOWLEDGE).diagnoses[0]
    assert (first.name, first.confidence.value != "certain") == (error, True)


@pytest.mark.parametrize(
    ("told", "driver"),
    [
        ("I updated the driver to 551.23. Now:", "551.23"),
        ("alice: Done, 551.23. Still the same:", "551.23"),
        ("after the update nvidia-smi shows 551.23, and", "551.23"),
        ("update: driver is now 551.23, and", "551.23"),
        ("bob: you should update to 551.23. I cannot:", "391.35"),
        ("", "391.35"),
    ],
)
def test_later_driver_counts(told: str, driver: str) -> None:
    text = f"My driver is 391.35, torch 2.0.1+cu118\n{ERRORS['driver-too-old']}\n{told}\n{ERRORS['driver-too-old']}"
    assert explain(text, KNOWLEDGE).values.whole["driver_version"] == driver


def test_commands_have_the_release_of_the_last_post() -> None:
    text = (
        "alice (2019): torch 1.10.2+cu113\n"
        + ERRORS["driver-too-old"]
        + "\nbob (2024): torch 2.3.0+cu121, RTX 3060\n"
        'OSError: [WinError 127] The specified procedure could not be found. Error loading "C:\\v\\lib\\'
        'site-packages\\torch\\lib\\shm.dll" or one of its dependencies.'
    )
    steps = "\n".join(explain(text, KNOWLEDGE).diagnoses[0].fix)
    assert ("torch==2.3.0" in steps, "torch==1.10.2" in steps) == (True, False)


@pytest.mark.parametrize("says", ["{}", "{} is what I get", "I get {}", "Mine: {}"])
@pytest.mark.parametrize(("quoted", "own"), PAIRS)
def test_own_error_comes_before_a_quoted_one(quoted: str, own: str, says: str) -> None:
    assert _find_first(f"> {ERRORS[quoted]}\n\n{says.format(ERRORS[own])}") == own


def test_own_error_without_a_colon_comes_before_a_quoted_one() -> None:
    text = "> RuntimeError: CUDA error: out of memory\n\ntorch.cuda.OutOfMemoryError, total capacity of 24.00 GiB"
    explained = explain(f"{text} of which 0.3 GiB is free", KNOWLEDGE)
    assert [each.line for each in explained.diagnoses[0].evidence] == [3]
