"""Checks of training code find the bad examples in entries and samples, and nothing in the good ones.

`findings.txt` beside the samples of a check has a line for each finding: the sample (`entry-1` is the first
block under Bad), the place, the step in brackets, the message, and what else the finding has.
"""

import json
import time
from pathlib import Path

import pytest

from torchdoctor.check import Check, Finding, Skip
from torchdoctor.engine.registry import load_registry
from torchdoctor.knowledge.bodies import Sample
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.files.configuration import read_settings
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.files.relevance import make_filter, may_matter_as_configuration
from torchdoctor.source.idioms.worker_numbers.options import read_options
from torchdoctor.source.source_file import FoundWords

REGISTRY = load_registry()
SAMPLES = Path(__file__).parents[1] / "samples"
SOURCE_CHECKS = [check for check in REGISTRY.checks if set(check.facts) & {SourceFile, ConfigFile}]


def find_problems(check: Check, sample: Sample) -> list[Finding]:
    raw = sample.text.encode()
    is_code = sample.language in ("python", "py")
    fact = parse_source("sample.py", raw) if is_code else read_settings(f"sample.{sample.language}", raw)
    if not isinstance(fact, (SourceFile, ConfigFile)):
        pytest.fail(f"a sample of {check.name} cannot be read: {fact.reason}")
    if isinstance(fact, SourceFile) and check.facts == (ConfigFile,):
        if (options := read_options(fact)) is None:
            return []
        fact = options
    try:
        return [result for result in check.function(fact) if isinstance(result, Finding)]
    except Skip:
        return []


def read_sample_files(kind: str) -> list[object]:
    return [
        pytest.param(
            check, Sample("python", path.read_text(encoding="utf-8")), id=f"{check.name}-{path.stem}"
        )
        for check in SOURCE_CHECKS
        for path in sorted((SAMPLES / check.name.replace("-", "_")).glob(f"{kind}-*.py"))
    ]


def collect_samples(kind: str) -> list[object]:
    entries = [(check, REGISTRY.knowledge.find(check.name)) for check in SOURCE_CHECKS]
    return read_sample_files(kind) + [
        pytest.param(check, sample, id=f"{check.name}-{number}")
        for check, entry in entries
        if entry is not None
        for number, sample in enumerate(getattr(entry.body, kind), 1)
    ]


@pytest.mark.parametrize(("check", "sample"), collect_samples("bad"))
def test_bad_sample_is_found(check: Check, sample: Sample) -> None:
    entry = REGISTRY.knowledge.entries[check.name]
    steps = {finding.step for finding in find_problems(check, sample)}
    assert steps and steps <= {None, *(step.tag for step in entry.body.steps)}


def describe_finding(finding: Finding) -> str:
    assert finding.location is not None
    # Before Python 3.12, the parser gives what is in an f-string the place of the whole string.
    column = "?" if "f-string" in finding.message else finding.location.column
    place = f"{finding.location.line}:{column}"
    parts = [f"{place} [{finding.step or ''}] {finding.message}"]
    if finding.severity:
        parts.append(finding.severity.value)
    if finding.bound:
        parts.append(f"bound: {finding.bound.name} {finding.bound.workers}, {finding.bound.reason}")
    if finding.edit:
        parts.append(f"edit: {finding.edit.description}")
    if finding.evidence:
        parts.append(json.dumps(finding.evidence))
    return " | ".join(parts)


@pytest.mark.parametrize("check", SOURCE_CHECKS, ids=lambda check: check.name)
def test_bad_samples_give_the_expected_findings(check: Check) -> None:
    folder = SAMPLES / check.name.replace("-", "_")
    files = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("bad-*.py"))}
    samples = {name: Sample("python", text) for name, text in files.items()}
    bad_blocks = REGISTRY.knowledge.entries[check.name].body.bad
    samples |= {f"entry-{number}": block for number, block in enumerate(bad_blocks, 1)}
    lines = [
        f"{name} {describe_finding(finding)}"
        for name, sample in samples.items()
        for finding in find_problems(check, sample)
    ]
    assert lines == (folder / "findings.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("check", "sample"), collect_samples("good"))
def test_good_sample_has_no_finding(check: Check, sample: Sample) -> None:
    assert find_problems(check, sample) == []


@pytest.mark.parametrize("check", SOURCE_CHECKS, ids=lambda check: check.name)
def test_entry_has_bad_and_good_samples(check: Check) -> None:
    entry = REGISTRY.knowledge.find(check.name)
    assert entry is not None
    assert entry.body.bad
    assert entry.body.good


@pytest.mark.parametrize(("check", "sample"), collect_samples("bad"))
def test_bad_sample_has_the_words_of_its_check(check: Check, sample: Sample) -> None:
    is_code = sample.language in ("python", "py")
    raw = sample.text.encode()
    matters = make_filter([check.words])(FoundWords(raw)) if is_code else may_matter_as_configuration(raw)
    assert check.words and matters


def test_many_calls_take_linear_time() -> None:
    check = next(check for check in SOURCE_CHECKS if check.name == "missing-main-guard")

    def measure(count: int) -> float:
        calls = "".join(f"work({number})\n" for number in range(count))
        code = f"from torch.utils.data import DataLoader\n{calls}DataLoader([1], num_workers=2)\n"
        started = time.process_time()
        find_problems(check, Sample("python", code))
        return time.process_time() - started

    # A collection of garbage takes longer than the check.
    assert min(measure(4_000) for _ in range(3)) < 9 * measure(1_000) + 0.5


def test_long_key_is_checked_quickly() -> None:
    check = next(check for check in SOURCE_CHECKS if check.name == "workers-in-config")
    started = time.process_time()
    find_problems(check, Sample("yaml", f"{'dataloader' * 40}x: 8\n"))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("check", "code", "step"),
    [
        ("posix-only", "import resource\n", "module"),
        ("posix-only", "import os\nos.setsid()\n", "process"),
        ("posix-only", "import os\nprint(os.getuid())\n", "number"),
        ("posix-only", "import os\nprint(os.getpgrp())\n", "exists"),
        ("posix-only", "import os\nprint(os.sched_getaffinity(0))\n", "cpu-count"),
        ("posix-only", "import os\nprint(os.uname())\n", "uname"),
        ("posix-only", "import signal\nsignal.signal(signal.SIGALRM, print)\n", "signal-limit"),
        ("posix-only", "import signal\nsignal.signal(signal.SIGHUP, print)\n", "signals"),
        ("posix-only", "import os, signal\nos.kill(1, signal.SIGKILL)\n", "signal-end"),
        ("posix-only", "import os\nos.system('rm -rf out')\n", "shell"),
        ("posix-only", "import os\nos.popen('ls out')\n", "listing"),
        ("posix-only", "import os\nos.system('wget https://example.org')\n", "download"),
        ("posix-only", "import os\nos.system('sed -i s/a/b/ c')\n", "text"),
        ("posix-only", "import os\nos.system('bash run.sh')\n", "script"),
        (
            "nccl-unavailable",
            "import torch.distributed as dist\ndist.init_process_group('nccl')\n",
            "gloo-here",
        ),
    ],
)
def test_finding_has_the_step_for_what_it_found(check: str, code: str, step: str) -> None:
    [found] = [each for each in SOURCE_CHECKS if each.name == check]
    assert [finding.step for finding in find_problems(found, Sample("python", code))] == [step]
