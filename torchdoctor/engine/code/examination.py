"""Examine training code: find the files, run the checks on each, and put together what they say."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.check import Check
from torchdoctor.core.failures import verify_current_folder
from torchdoctor.core.memory import paused_garbage_collection
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.runner import Outcome, merge_outcomes, run_checks
from torchdoctor.engine.stopwatch import Progress, Watcher
from torchdoctor.facts import Absent, Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.source import ConfigFile, SourceFile

if TYPE_CHECKING:
    from torchdoctor.source.files.unreadable import UnreadableSource

NO_CODE = "no training code was given; torchdoctor scan PATH reads it"
_NO_FILES: Mapping[type, tuple[object, ...]] = {SourceFile: (), ConfigFile: ()}


@record
class ExaminedCode:
    """The outcome of each check of training code, in their order, and a line for each unreadable file.

    `unread` are the paths of those files, and of the folders of which no file could be read.
    """

    outcomes: tuple[Outcome, ...]
    notices: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@record
class CodeOptions:
    """How code is examined: in how many processes (0: as many as are useful), and whether from a cache.

    Times of checks are measured only in this process and without a cache.
    """

    processes: int = 1
    uses_cache: bool = False


IN_THIS_PROCESS = CodeOptions()
NO_EXAMINED_CODE = ExaminedCode(())


def reads_code(check: Check) -> bool:
    """Return whether a check is one of training code or its configuration."""
    return bool({SourceFile, ConfigFile} & set(check.facts))


def examine_code(
    paths: Sequence[Path],
    checks: Sequence[Check],
    facts: Facts,
    knowledge: Knowledge,
    watcher: Watcher | None = None,
    options: CodeOptions = IN_THIS_PROCESS,
    progress: Progress | None = None,
    narrow: Callable[[Outcome], Outcome] = lambda outcome: outcome,
) -> ExaminedCode:
    """Run checks of training code on the files below the paths; the facts are for checks that need others.

    The watcher is called for each check and each file that this process examines. `narrow` leaves out
    findings of one file, before those that several files repeat become one.

    Raises:
        UsageError: a path does not exist, or is a pipe or a device.
    """
    if not paths:
        return ExaminedCode(_skip_all(checks, facts, knowledge, NO_CODE))
    _verify(paths)
    # Imported here: without training code, nothing is parsed.
    from torchdoctor.engine.code.edits import ask_importers
    from torchdoctor.engine.code.file_examiner import FileExaminer
    from torchdoctor.engine.code.noise import fold_repeated
    from torchdoctor.engine.code.sharing import examine_all

    nothing = facts.with_values(_NO_FILES)
    found = {outcome.name: [outcome] for outcome in run_checks(checks, nothing, knowledge)}
    notices: list[str] = []
    unread: list[str] = []
    count = 0
    with paused_garbage_collection():
        examiner = FileExaminer(checks, facts, knowledge, paths, watcher)
        for answer in examine_all(paths, examiner, options.processes, options.uses_cache, progress):
            notices += [answer.notice] if answer.notice else []
            count += not answer.is_unread
            unread += [answer.notice.partition(": not read: ")[0]] if answer.notice else []
            for outcome in answer.outcomes:
                found[outcome.name].append(narrow(outcome))
    if not count:
        reason = f"{'nothing could be read' if unread else 'there is no training code'} in {_join(paths)}"
        skipped = _skip_all(checks, facts, knowledge, reason)
        unread += map(str, paths if unread else ())
        return ExaminedCode(skipped, tuple(notices) or (reason,), tuple(unread))
    merged = (fold_repeated(merge_outcomes(found[check.name])) for check in checks)
    return ExaminedCode(tuple(ask_importers(merged, paths)), tuple(notices), tuple(unread))


def _skip_all(
    checks: Sequence[Check], facts: Facts, knowledge: Knowledge, reason: str
) -> tuple[Outcome, ...]:
    """Return the outcomes of checks of code where there is none."""
    absent = Absent(reason)
    return run_checks(checks, facts.with_values({SourceFile: absent, ConfigFile: absent}), knowledge)


def _join(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths[:3])) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")


def _verify(paths: Iterable[Path]) -> None:
    for path in paths:
        if not path.is_absolute():
            verify_current_folder()
        if not os.path.exists(path):
            raise UsageError(f"{path}: no such file or folder")
        if not (os.path.isfile(path) or os.path.isdir(path)):
            raise UsageError(f"{path}: neither a file nor a folder")


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

    _verify(paths)
    return read_each(paths, make_filter(check.words for check in checks if reads_code(check)))
