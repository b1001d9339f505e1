"""What reading training code costs beside the parser and beside ruff, tree by tree.

    python benchmarks/source_cost.py [--runs N] TREE...

Commands take turns on each tree: torchdoctor's source checks, in one process without a cache, in two
processes, and with a cache that has all answers; a program that reads the same files and gives those that
the filter lets through to `ast.parse`; and `ruff check` with the rules that it has by default, on one thread
and without a cache. The median of the processor time counts, and for two processes that of the time that
passes.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from timing import TRACEBACK, measure_in_turns

PARSER_BAR, RUFF_BAR, CACHE_BAR, PROCESSES_BAR = 1.5, 2.0, 0.5, 1.7
# An installed package has its bytecode.
ENVIRONMENT = {**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
# Reads and parses what the source checks read and parse, and does nothing else.
PARSE = """
import ast, gc, sys, warnings
from pathlib import Path
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.source_file import FoundWords
from torchdoctor.source.files.finding import find_sources
from torchdoctor.source.files.relevance import make_filter
checks = [each for each in load_registry().checks if {SourceFile, ConfigFile} & set(each.facts)]
may_matter = make_filter(each.words for each in checks)
gc.disable()
warnings.simplefilter("ignore")
count = 0
kept = []
for path in find_sources([Path(sys.argv[1])]):
    raw = path.read_bytes()
    if path.suffix == ".py" and may_matter(FoundWords(raw)):
        count += 1
        try:
            kept.append(ast.parse(raw))
        except (SyntaxError, ValueError):
            pass
print(count)
"""


def main() -> None:
    """Measure each tree, and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    arguments = parser.parse_args()
    names = " ".join(f"{each:>7}" for each in ("scan", "two", "cached", "parse", "ruff"))
    print(f"{'tree':<16} {'files':>6} {'parsed':>6} {names}  of parse  of ruff  cached of ruff  one of two")
    for tree in arguments.trees:
        print(measure_tree(tree, arguments.runs), flush=True)
    print(
        f"to reach: {PARSER_BAR} of parse, {RUFF_BAR} of ruff, {CACHE_BAR} of ruff with the cache, and one "
        f"process takes {PROCESSES_BAR} times as long as two"
    )


def measure_tree(tree: Path, runs: int) -> str:
    """Measure the commands on one tree, and return its line."""
    ruff = str(Path(sys.executable).with_name("ruff"))
    scan = [sys.executable, "-m", "torchdoctor", "scan", str(tree), "--no-trials", "--select", "source"]
    scan += ["--format", "json"]
    commands: Mapping[str, Sequence[str]] = {
        "scan": [*scan, "--no-cache", "--jobs", "1"],
        "two": [*scan, "--no-cache", "--jobs", "2"],
        "cached": [*scan, "--jobs", "1"],
        "parse": [sys.executable, "-c", PARSE, str(tree)],
        "ruff": [ruff, "check", "--isolated", "--no-cache", "--quiet", str(tree)],
    }
    parsed = subprocess.run(commands["parse"], capture_output=True, text=True, check=True).stdout.strip()
    passed: dict[tuple[str, ...], list[float]] = {tuple(command): [] for command in commands.values()}

    def measure(command: Sequence[str]) -> float:
        started = time.perf_counter()
        seconds = measure_processor(command)
        passed[tuple(command)].append(time.perf_counter() - started)
        return seconds

    with tempfile.TemporaryDirectory() as cache:
        ENVIRONMENT["TORCHDOCTOR_CACHE_DIR"] = cache
        figures = measure_in_turns(commands, runs, measure)
    seconds = {name: statistics.median(values) for name, values in figures.items()}
    one, two = (statistics.median(passed[tuple(commands[name])][1:]) for name in ("scan", "two"))
    times = " ".join(f"{seconds[name]:6.2f}s" for name in commands)
    return (
        f"{tree.name:<16} {sum(1 for _ in tree.rglob('*.py')):>6} {parsed:>6} {times}"
        f"  {seconds['scan'] / seconds['parse']:8.2f} {seconds['scan'] / seconds['ruff']:8.2f}"
        f" {seconds['cached'] / seconds['ruff']:15.2f} {one / two:11.2f}"
    )


def measure_processor(command: Sequence[str]) -> float:
    """Return the processor time of a command and its children, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    # A Python that cannot import the doctor ends with 1 too.
    if result.returncode not in (0, 1) or TRACEBACK.encode() in result.stderr:
        raise SystemExit(f"{' '.join(command)}\nended with exit code {result.returncode}: {result.stderr!r}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
