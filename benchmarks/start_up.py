"""Compare the start of the doctor's commands with that of Python and of typer alone, in turns.

Run as: python benchmarks/start_up.py [PYTHON [RUNS]]; that Python has the doctor.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from timing import measure_command, measure_in_turns

ERROR = "OSError: [WinError 1455] The paging file is too small for this operation to complete"

# A scan exits with 1 if it finds an error.
SCAN_EXIT_CODES = (0, 1)


def main() -> None:
    """Print the median and least seconds of each start, and how many times that is a start of Python."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    copy = [python, "-c", "import torchdoctor.vendored.typer"]
    # A clone in the current folder has no copy.
    has_copy = subprocess.run(copy, cwd=tempfile.gettempdir(), capture_output=True).returncode == 0
    typer = "torchdoctor.vendored.typer" if has_copy else "typer"
    doctor = [python, "-m", "torchdoctor"]
    commands = {
        "Python": [python, "-c", "pass"],
        "import typer": [python, "-c", f"import {typer}"],
        "explain": [*doctor, "explain", ERROR],
        "explain, with an option": [*doctor, "explain", "--format", "json", ERROR],
        "scan --no-trials": [*doctor, "scan", "--no-trials"],
    }
    with tempfile.TemporaryDirectory() as folder:

        def measure(command: Sequence[str]) -> float:
            return measure_command(command, SCAN_EXIT_CODES if "scan" in command else (0,), folder)

        seconds = measure_in_turns(commands, runs, measure)
    plain = statistics.median(seconds["Python"])
    for name, values in seconds.items():
        median = statistics.median(values)
        print(
            f"{name:24} median {median:.3f} s  least {min(values):.3f} s  {median / plain:5.1f} times Python"
        )


if __name__ == "__main__":
    main()
