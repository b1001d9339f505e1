"""The journal of a repair: what it is about to do, and what it did; and the lock that lets one repair run."""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.core.user_folders import find_state_folder

_JOURNAL, _LOCK = "journal.jsonl", "lock"
# Far behind what is written into the file, so that others can read it: Windows locks bytes against reading.
_LOCKED_BYTE = 1 << 20

Event = Mapping[str, Any]


class Journal:
    """The journal of one repair, a line of JSON for each event, on the disk before what it announces."""

    def __init__(self, folder: Path) -> None:
        """Name the folder of the repair."""
        self.folder = folder

    @property
    def name(self) -> str:
        """The name of the repair, as `--undo` takes it."""
        return self.folder.name

    def write(self, event: str, **values: object) -> None:
        """Add an event.

        Raises:
            OSError: the file cannot be written.
        """
        line = json.dumps({"event": event, "time": time.strftime("%Y-%m-%dT%H:%M:%S"), **values})
        with open(self.folder / _JOURNAL, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> tuple[Event, ...]:
        """Return the events; a last line that was cut off by a power failure is left out."""
        try:
            text = (self.folder / _JOURNAL).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ()
        events: list[Event] = []
        for line in text.splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict) and isinstance(event.get("event"), str):
                events.append(event)
        return tuple(events)


@record
class RepairRecord:
    """What the journal of a repair says: when it began, of which Python, its steps, and if it was undone."""

    name: str
    time: str
    python: str
    steps: tuple[str, ...]
    is_unfinished: bool
    is_undone: bool


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
        folders = sorted(each for each in find_repairs_folder().iterdir() if (each / _JOURNAL).is_file())
    except OSError:
        return ()
    return tuple(map(Journal, folders))


def summarise(journal: Journal) -> RepairRecord:
    """Return what a journal says."""
    events = journal.read()
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
    """Return the numbers of the steps that began, and neither ended nor were undone, the last first."""
    ended = {event.get("number") for event in events if event["event"] in ("ended", "undone")}
    return [
        event["number"]
        for event in reversed(events)
        if event["event"] == "step" and event["number"] not in ended
    ]


@contextmanager
def only_repair() -> Iterator[None]:
    """Let no other repair of this user run; the lock ends with this process, however that ends.

    Raises:
        UsageError: another repair runs, or the file of the lock cannot be written.
    """
    folder = find_repairs_folder()
    path = folder / _LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Its number stays when the process ends; only the lock says whether it runs.
        file = open(path, "r+b" if path.exists() else "w+b")  # noqa: SIM115 (open as long as the lock is held)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    with file:
        try:
            _lock(file.fileno())
        except OSError:
            holder = file.read(20).decode("ascii", "replace").strip()
            raise UsageError(
                f"another repair is running (process {holder}): wait until it has ended"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()).encode("ascii"))
        file.flush()
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
