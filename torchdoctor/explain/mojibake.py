"""Text that was decoded with the wrong code page, put right where a known literal proves it."""

from collections.abc import Callable, Iterable

# How consoles and programs garble: written in one of these ...
_WRITTEN = ("utf-8", "gbk", "cp1252", "cp1251", "cp866", "cp850", "cp437", "big5", "cp932", "cp949", "cp1250")
# ... and read as one of these.
_READ = ("cp1252", "latin-1", "gbk", "cp437", "cp850", "cp866", "cp1251", "big5", "cp932", "cp949", "utf-8")
_MAX_CHARACTERS = 1000


def repair(line: str, known: Callable[[str], bool]) -> str:
    """Give the line as it was meant, or as it is when no re-encoding yields a known literal."""
    if line.isascii() or len(line) > _MAX_CHARACTERS or known(line):
        return line
    for read in _READ:
        data = _encode(line, read)
        if data is None:
            continue
        restored = restore(data, (name for name in _WRITTEN if name != read), known)
        if restored:
            return restored
    return line


def restore(data: bytes, encodings: Iterable[str], known: Callable[[str], bool]) -> str | None:
    """Decode with the first encoding that yields a known literal."""
    for encoding in encodings:
        text = data.decode(encoding, errors="replace")
        if known(text):
            return text
    return None


def _encode(line: str, encoding: str) -> bytes | None:
    """Encode as Windows does: bytes without a character in the code page pass as C1 controls."""
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
