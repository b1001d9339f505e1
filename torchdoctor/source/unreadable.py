"""The record of a file that could not be read or parsed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A path that the scan passed over, and why, in one line."""

    path: str
    reason: str
