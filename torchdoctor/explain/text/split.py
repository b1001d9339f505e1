"""Split cleaned lines into units: exceptions, the frames of their tracebacks, and loose lines."""

import enum
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.clean import Line
from torchdoctor.explain.text.fold import squeeze

# A message or paragraph longer than this is cut; the rest becomes another unit.
_MAX_UNIT_LENGTH = 4000
_MAX_MESSAGE_LINES = 60
# A longer text is cut in the middle: a log prints versions at its start and fails at its end.
_MAX_TEXT_LENGTH = 200_000


class Kind(enum.Enum):
    """The kind of a unit."""

    EXCEPTION = "exception"
    FRAME = "frame"
    LOOSE = "loose"


class Frame(NamedTuple):
    """A frame of a traceback: the place and the function, as written in the text."""

    path: str
    line: str
    function: str


class Unit(NamedTuple):
    """Lines that are searched as one text with white space folded; `starts` holds the offset of each line.

    `traceback` numbers the tracebacks of the text from 1 (0: none). `chain` is the same number for
    tracebacks that Python links as cause and consequence.
    """

    kind: Kind
    text: str
    lines: tuple[Line, ...]
    starts: tuple[int, ...]
    traceback: int = 0
    chain: int = 0
    frame: Frame | None = None

    def find_line(self, offset: int) -> Line:
        """Return the line at an offset of `text`."""
        line_at_offset = self.lines[0]
        for start, line in zip(self.starts, self.lines, strict=True):
            if start > offset:
                break
            line_at_offset = line
        return line_at_offset


_HEADER = r"(?:Original )?Traceback \(most recent call last\)|Stack \(most recent call first\)"
_LINK = (
    r"\s*(?:During handling of the above exception, another exception occurred|"
    r"The above exception was the direct cause of the following exception)"
)
_PYTHON_FRAME = (
    r'\s*File "(?P<path>[^"\n]{1,1000})", line (?P<line>\d+)(?: in |, in )?(?P<function>[^\n]{0,200})'
)
_NOTEBOOK_FRAME = (
    r"\s*File (?P<path>[^\s\":](?:[^\"\n:]|:(?=[\\/])){0,500}):(?P<line>\d+)"
    r"(?:,? in (?P<function>[\w\u00aa-\uffff.<>]{1,200}))?"
)
_OLD_NOTEBOOK_FRAME = (
    r"(?P<path>(?:[A-Za-z]:|~|/)[^\n\"<>|*?:]{1,500}\.py) in (?P<function>[\w\u00aa-\uffff.<>]{1,200})\("
)
_PYTEST_FRAME = (
    r"(?P<path>(?:[A-Za-z]:)?[^\s\":<>|*?][^\n\":<>|*?]{0,500}\.py):(?P<line>\d+):"
    r" in (?P<function>[\w\u00aa-\uffff<>]{1,200})"
)
_STACK_FRAME = (
    r"\s+(?P<path>[^\s\":]{1,500}\.py) line (?P<line>\d+) in (?P<function>[\w\u00aa-\uffff.<>]{1,200})"
)
# What a line must hold before the pattern is compiled and tried, and the pattern.
_FRAMES = (
    ('File "', _PYTHON_FRAME),
    ("File ", _NOTEBOOK_FRAME),
    (".py in ", _OLD_NOTEBOOK_FRAME),
    (": in ", _PYTEST_FRAME),
    (".py line ", _STACK_FRAME),
)
_EXCEPTION = (
    r"\s*(?:(?:ERROR|CRITICAL|Error)[\s:-]{1,3})?(?:[A-Za-z_][\w]{0,80}\.){0,8}"
    r"(?=[A-Z_])(?P<type>\w{0,80}(?:Error|Exception|Warning|Interrupt|Exit|Failure|Empty|Full|Timeout))"
    r"(?::(?=\s|$)|$|:(?=\S))"
)
_WARNING = r"\s*(?:[A-Za-z]:)?[^\n\":<>|*?]{1,500}\.py:\d+: \w{1,60}Warning: "
# What a function can be called; a text can have its code on the same line.
_FUNCTION = (
    # Nuitka names the module: <module a.b>
    r"<(?P<module>module) [\w.]{1,200}>|<cell line: \d{1,6}>"
    r"|(?:<\w{1,40}>|[A-Za-z_\u00aa-\uffff][\w\u00aa-\uffff]{0,199})"
    r"(?:\.(?:<\w{1,40}>|[\w\u00aa-\uffff]{1,200})){0,20}"
)
# A line of only these characters points at the code above it.
_CARETS = " ^~\t"
_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def split(lines: Sequence[Line]) -> tuple[Unit, ...]:
    """Split cleaned lines into units, in the order of the text."""
    return tuple(_Splitter(lines).read_units())


