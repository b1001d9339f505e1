"""Facts about what Windows logged: driver resets and memory shortages."""

from typing import ClassVar

from torchdoctor.core.record import record


@record
class SystemEvent:
    """An event of Windows' System log; `time` is UTC, ISO 8601; `details` are its texts, if it has any."""

    provider: str
    number: int
    time: str
    details: tuple[str, ...] = ()


@record
class SystemEvents:
    """The logged resets of the display driver and memory shortages of the last days, newest first.

    `is_complete` is False where there were more than were read.
    """

    subject: ClassVar[str] = "system_events"
    days: int
    events: tuple[SystemEvent, ...]
    is_complete: bool = True

    def find(self, provider: str, *numbers: int) -> tuple[SystemEvent, ...]:
        """Give the events of a provider with one of these numbers."""
        wanted = provider.lower()
        return tuple(
            event for event in self.events if event.provider.lower() == wanted and event.number in numbers
        )
