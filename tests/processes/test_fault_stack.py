"""The stack that Python's fault handler leaves, among whatever else a process prints."""

import subprocess
import sys

import pytest

from torchdoctor.processes.fault_stack import FaultStack, Frame, find_fault_stack, remove_fault_stacks

BLOCK = """Windows fatal exception: access violation

Thread 0x00000b14 (most recent call first):
  File "C:\\v\\lib\\threading.py", line 300 in wait

Current thread 0x000004fc [Main] (most recent call first):
  File "C:\\v\\numpy\\__init__.py", line 1 in <module>
  File "<frozen importlib._bootstrap>", line 241 in _call_with_frames_removed
  File "<string>", line ??? in <module>
"""
STACK = FaultStack(
    "access violation",
    (
        Frame("C:\\v\\numpy\\__init__.py", 1, "<module>"),
        Frame("<frozen importlib._bootstrap>", 241, "_call_with_frames_removed"),
        Frame("<string>", 0, "<module>"),
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BLOCK, STACK),
        ("Windows fatal exception: code 0xe0000001\n\n" + BLOCK, STACK),
        ("loading 10%" + BLOCK + "wine: Unhandled page fault\n", STACK),
        ("Fatal Python error: Aborted\n", FaultStack("Aborted", ())),
        (
            "Fatal Python error: Aborted\n\nCurrent thread 0x1 (most recent call first):\n",
            FaultStack("Aborted", ()),
        ),
        ("Traceback (most recent call last):\nOSError: no\n", None),
        ("\ufffd\x00" * 500, None),
    ],
    ids=["two-threads", "last-block", "amid-output", "no-thread", "no-frames", "no-crash", "garbage"],
)
def test_finds_the_stack_of_the_current_thread(text: str, expected: FaultStack | None) -> None:
    assert find_fault_stack(text) == expected


def test_survived_exceptions_are_removed_from_the_output() -> None:
    assert remove_fault_stacks(f"before\n{BLOCK}OSError: no\n") == "before\nOSError: no\n"


def test_deep_stack_is_cut() -> None:
    text = BLOCK + '  File "C:\\a.py", line 1 in f\n' * 5000
    stack = find_fault_stack(text)
    assert stack is not None and len(stack.frames) == 100


@pytest.mark.parametrize("code", ["import os; os.abort()", "import faulthandler; faulthandler._sigsegv()"])
def test_reads_what_this_python_prints(code: str) -> None:
    ended = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True)
    stack = find_fault_stack(ended.stderr)
    assert stack is not None and stack.frames[-1] == Frame("<string>", 1, "<module>")
