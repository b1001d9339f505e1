"""The events of a journal: what each of them says, and whether they are all there."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torchdoctor.repair.pulse import has_begun
from torchdoctor.repair.snapshot import Snapshot

Event = Mapping[str, Any]

# What is needed of each event to take a step back.
_FIELDS: Mapping[str, Mapping[str, type]] = {
    "started": {"python": str, "prefix": str},
    "step": {"number": int, "name": str, "snapshot": str, "variables": dict, "values": dict},
    **{name: {"number": int} for name in ("kept", "ran", "ended", "undoing", "left", "undone")},
}
# The verdict about a step that was cut off, and that a person lets stay.
STAYS = "kept"


def parse_event(line: bytes) -> Event:
    """Return the event of a line.

    Raises:
        ValueError, TypeError, RecursionError: the line is damaged.
    """
    event = json.loads(line)
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise TypeError("a line is no event")
    for key, kind in _FIELDS.get(event["event"], {}).items():
        # A bool is an int as well.
        if not isinstance(event.get(key), kind) or isinstance(event[key], bool):
            raise TypeError(f"an event {event['event']} has no {key}")
    for value in event.get("variables", {}).values():
        _parse_variable(value)
    return event


def _parse_variable(value: object) -> None:
    match value:
        case None | [str(), int()]:
            return
    raise TypeError("the value of a variable is missing")


def find_missing_line(events: Sequence[Event]) -> str | None:
    """Return what shows that a line before the last one is missing, or None."""
    if events and events[0]["event"] != "started":
        return "it does not begin with the start of the repair"
    steps: set[int] = set()
    for event in events:
        if event["event"] == "step":
            steps.add(event["number"])
        elif event["event"] in _FIELDS and event.get("number", 0) not in {0, *steps}:
            return f"the start of step {event['number']} is missing"
    return None


def find_loss(events: Sequence[Event], folder: Path) -> str | None:
    """Return what is missing of the events or of what was kept, or None; the folder has one for each step."""
    numbers = {str(event["number"]) for event in events if event["event"] == "step"}
    try:
        # The system can have put files of its own there.
        more = sorted(name for name in set(os.listdir(folder)) - numbers if name.isdecimal())
    except OSError:
        more = []
    if more:
        return f"{folder / more[0]} is of a step that the journal does not have"
    undone = {event["number"] for event in events if event["event"] == "undone"}
    steps = [event for event in events if event["event"] == "step" and event["number"] not in undone]
    return next(filter(None, (_find_loss_of_step(event, events) for event in steps)), None)


def _find_loss_of_step(step: Event, events: Sequence[Event]) -> str | None:
    snapshot = Snapshot(Path(step["snapshot"]))
    own = [event for event in events if event.get("number") == step["number"]]
    if not snapshot.is_complete:
        is_kept = any(event["event"] == "kept" for event in own)
        return f"what step {step['number']} kept in {step['snapshot']} is missing" if is_kept else None
    has_ended = any(event["event"] == "ended" and event.get("verdict") != STAYS for event in own)
    if has_ended and not snapshot.has_changes:
        return f"the list of what step {step['number']} changed is missing in {step['snapshot']}"
    if not snapshot.has_changes and not has_begun(Path(step["snapshot"])):
        return f"the time of step {step['number']} is missing in {step['snapshot']}"
    return None
