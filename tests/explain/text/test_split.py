"""Splitting of cleaned text into exceptions and frames, and the numbers in them."""

import pytest

from torchdoctor.explain.codes import read_codes
from torchdoctor.explain.text.clean import clean, number_lines
from torchdoctor.explain.text.split import Kind, Unit, split

CHAINED = """Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
_queue.Empty

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "b.py", line 2, in h
    f()
RuntimeError: DataLoader worker (pid(s) 1) exited unexpectedly
"""
GUARD = """RuntimeError:
        An attempt has been made to start a new process before the
        current process has finished its bootstrapping phase.

        This probably means that you are not using fork

Traceback (most recent call last):
  File "x.py", line 1, in <module>
"""
NUMBERS = {
    "winerror": ("OSError: [WinError 1455] x", ("winerror", 1455)),
    "winerror plain": ("WinError 126 - x", ("winerror", 126)),
    "os error": ("(os error 1455)", ("winerror", 1455)),
    "mapping": ("error code: <1455>", ("winerror", 1455)),
    "library": ("Error code 126", ("winerror", 126)),
    "hresult": ("failed (0x800711C7)", ("winerror", 4551)),
    "delay load": ("Windows fatal exception: code 0xc06d007e", ("winerror", 126)),
    "signed": ("Process finished with exit code -1073741819", ("exit", 0xC0000005)),
    "unsigned": ("exit code: 3221225477", ("exit", 0xC0000005)),
    "hex": ("Process finished with exit code (0xC0000005)", ("exit", 0xC0000005)),
    "status": ("returned non-zero exit status 3221225477.", ("exit", 0xC0000005)),
    "exitcode": ("(exitcode: -1073741795) local_rank: 0", ("exit", 0xC000001D)),
    "small": ("exited with code 9009", ("exit", 9009)),
    "cuda": ("cuda runtime error (30) : unknown error", ("cuda", 30)),
    "cuda equals": ("THCudaCheck FAIL file=a.cpp line=253 error=63 : OS call failed", ("cuda", 63)),
    "errno": ("[Errno 22] Invalid argument", ("errno", 22)),
}


def split_text(text: str) -> tuple[Unit, ...]:
    return split(clean(number_lines(text), lambda line: False))


def test_finds_exceptions_and_frames() -> None:
    assert [unit.kind for unit in split_text(CHAINED)] == [
        Kind.FRAME,
        Kind.EXCEPTION,
        Kind.FRAME,
        Kind.EXCEPTION,
    ]


def test_keeps_a_cause_and_its_consequence_in_one_chain() -> None:
    assert {unit.chain for unit in split_text(CHAINED)} == {1}


def test_numbers_the_tracebacks() -> None:
    assert [unit.traceback for unit in split_text(CHAINED)] == [1, 1, 2, 2]


def test_keeps_a_message_of_several_lines_together() -> None:
    assert split_text(GUARD)[0].text.endswith("you are not using fork")


def test_finds_the_line_of_a_position_in_a_unit() -> None:
    unit = split_text(GUARD)[0]
    assert unit.find_line(unit.text.index("bootstrapping")).number == 3


@pytest.mark.parametrize(
    ("text", "path", "function"),
    [
        ('  File "C:\\a b.py", line 3, in f', "C:\\a b.py", "f"),
        ("File ~\\env\\Lib\\x.py:379 in __init__", "~\\env\\Lib\\x.py", "__init__"),
        ("File c:\\Users\\u\\x.py:46, in run(a)", "c:\\Users\\u\\x.py", "run"),
        ("~\\env\\x.py in load(a)", "~\\env\\x.py", "load"),
        ("E:\\lib\\torch\\__init__.py:124: in <module>", "E:\\lib\\torch\\__init__.py", "<module>"),
        ("  torch/storage.py line 471 in __getitem__", "torch/storage.py", "__getitem__"),
    ],
    ids=["python", "ipython", "ipython comma", "old ipython", "pytest", "faulthandler"],
)
def test_reads_frames(text: str, path: str, function: str) -> None:
    frame = split_text(text)[0].frame
    assert frame is not None
    assert (frame.path, frame.function.split("(")[0]) == (path, function)


@pytest.mark.parametrize(("text", "expected"), NUMBERS.values(), ids=NUMBERS)
def test_reads_error_numbers(text: str, expected: tuple[str, int]) -> None:
    assert expected in {(code.kind, code.number) for code in read_codes(split_text(text)[0])}


def test_reads_no_error_number_from_a_version() -> None:
    assert not list(
        read_codes(split_text("torch 2.15.0 on Windows-10-10.0.26200, error codes are listed")[0])
    )
