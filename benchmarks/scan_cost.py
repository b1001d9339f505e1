"""What a scan costs beside what people run today: time, memory, growth with installed packages.

    python benchmarks/scan_cost.py --python PATH_OF_A_PYTHON_WITH_TORCH [--runs N] [--dll FILE]

Run it on a quiet machine; the contenders take turns, and the median counts. `torchdoctor` is the one of
the Python that runs this file. A command that fails ends the benchmark: a scan that could not look is fast.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

STATIC_BAR, FULL_BAR, MEMORY_BAR_MB = 1 / 8, 1.3, 60.0

# Prints the peak memory of the doctor's own process, without its children, in MB.
PEAK = """
import sys
from torchdoctor import cli
sys.argv = ["torchdoctor", *sys.argv[1:]]
try:
    cli.main()
except SystemExit as ended:
    code = ended.code
import psutil
info = psutil.Process().memory_info()
peak = getattr(info, "peak_wset", None)
if peak is None:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(peak / 1e6, file=sys.stderr)
sys.exit(code)
"""
# A scan exits with 1 where it found an error, which other machines have; 2 and 3 are its own failures.
SCANNED = (0, 1)


def main() -> None:
    """Measure, and print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="a Python with torch")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--dll", type=Path, help="a runtime DLL to put into each of the packages")
    arguments = parser.parse_args()
    scan = (sys.executable, "-m", "torchdoctor", "scan", "--python", arguments.python)
    contenders = {
        "static scan": (*scan, "--no-trials"),
        "full scan": scan,
        "import torch": (arguments.python, "-c", "import torch"),
        "collect_env": (arguments.python, "-m", "torch.utils.collect_env"),
    }
    seconds = _race(contenders, arguments.runs)
    for name, taken in seconds.items():
        print(f"{name:<14} {taken:6.2f} s")
    _compare("static scan / collect_env", seconds["static scan"] / seconds["collect_env"], STATIC_BAR)
    _compare("full scan / import torch", seconds["full scan"] / seconds["import torch"], FULL_BAR)
    for label, options in (("static", ("--no-trials",)), ("full", ())):
        peak = _measure_peak(("scan", "--python", arguments.python, *options))
        _compare(f"peak memory, {label} scan (MB)", peak, MEMORY_BAR_MB)
    for count in (10, 100, 1000):
        taken = _measure_growth(count, arguments.runs, arguments.dll)
        print(f"checks of installation and DLLs, {count:>4} packages {taken:6.2f} s")


def _race(contenders: dict[str, Sequence[str]], runs: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(runs + 1):
        for name, command in contenders.items():
            accepted = SCANNED if "scan" in command else (0,)
            taken = _time(lambda command=command, accepted=accepted: _run(command, accepted))
            # The first turn warms the disk's cache.
            if turn:
                times[name].append(taken)
    return {name: statistics.median(taken) for name, taken in times.items()}


def _time(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _run(command: Sequence[str], accepted: Sequence[int] = SCANNED) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if ended.returncode not in accepted:
        output = (ended.stderr or ended.stdout).strip()[-500:]
        raise SystemExit(f"{' '.join(map(str, command))}\nended with exit code {ended.returncode}: {output}")
    return ended


def _measure_peak(arguments: Sequence[str]) -> float:
    ended = _run((sys.executable, "-c", PEAK, *arguments))
    return float(ended.stderr.strip().splitlines()[-1])


def _measure_growth(count: int, runs: int, dll: Path | None) -> float:
    """Scan an environment with so many installed packages, each with a RECORD, a module, maybe a DLL."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "environment")
        subprocess.run((sys.executable, "-m", "venv", "--without-pip", environment), check=True)
        site = next(environment.rglob("site-packages"))
        for number in range(count):
            package = site / f"package{number}"
            package.mkdir()
            (package / "__init__.py").write_text("x = 1\n", encoding="utf-8")
            information = site / f"package{number}-1.0.dist-info"
            information.mkdir()
            (information / "METADATA").write_text(f"Name: package{number}\nVersion: 1.0\n", encoding="utf-8")
            files = ["__init__.py"]
            if dll is not None:
                shutil.copy(dll, package)
                files.append(dll.name)
            lines = [f"package{number}/{name},,\n" for name in files]
            (information / "RECORD").write_text("".join(lines), encoding="utf-8")
        python = next(iter([*environment.glob("bin/python"), *environment.glob("Scripts/python.exe")]))
        # Selected, they are observed on every system.
        options = ("--no-trials", "--select", "install,dll", "--python", str(python))
        command = (sys.executable, "-m", "torchdoctor", "scan", *options)
        return statistics.median(_time(lambda: _run(command)) for _ in range(runs))


def _compare(label: str, value: float, bar: float) -> None:
    verdict = "within" if value <= bar else "MISSES"
    print(f"{label:<32} {value:6.3f}  {verdict} the bar of {bar:.3f}")


if __name__ == "__main__":
    main()
