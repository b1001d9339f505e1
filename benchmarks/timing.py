"""Measure commands, and stop if one of them fails."""

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
TRACEBACK = "Traceback (most recent call last)"


def measure_in_turns(
    commands: Mapping[str, T], runs: int, measure: Callable[[T], float]
) -> dict[str, list[float]]:
    """Return the figures of each command by its name; the commands take turns.

    One turn more comes first, and does not count: it fills the disk cache.
    """
    figures: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            figure = measure(command)
            if turn:
                figures[name].append(figure)
    return figures


def run_command(
    command: Sequence[str], exit_codes: Sequence[int] = (0,), folder: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without input.

    Raises:
        SystemExit: the command ended with another exit code, or with a traceback, whose exit code is that of
            findings as well; the message has the end of its output.
    """
    result = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if result.returncode not in exit_codes or TRACEBACK in result.stderr:
        output = (result.stderr or result.stdout).strip()[-500:]
        raise SystemExit(f"{' '.join(map(str, command))}\nended with exit code {result.returncode}: {output}")
    return result


def measure_command(
    command: Sequence[str], exit_codes: Sequence[int] = (0,), folder: str | None = None
) -> float:
    """Return the seconds that a command takes.

    Raises:
        SystemExit: the command ended with another exit code.
    """
    started = time.perf_counter()
    run_command(command, exit_codes, folder)
    return time.perf_counter() - started
