"""Compare the number of workers that `torchdoctor loader --measure` picks with whole epochs of every number.

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
# About what a trivial sample takes without workers. Its epoch is made as long as the others, so that the
# start-up of workers is not all that counts.
TRIVIAL_SECONDS = 2e-5


def run_doctor(load: str, length: int, seconds: float) -> tuple[dict, float]:
    """Return the loader plan, and the seconds that the command took."""
    arguments = [f"--arg=load={load}", f"--arg=length={length}", f"--arg=seconds={seconds}"]
    command = [sys.executable, "-m", "torchdoctor", "loader", f"{LOADS}:make", *arguments]
    started = time.perf_counter()
    result = subprocess.run([*command, "--measure", "--format", "json"], capture_output=True, check=True)
    return json.loads(result.stdout)["loader"], time.perf_counter() - started


def main() -> None:
    """Print the picked number of workers for each load, and the time that every number takes."""
    # torch warns of more workers than cores, which are measured on purpose.
    warnings.filterwarnings("ignore", message="This DataLoader will create")
    epoch_seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    wanted_loads = sys.argv[2:]
    for load, seconds in (("computing", 0.05), ("waiting", 0.05), ("trivial", 0.0)):
        if wanted_loads and load not in wanted_loads:
            continue
        length = round(epoch_seconds / (seconds or TRIVIAL_SECONDS))
        plan, doctor_seconds = run_doctor(load, length, seconds)
        if not plan["measurements"]:
            raise SystemExit(f"{load}: --measure measured nothing")
        max_workers = max(4, max(row["workers"] for row in plan["measurements"]))
        started = time.perf_counter()
        every_count = measure_exhaustively(load, length, seconds, max_workers)
        all_seconds = time.perf_counter() - started
        picked = plan["num_workers"]
        tried = {row["workers"]: round(row["epoch_seconds"], 1) for row in plan["measurements"]}
        excess = 100 * (every_count[picked] / min(every_count) - 1)
        share = 100 * doctor_seconds / all_seconds
        print(f"{load}: picked {picked}, within {excess:.1f} % of the best")
        print(f"  every count: {[round(value, 1) for value in every_count]} in {all_seconds:.0f} s")
        print(f"  --measure: {tried} in {doctor_seconds:.0f} s, {share:.0f} % of that", flush=True)


if __name__ == "__main__":
    main()
