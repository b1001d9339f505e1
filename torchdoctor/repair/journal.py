"""The journal of a repair: what it is about to do, and what it did; and the lock that lets one repair run."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from torchdoctor.core.files import read_bytes
from torchdoctor.core.locking import lock_file
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.core.user_folders import find_state_folder
from torchdoctor.repair.events import Event, find_loss, find_missing_line, parse_event

_JOURNAL, _SNAPSHOTS, _LOCK = "journal.jsonl", "snapshots", "lock"


class JournalError(UsageError):
    """A journal cannot be used; the message is one line that names the repair."""


class Journal:
    """The journal of one repair, a line of JSON for each event, on the disk before what it announces."""

    def __init__(self, folder: Path) -> None:
        """Name the folder of the repair."""
        self.folder = folder

    @property
    def name(self) -> str:
        """The name of the repair, as `--undo` takes it."""
        return self.folder.name

    def find_step_folder(self, number: int) -> Path:
        """Return the folder of a step, which is there for each step that has begun."""
        return self.folder / _SNAPSHOTS / str(number)

    def write(self, event: str, **values: object) -> None:
        """Add an event.

        Raises:
            JournalError: the file cannot be written.
        """
        line = json.dumps({"event": event, "time": time.strftime("%Y-%m-%dT%H:%M:%S"), **values})
        path = self.folder / _JOURNAL
        try:
            with open(path, "ab") as file:
                _drop_cut_line(path, file)
                file.write(f"{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise JournalError(f"{path}: cannot be written: {error.strerror or error}") from error

    def read(self) -> tuple[Event, ...]:
        """Return the events; a last line that was cut off by a power failure is left out.

        Raises:
            JournalError: the file cannot be read, or another line is damaged or missing.
        """
        try:
            *lines, _ = read_bytes(self.folder / _JOURNAL).split(b"\n")
        except OSError as error:
            raise JournalError(f"the journal of the repair {self.name}: {error.strerror or error}") from error
        try:
            events = tuple(parse_event(line) for line in lines)
        except (ValueError, TypeError, RecursionError) as error:
            raise JournalError(f"the journal of the repair {self.name} is damaged: {error}") from error
        if missing := find_missing_line(events):
            raise JournalError(f"the journal of the repair {self.name} is damaged: {missing}")
        return events

    def read_whole(self) -> tuple[Event, ...]:
        """Return the events, if what was kept of each step is there, and nothing of a step that they lack.

        Raises:
            JournalError: as for `read`, or what was kept and the events do not belong together.
        """
        events = self.read()
        if loss := find_loss(events, self.folder / _SNAPSHOTS):
            raise JournalError(f"what is kept of the repair {self.name} is damaged: {loss}")
        return events


def _drop_cut_line(path: Path, file: BinaryIO) -> None:
    """Remove what a power failure left of the last line."""
    size = file.tell()
    if size == 0:
        return
    data = read_bytes(path)
    if not data.endswith(b"\n"):
        file.truncate(data.rfind(b"\n") + 1)


@record
class RepairRecord:
    """What the journal of a repair says: when it began, of which Python, its steps, and if it was undone.

    `problem` is why the journal cannot be used.
    """

    name: str
    time: str
    python: str
    steps: tuple[str, ...]
    is_unfinished: bool = False
    is_undone: bool = False
    problem: str | None = None


def find_repairs_folder() -> Path:
    """Return the folder with a folder for each repair.

    Raises:
        UsageError: the user has no home folder.
    """
    try:
        return find_state_folder() / "repairs"
    except RuntimeError as error:
        raise UsageError(f"there is no folder to keep a repair in: {error}") from error


def make_journal() -> Journal:
    """Make the folder of a new repair.

    Raises:
        UsageError: it cannot be made.
    """
    folder = find_repairs_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(2).hex()}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made: {error.strerror or error}") from error
    return Journal(folder)


def list_journals() -> tuple[Journal, ...]:
    """Return the journals of all repairs, the oldest first."""
    try:
        # Of a repair whose journal is lost, it is said that it cannot be undone.
        folders = sorted(
            each
            for each in find_repairs_folder().iterdir()
            if os.path.isfile(each / _JOURNAL) or os.path.isdir(each / _SNAPSHOTS)
        )
    except OSError:
        return ()
    return tuple(map(Journal, folders))


def summarise(journal: Journal) -> RepairRecord:
    """Return what a journal says."""
    try:
        events = journal.read_whole()
    except JournalError as error:
        return RepairRecord(journal.name, "", "", (), problem=str(error))
    started: Event = next((event for event in events if event["event"] == "started"), {})
    steps = [event for event in events if event["event"] == "step"]
    undone = {event.get("number") for event in events if event["event"] == "undone"}
    numbers = {event.get("number") for event in steps}
    return RepairRecord(
        name=journal.name,
        time=str(started.get("time", "")),
        python=str(started.get("python", "")),
        steps=tuple(str(step.get("name")) for step in steps),
        is_unfinished=bool(find_unfinished(events)),
        is_undone=bool(numbers) and numbers <= undone,
    )


def find_unfinished(events: tuple[Event, ...]) -> list[int]:
    """Return the numbers of the steps that were cut off, or not taken back whole, the last first."""
    last = _find_last_events(events)
    return [number for number in reversed(last) if last[number] in ("step", "undoing", "left")]


def is_left(events: tuple[Event, ...], number: int) -> bool:
    """Return whether taking a step back ended, and left something that could not be brought back."""
    return _find_last_events(events).get(number) == "left"


def _find_last_events(events: tuple[Event, ...]) -> dict[int, str]:
    names = ("step", "ended", "undoing", "left", "undone")
    return {event["number"]: event["event"] for event in events if event["event"] in names}


@contextmanager
def only_repair() -> Iterator[None]:
    """Lock out other repairs of this user; the lock ends with this process, however that ends.

    Raises:
        UsageError: another repair runs, or the file of the lock cannot be written.
    """
    folder = find_repairs_folder()
    path = folder / _LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Its number stays when the process ends; only the lock says whether it runs.
        file = open(path, "r+b" if os.path.exists(path) else "w+b")  # noqa: SIM115 (open as long as the lock is held)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    with file:
        try:
            lock_file(file.fileno())
        except OSError:
            holder = file.read(20).decode("ascii", "replace").strip()
            raise UsageError(
                f"another repair is running (process {holder}): wait until it has ended"
            ) from None
        try:
            file.truncate(0)
            file.write(str(os.getpid()).encode("ascii"))
            file.flush()
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
        yield
