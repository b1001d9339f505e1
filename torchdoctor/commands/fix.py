"""The `--fix` and `--diff` options of `scan`: apply the edits of findings to training code, or show them."""

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from torchdoctor.check import Check, Finding
from torchdoctor.commands.scan import ScanRequest, make_narrowing, names_one_of, select_requested
from torchdoctor.core.controls import escape_name
from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.core.time_limit import TimeLimitExceeded, time_limit
from torchdoctor.core.usage import UsageError
from torchdoctor.core.writing import remove_left_parts, write_whole
from torchdoctor.engine.code.examination import read_code
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts import Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.policy.narrowing import Narrowing
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.changes import Change, Finder, plan_change
from torchdoctor.source.edits.guards import GUARDED
from torchdoctor.source.edits.importers import Importers
from torchdoctor.source.edits.programs import find_role
from torchdoctor.source.files.reading import decode
from torchdoctor.source.files.unreadable import UnreadableSource

# The time that finding the changes of one file may take.
_SECONDS_PER_FILE = 30.0


@record
class PlannedChanges:
    """The changes that the edits of findings make to the training code; nothing is written yet.

    `left` has a line for each file that is not changed, and why; `unread` the files that could not be read,
    with the reason. `remaining` are the findings that no edit removes.
    """

    changes: tuple[Change, ...]
    left: tuple[str, ...] = ()
    unread: tuple[UnreadableSource, ...] = ()
    remaining: tuple[Finding, ...] = ()

    def find_exit_code(self, request: ScanRequest) -> int:
        """Return 2 if a named file could not be read, 1 if there is something to change or mend, else 0."""
        if names_one_of(request, (each.path for each in self.unread)):
            return 2
        worst = max((each.severity.rank for each in self.remaining if each.severity), default=-1)
        return 1 if self.changes or worst >= request.fail_on.rank else 0

    @property
    def diff(self) -> bytes:
        """The changes as a unified diff."""
        return b"".join(change.diff() for change in self.changes)


def plan_changes(request: ScanRequest) -> PlannedChanges:
    """Find the changes that the edits of the selected checks make to the training code.

    Findings that the baseline knows are mended as well.

    Raises:
        UsageError: there is no training code, or an argument is not usable.
    """
    paths = request.paths
    if not paths:
        raise UsageError("--fix and --diff change training code: give a file or folder")
    registry = load_registry()
    selected = select_requested(registry, request)
    checks = [check for check in selected if SourceFile in check.facts]
    found: dict[str, list[Finding]] = {}
    find = _make_finder(checks, registry.knowledge, make_narrowing(request, registry), found)
    changes: dict[str, Change] = {}
    left: list[str] = []
    unread: list[UnreadableSource] = []
    importers = Importers(paths)
    for source in read_code(paths, checks):
        if isinstance(source, UnreadableSource):
            unread.append(source)
        if not isinstance(source, SourceFile):
            continue
        if source.unread:
            unread.append(UnreadableSource(source.path, source.unread))
        try:
            with time_limit(_SECONDS_PER_FILE):
                change = plan_change(source, find)
        except TimeLimitExceeded:
            left.append(f"{source.path}: finding its changes took too long")
            continue
        target = os.path.realpath(source.path)
        if change is None or target in changes:
            continue
        if reason := _find_reason_to_leave(change, source, importers, paths):
            left.append(reason)
        else:
            changes[target] = change
    remaining = tuple(
        finding
        for path, findings in found.items()
        for finding in findings
        if os.path.realpath(path) not in changes or finding.edit is None
    )
    return PlannedChanges(tuple(changes.values()), tuple(map(escape_name, left)), tuple(unread), remaining)


def _make_finder(
    checks: Sequence[Check], knowledge: Knowledge, narrowing: Narrowing, found: dict[str, list[Finding]]
) -> Finder:
    """Return what finds the findings of a source; it writes those of each file as it is into `found`."""

    def find(source: SourceFile) -> Sequence[tuple[Check, Finding]]:
        outcomes = run_checks(checks, Facts({SourceFile: (source,)}), knowledge)
        findings = [
            (check, finding)
            for check, outcome in zip(checks, drop_suppressed(outcomes, source), strict=True)
            for finding in outcome.findings
            if not narrowing.is_ignored(finding, check.name)
        ]
        # The first time, the text is that of the file.
        found.setdefault(source.path, [finding for _, finding in findings])
        return findings

    return find


