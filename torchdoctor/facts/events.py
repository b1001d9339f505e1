"""Facts from Windows' System log: driver resets and memory shortages."""

from typing import ClassVar

from torchdoctor.core.record import record


@record
class SystemEvent:
    """An event of Windows' System log; `time` is UTC in ISO 8601, `details` are its texts, if any."""

    provider: str
    number: int
    time: str
    details: tuple[str, ...] = ()

    @property
    def written_time(self) -> str:
        """The time as people write it, to the minute: `2026-11-12 19:03 UTC`."""
        date, separator, time = self.time.rstrip("Z").partition("T")
        return f"{date} {time[:5]} UTC" if separator else self.time


@record
class SystemEvents:
    """Resets of the display driver and memory shortages in the last `days`, newest first.

    `is_complete` is False if there may be more events than were read.
    """

    subject: ClassVar[str] = "system_events"
    days: int
    events: tuple[SystemEvent, ...]
    is_complete: bool = True

    def find(self, provider: str, *numbers: int) -> tuple[SystemEvent, ...]:
        """Return the events of a provider with one of these numbers."""
        lowered = provider.lower()
        return tuple(
            event for event in self.events if event.provider.lower() == lowered and event.number in numbers
        )
