"""How the time of explain, redaction and source checks grows from 10 kB to 1 MB of something repeated.

Run as: python benchmarks/growth.py [KIND ...], with the beginnings of names of kinds. The exponent is that of
the last step; 1 is linear.
"""

import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from torchdoctor.engine.code.edits import drop_unusable_edits
from torchdoctor.engine.code.noise import lower_asides
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_checks
from torchdoctor.explain import explain
from torchdoctor.facts import Facts
from torchdoctor.redaction.redaction import Identity
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source

SAMPLES = Path(__file__).parents[1] / "tests" / "source" / "growth.json"
SIZES = (10_000, 100_000, 1_000_000)
# A file whose reading takes longer is not tried in a larger size.
MAX_SECONDS = 60.0
BAR = 1.2
# Shorter times are noise.
LEAST_SECONDS = 0.02
# What a pasted text may repeat; {i} is the number of the repetition.
LINES = {
    "CUDA error": "CUDA error: no kernel image {i}\n",
    "error number": "OSError: [WinError 1455] x {i}\n",
    "frame": '  File "C:\\a{i}.py", line {i}, in f\n    g()\n',
    "traceback": 'Traceback (most recent call last):\n  File "a{i}.py", line 1\nImportError: DLL\n',
    "pip": "ERROR: Could not find a version that satisfies the requirement torch=={i}.0\n",
    "log": "2024-01-01 10:00:00,{i} INFO epoch {i} loss 0.1\n",
    "prompt": "C:\\Users\\x> python a{i}.py\n",
    "exit code": "0xc0000005 exit code {i}\n",
    "brackets": "((((((({{{{[[[[[ {i}\n",
    "quotes": "'\"'\"`` {i}\n",
    "colours": "\x1b[31merror\x1b[0m {i}\n",
    "table": "| NVIDIA-SMI 5{i}.1 | CUDA Version: 12.{i} |\n",
    "progress": "progress {i}%\r",
    "spaces": " " * 60 + "{i}\n",
    "dots": "." * 60 + "{i}\n",
    "Chinese": "中文错误 {i} 找不到指定的模块\n",
    "one line": "error {i} ",
    "wrong bytes": "\udcff\udcfe{i}\n",
    "equal wrong bytes": "\udcff\n",
    "cause": "The above exception was the direct cause of the following exception:\n\nRuntimeError: {i}\n",
    "wrapped": "RuntimeError: CUDA out of mem-\nory {i}\n",
    "compiler": "cl.exe : error C{i}: x\nerror: command 'cl.exe' failed\n",
    "Markdown": "```python\nimport torch{i}\n```\n",
    "report": "PyTorch version: 2.{i}.0+cu121\nIs debug build: False\nPython version: 3.{i}.1\n",
    "packages": "[pip3] package{i}==1.{i}\n",
    "pip list": "Package Version\npackage-{i}   1.{i}.0\n",
    "pip freeze": "package{i}==1.{i}\n",
    "inventory": "torch 2.{i}.0, package{i} 1.{i}.0 / numpy 1.{i}.0\n",
    "inventory in lines": "- package{i}: 1.{i}.0\n- numpy: 1.{i}\n",
    "needs": "## Requirements {i}\n- torch: 2.{i}\n\nIt should print:\n```\n{i}\n```\n",
    "compared": "| torch | Python |\n|---|---|\n| 2.{i} | 3.{i} |\n| 2.{i}.1 | 3.{i} |\n",
    "wrapped sentence": "A sentence of some words that goes on in the next line,\nand it has torch 2.{i},\n",
    "own words": "I have Python 3.{i} and torch 2.{i}, but it should work on my RTX 3060, I use {i}\n",
    "session in a line": "x >>> torch.__version__ '2.{i}' >>> torch.version.cuda '12.{i}'\n",
    "label with words": "Installed torch version in the environment {i} / driver: 2.1 / {i}\n",
    "cards": "GPU {i}: NVIDIA GeForce RTX 3060 (UUID: GPU-{i})\n",
    "paths": "C:\\Users\\a{i}\\venv\\Lib\\site-packages\\torch\\x.py:1: UserWarning\n",
    "session": ">>> torch.__version__\n'2.{i}.0'\n",
    "sentences": "I have an RTX 3060 and torch 2.{i}, on win11. ",
    "headings": "### GPU\n\nRTX {i}\n",
    "installed": "Successfully installed torch-2.{i}.0 a{i}-1.0 ",
    "form answers": "- OS: [e.g. iOS] Windows 11, WSL2 {i} / GPU, driver: 1x RTX 3060, 55{i}.23, CUDA 12.1\n",
    "labels in a line": "OS: win, GPU: a, RAM: 2x{i}GB ",
    "own conda": "I use my own new conda conda env {i} on windows with torch 2.{i}.0.dev2025\n",
    "links": "[the driver](https://a.b/{i}) _which_ is 5{i}.1 torch==2.0.0+cu{i} [",
    "timestamps": "2025-01-01T00:00:00.{i} - ",
}

