"""What a text quotes of another person's computer is no part of the answer to its writer."""

import time
from itertools import product

import pytest

from torchdoctor import explain
from torchdoctor.explain.clean import Line, number_lines
from torchdoctor.explain.quotations import find_quoted

OWN_ERROR = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
CPU_BUILD = "AssertionError: Torch not compiled with CUDA enabled"
FOLDERS = (
    r"C:\Users\bob\venv",
    r"C:\Python311",
    r"D:\ComfyUI\python_embeded",
    r"C:\Users\bob\miniconda3\envs\sd",
)
QUOTED = (
    (
        r'OSError: [WinError 126] The specified module could not be found. Error loading "{}\Lib\site-packages\torch\lib\fbgemm.dll" or one of its dependencies.',
    ),
    (r'File "{}\Lib\site-packages\torch\cuda\__init__.py", line 310, in _lazy_init', CPU_BUILD),
    (
        "Traceback (most recent call last):",
        r'  File "{}\Lib\site-packages\torch\cuda\__init__.py", line 310, in _lazy_init',
        CPU_BUILD,
    ),
)
# In front of the quotation, on a line of its own or in its first line.
HEADS = ("", "> @bob wrote:\n", "@bob wrote:\n", "On Monday Bob wrote:\n", "Bob schrieb:\n")
REPLIES = ("Me too, but mine is\n", "I had that too. Now I get on my PC:\n", "\n")


def quote(head: str, lines: tuple[str, ...], folder: str, mark: str = "> ") -> str:
    return head + "".join(f"{mark}{line.format(folder)}\n" for line in lines)


@pytest.mark.parametrize(("head", "lines", "reply"), product(HEADS, QUOTED, REPLIES))
def test_own_error_comes_first_and_the_quoted_python_is_in_no_command(
    head: str, lines: tuple[str, ...], reply: str
) -> None:
    for folder, mark in product(FOLDERS, ("> ", ">", "> > ")):
        text = f"{quote(head, lines, folder, mark)}{reply}{OWN_ERROR}\nRTX 5070, torch 2.5.1+cu124\n"
        explained = explain(text)
        (first, *_) = explained.diagnoses
        assert first.name == "unsupported-gpu-arch", text
        assert not explained.values.keys() & {"python", "scripts_folder", "venv_folder", "portable_folder"}, (
            text
        )
        assert not any(folder in step for step in first.fix), (text, first.fix)


@pytest.mark.parametrize(("head", "lines"), product(HEADS, QUOTED))
def test_quoted_python_is_none_of_a_writer_without_an_own_error(head: str, lines: tuple[str, ...]) -> None:
    for folder in FOLDERS:
        explained = explain(f"{quote(head, lines, folder)}Same problem here.\n")
        (first, *_) = explained.diagnoses
        assert first.name in {"cpu-only-build", "dll-missing-dependency"}
        assert "python" not in explained.values
        assert not any(folder in step for step in first.fix), first.fix


@pytest.mark.parametrize(
    "text",
    [
        "{quoted}",
        "I get this error:\n{quoted}torch 2.5.1+cpu, RTX 3060\n",
        "My log:\n\n{quoted}",
        ">>> import torch\n{plain}",
        "> python train.py\n{plain}",
    ],
)
def test_python_of_the_own_error_counts(text: str) -> None:
    quoted, plain = quote("", QUOTED[2], FOLDERS[0]), quote("", QUOTED[2], FOLDERS[0], "")
    values = explain(text.format(quoted=quoted, plain=plain)).values
    assert values["python"] == rf"{FOLDERS[0]}\Scripts\python.exe"


def test_quotations_are_found_in_linear_time() -> None:
    times = []
    for count in (2000, 8000):
        lines = [Line(*each) for each in number_lines("> some words\nof another person\n" * count)]
        start = time.process_time()
        find_quoted(lines)
        times.append(time.process_time() - start)
    assert times[1] < 8 * times[0] + 0.1


SHAPES = (
    "On Tue, 12 May 2026 at 10:02, Bob <bob@example.org> wrote:\n    {error}\nHi Bob, mine is:\n",
    "I followed this answer from Stack Overflow:\n```\n{python} -m pip install torch\n{error}\n```\nbut I still get:\n",
    "ChatGPT told me to look for: {error} But I only see:\n",
    'From issue #4213: "{error}"\nI have a similar thing but with\n',
)


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
@pytest.mark.parametrize("folder", FOLDERS)
def test_quotation_without_a_mark_is_another_persons(shape: str, folder: str) -> None:
    text = shape.format(error=QUOTED[0][0].format(folder), python=rf"{folder}\python.exe")
    explanation = explain(f"{text}{CPU_BUILD}\nRTX 3060, torch 2.5.1+cpu")
    first = explanation.diagnoses[0]
    assert (first.name, folder in "".join(first.fix)) == ("cpu-only-build", False)
