"""Compares `torchdoctor run` with the plain program, one after the other in turn.

Run as: python benchmarks/run_overhead.py [PYTHON [RUNS]]; that Python has the doctor, and is the program.
"""

import statistics
import subprocess
import sys
import time


def measure(command: list[str]) -> float:
    """Give the seconds that a command takes."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    """Print median and least of each way, in seconds."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    # Under Wine the interpreter that was started is a wrapper, which its own programs cannot run.
    asked = subprocess.check_output([python, "-c", "import sys; print(sys.executable)"], text=True)
    program = [asked.strip(), "-c", "pass"]
    doctor = [python, "-m", "torchdoctor", "run"]
    ways = {
        "plain": [python, *program[1:]],
        "run": [*doctor, "--", *program],
        "run --safe-loader": [*doctor, "--safe-loader", "--", *program],
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, command in ways.items():
            taken[name].append(measure(command))
    for name, seconds in taken.items():
        print(f"{name:18} median {statistics.median(seconds):.3f}  least {min(seconds):.3f}")


if __name__ == "__main__":
    main()
