"""NVIDIA's driver logged errors of the GPU."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.gpus import NVIDIA_DRIVER
from torchdoctor.facts import SystemEvents

# 153 is a reset of an engine; 13 and 14 are what older drivers log for errors and resets alike.
RESET, OLDER = (153,), (13, 14)
# A single reset happens with an overclocked game or during an update of the driver.
MANY = 3


@check
def gpu_driver_reset(events: SystemEvents) -> Iterator[Finding | Passed]:
    """Count what the driver logged; few of them are a note."""
    resets, older = events.find(NVIDIA_DRIVER, *RESET), events.find(NVIDIA_DRIVER, *OLDER)
    found = sorted((*resets, *older), key=lambda event: event.time, reverse=True)
    if not found:
        yield Passed(f"NVIDIA's driver logged no error in the last {events.days} days")
        return
    counts = [
        f"{len(group)} {'event' if len(group) == 1 else 'events'} {numbers}"
        for group, numbers in ((resets, "153 (reset)"), (older, "13 or 14 (error)"))
        if group
    ]
    more = "" if events.is_complete else ", and perhaps more"
    detail = next((f": {text}" for event in found for text in reversed(event.details)), "")
    yield Finding(
        f"NVIDIA's driver logged {' and '.join(counts)} in the last {events.days} days{more}, "
        f"last at {found[0].time}{detail}",
        evidence={"resets": len(resets), "errors": len(older), "last": found[0].time},
        severity=Severity.WARNING if len(resets) >= MANY else Severity.NOTE,
    )
