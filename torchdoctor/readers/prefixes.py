"""Remove from lines what loggers, quotes and launchers put before what a program printed."""

from torchdoctor.core.patterns import pattern

# A logger may print it before each part of a line.
_TIMESTAMP = (
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?(?: -(?: |$))?(?: ?(?=\S))?"
    r"|^\[?\d\d:\d\d:\d\d(?:[.,-]\d{1,6})?\]? "
)
_LOGGER = (
    r"(?:[\w.<>-]{1,60} - )?(?:\[?(?:INFO|WARNING|WARN|DEBUG|ERROR)\]?)(?: {0,8}-| {0,8}:"
    r"|) {1,8}(?:\[[\w.:/-]{1,60}\] )?|- (?=\S)"
)
_QUOTE = r"(?:> ?){1,4}"


def strip_prefix(line: str) -> str:
    """Return a line without the marks of a quotation, timestamps and the name of a logger."""
    if line.startswith(">") and not line.startswith(">>>"):
        line = pattern(_QUOTE).sub("", line, count=1)
    if ":" not in line or not line[:60].strip("[ ")[:1].isdecimal():
        return line
    stripped = pattern(_TIMESTAMP).sub("", line)
    if len(stripped) == len(line):
        return line
    return pattern(_LOGGER).sub("", stripped, count=1) if pattern(_LOGGER).match(stripped) else stripped
