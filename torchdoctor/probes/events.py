"""Observes resets of the display driver and memory shortages in Windows' System log, with wevtutil."""

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchdoctor.facts import Absent, SystemEvent, SystemEvents
from torchdoctor.inside.cutting import cut_end
from torchdoctor.processes.child import ChildError, ChildResult, run_child

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DAYS = 30
EVENTS_SECONDS = 8.0
# run_child keeps the last 64 KiB of the output, and an event takes up to 2 KiB.
MAX_EVENTS = 30
# Display 4101: the display driver stopped and was recovered. nvlddmkm is NVIDIA's kernel driver.
_SOURCES = (
    ("Display", (4101,)),
    ("nvlddmkm", (13, 14, 153)),
    ("Microsoft-Windows-Resource-Exhaustion-Detector", (2004,)),
)
_EVENT = re.compile(r"<Event[ >].*?</Event>", re.DOTALL)
_NAMESPACE = re.compile(r"^\{.*?\}")
_MAX_DETAILS, _MAX_DETAIL_CHARACTERS = 6, 200


def observe_system_events() -> SystemEvents | Absent:
    """Read the newest events about GPUs and memory."""
    if sys.platform != "win32":
        return Absent("only Windows has an event log")
    query = _run_wevtutil("qe", "System", f"/q:{make_query()}", f"/c:{MAX_EVENTS}", "/rd:true", "/f:xml")
    if isinstance(query, Absent):
        return query
    events = parse_events(query.stdout_tail)
    if not events:
        # The output is empty both without events and when the log cannot be read. The log can be read if
        # wevtutil prints its size.
        log_information = _run_wevtutil("gli", "System")
        if isinstance(log_information, Absent) or not re.search(r"\d", log_information.stdout_tail):
            return Absent("wevtutil could not read the System log")
    return SystemEvents(DAYS, events, is_complete=len(events) < MAX_EVENTS)


def make_query() -> str:
    """Return the XPath query that selects the events."""
    sources = " or ".join(
        f"(Provider[@Name='{provider}'] and ({' or '.join(f'EventID={number}' for number in numbers)}))"
        for provider, numbers in _SOURCES
    )
    milliseconds = DAYS * 24 * 3600 * 1000
    return f"*[System[({sources}) and TimeCreated[timediff(@SystemTime) <= {milliseconds}]]]"


def parse_events(text: str) -> tuple[SystemEvent, ...]:
    """Parse the events that wevtutil printed; skip an event that is cut off."""
    return tuple(event for element in _EVENT.findall(text) if (event := _parse_event(element)) is not None)


def _parse_event(text: str) -> SystemEvent | None:
    # Imported here: most machines have no such event, and the import takes long.
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    elements = {_local_name(element.tag): element for element in root.iter()}
    if not {"Provider", "EventID", "TimeCreated"} <= elements.keys():
        return None
    number = (elements["EventID"].text or "").strip()
    if not number.isdecimal():
        return None
    return SystemEvent(
        provider=elements["Provider"].get("Name", ""),
        number=int(number),
        time=elements["TimeCreated"].get("SystemTime", "")[:19] + "Z",
        details=tuple(_find_details(root))[:_MAX_DETAILS],
    )


def _find_details(root: "Element") -> Iterator[str]:
    """Yield the texts of an event: its Data, and the names of the processes that used the most memory."""
    for element in root.iter():
        text = " ".join((element.text or "").split())
        if text and _local_name(element.tag) in ("Data", "Name"):
            yield cut_end(text, _MAX_DETAIL_CHARACTERS)


def _local_name(tag: str) -> str:
    return _NAMESPACE.sub("", tag)


def _run_wevtutil(*arguments: str) -> ChildResult | Absent:
    # The full path, because Windows looks for a bare name in the current folder first.
    program = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "wevtutil.exe")
    try:
        child = run_child((program, *arguments), time_limit_seconds=EVENTS_SECONDS)
    except ChildError as error:
        return Absent(f"wevtutil could not be started: {error}")
    if child.exit_code is None:
        return Absent(f"wevtutil did not finish within {EVENTS_SECONDS:.0f} s")
    if child.exit_code:
        return Absent(f"the event log could not be read: wevtutil ended with exit code {child.exit_code}")
    return child
