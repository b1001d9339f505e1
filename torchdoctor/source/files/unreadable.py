"""The record of a file that could not be read or parsed."""

from torchdoctor.core.record import record


@record
class UnreadableSource:
    """A path that was not read, and the reason in one line."""

    path: str
    reason: str
