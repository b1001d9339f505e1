"""No answer begins with a command that fails in the text."""

import pytest

from torchdoctor.explain.text.clean import Line, clean_printed
from torchdoctor.explain.text.split import split
from torchdoctor.explain.values.failed_commands import (
    Installation,
    put_repeated_later,
    read_failed_installations,
)


def read(text: str) -> tuple[Installation, ...]:
    return read_failed_installations(
        split(clean_printed(tuple(Line(*each) for each in enumerate(text.splitlines(), 1))))
    )


def write_step(prose: str, *commands: str) -> str:
    code = "\n".join(f"   {command}" for command in commands)
    return f"{prose}\n\n   ```powershell\n{code}\n   ```"


FAILED = read("(base) C:\\me>pip install torch\nERROR: No matching distribution found for torch")
PIP = write_step("With pip:", "python -m pip install torch torchvision torchaudio")
CONDA = write_step("With conda:", "conda install pytorch -c conda-forge")


@pytest.mark.parametrize(
    ("words", "packages", "options"),
    [
        ("torch", {"torch"}, set()),
        ("-y torch torchvision", {"torch", "torchvision"}, set()),
        ("torch --index-url https://x/whl/cu126", {"torch"}, {"--index-url", "https://x/whl/cu126"}),
        ("--index-url=https://x/whl/cu126 torch", {"torch"}, {"--index-url=https://x/whl/cu126"}),
    ],
)
def test_a_command_that_fails_is_read(words: str, packages: set[str], options: set[str]) -> None:
    failed = read(f"(base) C:\\me>pip install {words}\nERROR: No matching distribution found for torch")
    assert failed == (Installation("pip", frozenset(packages), frozenset(options)),)


@pytest.mark.parametrize(
    "text",
    [
        "C:\\me>pip install torch\nSuccessfully installed torch-2.8.0",
        "RuntimeError: broken\nC:\\me>pip install torch",
        "pip install torch is what I did\nERROR: No matching distribution found",
    ],
    ids=["it-works", "error-before", "sentence"],
)
def test_other_commands_are_not_read(text: str) -> None:
    assert read(text) == ()


def test_a_step_that_repeats_it_is_no_longer_first() -> None:
    assert put_repeated_later((PIP, CONDA, "Code."), FAILED) == (CONDA, PIP, "Code.")


@pytest.mark.parametrize(
    "first",
    [
        write_step("From an index:", "python -m pip install torch --index-url https://x/whl/cu126"),
        write_step("Repeat it in a new console:", "python -m pip install torch"),
        write_step("With another Python:", "py -3.12 -m venv C:\\envs\\a", "python -m pip install torch"),
        write_step("Another release:", "python -m pip install torch==2.8.0"),
        CONDA,
    ],
    ids=["index", "on-purpose", "environment", "release", "conda"],
)
def test_a_step_that_changes_something_stays_first(first: str) -> None:
    assert put_repeated_later((first, "Code."), FAILED) == (first, "Code.")


def test_the_only_step_stays() -> None:
    assert put_repeated_later((PIP,), FAILED) == (PIP,)
