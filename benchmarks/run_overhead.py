"""Compare `torchdoctor run` with the plain program, in turns: the time to start, and the time of a batch.

Run as: python benchmarks/run_overhead.py [PYTHON [RUNS]]; that Python has torch and the doctor and runs both.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

# A program that prints the seconds that a batch takes, without the start of the workers.
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


def measure_in_turns(
    commands: Mapping[str, Sequence[str]], runs: int, measure: Callable[[Sequence[str]], float]
) -> dict[str, list[float]]:
    """Return the seconds of each run by the name of the command; the commands take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            seconds[name].append(measure(command))
    return seconds


def measure_command(command: Sequence[str]) -> float:
    """Return the seconds that a command takes."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return time.perf_counter() - started


def read_number(command: Sequence[str]) -> float:
    """Run a command, and return the number that it prints."""
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the median and least time of each command: seconds for the start, microseconds for a batch."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    # Under Wine, `python` is a wrapper that Windows programs cannot start: ask for the real path.
    interpreter = subprocess.check_output(
        [python, "-c", "import sys; print(sys.executable)"], text=True
    ).strip()
    doctor = [python, "-m", "torchdoctor", "run"]

    def make_commands(*program: str) -> dict[str, list[str]]:
        options = {"run": [], "run --safe-loader": ["--safe-loader"]}
        ours = {name: [*doctor, *option, "--", interpreter, *program] for name, option in options.items()}
        return {"plain": [python, *program], **ours}

    for name, seconds in measure_in_turns(make_commands("-c", "pass"), runs, measure_command).items():
        print(f"start, {name:18} median {statistics.median(seconds):.3f} s  least {min(seconds):.3f} s")
    for workers in ("0", "2"):
        commands = make_commands("-c", BATCHES, workers)
        for name, seconds in measure_in_turns(commands, runs, read_number).items():
            median, least = 1e6 * statistics.median(seconds), 1e6 * min(seconds)
            print(f"a batch, {workers} workers, {name:18} median {median:.1f} us  least {least:.1f} us")


if __name__ == "__main__":
    main()
