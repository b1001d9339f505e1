"""The NVIDIA driver logged GPU errors."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.gpus import NVIDIA_DRIVER
from torchdoctor.facts import SystemEvents

# Event 153 is the reset of a GPU engine; older drivers log 13 or 14 for errors and resets.
RESET_EVENTS = (153,)
OLDER_EVENTS = (13, 14)
# A single reset can come from an overclocked game or an update of the driver.
MANY_RESETS = 3


@check
def gpu_driver_reset(events: SystemEvents) -> Iterator[Finding | Passed]:
    """Count the errors that the driver logged; a few resets are only a note."""
    resets = events.find(NVIDIA_DRIVER, *RESET_EVENTS)
    older_events = events.find(NVIDIA_DRIVER, *OLDER_EVENTS)
    events_by_time = sorted((*resets, *older_events), key=lambda event: event.time, reverse=True)
    if not events_by_time:
        yield Passed(f"NVIDIA's driver logged no error in the last {events.days} days")
        return
    counts = [
        f"{len(group)} {what if len(group) == 1 else f'{what}s'} ({numbers})"
        for group, what, numbers in (
            (resets, "reset", "event 153"),
            (older_events, "error", "event 13 or 14"),
        )
        if group
    ]
    more = "" if events.is_complete else ", and perhaps more"
    detail = next((f": {text}" for event in events_by_time for text in reversed(event.details)), "")
    yield Finding(
        f"NVIDIA's driver logged {' and '.join(counts)} in the last {events.days} days{more}, "
        f"last at {events_by_time[0].written_time}{detail}",
        evidence={"resets": len(resets), "errors": len(older_events), "last": events_by_time[0].time},
        severity=Severity.WARNING if len(resets) >= MANY_RESETS else Severity.NOTE,
    )
