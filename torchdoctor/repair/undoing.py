"""Take back what a repair changed."""

import os
from collections.abc import Sequence

from torchdoctor.core.usage import UsageError
from torchdoctor.repair import environment as environments
from torchdoctor.repair.events import Event
from torchdoctor.repair.journal import (
    Journal,
    JournalError,
    RepairRecord,
    list_journals,
    only_repair,
    summarise,
)
from torchdoctor.repair.results import UndoResult
from torchdoctor.repair.running import describe_later_changes, find_later_changes, undo_step
from torchdoctor.repair.snapshot import SnapshotError


def undo(name: str | None) -> UndoResult:
    """Bring back what a repair changed, by default the last one; an older one has to be named.

    Raises:
        UsageError: there is no such repair, it is undone already, its files changed since, or its Python is
            in use or not there.
    """
    with only_repair():
        journal = _find_journal(name)
        try:
            events = journal.read_whole()
        except JournalError as error:
            return UndoResult(journal.name, 0, 0, (f"{error}: nothing was undone",))
        undone = {event.get("number") for event in events if event["event"] == "undone"}
        steps = [event for event in reversed(events) if event["event"] == "step"]
        steps = [event for event in steps if event["number"] not in undone]
        if not steps:
            raise UsageError(f"the repair {journal.name} is undone already, or changed nothing")
        started = next((event for event in events if event["event"] == "started"), None)
        if started is not None:
            _refuse_away(str(started["prefix"]), steps)
            _refuse_in_use(str(started["python"]))
        try:
            later = find_later_changes(steps)
        except SnapshotError as error:
            return UndoResult(journal.name, 0, 0, (str(error),))
        if later:
            raise UsageError(describe_later_changes(later))
        returned = removed = 0
        problems: list[str] = []
        lost: list[str] = []
        moved_to: list[str] = []
        for event in steps:
            restored = undo_step(journal, event["number"])
            returned, removed = returned + restored.returned, removed + restored.removed
            problems += restored.problems
            lost += restored.lost
            moved_to += [restored.moved_to] if restored.moved_to else []
            if problems:
                break
        return UndoResult(
            journal.name, returned, removed, tuple(problems), tuple(dict.fromkeys(lost)), tuple(moved_to)
        )


def _refuse_away(folder: str, steps: Sequence[Event]) -> None:
    """Refuse where the environment's folder is not there: what is absent would count as taken back."""
    if not os.path.lexists(folder) and not any(event["variables"] for event in steps):
        raise UsageError(
            f"{folder} is not there: it was renamed or deleted, or its drive is not connected."
            " Nothing was undone"
        )


def _refuse_in_use(python: str) -> None:
    try:
        environment = environments.describe_environment(python)
    except UsageError:
        return  # A repair that was cut off can have left a Python that does not start.
    using = environments.find_using_programs(environment)
    if using:
        raise UsageError(
            f"programs that use {python} are running; close them first: process {using[0].number}"
        )


def _find_journal(name: str | None) -> Journal:
    journals = list_journals()
    if name is not None:
        found = next((each for each in journals if each.name == name), None)
        if found is None:
            raise UsageError(f"there is no repair {name}; torchdoctor repair --list shows them")
        return found
    for journal in reversed(journals):
        summary = summarise(journal)
        # Whether a damaged one was undone is not known: another one in its place is not what was asked for.
        if summary.problem is not None or (summary.steps and not summary.is_undone):
            return journal
        if summary.steps:
            raise UsageError(
                f"the last repair, {journal.name}, is undone already; --undo ID takes back an older one, and "
                "torchdoctor repair --list shows them"
            )
    raise UsageError("there is no repair that can be undone")


def list_repairs() -> tuple[RepairRecord, ...]:
    """Return what is known of each repair, the oldest first."""
    return tuple(map(summarise, list_journals()))