# What a text may repeat that is redacted: each is the beginning of a form that is looked for.
FORMS = (
    "a", "a.", "\\", "/", "/a/", "@", "a@", "~a", "--a-", "-a", "sk-", "eyJ", "token",
    "C:\\Users\\ ", "/home/a ",
    "\\Users\\", "\\\\a\\b$\\", "HEARTGOLD-PC.", "%5c", "'", "\\ a", "://a", "bearer ",
    "C:\\Users\\a,", "C:\\Users\\a\\..\\", ",a", "`", "win-", "passwd ", "?key=", "\\\\a", "\\\\\\\\a",
)  # fmt: skip
IDENTITY = Identity(r"D:\data\marvin", "marvin", "HEARTGOLD-PC", "MAGRATHEA")


def repeat(block: str, size: int) -> str:
    """Return a text of about that many characters."""
    parts, length, number = [], 0, 0
    while length < size:
        parts.append(block.format(i=number, j=number + 1))
        length += len(parts[-1])
        number += 1
    return "".join(parts)


def measure_growth(name: str, run: Callable[[int], object]) -> float:
    """Print the seconds for each size and the exponent, which is returned."""
    seconds: list[float] = []
    for size in SIZES:
        started = time.process_time()
        run(size)
        seconds.append(max(time.process_time() - started, LEAST_SECONDS))
        if seconds[-1] > MAX_SECONDS:
            break
    exponent = math.log10(seconds[-1] / seconds[-2])
    print(f"{name:<32} {'  '.join(f'{value:7.2f} s' for value in seconds)}   {exponent:5.2f}", flush=True)
    return exponent


def main() -> None:
    """Measure the named kinds, or all."""
    knowledge, _ = load_knowledge()
    samples = json.loads(SAMPLES.read_text(encoding="utf-8"))
    checks = [check for check in load_registry().checks if check.facts == (SourceFile,)]

    def explain_lines(name: str, size: int) -> object:
        return explain(repeat(LINES[name], size).encode("utf-8", "surrogateescape"), knowledge)

    def hide(form: str, size: int) -> object:
        return IDENTITY.redact(repeat(form, size))

    def read_source(name: str, size: int) -> object:
        block = "".join(f"{line}\n" for line in samples["blocks"][name])
        inner = samples["inner_heads"].get(name, [])
        text = "\n".join([*samples["head"], *inner, repeat(block, size), *samples["tail"], ""])
        source = parse_source("a.py", text.encode())
        assert isinstance(source, SourceFile)
        outcomes = list(run_checks(checks, Facts({SourceFile: (source,)}), knowledge))
        outcomes = drop_unusable_edits(drop_suppressed(outcomes, source), checks, source)
        return lower_asides(outcomes, source, ())

    kinds: Mapping[str, Callable[[int], object]] = {
        **{f"text: {name}": lambda size, name=name: explain_lines(name, size) for name in LINES},
        **{f"redaction: {form}": lambda size, form=form: hide(form, size) for form in FORMS},
        **{f"code: {name}": lambda size, name=name: read_source(name, size) for name in samples["blocks"]},
    }
    wanted = sys.argv[1:] or [*kinds]
    chosen = [name for name in kinds if name.startswith(tuple(wanted))]
    if not chosen:
        raise SystemExit(f"no kind begins with {' or '.join(wanted)}; there are {', '.join(kinds)}")
    exponents = {name: measure_growth(name, kinds[name]) for name in chosen}
    worst = max(exponents, key=lambda name: exponents[name])
    print(f"worst: {worst} {exponents[worst]:.2f}; bar {BAR}")
    raise SystemExit(exponents[worst] > BAR)


if __name__ == "__main__":
    main()
