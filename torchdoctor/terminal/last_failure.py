"""Keeps the output of the last failed run in a file of the user's cache folder, to be explained again."""

from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.core.tails import take_end
from torchdoctor.core.user_folders import find_cache_folder
from torchdoctor.core.writing import holds_own_file, write_whole

_LIMIT_BYTES = 1 << 20


@record
class LastFailure:
    """The output of the last failed run, the file that has it, and when it ended (seconds of the epoch)."""

    output: bytes
    file: Path
    ended_at: float


def find_failure_file() -> Path:
    """Return the path of the file, whether or not it exists.

    Raises:
        RuntimeError: the user has no home folder.
    """
    return find_cache_folder() / "last-failed-run.txt"


def keep_failure(output: bytes) -> None:
    """Replace the kept output by the end of another; what cannot be written, or is a link, is left."""
    try:
        file = find_failure_file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not holds_own_file(file):
            # A link would lead to a file of somebody else, and a pipe would wait for its reader.
            return
        # The output may show what only the user should see.
        write_whole(file, take_end(output, _LIMIT_BYTES), mode=0o600)
    except (OSError, RuntimeError):
        pass


def read_failure() -> LastFailure | None:
    """Return the kept output, or None if there is none.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        file = find_failure_file()
        return LastFailure(read_bytes(file), file, file.stat().st_mtime)
    except (FileNotFoundError, RuntimeError):
        return None
