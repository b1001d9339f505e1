"""Decode bytes of unknown encoding, as consoles, PowerShell and editors write them."""

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence

from torchdoctor.explain.text.mojibake import restore

# Code pages of Windows consoles and editors, tried for lines that are not UTF-8.
_CODE_PAGES = ("gbk", "cp1252", "cp850", "cp437", "cp866", "cp1251", "big5", "cp932", "cp949", "cp1250")
_MAX_LINE_BYTES = 8000


def decode(data: bytes, has_known_literal: Callable[[str], bool], code_page: str = "") -> str:
    """Decode any bytes; `has_known_literal` tests whether a text holds a literal of some entry.

    `code_page` is the encoding of programs on this machine, "" if it is not known.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    wide_encoding = find_wide_encoding(data, has_known_literal)
    if wide_encoding:
        return data.decode(wide_encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(_decode_lines(data.split(b"\n"), has_known_literal, code_page))


def find_wide_encoding(data: bytes, has_known_literal: Callable[[str], bool]) -> str | None:
    """Return the encoding of UTF-16 without a byte order mark, or None for other bytes.

    In UTF-16, every other byte of mostly ASCII text is zero.
    """
    sample = data[:4096]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        if has_known_literal(sample.decode(encoding, errors="replace")):
            return encoding
    half = len(sample) // 2
    if sample[1::2].count(0) > half * 0.6:
        return "utf-16-le"
    if sample[0::2].count(0) > half * 0.6:
        return "utf-16-be"
    return None


def _decode_lines(
    lines: Sequence[bytes], has_known_literal: Callable[[str], bool], code_page: str
) -> Iterator[str]:
    """Decode lines, each of which may have another encoding; equal lines are looked at once."""
    decoded: dict[bytes, str] = {}
    unknown: list[bytes] = []
    for line in dict.fromkeys(lines):
        try:
            decoded[line] = line.decode("utf-8")
        except UnicodeDecodeError:
            unknown.append(line)
    restored = dict(
        _restore_lines([line[:_MAX_LINE_BYTES] for line in unknown], has_known_literal, _CODE_PAGES)
    )
    for line in unknown:
        cut = line[:_MAX_LINE_BYTES]
        if cut not in restored:
            restored[cut] = cut.decode(_guess_code_page(cut, code_page), errors="replace")
        decoded[line] = restored[cut]
    return (decoded[line] for line in lines)


def _restore_lines(
    lines: Sequence[bytes], has_known_literal: Callable[[str], bool], encodings: Iterable[str]
) -> Iterator[tuple[bytes, str]]:
    """Yield each line in which an encoding yields a known literal, and its text.

    Most lines have none, so all of them are tried together, and halves only where one has.
    """
    block = b"\n".join(lines)
    encodings = [name for name in encodings if has_known_literal(block.decode(name, errors="replace"))]
    if not encodings:
        return
    if len(lines) == 1:
        text = restore(block, encodings, has_known_literal)
        if text is not None:
            yield block, text
        return
    middle = len(lines) // 2
    yield from _restore_lines(lines[:middle], has_known_literal, encodings)
    yield from _restore_lines(lines[middle:], has_known_literal, encodings)


def _guess_code_page(line: bytes, code_page: str) -> str:
    """Return the machine's code page if the line can be in it, else gbk or cp1252.

    In Chinese, Japanese and Korean code pages, high bytes come in pairs, in the others they are single, and
    mostly letters.
    """
    high_count = sum(byte >= 0x80 for byte in line)
    pair_count = sum(line[i] >= 0x80 and line[i + 1] >= 0x80 for i in range(len(line) - 1))
    has_pairs = pair_count * 2 > high_count
    if code_page:
        try:
            decoded = line.decode(code_page)
        except (UnicodeDecodeError, LookupError):
            # Python does not know every code page of Windows.
            decoded = ""
        is_of_pairs = len(decoded) < len(line)
        if decoded and (has_pairs if is_of_pairs else _has_only_letters(decoded)):
            return code_page
    return "gbk" if has_pairs else "cp1252"


def _has_only_letters(text: str) -> bool:
    """Return whether all characters beyond ASCII are letters, or punctuation of a text."""
    return all(each.isascii() or each.isalpha() or each in "«»„“”‘’–—…№°\xa0" for each in text)
