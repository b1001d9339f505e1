"""Compares what `torchdoctor loader --measure` picks with whole epochs of every number of workers.

Run with an interpreter that has torch: python benchmarks/loader_measure.py [SECONDS_AN_EPOCH [LOAD ...]]
"""

import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

from loader_loads import measure_exhaustively

LOADS = Path(__file__).with_name("loader_loads.py")
# What a trivial sample costs without workers, about: its epoch is long too, so that not only starts count.
TRIVIAL_SECONDS = 2e-5


def ask_doctor(load: str, length: int, seconds: float) -> tuple[dict, float]:
    """Give the doctor's plan, and the seconds that the command took."""
    arguments = [f"--arg=load={load}", f"--arg=length={length}", f"--arg=seconds={seconds}"]
    command = [sys.executable, "-m", "torchdoctor", "loader", f"{LOADS}:make", *arguments]
    started = time.perf_counter()
    ended = subprocess.run([*command, "--measure", "--format", "json"], capture_output=True, check=True)
    return json.loads(ended.stdout)["loader"], time.perf_counter() - started


def main() -> None:
    """Print what was picked for each load, and what every count takes."""
    # More workers than cores: that is what is measured.
    warnings.filterwarnings("ignore", message="This DataLoader will create")
    epoch = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    wanted = sys.argv[2:]
    for load, seconds in (("computing", 0.05), ("waiting", 0.05), ("trivial", 0.0)):
        if wanted and load not in wanted:
            continue
        length = round(epoch / (seconds or TRIVIAL_SECONDS))
        plan, asked = ask_doctor(load, length, seconds)
        if not plan["measurements"]:
            raise SystemExit(f"{load}: --measure measured nothing")
        most = max(4, max(row["workers"] for row in plan["measurements"]))
        started = time.perf_counter()
        taken = measure_exhaustively(load, length, seconds, most)
        exhaustive = time.perf_counter() - started
        picked = plan["num_workers"]
        tried = {row["workers"]: round(row["epoch_seconds"], 1) for row in plan["measurements"]}
        print(f"{load}: picked {picked}, within {100 * (taken[picked] / min(taken) - 1):.1f} % of the best")
        print(f"  every count: {[round(value, 1) for value in taken]} in {exhaustive:.0f} s")
        print(f"  --measure: {tried} in {asked:.0f} s, {100 * asked / exhaustive:.0f} % of that", flush=True)


if __name__ == "__main__":
    main()
