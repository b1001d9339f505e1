"""What reading training code costs beside the parser and beside ruff, tree by tree.

    python benchmarks/source_cost.py [--runs N] TREE...

Three commands take turns on each tree, all on one thread and without a cache: torchdoctor's source checks;
a program that reads the same files and gives those that the filter lets through to `ast.parse`; and `ruff
check` with the rules that it has by default. The median of the processor time counts.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from timing import measure_in_turns

PARSER_BAR, RUFF_BAR = 1.5, 2.0
# Reads and parses what the source checks read and parse, and does nothing else.
PARSE = """
import ast, gc, sys, warnings
from pathlib import Path
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts
from torchdoctor.source import ConfigFile, SourceFile
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
    if path.suffix == ".py" and may_matter(raw):
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
    ruff = str(Path(sys.executable).with_name("ruff"))
    print(f"{'tree':<16} {'files':>6} {'parsed':>6} {'scan':>7} {'parse':>7} {'ruff':>7}  of parse  of ruff")
    for tree in arguments.trees:
        scan = [sys.executable, "-m", "torchdoctor", "scan", str(tree), "--no-trials", "--select", "source"]
        commands: Mapping[str, Sequence[str]] = {
            "scan": [*scan, "--format", "json"],
            "parse": [sys.executable, "-c", PARSE, str(tree)],
            "ruff": [ruff, "check", "--isolated", "--no-cache", "--quiet", str(tree)],
        }
        parsed = subprocess.run(commands["parse"], capture_output=True, text=True, check=True).stdout.strip()
        figures = measure_in_turns(commands, arguments.runs, measure)
        seconds = {name: statistics.median(values) for name, values in figures.items()}
        of_parse, of_ruff = seconds["scan"] / seconds["parse"], seconds["scan"] / seconds["ruff"]
        count = sum(1 for _ in tree.rglob("*.py"))
        times = " ".join(f"{seconds[name]:6.2f}s" for name in commands)
        print(f"{tree.name:<16} {count:>6} {parsed:>6} {times}  {of_parse:8.2f} {of_ruff:8.2f}", flush=True)
    print(f"to reach: {PARSER_BAR} of parse, {RUFF_BAR} of ruff")


def measure(command: Sequence[str]) -> float:
    """Return the processor time of a command and its children, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        command, capture_output=True, env={**os.environ, "RAYON_NUM_THREADS": "1"}, check=False
    )
    if result.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}\nended with exit code {result.returncode}: {result.stderr!r}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
