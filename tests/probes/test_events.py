"""Events are read from the output of the event log, which may be cut off or garbage."""

import pytest

from torchdoctor.probes.events import make_query, parse_events

NAMESPACE = "http://schemas.microsoft.com/win/2004/08/events/event"
RESET = (
    f"<Event xmlns='{NAMESPACE}'><System><Provider Name='Display'/><EventID Qualifiers='0'>4101</EventID>"
    "<TimeCreated SystemTime='2026-11-12T19:03:11.1234567Z'/></System>"
    "<EventData><Data>nvlddmkm</Data><Data></Data></EventData></Event>"
)
SHORTAGE = (
    f"<Event xmlns='{NAMESPACE}'><System><Provider Name='Microsoft-Windows-Resource-Exhaustion-Detector'/>"
    "<EventID>2004</EventID><TimeCreated SystemTime='2026-11-02T08:00:00.0Z'/></System><UserData>"
    "<MemoryExhaustionInfo xmlns='x'><ProcessInfo><Process_1><Name>python.exe</Name><ID>1</ID></Process_1>"
    "</ProcessInfo></MemoryExhaustionInfo></UserData></Event>"
)


def test_events_that_are_cut_off_are_left_out() -> None:
    events = parse_events(RESET[40:] + "\r\n" + RESET + SHORTAGE + RESET[:60])
    assert [(event.number, event.time, event.details) for event in events] == [
        (4101, "2026-11-12T19:03:11Z", ("nvlddmkm",)),
        (2004, "2026-11-02T08:00:00Z", ("python.exe",)),
    ]


@pytest.mark.parametrize("text", ["", "<Event></Event>", "<Event><</Event>", "no XML", "<Event " * 3])
def test_garbage_gives_no_events(text: str) -> None:
    assert parse_events(text) == ()


def test_query_covers_the_last_30_days() -> None:
    assert "timediff(@SystemTime) <= 2592000000" in make_query()
