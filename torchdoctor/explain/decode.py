"""Bytes of an unknown encoding to text: what consoles, PowerShell and editors write."""

import codecs
from collections.abc import Callable

from torchdoctor.explain.mojibake import restore

# Code pages of Windows consoles and editors, tried for lines that are not UTF-8.
CODE_PAGES = ("gbk", "cp1252", "cp850", "cp437", "cp866", "cp1251", "big5", "cp932", "cp949", "cp1250")

Known = Callable[[str], bool]


def decode(data: bytes, known: Known) -> str:
    """Give the text of any bytes; `known` says whether a decoded line holds a known literal."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    wide = find_wide_encoding(data, known)
    if wide:
        return data.decode(wide, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(_decode_line(line, known) for line in data.split(b"\n"))


def find_wide_encoding(data: bytes, known: Known) -> str | None:
    """Name the byte order of UTF-16 without a mark: every other byte of mostly ASCII text is zero."""
    sample = data[:4096]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        if known(sample.decode(encoding, errors="replace")):
            return encoding
    half = len(sample) // 2
    if sample[1::2].count(0) > half * 0.6:
        return "utf-16-le"
    if sample[0::2].count(0) > half * 0.6:
        return "utf-16-be"
    return None


def _decode_line(line: bytes, known: Known) -> str:
    if line.isascii():
        return line.decode("ascii")
    line = line[:8000]
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        pass
    fallback = line.decode(_guess_code_page(line), errors="replace")
    return restore(line, CODE_PAGES, known) or fallback


def _guess_code_page(line: bytes) -> str:
    """Pairs of high bytes are Chinese, single ones between letters are Western."""
    high = sum(byte >= 0x80 for byte in line)
    paired = sum(line[i] >= 0x80 and line[i + 1] >= 0x80 for i in range(len(line) - 1))
    return "gbk" if paired * 2 > high else "cp1252"
