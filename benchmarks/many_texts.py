"""How many texts a second `explain --file TEXTS.jsonl --format jsonl` explains, and in how much memory.

Run as: python benchmarks/many_texts.py [COUNT]. The texts are mutations of the samples of `explain` and of
the readers: lines left out, changed and mixed. The peak memory for COUNT texts stands beside that for a tenth
of them, and the time of a text beside that of a process of its own.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SAMPLES = Path(__file__).parents[1] / "tests" / "samples"
SEED = 7


def main() -> None:
    """Print texts a second and peak memory for a tenth of the texts and for all of them."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    texts = [
        json.loads(line)["text"]
        for file in (SAMPLES / "explain" / "variants.jsonl", SAMPLES / "readers" / "labelled.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts.jsonl")
        for size in (count // 10, count):
            with file.open("w", encoding="utf-8") as stream:
                for text in mutate(texts, size):
                    stream.write(json.dumps({"text": text}) + "\n")
            seconds, peak_bytes, lines = run(file)
            print(
                f"{size:7} texts of {file.stat().st_size / size:.0f} bytes: {size / seconds:.0f} a second,"
                f" {peak_bytes / 2**20:.0f} MiB at most, {lines} lines"
            )
        alone = time_alone(texts[:10], folder)
        print(f"in a process of its own, a text takes {alone * size / seconds:.0f} times as long")


def mutate(texts: list[str], count: int) -> Iterator[str]:
    """Yield texts that are made of the lines of given ones."""
    chance = random.Random(SEED)
    for _ in range(count):
        lines = chance.choice(texts).split("\n")
        if chance.random() < 0.5:
            lines += chance.choice(texts).split("\n")
        kept = [line for line in lines if chance.random() > 0.1]
        yield "\n".join(line.replace("1", chance.choice("0123456789")) for line in kept)


def run(file: Path) -> tuple[float, int, int]:
    """Explain the texts of a file in a child; return the seconds, its peak memory in bytes, and its lines."""
    command = [sys.executable, "-m", "torchdoctor", "explain", "--file", str(file), "--format", "jsonl"]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        lines = sum(1 for _ in child.stdout)
        _, status, usage = os.wait4(child.pid, 0)
    expect_end(command, os.waitstatus_to_exitcode(status), is_answered=lines > 0)
    return time.perf_counter() - started, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), lines


def time_alone(texts: list[str], folder: str) -> float:
    """Return the mean seconds of a process that explains one text."""
    started = time.perf_counter()
    for text in texts:
        command = [sys.executable, "-m", "torchdoctor", "explain", "--format", "json", "--file", "-"]
        result = subprocess.run(command, input=text.encode(), capture_output=True, cwd=folder, check=False)
        expect_end(command, result.returncode, is_answered=bool(result.stdout))
    return (time.perf_counter() - started) / len(texts)


def expect_end(command: list[str], exit_code: int, *, is_answered: bool) -> None:
    """Exit if a command did not explain.

    1 is the exit code for a text that is not recognised, and that of a Python that cannot import the doctor.
    """
    if exit_code not in (0, 1) or not is_answered:
        raise SystemExit(f"{' '.join(command)}\nended with exit code {exit_code}")


if __name__ == "__main__":
    main()
