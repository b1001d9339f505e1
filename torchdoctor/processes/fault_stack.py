"""Reads the stack that Python's fault handler prints when a process crashes."""

import re

from torchdoctor.core.record import record

# A block of faulthandler: a line with the reason, and the stacks of the threads. The signals are those of
# Modules/faulthandler.c. Python 3.13 names threads; 3.14 adds the C stack and the extension modules.
_START = re.compile(r"(?:Windows fatal exception|Fatal Python error): (?P<reason>[^\n]{1,200})")
_CURRENT_THREAD = re.compile(r"^Current thread [^\n]{1,200}\(most recent call first\):$", re.MULTILINE)
_FRAME = re.compile(
    r'  File "(?P<file>[^"\n]{1,600})", line (?P<line>\d{1,9}|\?\?\?) in (?P<function>[^\n]{1,600})'
)
_PART = re.compile(
    r"(?:Current thread |Thread 0x|  File \"|  \.\.\.|  <no Python frame>|  Binary file |Extension modules: |"
    r"Current thread's C stack|Python runtime state: |  <|$)"
)
MAX_FRAMES = 100


@record
class Frame:
    """A frame of Python code; `line` is 0 if it is not known."""

    file: str
    line: int
    function: str


@record
class FaultStack:
    """The reason of a crash in the fault handler's words, and the frames of its thread, innermost first."""

    reason: str
    frames: tuple[Frame, ...]


def find_fault_stack(text: str) -> FaultStack | None:
    """Return the last stack in what a process printed, or None.

    On Windows the handler also prints the stacks of exceptions that the process survives, so only the last
    one can be that of its end.
    """
    starts = list(_START.finditer(text))
    if not starts:
        return None
    start = starts[-1]
    thread = _CURRENT_THREAD.search(text, start.end())
    frames = _read_frames(text[thread.end() + 1 :]) if thread else ()
    return FaultStack(start["reason"].strip(), frames)


def _read_frames(text: str) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    for line in text.split("\n", MAX_FRAMES)[:MAX_FRAMES]:
        match = _FRAME.fullmatch(line)
        if match is None:
            break
        number = int(match["line"]) if match["line"].isdecimal() else 0
        frames.append(Frame(match["file"], number, match["function"]))
    return tuple(frames)


def remove_fault_stacks(text: str) -> str:
    """Return what a process printed without the blocks of the fault handler, for one that survived them."""
    kept: list[str] = []
    is_in_block = False
    for line in text.split("\n"):
        is_in_block = bool(_START.search(line)) or (is_in_block and bool(_PART.match(line)))
        if not is_in_block:
            kept.append(line)
    return "\n".join(kept)
