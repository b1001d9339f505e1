"""The commands of the entries: fenced blocks and code in sentences, with their fields filled in all ways."""

import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from torchdoctor.knowledge import Entry, Knowledge

SAMPLES = Path(__file__).parents[1] / "samples"
SICK_SAMPLES = sorted({*SAMPLES.glob("*/bad-*.json"), *SAMPLES.glob("machines/*.json")})
# A value for each field that stands in code; where a check fills it, with a shape that it gives.
VALUES = {
    "arguments": "install --upgrade torchvision",
    "dll": "c10.dll",
    "file": "random.py",
    "fitting": "torchvision==0.22.1 torchaudio==2.7.1",
    "card_set": "torch torchvision torchaudio --index-url https://download.pytorch.org/whl/cu128",
    "cuda_set": "torch==1.13.1+cu117 torchaudio==0.13.1 --extra-index-url https://download.pytorch.org/whl/cu117",
    "lacking": "typing_extensions",
    "name": "TdrLevel",
    "path": r"C:\Program Files (x86)\it's mine\torch.py",
    "requirement": "torch==2.7.1 --index-url https://download.pytorch.org/whl/cu126",
    "series": "3.6",
    "variable": "KMP_DUPLICATE_LIB_OK",
}
# What tree-sitter-pwsh 0.38 and tree-sitter-batch 0.11 cannot read, and the shells can, in other words.
GAPS = {
    "powershell": ((r" -(?= |0p)", " -x"), (r"(--[\w-]+)=[\w.]+,[\w.,]+", r"\1")),
    "bat": ((r"(?m)^\.", "x"),),
}
_BLOCK = re.compile(r"^([ ]*)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_PROGRAMS = (
    r"(?:python|py|pip|conda|uv|winget|setx|reg|nvidia-smi|nvcc|torchdoctor|wsl|chcp|ping|accelerate|ffmpeg)"
)
# Code in a sentence that is a command, by the shell that reads it; a program alone is a name.
_SPANS = {
    "bat": re.compile(r"(?:set|where) [\w.]+=?\S*"),
    "powershell": re.compile(r"(?:& \"|\$env:|[A-Z][a-z]+-[A-Z]\w+ |.*\$env:).*"),
    "text": re.compile(rf"(?:{_PROGRAMS}|[.\w:\\]+\.exe)(?:\.exe)? [\w-].*"),
}


class Command(NamedTuple):
    """Code of an entry, and the language of its fence; that of `text` is for any shell."""

    language: str
    code: str


def _find_commands(markdown: str) -> Iterator[Command]:
    for block in _BLOCK.finditer(markdown):
        language, code = block[2], textwrap.dedent(block[3])
        if language != "text" or all(re.match(_PROGRAMS, line) for line in code.splitlines()):
            yield Command(language, code)
    for span in _SPAN.finditer(_BLOCK.sub("", markdown)):
        languages = (language for language, pattern in _SPANS.items() if pattern.fullmatch(span[1]))
        yield from (Command(language, f"{span[1]}\n") for language in languages)


@pytest.fixture(scope="session")
def filled_steps(scan_sample) -> dict[str, set[str]]:
    """Return the steps that the samples fill, by the name of their entry."""
    steps: dict[str, set[str]] = {}
    for file in SICK_SAMPLES:
        report = scan_sample(file)
        for outcome, finding in report.findings():
            advice = report.advise(outcome.name, finding)
            steps.setdefault(outcome.name, set()).add(f"\n{advice and advice.text}")
    return steps


@pytest.fixture(scope="session")
def list_commands(filled_steps: dict[str, set[str]], knowledge: Knowledge) -> Callable[[str], list[Command]]:
    """Return a function that lists the commands of an entry."""

    def list_commands(name: str) -> list[Command]:
        entry = knowledge.entries[name]
        texts = {entry.fill(text, values) for text in _list_texts(entry) for values in ({}, VALUES)}
        commands = (each for text in texts | filled_steps.get(name, set()) for each in _find_commands(text))
        return sorted(set(commands))

    return list_commands


def _list_texts(entry: Entry) -> list[str]:
    body = entry.body
    samples = (f"```{sample.language}\n{sample.text}```" for sample in (*body.bad, *body.good))
    return [f"\n{text}" for text in (*entry.fix, body.verify, body.lead, body.why, body.avoid, *samples)]


@pytest.fixture(scope="session")
def parses() -> Callable[[str, str], bool]:
    """Return a function that tells whether a shell can read code."""
    reason = "needs the parsers of the extra test"
    tree_sitter = pytest.importorskip("tree_sitter", reason=reason)
    grammars = {
        "powershell": pytest.importorskip("tree_sitter_pwsh", reason=reason).language(),
        "bat": pytest.importorskip("tree_sitter_batch", reason=reason).language(),
    }
    parsers = {
        shell: tree_sitter.Parser(tree_sitter.Language(grammar)) for shell, grammar in grammars.items()
    }

    def parse(shell: str, code: str) -> bool:
        for pattern, replacement in GAPS[shell]:
            code = re.sub(pattern, replacement, code)
        return not parsers[shell].parse(f"{code}\n".encode()).root_node.has_error

    return parse
