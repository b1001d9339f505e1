"""Logs of any size: the head, the tail and what stands round the lines that matter, in bounded memory."""

import codecs
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from torchdoctor.explain.clean import number_lines
from torchdoctor.explain.decode import decode, find_wide_encoding

# Texts up to this size are read whole.
WHOLE_BYTES = 1 << 20
_BLOCK_BYTES = 1 << 20
_HEAD_LINES, _TAIL_LINES = 300, 1500
_BEFORE_LINES, _AFTER_LINES = 25, 30
_MAX_WINDOW_BYTES = 2 << 20
_MAX_LINE_BYTES = 8000
# Different lines with a marker that get a window, and those kept for lines that can name a cause.
_MAX_SIGNATURES, _MAX_STRONG = 300, 600
# Words without which a line is not looked at; every message of an error has one.
_MARKERS = tuple(
    b"error|traceback|exception|exit|fatal|failed|not found|not compatible|too old|could not|cannot|can't"
    b"|couldn't|unable|not supported|0xc00".split(b"|")
)
_STRONG = tuple(
    b"error:|exception:|traceback|winerror|os error|error code|error #|fatal|exit code|0xc00".split(b"|")
)
_DIGITS = bytes.maketrans(b"0123456789", b"##########")


def read_lines(chunks: Iterable[bytes], known: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """Give the numbered lines of a stream that can matter."""
    stream = iter(chunks)
    head = bytearray()
    for chunk in stream:
        head += chunk
        if len(head) > WHOLE_BYTES:
            break
    else:
        yield from number_lines(decode(bytes(head), known))
        return
    for number, line in _select(_split_lines(_as_utf8(bytes(head), stream, known))):
        yield number, decode(line, known)


def _as_utf8(head: bytes, stream: Iterable[bytes], known: Callable[[str], bool]) -> Iterator[bytes]:
    """Give blocks in an encoding in which lines end with a newline byte."""
    wide = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    encoding = wide.get(head[:2]) or find_wide_encoding(head, known)
    if encoding is None:
        yield head
        yield from stream
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield decoder.decode(head).encode("utf-8", errors="replace")
    for chunk in stream:
        yield decoder.decode(chunk).encode("utf-8", errors="replace")


def _split_lines(blocks: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Give runs of whole lines with the number of the first; an endless line is cut."""
    number, rest = 1, b""
    for block in blocks:
        for start in range(0, len(block), _BLOCK_BYTES):
            lines = (rest + block[start : start + _BLOCK_BYTES]).split(b"\n")
            rest = lines.pop()[-_BLOCK_BYTES:]
            if lines:
                yield number, lines
                number += len(lines)
    if rest:
        yield number, [rest]


def _select(runs: Iterable[tuple[int, list[bytes]]]) -> Iterator[tuple[int, bytes]]:
    selector = _Selector()
    for number, lines in runs:
        yield from selector.take(number, lines)
    yield from selector.tail()


class _Selector:
    """Keeps the last lines seen, and how much it has given."""

    def __init__(self) -> None:
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=_TAIL_LINES)
        self._given = 0
        self._bytes = 0
        self._open_until = _HEAD_LINES
        self._signatures: set[bytes] = set()

    def take(self, number: int, lines: list[bytes]) -> Iterator[tuple[int, bytes]]:
        """Remember a run of lines and give those that stand in a window."""
        marked = _find_marked(lines, _MARKERS if len(self._signatures) < _MAX_SIGNATURES else _STRONG)
        for offset, line in enumerate(lines):
            at = number + offset
            if offset in marked and self._is_new(line):
                yield from self._give_before(at)
                self._open_until = at + _AFTER_LINES
            cut = line[:_MAX_LINE_BYTES]
            if at <= self._open_until and self._bytes < _MAX_WINDOW_BYTES:
                yield from self._give(at, cut)
            self._recent.append((at, cut))

    def tail(self) -> Iterator[tuple[int, bytes]]:
        """Give the end of the text."""
        for at, line in self._recent:
            if at > self._given:
                yield at, line

    def _is_new(self, line: bytes) -> bool:
        """The thousandth repetition of a message says nothing new."""
        if len(self._signatures) >= _MAX_SIGNATURES:
            lowered = line.lower()
            if len(self._signatures) >= _MAX_STRONG or not any(word in lowered for word in _STRONG):
                return False
        signature = line[:300].translate(_DIGITS)
        if signature in self._signatures:
            return False
        self._signatures.add(signature)
        return True

    def _give_before(self, at: int) -> Iterator[tuple[int, bytes]]:
        if self._bytes < _MAX_WINDOW_BYTES:
            for earlier, line in list(self._recent)[-_BEFORE_LINES:]:
                if earlier < at:
                    yield from self._give(earlier, line)

    def _give(self, at: int, line: bytes) -> Iterator[tuple[int, bytes]]:
        if at > self._given:
            self._given = at
            self._bytes += len(line)
            yield at, line


def _find_marked(lines: list[bytes], markers: Sequence[bytes]) -> set[int]:
    """Number the lines that hold a marker, with one fast search of the whole run for each marker."""
    joined = b"\n".join(lines).lower()
    present = [marker for marker in markers if marker in joined]
    if not present:
        return set()
    return {
        offset for offset, line in enumerate(joined.split(b"\n")) if any(marker in line for marker in present)
    }
