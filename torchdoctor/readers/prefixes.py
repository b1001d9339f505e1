"""Remove from lines what loggers, quotes and launchers put before what a program printed."""

from torchdoctor.core.patterns import pattern

# A logger may print it before each part of a line.
_TIMESTAMP = (
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]?(?: -(?: |$))?(?: ?(?=\S))?"
    r"|^\[?(?:\d\d/\d\d/\d\d )?\d\d:\d\d:\d\d(?:[.,-]\d{1,6})?\]? "
)
_LEVEL = r"(?:INFO|WARNING|WARN|DEBUG|ERROR|TRACE|CRITICAL)"
_LOGGER = (
    rf"(?:[\w.<>-]{{1,60}} - )?(?:\[?{_LEVEL}\]?)(?: {{0,8}}-| {{0,8}}:|) {{1,8}}(?:\[[\w.:/-]{{1,60}}\] )?"
    r"|- (?=\S)"
)
# The parts of other loggers, of containers and of glog, one after the other.
_PART = (
    rf"\[\s{{0,6}}{_LEVEL}\s{{0,6}}\]:?\s{{1,8}}|{_LEVEL}(?::[\w.]{{1,40}})?: ?|\|? ?{_LEVEL}\s{{0,8}}\| "
    r"|\[(?:Debug|Info|Init|Verbose|Warning|Error)\] (?=\[)|\[[\w -]{2,30}/STD(?:OUT|ERR)\] "
    r"|\| |[\w.]{1,40}:[\w<>.]{1,40}:\d{1,6} - |[a-z][\w-]{0,30}-\d{1,2} {1,4}\| |\[[WIEF]\d{0,4}"
    r" [^\]\n]{3,50}\] "
    # The name of a program: "[AllTalk ENG] Python Version: 3.11.9".
    r"|\[(?!pip|conda|GCC|MSC|(?i:requir|recomm|option|minim|sugg|need|prereq|wish|old|prev|before|todo|expect))"
    r"[A-Za-z][\w -]{2,30}\] (?=\w)"
)
_QUOTE = r"(?:> ?){1,4}"
_MOST_PARTS = 4


def strip_prefix(line: str) -> str:
    """Return a line without the marks of a quotation, timestamps and the name of a logger."""
    if line.startswith(">") and not line.startswith(">>>"):
        line = pattern(_QUOTE).sub("", line, count=1)
    if ":" in line and line[:60].strip("[ ")[:1].isdecimal():
        stripped = pattern(_TIMESTAMP).sub("", line)
        if len(stripped) != len(line):
            logger = pattern(_LOGGER).match(stripped)
            return _strip_parts(stripped[logger.end() :] if logger else stripped)
    # Without a timestamp, a bar begins the row of a table.
    return line if line.startswith("| ") else _strip_parts(line)


def _strip_parts(line: str) -> str:
    """Return a line without the parts of a logger that it begins with."""
    for _ in range(_MOST_PARTS):
        part = pattern(_PART).match(line)
        if part is None:
            break
        line = line[part.end() :]
    return line
