"""Read logs of any size in bounded memory: the head, the tail and the lines near errors."""

import codecs
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from torchdoctor.explain.text.clean import drop_middle, number_lines
from torchdoctor.explain.text.decode import decode, find_wide_encoding

# Texts up to this size are read whole.
_WHOLE_BYTES = 1 << 20
_BLOCK_BYTES = 1 << 20
_HEAD_LINES, _TAIL_LINES = 300, 1500
_BEFORE_LINES, _AFTER_LINES = 25, 30
_MAX_WINDOW_BYTES = 2 << 20
_MAX_LINE_BYTES = 8000
# How many different lines open a window: first all that hold a marker, then only those with a strong one.
_MAX_SIGNATURES, _MAX_STRONG_SIGNATURES = 300, 600
# Only lines that hold one of these open a window; every error message holds one.
_MARKERS = tuple(
    b"error|traceback|exception|exit|fatal|failed|not found|not compatible|too old|could not|cannot|can't"
    b"|couldn't|unable|not supported|0xc00".split(b"|")
)
_STRONG_MARKERS = tuple(
    b"error:|exception:|traceback|winerror|os error|error code|error #|fatal|exit code|0xc00".split(b"|")
)
_DIGITS_TO_HASHES = bytes.maketrans(b"0123456789", b"##########")


def read_lines(
    chunks: Iterable[bytes], has_known_literal: Callable[[str], bool], code_page: str = ""
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a stream that may matter, each with its number from 1."""
    stream = iter(chunks)
    head = bytearray()
    for chunk in stream:
        head += chunk
        if len(head) > _WHOLE_BYTES:
            break
    else:
        yield from number_lines(decode(bytes(head), has_known_literal, code_page))
        return
    blocks = _recode_utf_16(bytes(head), stream, has_known_literal)
    for number, line in _select_lines(_split_lines(blocks)):
        yield number, decode(line, has_known_literal, code_page)


def _recode_utf_16(
    head: bytes, stream: Iterable[bytes], has_known_literal: Callable[[str], bool]
) -> Iterator[bytes]:
    """Yield UTF-16 as UTF-8, and other bytes unchanged, so that a newline byte ends each line."""
    encodings = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    encoding = encodings.get(head[:2]) or find_wide_encoding(head, has_known_literal)
    if encoding is None:
        yield head
        yield from stream
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield decoder.decode(head).encode("utf-8", errors="replace")
    for chunk in stream:
        yield decoder.decode(chunk).encode("utf-8", errors="replace")


def _split_lines(blocks: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield runs of whole lines with the number of the first; a line without an end loses its middle."""
    number, rest = 1, b""
    for block in blocks:
        for start in range(0, len(block), _BLOCK_BYTES):
            lines = (rest + block[start : start + _BLOCK_BYTES]).split(b"\n")
            rest = drop_middle(lines.pop(), _BLOCK_BYTES, b"\r")
            if lines:
                yield number, lines
                number += len(lines)
    if rest:
        yield number, [rest]


def _select_lines(runs: Iterable[tuple[int, list[bytes]]]) -> Iterator[tuple[int, bytes]]:
    selector = _Selector()
    for number, lines in runs:
        yield from selector.select(number, lines)
    yield from selector.select_tail()


class _Selector:
    """A single pass over the lines, which selects those in a window and keeps the last ones."""

    def __init__(self) -> None:
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=_TAIL_LINES)
        self._last_yielded = 0
        self._yielded_bytes = 0
        self._window_end = _HEAD_LINES
        self._signatures: set[bytes] = set()

    def select(self, first_number: int, lines: list[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a run that are in a window; `first_number` is the number of the first line."""
        markers = _MARKERS if len(self._signatures) < _MAX_SIGNATURES else _STRONG_MARKERS
        marked = _find_marked(lines, markers)
        for index, line in enumerate(lines):
            number = first_number + index
            if index in marked and self._add_signature(line):
                yield from self._select_before(number)
                self._window_end = number + _AFTER_LINES
            cut_line = drop_middle(line, _MAX_LINE_BYTES, b"\r")
            if number <= self._window_end and self._yielded_bytes < _MAX_WINDOW_BYTES:
                yield from self._yield_once(number, cut_line)
            self._recent.append((number, cut_line))

    def select_tail(self) -> Iterator[tuple[int, bytes]]:
        """Yield the last lines of the text, except those already yielded."""
        for number, line in self._recent:
            if number > self._last_yielded:
                yield number, line

    def _add_signature(self, line: bytes) -> bool:
        """Remember a marked line, and return whether it opens a window.

        A line that differs from an earlier one only in digits opens none.
        """
        if len(self._signatures) >= _MAX_STRONG_SIGNATURES:
            return False
        if len(self._signatures) >= _MAX_SIGNATURES and not _is_strong(line):
            return False
        signature = line[:300].translate(_DIGITS_TO_HASHES)
        if signature in self._signatures:
            return False
        self._signatures.add(signature)
        return True

    def _select_before(self, number: int) -> Iterator[tuple[int, bytes]]:
        if self._yielded_bytes < _MAX_WINDOW_BYTES:
            for earlier, line in list(self._recent)[-_BEFORE_LINES:]:
                if earlier < number:
                    yield from self._yield_once(earlier, line)

    def _yield_once(self, number: int, line: bytes) -> Iterator[tuple[int, bytes]]:
        if number > self._last_yielded:
            self._last_yielded = number
            self._yielded_bytes += len(line)
            yield number, line


def _is_strong(line: bytes) -> bool:
    lowered = line.lower()
    return any(marker in lowered for marker in _STRONG_MARKERS)


def _find_marked(lines: list[bytes], markers: Sequence[bytes]) -> set[int]:
    """Return the indexes of the lines that hold a marker."""
    joined = b"\n".join(lines).lower()
    # One fast search of the whole run for each marker rules out most of them.
    present = [marker for marker in markers if marker in joined]
    if not present:
        return set()
    return {
        index for index, line in enumerate(joined.split(b"\n")) if any(marker in line for marker in present)
    }
