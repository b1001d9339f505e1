"""Compare `torchdoctor run` with the plain program, in turns: the time to start, and the time of a batch.

Run as: python benchmarks/run_overhead.py [PYTHON [RUNS]]; that Python has torch and the doctor and runs both.
"""

import statistics
import subprocess
import sys
from collections.abc import Sequence

from timing import measure_command, measure_in_turns, run_command

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


def read_number(command: Sequence[str]) -> float:
    """Run a command, and return the number that it prints."""
    return float(run_command(command).stdout)


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
