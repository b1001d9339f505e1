"""What a scan costs beside what people run today: time, memory, growth with installed packages.

    python benchmarks/scan_cost.py --python PATH_OF_A_PYTHON_WITH_TORCH [--runs N] [--dll FILE]

Run it on a quiet machine. The commands take turns, and the median counts. The measured torchdoctor is that of
the Python that runs this file. A command that fails ends the benchmark, because a failed scan is fast.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from timing import measure_command, measure_in_turns, run_command

STATIC_BAR, FULL_BAR, MEMORY_BAR_MB = 1 / 8, 1.3, 60.0

# A program that prints the peak memory of the doctor's own process, without its children, in MB.
PEAK = """
import sys
from torchdoctor.__main__ import main
sys.argv = ["torchdoctor", *sys.argv[1:]]
try:
    main()
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
# A scan exits with 1 if it finds an error, which is normal on some machines; 2 and 3 mean that it failed.
SCAN_EXIT_CODES = (0, 1)


def main() -> None:
    """Measure, and print one line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="a Python with torch")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--dll", type=Path, help="a runtime DLL to put into each of the packages")
    arguments = parser.parse_args()
    scan = (sys.executable, "-m", "torchdoctor", "scan", "--python", arguments.python)
    commands = {
        "static scan": (*scan, "--no-trials"),
        "full scan": scan,
        "import torch": (arguments.python, "-c", "import torch"),
        "collect_env": (arguments.python, "-m", "torch.utils.collect_env"),
    }
    figures = measure_in_turns(commands, arguments.runs, _measure)
    seconds = {name: statistics.median(values) for name, values in figures.items()}
    for name, median_seconds in seconds.items():
        print(f"{name:<14} {median_seconds:6.2f} s")
    _compare("static scan / collect_env", seconds["static scan"] / seconds["collect_env"], STATIC_BAR)
    _compare("full scan / import torch", seconds["full scan"] / seconds["import torch"], FULL_BAR)
    for label, options in (("static", ("--no-trials",)), ("full", ())):
        peak = _measure_peak(("scan", "--python", arguments.python, *options))
        _compare(f"peak memory, {label} scan (MB)", peak, MEMORY_BAR_MB)
    for count in (10, 100, 1000):
        scan_seconds = _measure_growth(count, arguments.runs, arguments.dll)
        print(f"checks of installation and DLLs, {count:>4} packages {scan_seconds:6.2f} s")


def _measure(command: Sequence[str]) -> float:
    return measure_command(command, SCAN_EXIT_CODES if "scan" in command else (0,))


def _measure_peak(arguments: Sequence[str]) -> float:
    result = run_command((sys.executable, "-c", PEAK, *arguments), SCAN_EXIT_CODES)
    return float(result.stderr.strip().splitlines()[-1])


def _measure_growth(count: int, runs: int, dll: Path | None) -> float:
    """Return the seconds of a scan of an environment with `count` installed packages.

    Each package has a RECORD, a module, and the DLL if there is one.
    """
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
        # With --select, the facts of these checks are observed on every system.
        options = ("--no-trials", "--select", "install,dll", "--python", str(python))
        command = (sys.executable, "-m", "torchdoctor", "scan", *options)
        return statistics.median(_measure(command) for _ in range(runs))


def _compare(label: str, value: float, bar: float) -> None:
    verdict = "within" if value <= bar else "MISSES"
    print(f"{label:<32} {value:6.3f}  {verdict} the bar of {bar:.3f}")


if __name__ == "__main__":
    main()
