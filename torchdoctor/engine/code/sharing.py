"""Answer for all files: from the cache, in this process, and in others where that is faster."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from torchdoctor.core.processors import count_processors
from torchdoctor.engine.code.cache import AnswerCache
from torchdoctor.engine.code.file_examiner import FileAnswer, FileExaminer
from torchdoctor.engine.code.workers import Worker
from torchdoctor.engine.stopwatch import Progress
from torchdoctor.processes.child import stopped_children
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.files.finding import CODE_SUFFIXES, find_sources

# Each process needs as much memory as this one, and more of them seldom have a disk that is fast enough.
_MOST_PROCESSES = 4
# A process reads the checks first; it is worth that for so much code.
_BYTES_PER_PROCESS = 4_000_000
_SECONDS_BETWEEN_CALLS = 0.2


def examine_all(
    roots: Sequence[Path], examiner: FileExaminer, processes: int, uses_cache: bool, progress: Progress | None
) -> Iterator[FileAnswer]:
    """Yield the answer about each file below the roots, in their order.

    With `processes` 0 there are as many as are useful. The files are examined in this process and without a
    cache where a check needs other facts than code.
    """
    files = list(find_sources(roots))
    if not all(set(check.facts) <= {SourceFile, ConfigFile} for check in examiner.checks):
        processes, uses_cache = 1, False
    if not sys.executable:
        # A program that embeds Python starts no other.
        processes = 1
    if not any(map(os.path.isdir, roots)):
        # Single files, as from a hook, are other ones each time, and soon examined.
        uses_cache = False
    cache = AnswerCache(roots, examiner.checks, examiner.knowledge) if uses_cache else None
    paths = {str(file): file for file in files if isinstance(file, Path)}
    answers = cache.find(paths, examiner.project) if cache is not None else {}
    pending = {path: file for path, file in paths.items() if path not in answers}
    fresh = _examine(pending, examiner, processes or _choose_processes(pending), progress)
    if cache is not None:
        cache.keep(fresh, examiner.project)
    answers.update(fresh)
    for file in files:
        yield answers[str(file)] if isinstance(file, Path) else examiner.examine(file)


def _examine(
    pending: Mapping[str, Path], examiner: FileExaminer, processes: int, progress: Progress | None
) -> dict[str, FileAnswer]:
    shares = _deal(pending, processes)
    if len(shares) > 1:
        try:
            folder = make_scratch_folder()
        except OSError:
            pass  # No folder can be written to: this process examines all of them.
        else:
            with remove_at_end(folder):
                return _examine_together(pending, shares, examiner, folder, progress)
    report = _Reporter(progress, len(pending))
    answers: dict[str, FileAnswer] = {}
    for path in pending:
        answers[path] = examiner.examine(pending[path])
        report(lambda: len(answers))
    return answers


def _examine_together(
    pending: Mapping[str, Path],
    shares: Sequence[Sequence[str]],
    examiner: FileExaminer,
    folder: str,
    progress: Progress | None,
) -> dict[str, FileAnswer]:
    """Examine the first share here, and then what is at the end of the shares of the others."""
    answers: dict[str, FileAnswer] = {}
    workers: list[Worker] = []
    report = _Reporter(progress, len(pending))

    def count() -> int:
        return len(answers) + sum(worker.count_answers() for worker in workers)

    def examine(path: str) -> None:
        answers[path] = examiner.examine(pending[path])
        report(count)

    try:
        workers += [Worker(share, examiner, folder, number) for number, share in enumerate(shares[1:], 1)]
        for path in shares[0]:
            examine(path)
        # A worker is at one of the files that are left, and perhaps done with it.
        while (slowest := max(workers, key=Worker.count_left)).count_left() > 1:
            examine(slowest.take_last())
        for worker in workers:
            found = worker.wait()
            answers.update(found.answers)
            examiner.project.add_answers(found.asked, found.digests)
    except BaseException:
        with stopped_children():
            for worker in workers:
                worker.wait()
        raise
    for path in pending:
        if path not in answers:
            examine(path)
    return answers


def _deal(pending: Mapping[str, Path], processes: int) -> list[list[str]]:
    """Return as many shares; neighbours stay together, because they import the same files.

    The first share is half as large: whoever has it takes from the others when it is done.
    """
    sizes = {path: _find_size(file) for path, file in pending.items()}
    total = sum(sizes.values()) + 1
    bounds = [(number + 0.5) / (processes - 0.5) * total for number in range(processes)]
    shares: list[list[str]] = [[] for _ in range(processes)]
    done = number = 0
    for path, size in sizes.items():
        done += size
        while done > bounds[number]:
            number += 1
        shares[number].append(path)
    return [share for number, share in enumerate(shares) if share or number == 0]


def _choose_processes(pending: Mapping[str, Path]) -> int:
    code = sum(_find_size(file) for file in pending.values() if file.suffix.lower() in CODE_SUFFIXES)
    return max(1, min(count_processors(), _MOST_PROCESSES, code // _BYTES_PER_PROCESS))


def _find_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


class _Reporter:
    """Calls `progress` a few times a second at most."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total = progress, total
        self._last = time.monotonic()

    def __call__(self, count: Callable[[], int]) -> None:
        """Report what `count` returns."""
        if self._progress is not None and time.monotonic() - self._last > _SECONDS_BETWEEN_CALLS:
            self._last = time.monotonic()
            self._progress(count(), self._total)
