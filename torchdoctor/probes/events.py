"""Observes Windows' System log through wevtutil in a child: resets of the display driver, lack of memory."""

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchdoctor.facts import Absent, SystemEvent, SystemEvents
from torchdoctor.processes.child import ChildError, Ended, run_child

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DAYS = 30
EVENTS_SECONDS = 8.0
# What a child prints is kept up to 64 KiB, and an event takes up to 2.
MAX_EVENTS = 30
# Display 4101: the display driver stopped and was recovered. nvlddmkm is NVIDIA's kernel driver.
_SOURCES = (
    ("Display", (4101,)),
    ("nvlddmkm", (13, 14, 153)),
    ("Microsoft-Windows-Resource-Exhaustion-Detector", (2004,)),
)
_EVENT = re.compile(r"<Event[ >].*?</Event>", re.DOTALL)
_LEADING = re.compile(r"^\{.*?\}")
_MAX_DETAILS, _MAX_DETAIL = 6, 200


def observe_system_events() -> SystemEvents | Absent:
    """Read the newest of the events that concern GPUs and memory."""
    if sys.platform != "win32":
        return Absent("only Windows has an event log")
    ended = _run("qe", "System", f"/q:{make_query()}", f"/c:{MAX_EVENTS}", "/rd:true", "/f:xml")
    if isinstance(ended, Absent):
        return ended
    events = parse_events(ended.stdout_tail)
    if not events:
        # No such event and no answer look alike: only a log that tells its size is known to be readable.
        proof = _run("gli", "System")
        if isinstance(proof, Absent) or not re.search(r"\d", proof.stdout_tail):
            return Absent("wevtutil gave no answer about the System log")
    return SystemEvents(DAYS, events, is_complete=len(events) < MAX_EVENTS)


def make_query() -> str:
    """Give the XPath query for the log."""
    sources = " or ".join(
        f"(Provider[@Name='{provider}'] and ({' or '.join(f'EventID={number}' for number in numbers)}))"
        for provider, numbers in _SOURCES
    )
    milliseconds = DAYS * 24 * 3600 * 1000
    return f"*[System[({sources}) and TimeCreated[timediff(@SystemTime) <= {milliseconds}]]]"


def parse_events(text: str) -> tuple[SystemEvent, ...]:
    """Read the events that wevtutil printed; one that was cut off is left out."""
    return tuple(event for piece in _EVENT.findall(text) if (event := _parse_event(piece)) is not None)


def _parse_event(text: str) -> SystemEvent | None:
    # Imported here: most machines have no such event, and the XML reader takes long to load.
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    system = {_local(element.tag): element for element in root.iter()}
    if not {"Provider", "EventID", "TimeCreated"} <= system.keys():
        return None
    number = (system["EventID"].text or "").strip()
    if not number.isdigit():
        return None
    return SystemEvent(
        provider=system["Provider"].get("Name", ""),
        number=int(number),
        time=system["TimeCreated"].get("SystemTime", "")[:19] + "Z",
        details=tuple(_find_details(root))[:_MAX_DETAILS],
    )


def _find_details(root: "Element") -> Iterator[str]:
    """Give the event's own texts: those of its Data, and the names of the processes it accuses."""
    for element in root.iter():
        text = " ".join((element.text or "").split())
        if text and _local(element.tag) in ("Data", "Name"):
            yield text[:_MAX_DETAIL]


def _local(tag: str) -> str:
    return _LEADING.sub("", tag)


def _run(*arguments: str) -> Ended | Absent:
    # By its full path: a name alone would be looked for in the current folder first.
    program = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "wevtutil.exe")
    try:
        ended = run_child((program, *arguments), time_limit_seconds=EVENTS_SECONDS)
    except ChildError as error:
        return Absent(f"the event log could not be asked: {error}")
    if ended.exit_code is None:
        return Absent(f"the event log did not answer within {EVENTS_SECONDS:.0f} s")
    if ended.exit_code:
        return Absent(f"the event log refused: wevtutil ended with exit code {ended.exit_code}")
    return ended
