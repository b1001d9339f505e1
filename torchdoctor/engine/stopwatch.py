"""The result of an examination, and a stopwatch for its parts."""

import time
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime, timezone

from torchdoctor.core.record import record
from torchdoctor.engine.plugins import Broken
from torchdoctor.facts import Facts

# Called with the name of a probe or check when it starts (True) and when it ends (False).
Watcher = Callable[[str, bool], None]
# Called with how many of the files are examined so far, and how many they are.
Progress = Callable[[int, int], None]


@record
class Examination:
    """The observed facts, the probes that raised, and the time of each probe in seconds."""

    facts: Facts
    broken: tuple[Broken, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)


class Stopwatch:
    """The time between the starts and the ends of each probe or check; `watch` is a watcher."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._started: dict[str, float] = {}

    def watch(self, name: str, has_started: bool) -> None:
        """Record the start or the end of a probe or check."""
        now = time.perf_counter()
        if has_started:
            self._started[name] = now
        else:
            seconds = self.seconds.get(name, 0.0) + now - self._started.pop(name, now)
            self.seconds[name] = round(seconds, 6)


def read_clock() -> str:
    """Return the current UTC time in ISO 8601, to the second."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
