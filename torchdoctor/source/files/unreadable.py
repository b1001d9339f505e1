"""The record of a file that could not be read or parsed, and the reason in words."""

import sys

from torchdoctor.core.record import record


@record
class UnreadableSource:
    """A path that was not read, and the reason in one line."""

    path: str
    reason: str

    @property
    def notice(self) -> str:
        """The line for the person who has to know that it was not read."""
        return f"{self.path}: not read: {self.reason}"


def describe_failure(error: Exception) -> str:
    """Return in one line why a text cannot be parsed."""
    if not isinstance(error, SyntaxError):
        return str(error).partition("\n")[0] or type(error).__name__
    where = f"line {error.lineno}: " if error.lineno else ""
    return f"{where}{error.msg}{_describe_python(error)}"


def _describe_python(error: SyntaxError) -> str:
    """Return which other Python reads the file, if the error shows it."""
    if error.msg.startswith("Missing parentheses in call to 'print'"):
        return " (it is code for Python 2)"
    if error.msg.startswith("f-string") and sys.version_info < (3, 12):
        return " (perhaps it is code for Python 3.12 or later; torchdoctor reads it if it runs there)"
    return ""
