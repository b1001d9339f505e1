"""Lay out text by the columns that it takes on a terminal: two for a Chinese character, none for an accent.

rich measures text as well; it takes longer to import than a short command takes to run.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator

# A line does not begin with these.
_CLOSING = frozenset("、。，．・：；？！）］｝〉》」』】〕ー…々ぁぃぅぇぉっゃゅょァィゥェォッャュョ")
_OPENING = frozenset("（［｛〈《「『【〔")
_SPACE = re.compile(r"\s+")
# Of a path, no part is copied alone.
_PATH = re.compile(r"[\\/]")
_VARIATION_SELECTOR_EMOJI = "\ufe0f"


def count_columns(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    # An emoji that consists of several is counted as if each was shown: some terminals do that.
    return sum(map(_count_character, unicodedata.normalize("NFC", text)))


@functools.cache
def _count_character(character: str) -> int:
    if character == _VARIATION_SELECTOR_EMOJI:
        # It makes a symbol of one column an emoji of two.
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """Return the text with spaces after it, up to a number of columns."""
    return text + " " * (columns - count_columns(text))


def cut_middle(text: str, columns: int) -> str:
    """Return the text, without its middle if it takes more columns."""
    if count_columns(text) <= columns:
        return text
    head = _cut(text, columns // 2)
    tail = _cut(text[::-1], columns // 2 - 5)[::-1]
    return f"{head} ... {tail}"


def _cut(text: str, columns: int) -> str:
    """Return the longest start of a text that takes at most a number of columns."""
    if text.isascii():
        return text[:columns]
    end = 0
    for character in text:
        columns -= _count_character(character)
        if columns < 0:
            break
        end += 1
    return text[:end]


def wrap_columns(
    text: str, width: int, first: str = "", indent: str = "", *, cuts: bool = False
) -> list[str]:
    """Return the lines of a text, of at most `width` columns.

    Lines end at white space and between the characters of Chinese and Japanese; a longer word stays whole
    unless `cuts` is true.
    """
    lines: list[str] = []
    line, used, is_empty = first, count_columns(first), True
    for space, piece in _split(text, width - count_columns(indent) if cuts else None):
        needed = count_columns(piece)
        if not is_empty and used + len(space) + needed > width:
            lines.append(line)
            line, used, is_empty = indent, count_columns(indent), True
        if is_empty:
            space = ""
        line, used, is_empty = f"{line}{space}{piece}", used + len(space) + needed, False
    return lines if is_empty else [*lines, line]


def _split(text: str, room: int | None) -> Iterator[tuple[str, str]]:
    """Yield what a line may end after, with the white space before it; what is wider than `room` is cut."""
    space = ""
    for word in filter(None, re.split(f"({_SPACE.pattern})", text)):
        if word.isspace():
            space = word
            continue
        for piece in _split_word(word):
            is_cut = room is not None and count_columns(piece) > room
            for part in piece if is_cut else (piece,):
                yield space, part
                space = ""


def _split_word(word: str) -> list[str]:
    """Return the characters of two columns one by one, with the marks that belong to them."""
    if word.isascii() or _PATH.search(word):
        return [word]
    pieces: list[str] = []
    for character in word:
        is_bound = bool(pieces) and (
            character in _CLOSING
            or pieces[-1][-1] in _OPENING
            or _count_character(character) == 0
            or not (_is_ideograph(character) or _is_ideograph(pieces[-1][-1]))
        )
        if is_bound:
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _is_ideograph(character: str) -> bool:
    """Return whether a line may end beside a character; Korean puts spaces between words."""
    return unicodedata.east_asian_width(character) in "WF" and not "\uac00" <= character <= "\ud7a3"
