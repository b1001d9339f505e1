"""The event log is read as far as it can be, and garbage is no event."""

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


def test_events_are_read_without_what_was_cut_off() -> None:
    found = parse_events(RESET[40:] + "\r\n" + RESET + SHORTAGE + RESET[:60])
    assert [(event.number, event.time, event.details) for event in found] == [
        (4101, "2026-11-12T19:03:11Z", ("nvlddmkm",)),
        (2004, "2026-11-02T08:00:00Z", ("python.exe",)),
    ]


@pytest.mark.parametrize("text", ["", "<Event></Event>", "<Event><</Event>", "no XML", "<Event " * 3])
def test_garbage_is_no_event(text: str) -> None:
    assert parse_events(text) == ()


def test_query_asks_for_the_last_days_only() -> None:
    assert "timediff(@SystemTime) <= 2592000000" in make_query()
