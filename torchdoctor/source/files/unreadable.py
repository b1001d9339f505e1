"""The record of a file that could not be read or parsed."""

from torchdoctor.core.record import record


@record
class UnreadableSource:
    """A path that the scan passed over, and why, in one line."""

    path: str
    reason: str
