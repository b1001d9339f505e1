"""The Python of a console and that of a notebook are told apart by the words beside their paths."""

import pytest

from torchdoctor.explain.values.console_python import read_console_python

CONSOLE, NOTEBOOK = r"C:\envs\pt\python.exe", r"C:\Python312\python.exe"
BOTH = {"console_python": CONSOLE, "notebook_python": NOTEBOOK}
TEXTS = {
    "notebook-first": (rf"In the notebook: {NOTEBOOK}. In the terminal: {CONSOLE}", BOTH),
    "console-first": (f"cmd prints {CONSOLE}\nJupyter prints {NOTEBOOK}", BOTH),
    "behind": (f"{CONSOLE} in the terminal, and {NOTEBOOK} in the notebook.", BOTH),
    "terminal-of-an-editor": (f"The terminal of VS Code has {CONSOLE}, its notebook {NOTEBOOK}", BOTH),
    "with-torch": (
        f"notebook: {NOTEBOOK} terminal: {CONSOLE} 2.4.0+cu121",
        {**BOTH, "console_torch": "2.4.0+cu121"},
    ),
    "console-alone": (f"In the console it is {CONSOLE}", {"console_python": CONSOLE}),
    "notebook-alone": (f"sys.executable in Jupyter is {NOTEBOOK}\nIn the console import torch works.", {}),
    "next-sentence": (f"{NOTEBOOK} in the console import torch works", {}),
    "the-same": (f"notebook: {NOTEBOOK}, terminal: {NOTEBOOK}", {}),
    "two-consoles": (f"cmd: {CONSOLE}, PowerShell: {NOTEBOOK}", {}),
    "no-label": (f"{CONSOLE} and {NOTEBOOK}", {}),
}


@pytest.mark.parametrize(("text", "values"), TEXTS.values(), ids=TEXTS)
def test_reads_the_python_of_the_console(text: str, values: dict[str, str]) -> None:
    assert read_console_python(text) == values
