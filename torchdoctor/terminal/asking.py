"""Ask the person at the terminal a question that is answered by a line."""

import sys

from torchdoctor.core.usage import UsageError

# How long a Ctrl-C may stay unnoticed that comes between the question and the wait for its answer.
_NOTICE_SECONDS = 0.2


def is_somebody_there() -> bool:
    """Return whether questions can be asked: both the keyboard and the screen are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask_yes(question: str, indent: str = "") -> bool:
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
        sys.stderr.write(f"{indent}Please answer y or n; Enter is n.\n")


def ask_done(question: str) -> bool:
    """Ask until the answer is Enter, or s; return whether it is done.

    Raises:
        UsageError: nobody answers.
    """
    while True:
        answer = ask(f"{question}: ").lower()
        if answer in ("", "s"):
            return answer == ""


def ask(question: str) -> str:
    """Show a question, and return the line that answers it.

    Raises:
        UsageError: nobody answers: the input has ended.
    """
    sys.stderr.write(question)
    sys.stderr.flush()
    try:
        wait_for_input()
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        raise
    if not line:
        sys.stderr.write("\n")
        raise UsageError("stopped: the input ended where an answer was needed")
    return line.strip()


if sys.platform == "win32":

    def wait_for_input() -> None:
        """Return at once: what reads from a console of Windows wakes up by Ctrl-C."""

else:
    import select

    def wait_for_input() -> None:
        """Wait until the terminal has input, or has ended.

        A signal that arrives just before a process begins to read does not wake it, and Python handles it
        only after something was read; between the slices of this wait it is handled.
        """
        while not select.select([sys.stdin], [], [], _NOTICE_SECONDS)[0]:
            pass
