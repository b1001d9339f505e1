"""The line on the terminal that names what is being examined; in a pipe it does not exist."""

import sys
import threading
from types import TracebackType


class ProgressLine:
    """A line that is written over while probes work, and wiped when they are done."""

    def __init__(self) -> None:
        self._running: list[str] = []
        self._lock = threading.Lock()
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._write("")

    def watch(self, subject: str, has_started: bool) -> None:
        """Add a probe that starts to the line, or remove one that ends."""
        with self._lock:
            if has_started:
                self._running.append(subject)
            elif subject in self._running:
                self._running.remove(subject)
            # What has been running longest is what everybody waits for.
            names = ", ".join(name.replace("_", " ") for name in self._running)
            self._write(f"examining: {names}" if names else "")

    def _write(self, text: str) -> None:
        if not self._is_shown or not (text or self._width):
            return
        # Imported here: `run` waits for this module, and seldom writes a line.
        import shutil

        columns = shutil.get_terminal_size((80, 24)).columns - 1
        shown = text[:columns]
        # The rest of the line before is wiped with blanks, which every console understands.
        sys.stderr.write("\r" + shown.ljust(self._width) + ("\r" if not shown else ""))
        sys.stderr.flush()
        self._width = len(shown)