def _find_reason_to_leave(
    change: Change, source: SourceFile, importers: Importers, paths: Iterable[Path]
) -> str:
    """Return a line that says why a file is not changed, "" if nothing is against it."""
    if not _is_named(source.path, os.path.realpath(source.path), paths):
        return f"{source.path}: a link to a file outside of what was named; name the file"
    if any(GUARDED in each for each in change.descriptions) and (
        reason := find_role(source) or importers.find_reason(source)
    ):
        return f"{source.path}: no main guard, because {reason}"
    try:
        _encode(change)
    except UsageError as error:
        return str(error)
    return ""


def _is_named(path: str, target: str, paths: Iterable[Path]) -> bool:
    """Return whether a file was named, or lies below a folder that was, also where links lead."""
    folders = [os.path.realpath(each) for each in paths]
    return Path(path) in paths or any(Path(target).is_relative_to(folder) for folder in folders)


@record
class WrittenChanges:
    """The changes that were written, and a line for each file that was left as it is, with the reason."""

    changes: tuple[Change, ...]
    left: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """A line about each file."""
        changed = (f"{change.path}: {'; '.join(change.descriptions)}" for change in self.changes)
        return tuple(map(escape_name, (*changed, *(f"not changed: {reason}" for reason in self.left))))

    def summarise(self, findings: int) -> str:
        """Return one line that says what was changed and what was left; `findings` are those still there."""
        edits = sum(len(change.descriptions) for change in self.changes)
        done = f"{_count(edits, 'change')} in {_count(len(self.changes), 'file')}" if edits else "no change"
        left = [_count(len(self.left), "file")] if self.left else []
        left += [f"{_count(findings, 'finding')} in the code, to mend by hand as the report says"] * bool(
            findings
        )
        return f"--fix made {done}; left: {' and '.join(left) or 'nothing'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def write_changes(planned: PlannedChanges) -> WrittenChanges:
    """Write the changes to their files, each in one step; what cannot be written is left.

    Raises:
        KeyboardInterrupt: the user or a signal ended it; its text says how many files were changed.
    """
    written: list[Change] = []
    left = list(planned.left)
    current: Change | None = None
    try:
        remove_left_parts(Path(change.path) for change in planned.changes)
        for current in planned.changes:
            try:
                write_change(current)
            except UsageError as error:
                left.append(str(error))
            else:
                written.append(current)
    except KeyboardInterrupt:
        # It may come between the writing of a file and its count.
        number = len(written) + (current is not None and current not in written and _is_written(current))
        done = f"{number} of {_count(len(planned.changes), 'file')}"
        message = f"interrupted: --fix has changed {done}; the others are as they were"
        raise KeyboardInterrupt(message) from None
    return WrittenChanges(tuple(written), tuple(left))


def _is_written(change: Change) -> bool:
    try:
        return read_bytes(change.path) == change.after.encode(change.encoding)
    except (OSError, ValueError, LookupError):
        return False


def write_change(change: Change) -> None:
    """Write a change to its file, in the file's encoding and with its mode, in one step.

    Raises:
        UsageError: the file changed since it was read, is read-only, has hard links or cannot be written, or
            its encoding lacks a character.
    """
    path = Path(change.path)
    before, after = _encode(change)
    try:
        status = os.stat(path)
        if not status.st_mode & stat.S_IWUSR:
            raise UsageError(f"{change.path}: the file is read-only")
        if status.st_nlink > 1:
            raise UsageError(f"{change.path}: the file has hard links, which would keep the old text")
        write_whole(path, after, replaced=before)
    except OSError as error:
        raise UsageError(f"{change.path}: {error.strerror or error}") from error


def _encode(change: Change) -> tuple[bytes, bytes]:
    """Return the bytes of a file before and after a change.

    Raises:
        UsageError: the file changed since it was read, or its encoding lacks a character.
    """
    try:
        before = read_bytes(Path(change.path))
        if decode(before) != change.before:
            raise UsageError(f"{change.path}: the file changed since it was read")
        after = change.after.encode(change.encoding)
        # An edit of the first two lines could also move the coding comment.
        if change.before.encode(change.encoding) != before or decode(after) != change.after:
            raise UsageError(f"{change.path}: its {change.encoding} text cannot be written back unchanged")
    except (OSError, ValueError, SyntaxError, LookupError) as error:
        raise UsageError(f"{change.path}: {getattr(error, 'strerror', None) or error}") from error
    return before, after
