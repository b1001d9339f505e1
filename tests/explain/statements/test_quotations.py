"""What a text quotes of another person's computer is no part of the answer to its writer."""

import time
from itertools import product

import pytest

from torchdoctor import explain
from torchdoctor.explain.statements.quotations import find_quoted
from torchdoctor.explain.text.clean import Line, number_lines

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


# What is told of others without a mark in front of its lines, and the own words behind it.
TOLD = (
    "On Tue, 12 May 2026 at 10:02, Bob <bob@example.org> wrote:\n    {quoted}\nHi Bob, mine is:\n{own}",
    "I followed this answer from Stack Overflow:\n{quoted}\nbut I still get in my venv:\n{own}",
    'From issue #4213: "{quoted}"\nI have a similar thing but with\n{own}',
    "Someone here had:\n{quoted}\nMine is a bit different:\n{own}",
    "ChatGPT told me to look for: {quoted}. But I only see:\n{own}",
    "She got: {quoted}\nOn my PC it is\n{own}",
)
# The own error behind words that could announce another person's.
OWN_WORDS = (
    "I get this error:\n{own}\nI have read the docs.",
    "Here is the issue:\n{own}\nWe use Windows 11.",
    "After the update it has this:\n{own}",
    "In the console:\n{own}\nI have no idea.",
)


@pytest.mark.parametrize("frame", TOLD)
@pytest.mark.parametrize("lines", QUOTED)
def test_what_is_told_of_others_is_not_the_error(frame: str, lines: tuple[str, ...]) -> None:
    for folder in FOLDERS:
        quoted = "\n".join(lines).format(folder)
        explained = explain(f"{frame.format(quoted=quoted, own=OWN_ERROR)}\nRTX 5070, torch 2.5.1+cu124\n")
        (first, *_) = explained.diagnoses
        assert first.name == "unsupported-gpu-arch", quoted
        assert not any(folder in step for step in first.fix), first.fix


@pytest.mark.parametrize("frame", OWN_WORDS)
def test_own_error_behind_a_colon_stays(frame: str) -> None:
    (first, *_) = explain(frame.format(own=CPU_BUILD)).diagnoses
    assert first.name == "cpu-only-build"


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
