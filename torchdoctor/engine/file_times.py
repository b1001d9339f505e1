"""The time that checks may take for each file."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from torchdoctor.core.time_limit import time_limit

# The time that all checks together may take for one file. A file of 4 MB takes less.
_SECONDS_PER_FILE = 30.0


class FileTimes:
    """The time that checks may still take for each file, and each check that reads no files."""

    def __init__(self, seconds_per_file: float = _SECONDS_PER_FILE) -> None:
        self.seconds_per_file = seconds_per_file
        self._left: dict[str, float] = {}

    @contextmanager
    def spend(self, path: str) -> Iterator[None]:
        """Limit the time in the context to half of what is left for a file, or for a check that reads none.

        Raises:
            TimeLimitExceeded: the time is over.
        """
        left = self._left.get(path, self.seconds_per_file)
        started = time.monotonic()
        try:
            # A slow check leaves time for the others, which seldom need a hundredth of it.
            with time_limit(max(left / 2, self.seconds_per_file / 30)):
                yield
        finally:
            self._left[path] = left - (time.monotonic() - started)
