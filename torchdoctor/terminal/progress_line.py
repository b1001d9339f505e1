"""A line on the terminal that names what is being examined; it is not written to a pipe or a file."""

import sys
import threading
import time
from types import TracebackType

# Less time or fewer files say little about what is left.
_FIRST_ESTIMATE_SECONDS = 2.0
_FIRST_ESTIMATE_SHARE = 0.05
_SECONDS_BETWEEN_COUNTS = 0.2


class ProgressLine:
    """A line that is updated while probes run, and cleared at the end."""

    def __init__(self) -> None:
        self._running: list[str] = []
        self._counted_since: float | None = None
        self._lock = threading.Lock()
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0
        self._last_count = 0.0

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._write("")

    def watch(self, subject: str, has_started: bool) -> None:
        """Add a probe to the line when it starts, and remove it when it ends."""
        with self._lock:
            if has_started:
                self._running.append(subject)
            elif subject in self._running:
                self._running.remove(subject)
            # The probe that has run longest comes first: it is the one that the user waits for.
            names = ", ".join(name.replace("_", " ") for name in self._running)
            self._write(f"examining: {names}" if names else "")

    def count(self, done: int, total: int) -> None:
        """Show how many files are read, and about how long the others take."""
        now = time.monotonic()
        if self._counted_since is None:
            self._counted_since = now
        seconds = now - self._counted_since
        text = f"examining: training code, {done:,} of {total:,} files"
        if seconds >= _FIRST_ESTIMATE_SECONDS and done >= _FIRST_ESTIMATE_SHARE * total:
            text += f", about {_describe_seconds(seconds * (total - done) / max(done, 1))} left"
        with self._lock:
            self._write(text)

    def count_machines(self, done: int) -> None:
        """Show how many machines of a fleet are done."""
        now = time.monotonic()
        if self._is_shown and now - self._last_count >= _SECONDS_BETWEEN_COUNTS:
            self._last_count = now
            with self._lock:
                self._write(f"examined: {done:,} machine{'s' * (done != 1)}")

    def _write(self, text: str) -> None:
        if not self._is_shown or not (text or self._width):
            return
        # Imported here: the program of `run` starts after this module is imported, and seldom needs it.
        import shutil

        columns = shutil.get_terminal_size((80, 24)).columns - 1
        line = text[:columns]
        # Blanks clear the rest of the previous line; every console understands them.
        sys.stderr.write("\r" + line.ljust(self._width) + ("\r" if not line else ""))
        sys.stderr.flush()
        self._width = len(line)


def _describe_seconds(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes >= 2 else f"{max(1, round(seconds))} s"
