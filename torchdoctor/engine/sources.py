"""Run the checks of training code on one file after the other; no more than one syntax tree is kept."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.check import Check
from torchdoctor.core.memory import paused_garbage_collection
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.runner import Outcome, merge_outcomes, run_checks
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.facts import Absent, Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.source import ConfigFile, SourceFile

if TYPE_CHECKING:
    from torchdoctor.source.files.unreadable import UnreadableSource

NO_CODE = "no training code was given; torchdoctor scan PATH reads it"
_NO_FILES: Mapping[type, tuple[object, ...]] = {SourceFile: (), ConfigFile: ()}


@record
class ExaminedCode:
    """The outcome of each check of training code, in their order, and a line for each unreadable file."""

    outcomes: tuple[Outcome, ...]
    notices: tuple[str, ...] = ()


def reads_code(check: Check) -> bool:
    """Return whether a check is one of training code or its configuration."""
    return bool({SourceFile, ConfigFile} & set(check.facts))


def examine_code(
    paths: Sequence[Path],
    checks: Sequence[Check],
    facts: Facts,
    knowledge: Knowledge,
    watcher: Watcher | None = None,
) -> ExaminedCode:
    """Run checks of training code on the files below the paths; the facts are for checks that need others.

    Findings that a comment suppresses, and edits that would not work, are left out. The watcher is called for
    each check and each file.

    Raises:
        UsageError: a path does not exist, or is a pipe or a device.
    """
    if not paths:
        absent = Absent(NO_CODE)
        nothing = facts.with_values({SourceFile: absent, ConfigFile: absent})
        return ExaminedCode(run_checks(checks, nothing, knowledge))
    # Imported here: without training code, nothing is parsed.
    from torchdoctor.engine.edits import drop_unusable_edits
    from torchdoctor.engine.noise import fold_repeated, lower_asides
    from torchdoctor.engine.suppressions import drop_suppressed
    from torchdoctor.source.files.unreadable import UnreadableSource
    from torchdoctor.source.idioms.options import read_options

    found = {check.name: [outcome] for check, outcome in _run(checks, facts, knowledge, _NO_FILES)}
    config_words = tuple(word for check in checks if ConfigFile in check.facts for word in check.words)
    notices: list[str] = []
    with paused_garbage_collection():
        for file in read_code(paths, checks):
            if isinstance(file, UnreadableSource):
                notices.append(f"{file.path}: not read: {file.reason}")
                continue
            source = file if isinstance(file, SourceFile) else None
            settings = file if isinstance(file, ConfigFile) else None
            if source is not None and config_words and source.contains(config_words):
                settings = read_options(source)
            values = {SourceFile: tuple(filter(None, [source])), ConfigFile: tuple(filter(None, [settings]))}
            outcomes = [outcome for _, outcome in _run(checks, facts, knowledge, values, watcher)]
            if source is not None:
                outcomes = drop_unusable_edits(drop_suppressed(outcomes, source), checks, source)
                outcomes = lower_asides(outcomes, source, paths)
            for outcome in outcomes:
                found[outcome.name].append(outcome)
    merged = (fold_repeated(merge_outcomes(found[check.name])) for check in checks)
    return ExaminedCode(tuple(merged), tuple(notices))


def _run(
    checks: Sequence[Check],
    facts: Facts,
    knowledge: Knowledge,
    values: Mapping[type, tuple[object, ...]],
    watcher: Watcher | None = None,
) -> Iterator[tuple[Check, Outcome]]:
    outcomes = run_checks(checks, facts.with_values(values), knowledge, watcher=watcher)
    yield from zip(checks, outcomes, strict=True)


def read_code(
    paths: Sequence[Path], checks: Iterable[Check]
) -> "Iterator[SourceFile | ConfigFile | UnreadableSource]":
    """Yield the files below the paths in which one of the checks may find something.

    A file is parsed if it contains the words of one of the checks, or if a check of code has no words.

    Raises:
        UsageError: a path does not exist, or is a pipe or a device.
    """
    from torchdoctor.source.files.reading import read_each
    from torchdoctor.source.files.relevance import make_filter

    for path in paths:
        if not os.path.exists(path):
            raise UsageError(f"{path}: no such file or folder")
        if not (os.path.isfile(path) or os.path.isdir(path)):
            raise UsageError(f"{path}: neither a file nor a folder")
    return read_each(paths, make_filter(check.words for check in checks if reads_code(check)))
