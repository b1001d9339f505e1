"""Asks the person at the terminal a question that is answered by a line."""

import sys

from torchdoctor.core.usage import UsageError


def is_somebody_there() -> bool:
    """Return whether questions can be asked: both the keyboard and the screen are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask_yes(question: str) -> bool:
    """Ask until the answer is yes or no; Enter alone is no.

    Raises:
        UsageError: nobody answers.
    """
    while True:
        answer = ask(f"{question} [y/N] ").lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("", "n", "no"):
            return False
        sys.stderr.write("Please answer y or n.\n")


def ask(question: str) -> str:
    """Show a question, and return the line that answers it.

    Raises:
        UsageError: nobody answers: the input has ended.
    """
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stderr.write("\n")
        raise UsageError("the input ended where an answer was needed; --yes answers for you")
    return line.strip()
