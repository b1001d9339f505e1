"""Reads a text that the user pastes into the terminal."""

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from torchdoctor.terminal.asking import wait_for_input
from torchdoctor.terminal.screen import show_message

_END_KEYS = "Ctrl+Z and Enter" if os.name == "nt" else "Ctrl+D"
PROMPT = f"Paste the error text, press Enter, then {_END_KEYS}; a line with a single dot ends it as well.\n"
# A dot ends the text only if nothing follows it for so long; else it is a line of what is being pasted.
_QUIET_SECONDS = 0.2
_CHUNK_BYTES = 1 << 16
_CTRL_D = b"\x04"
_DELETE = 0x7F
# Some terminals paste a line of Windows with both signs of its end.
_DOT = re.compile(rb"(?:\A|(?<=\n))\.(?:\r?\n){1,2}\Z")
_LONGEST_DOT = 5


def read_paste() -> bytes:
    """Ask for a text and return it; blank lines are part of it.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed; a line on standard error says so.
    """
    try:
        text = _read_lines() if os.name == "nt" else _read_keys()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        show_message("interrupted, nothing was explained")
        raise
    # The answer starts below what the terminal showed of the text.
    sys.stderr.write("\n")
    return text


def _show_prompt() -> None:
    sys.stderr.write(PROMPT)
    sys.stderr.flush()


def _read_lines() -> bytes:
    """Read lines from the console of Windows, where Ctrl+Z at the start of a line ends the input."""
    _show_prompt()
    lines = []
    while line := sys.stdin.buffer.readline():
        if line.rstrip(b"\r\n") == b"." and not _is_input_waiting():
            break
        lines.append(line)
    return b"".join(lines)


def _read_keys() -> bytes:
    text = bytearray()
    with _line_length_unlimited():
        # Not before: what is pasted at once would still be collected as a line, and cut.
        _show_prompt()
        wait_for_input()
        while chunk := os.read(0, _CHUNK_BYTES):
            text += chunk
            if chunk.endswith(_CTRL_D):
                del text[-1]
                break
            dot = _DOT.search(text, max(0, len(text) - _LONGEST_DOT))
            if dot is not None and not _is_input_waiting():
                del text[dot.start() :]
                break
    return _erase_deleted(bytes(text))


def _erase_deleted(text: bytes) -> bytes:
    """Remove the characters after which Backspace was pressed."""
    if _DELETE not in text:
        return text
    kept: list[str] = []
    for character in text.decode("utf-8", errors="surrogateescape"):
        if character != chr(_DELETE):
            kept.append(character)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept).encode("utf-8", errors="surrogateescape")


if sys.platform == "win32":
    import msvcrt

    def _is_input_waiting() -> bool:
        time.sleep(_QUIET_SECONDS)
        return msvcrt.kbhit()

    def _line_length_unlimited() -> AbstractContextManager[None]:
        raise NotImplementedError

else:
    import select
    import termios

    def _is_input_waiting() -> bool:
        return bool(select.select([0], [], [], _QUIET_SECONDS)[0])

    @contextmanager
    def _line_length_unlimited() -> Iterator[None]:
        """Read keys as they are pressed: a terminal of Linux that collects lines cuts them at 4095 bytes."""
        settings = termios.tcgetattr(0)
        changed = [*settings[:6], list(settings[6])]
        changed[3] &= ~termios.ICANON
        changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0

        def end_or_stop(number: int, _: object) -> None:
            _set_terminal(termios.TCSAFLUSH, settings)
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            # After a stop, the program goes on here.
            signal.signal(number, end_or_stop)
            _set_terminal(termios.TCSANOW, changed)

        handlers = {number: signal.signal(number, end_or_stop) for number in (signal.SIGQUIT, signal.SIGTSTP)}
        _set_terminal(termios.TCSANOW, changed)
        try:
            yield
        finally:
            # What is left of the input must not be run by the shell.
            _set_terminal(termios.TCSAFLUSH, settings)
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def _set_terminal(when: int, settings: list[Any]) -> None:
        # A terminal that was closed has no settings.
        with suppress(termios.error):
            termios.tcsetattr(0, when, settings)
