"""Repair text that was decoded with the wrong code page, where a known literal proves the repair."""

from collections.abc import Callable, Iterable

# The encodings in which text is written, and those with which it is decoded by mistake.
_RIGHT = ("utf-8", "gbk", "cp1252", "cp1251", "cp866", "cp850", "cp437", "big5", "cp932", "cp949", "cp1250")
_WRONG = ("cp1252", "latin-1", "gbk", "cp437", "cp850", "cp866", "cp1251", "big5", "cp932", "cp949", "utf-8")
_MAX_CHARACTERS = 1000


def repair(line: str, has_known_literal: Callable[[str], bool]) -> str:
    """Return the line as it was written, or unchanged if no other encoding yields a known literal."""
    if line.isascii() or len(line) > _MAX_CHARACTERS or has_known_literal(line):
        return line
    for encoding in _WRONG:
        data = _encode(line, encoding)
        if data is None:
            continue
        repaired = restore(data, (name for name in _RIGHT if name != encoding), has_known_literal)
        if repaired:
            return repaired
    return line


def restore(data: bytes, encodings: Iterable[str], has_known_literal: Callable[[str], bool]) -> str | None:
    """Return the text in the first encoding that yields a known literal, or None."""
    for encoding in encodings:
        text = data.decode(encoding, errors="replace")
        if has_known_literal(text):
            return text
    return None


def _encode(line: str, encoding: str) -> bytes | None:
    """Return the bytes of a line, or None if the encoding cannot express it.

    Windows decodes bytes that a code page leaves undefined as C1 controls; they are encoded as those bytes.
    """
    try:
        return line.encode(encoding)
    except UnicodeEncodeError:
        if encoding not in ("cp1252", "cp1251"):
            return None
    parts = []
    for char in line:
        try:
            parts.append(char.encode(encoding))
        except UnicodeEncodeError:
            if ord(char) > 0xFF:
                return None
            parts.append(bytes((ord(char),)))
    return b"".join(parts)
