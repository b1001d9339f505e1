"""Cleaned lines to units: exceptions with their frames and causes, and loose lines."""

import enum
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torchdoctor.explain.clean import Line
from torchdoctor.explain.fold import squeeze
from torchdoctor.explain.patterns import pattern

# A message or paragraph longer than this is cut; what follows becomes a unit of its own.
MAX_UNIT = 4000
_MAX_MESSAGE_LINES = 60


class Kind(enum.Enum):
    """What a unit is."""

    EXCEPTION = "exception"
    FRAME = "frame"
    LOOSE = "loose"


class Frame(NamedTuple):
    """One frame of a traceback: where, and in which function."""

    path: str
    line: str
    function: str


class Unit(NamedTuple):
    """A stretch of text that is searched as one: white space folded, with the place of each line in it.

    `traceback` numbers the tracebacks of the text from 1 (0: none). `chain` groups those that Python
    linked as cause and consequence.
    """

    kind: Kind
    text: str
    lines: tuple[Line, ...]
    starts: tuple[int, ...]
    traceback: int = 0
    chain: int = 0
    frame: Frame | None = None

    def find_line(self, offset: int) -> Line:
        """Give the line in which a position of `text` lies."""
        found = self.lines[0]
        for start, line in zip(self.starts, self.lines, strict=True):
            if start > offset:
                break
            found = line
        return found


_HEADER = r"(?:Original )?Traceback \(most recent call last\)|Stack \(most recent call first\)"
_CHAINED = (
    r"\s*(?:During handling of the above exception, another exception occurred|"
    r"The above exception was the direct cause of the following exception)"
)
_PYTHON_FRAME = (
    r'\s*File "(?P<path>[^"\n]{1,1000})", line (?P<line>\d+)(?: in |, in )?(?P<function>[^\n]{0,200})'
)
_NOTEBOOK_FRAME = (
    r"\s*File (?P<path>[^\s\":](?:[^\"\n:]|:(?=[\\/])){0,500}):(?P<line>\d+)"
    r"(?:,? in (?P<function>[\w.<>]{1,200}))?"
)
_OLD_NOTEBOOK_FRAME = r"(?P<path>(?:[A-Za-z]:|~|/)[^\n\"<>|*?:]{1,500}\.py) in (?P<function>[\w.<>]{1,200})\("
_PYTEST_FRAME = (
    r"(?P<path>(?:[A-Za-z]:)?[^\s\":<>|*?][^\n\":<>|*?]{0,500}\.py):(?P<line>\d+):"
    r" in (?P<function>[\w<>]{1,200})"
)
_STACK_FRAME = r"\s+(?P<path>[^\s\":]{1,500}\.py) line (?P<line>\d+) in (?P<function>[\w.<>]{1,200})"
# Each with what a line must hold before the pattern is tried, or compiled at all.
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
_WARNED = r"\s*(?:[A-Za-z]:)?[^\n\":<>|*?]{1,500}\.py:\d+: \w{1,60}Warning: "
# What a line under a frame is made of when it only points at code.
_CARETS = " ^~\t"
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def split(lines: Sequence[Line]) -> tuple[Unit, ...]:
    """Split cleaned lines into units, in the order of the text."""
    return tuple(_Splitter(lines).units())


class _Splitter:
    """Walks over the lines once and remembers which traceback it is in."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._at = 0
        self._traceback = 0
        self._chain = 0
        self._linked = False
        self._open = False

    def units(self) -> Iterator[Unit]:
        while self._at < len(self._lines):
            unit = self._next()
            if unit is not None:
                yield unit

    def _next(self) -> Unit | None:
        line = self._lines[self._at]
        text = line.text
        if not text.strip(_CARETS):
            self._at += 1
            return None
        if _is_link(text):
            self._at += 1
            self._linked = True
            return None
        if _is_header(text):
            return self._begin_traceback(line)
        frame = _find_frame(text)
        if frame:
            return self._take_frame(frame)
        if pattern(_EXCEPTION).match(text):
            return self._take_message(Kind.EXCEPTION)
        if self._open and text.startswith("  ") and text.lstrip()[:1].isdigit():
            self._at += 1
            return None
        return self._take_message(Kind.LOOSE)

    def _begin_traceback(self, line: Line) -> Unit | None:
        """A worker's `Original Traceback` is the cause of the exception that quotes it."""
        quoted = "Original" in line.text or not line.text.startswith(("Traceback", "Stack"))
        self._traceback += 1
        if not (self._linked or quoted):
            self._chain += 1
        self._linked, self._open = False, True
        self._at += 1
        rest = " ".join(pattern(_HEADER).sub(" ", line.text).split()).strip(": ")
        if not rest:
            return None
        return self._make(Kind.LOOSE, [Line(line.number, rest)])

    def _take_frame(self, frame: Frame) -> Unit:
        taken = [self._lines[self._at]]
        self._at += 1
        self._open = True
        if self._at < len(self._lines):
            following = self._lines[self._at]
            if following.text[:1].isspace() and not _starts_unit(following.text):
                taken.append(following)
                self._at += 1
        return self._make(Kind.FRAME, taken, frame)

    def _take_message(self, kind: Kind) -> Unit:
        taken = [self._lines[self._at]]
        size = len(taken[0].text)
        self._at += 1
        while self._at < len(self._lines) and len(taken) < _MAX_MESSAGE_LINES:
            line = self._lines[self._at]
            if size + len(line.text) > MAX_UNIT or not self._continues(kind, line.text):
                break
            size += len(line.text) + 1
            taken.append(line)
            self._at += 1
        if kind is Kind.EXCEPTION:
            self._open = False
        return self._make(kind, taken)

    def _continues(self, kind: Kind, text: str) -> bool:
        if not text:
            return kind is Kind.EXCEPTION and self._indented_after(self._at)
        return not _starts_unit(text)

    def _indented_after(self, at: int) -> bool:
        """A blank line inside a message is followed by an indented one."""
        for line in self._lines[at : at + 3]:
            if line.text:
                return line.text.startswith("    ") and not _starts_unit(line.text)
        return False

    def _make(self, kind: Kind, lines: Sequence[Line], frame: Frame | None = None) -> Unit:
        parts, starts, length = [], [], 0
        for line in lines:
            part = squeeze(line.text)
            parts.append(part)
            starts.append(length)
            length += len(part) + 1
        text = " ".join(parts)[: MAX_UNIT + 200]
        return Unit(kind, text, tuple(lines), tuple(starts), self._traceback, self._chain, frame)


def _starts_unit(text: str) -> bool:
    return bool(
        not text.strip(_CARETS)
        or _is_header(text)
        or _is_link(text)
        or pattern(_EXCEPTION).match(text)
        or ("Warning: " in text and pattern(_WARNED).match(text))
        or text.lstrip(" [").startswith(_LEVELS)
        or _find_frame(text)
    )


def _is_header(text: str) -> bool:
    return "most recent call " in text and pattern(_HEADER).search(text) is not None


def _is_link(text: str) -> bool:
    return "exception" in text and pattern(_CHAINED).match(text) is not None


def _find_frame(text: str) -> Frame | None:
    if ".py" not in text and "File " not in text:
        return None
    for word, form in _FRAMES:
        match = pattern(form).match(text) if word in text else None
        if match:
            found = match.groupdict()
            return Frame(found["path"], found.get("line") or "", (found.get("function") or "").strip())
    return None
