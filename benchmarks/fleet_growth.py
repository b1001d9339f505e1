"""How many machines a second `fleet` examines in one process and in two, and in how much memory.

Run as: python benchmarks/fleet_growth.py [COUNT]. The facts are those of the sample machines, each with a
driver of its own; one file in a thousand is cut off. The memory for COUNT machines stands beside that for
a tenth of them, the time with two processes beside that with one, and a run that finds all lines written
beside the first.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MACHINES = Path(__file__).parents[1] / "tests" / "samples" / "machines"
FILES_OF_A_FOLDER = 1000


def main() -> None:
    """Print machines a second, peak memory, and the ratios."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = write_machines(folder / "few", count // 10) / (count // 10)
        write_machines(folder / "all", count)
        few = run(folder / "few", 1)
        one, two = run(folder / "all", 1), run(folder / "all", 2)
        again = run(folder / "all", 1, is_new=False)
    print(f"{count} machines of {size:.0f} bytes, one file in a thousand cut off")
    for title, (seconds, peak), machines in (("1 process", one, count), ("2 processes", two, count)):
        print(f"{title}: {machines / seconds:.0f} machines a second, {peak / 2**20:.0f} MiB at most")
    print(f"two processes are {one[0] / two[0]:.2f} times as fast as one")
    print(f"the memory for {count} is {one[1] / few[1]:.2f} times that for {count // 10}")
    print(f"with all lines written before, the run takes {again[0] / one[0]:.2f} of the time")


def write_machines(folder: Path, count: int) -> int:
    """Write the facts of machines, a thousand in a folder; return how many bytes."""
    samples = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(MACHINES.glob("*.json"))]
    written = 0
    for number, facts in zip(range(count), itertools.cycle(samples)):
        if isinstance(facts["facts"].get("nvidia_driver"), dict):
            facts["facts"]["nvidia_driver"]["version"] = f"5{number % 90 + 10}.{number % 97}"
        text = json.dumps(facts)
        text = text[: len(text) // 2] if number % 1000 == 500 else text
        file = folder / f"{number // FILES_OF_A_FOLDER:04d}" / f"pc-{number:07d}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written += len(text)
    return written


def run(folder: Path, jobs: int, *, is_new: bool = True) -> tuple[float, int]:
    """Examine a folder; return the seconds, and the peak memory of the process that was started, in bytes."""
    output = folder.with_suffix(".jsonl")
    if is_new:
        output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "torchdoctor", "fleet", str(folder), "--jobs", str(jobs)]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--format", "jsonl", "--output", str(output)], stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    # 1 or 2: there are findings, and files that are cut off.
    assert os.waitstatus_to_exitcode(status) in (1, 2), f"fleet ended with {status}"
    with output.open("rb") as lines:
        written = sum(1 for _ in lines)
    assert written == sum(len(names) for _, _, names in os.walk(folder)), f"{written} lines were written"
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, usage.ru_maxrss * unit


if __name__ == "__main__":
    main()
