"""Compares `torchdoctor run` with the plain program, one after the other in turn: its start, and its batches.

Run as: python benchmarks/run_overhead.py [PYTHON [RUNS]]; that Python has the doctor, and is the program.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

# Prints the seconds that a batch takes, without the start of the workers.
BATCHES = """
import sys, time
from torch.utils.data import DataLoader
if __name__ == "__main__":
    workers = int(sys.argv[1])
    loader = DataLoader(range(24_000), batch_size=4, num_workers=workers, persistent_workers=workers > 0)
    for _ in range(2):
        started = time.perf_counter()
        for batch in loader:
            pass
    print((time.perf_counter() - started) / len(loader))
"""


def take_turns(
    ways: Mapping[str, Sequence[str]], runs: int, measure: Callable[[Sequence[str]], float]
) -> dict[str, list[float]]:
    """Measure every way so many times, one after the other."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, command in ways.items():
            taken[name].append(measure(command))
    return taken


def measure_whole(command: Sequence[str]) -> float:
    """Give the seconds that a command takes."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return time.perf_counter() - started


def read_answer(command: Sequence[str]) -> float:
    """Give the number that a command prints."""
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print median and least of each way: seconds for the start, microseconds for a batch."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    # Under Wine the interpreter that was started is a wrapper, which its own programs cannot run.
    asked = subprocess.check_output([python, "-c", "import sys; print(sys.executable)"], text=True).strip()
    doctor = [python, "-m", "torchdoctor", "run"]

    def compare(*program: str) -> dict[str, list[str]]:
        options = {"run": [], "run --safe-loader": ["--safe-loader"]}
        ways = {name: [*doctor, *given, "--", asked, *program] for name, given in options.items()}
        return {"plain": [python, *program], **ways}

    for name, seconds in take_turns(compare("-c", "pass"), runs, measure_whole).items():
        print(f"start, {name:18} median {statistics.median(seconds):.3f} s  least {min(seconds):.3f} s")
    for workers in ("0", "2"):
        for name, seconds in take_turns(compare("-c", BATCHES, workers), runs, read_answer).items():
            median, least = 1e6 * statistics.median(seconds), 1e6 * min(seconds)
            print(f"a batch, {workers} workers, {name:18} median {median:.1f} us  least {least:.1f} us")


if __name__ == "__main__":
    main()