class _Splitter:
    """A single pass over the lines, which keeps track of the current traceback."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._index = 0
        self._traceback = 0
        self._chain = 0
        self._is_after_link = False
        self._is_in_traceback = False

    def read_units(self) -> Iterator[Unit]:
        while self._index < len(self._lines):
            unit = self._read_unit()
            if unit is not None:
                yield unit

    def _read_unit(self) -> Unit | None:
        line = self._lines[self._index]
        text = line.text
        if not text.strip(_CARETS):
            self._index += 1
            return None
        if _is_link(text):
            self._index += 1
            self._is_after_link = True
            return None
        if _is_header(text):
            return self._read_header(line)
        frame = _find_frame(text)
        if frame:
            return self._read_frame(frame)
        if pattern(_EXCEPTION).match(text):
            return self._read_message(Kind.EXCEPTION)
        if self._is_in_traceback and text.startswith("  ") and text.lstrip()[:1].isdecimal():
            self._index += 1
            return None
        return self._read_message(Kind.LOOSE)

    def _read_header(self, line: Line) -> Unit | None:
        """Start a traceback, and return the other text of its line as a unit.

        A worker's `Original Traceback` belongs to the chain of the exception that quotes it.
        """
        is_quoted = "Original" in line.text or not line.text.startswith(("Traceback", "Stack"))
        self._traceback += 1
        if not (self._is_after_link or is_quoted):
            self._chain += 1
        self._is_after_link, self._is_in_traceback = False, True
        self._index += 1
        rest = " ".join(pattern(_HEADER).sub(" ", line.text).split()).strip(": ")
        if not rest:
            return None
        return self._make_unit(Kind.LOOSE, [Line(line.number, rest)])

    def _read_frame(self, frame: Frame) -> Unit:
        lines = [self._lines[self._index]]
        self._index += 1
        self._is_in_traceback = True
        if self._index < len(self._lines):
            following = self._lines[self._index]
            if following.text[:1].isspace() and not _starts_unit(following.text):
                lines.append(following)
                self._index += 1
        return self._make_unit(Kind.FRAME, lines, frame)

    def _read_message(self, kind: Kind) -> Unit:
        lines = [self._lines[self._index]]
        length = len(lines[0].text)
        self._index += 1
        while self._index < len(self._lines) and len(lines) < _MAX_MESSAGE_LINES:
            line = self._lines[self._index]
            if length + len(line.text) > _MAX_UNIT_LENGTH or not self._continues_message(kind, line.text):
                break
            length += len(line.text) + 1
            lines.append(line)
            self._index += 1
        if kind is Kind.EXCEPTION:
            self._is_in_traceback = False
        return self._make_unit(kind, lines)

    def _continues_message(self, kind: Kind, text: str) -> bool:
        if not text:
            return kind is Kind.EXCEPTION and self._is_before_indented_line()
        return not _starts_unit(text)

    def _is_before_indented_line(self) -> bool:
        """Return whether the next line with text is indented, as after a blank line inside a message."""
        for line in self._lines[self._index : self._index + 3]:
            if line.text:
                # conda's list of packages has two spaces.
                return line.text.startswith(("    ", "  - ")) and not _starts_unit(line.text)
        return False

    def _make_unit(self, kind: Kind, lines: Sequence[Line], frame: Frame | None = None) -> Unit:
        parts, starts, length = [], [], 0
        for line in lines:
            part = squeeze(line.text)
            parts.append(part)
            starts.append(length)
            length += len(part) + 1
        text = " ".join(parts)[: _MAX_UNIT_LENGTH + 200]
        return Unit(kind, text, tuple(lines), tuple(starts), self._traceback, self._chain, frame)


def _starts_unit(text: str) -> bool:
    return bool(
        not text.strip(_CARETS)
        or _is_header(text)
        or _is_link(text)
        or pattern(_EXCEPTION).match(text)
        or ("Warning: " in text and pattern(_WARNING).match(text))
        or text.lstrip(" [").startswith(_LOG_LEVELS)
        or _find_frame(text)
    )


def _is_header(text: str) -> bool:
    return "most recent call " in text and pattern(_HEADER).search(text) is not None


def _is_link(text: str) -> bool:
    return "exception" in text and pattern(_LINK).match(text) is not None


def _find_frame(text: str) -> Frame | None:
    if ".py" not in text and "File " not in text:
        return None
    for anchor, regex in _FRAMES:
        match = pattern(regex).match(text) if anchor in text else None
        if match:
            groups = match.groupdict()
            function = pattern(_FUNCTION).match((groups.get("function") or "").strip())
            name = "" if function is None else "<module>" if function["module"] else function[0]
            return Frame(groups["path"], groups.get("line") or "", name)
    return None


def join_units(units: Sequence[Unit]) -> str:
    """Return the text of the units, of a long one its start and its end."""
    text = "\n".join(unit.text for unit in units)
    if len(text) <= _MAX_TEXT_LENGTH:
        return text
    return text[: _MAX_TEXT_LENGTH // 2] + "\n" + text[-_MAX_TEXT_LENGTH // 2 :]
