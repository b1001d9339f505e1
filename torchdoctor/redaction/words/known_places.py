"""Which word follows which in messages, and which names, folders and files programs have: a table of hashes.

`.ci/known_places.py` writes known_places.bin. It has no word itself, and one of a thousand million that are
not in it seems to be.
"""

import sys
from array import array
from binascii import crc32, crc_hqx
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache

from torchdoctor.core.bundled import read_bundled

# The kinds of places: a word behind another one, a name in code, what is imported, a name in another one,
# the name of a package, a folder, the name of a file, a part of the path of an address, the owner in one, and
# a value.
FOLLOWS, NAME, IMPORTED, MEMBER, PACKAGE, FOLDER, FILE, PART, OWNER, VALUE = (
    "w",
    "n",
    "i",
    "m",
    "p",
    "f",
    "b",
    "u",
    "o",
    "v",
)

_BITS_OF_END, _MASK_OF_END = 16, 0xFFFF
_BYTES, _BYTES_OF_START = 6, 4


def is_known_place(kind: str, *words: str) -> bool:
    """Return whether a word is known in a place; all are in small letters."""
    starts, ends = _read_table()
    number = hash_place(kind, *words)
    start, end = number >> _BITS_OF_END, number & _MASK_OF_END
    index = bisect_left(starts, start)
    while index < len(starts) and starts[index] == start:
        if ends[index] == end:
            return True
        index += 1
    return False


def hash_place(kind: str, *words: str) -> int:
    """Return the number of 48 bits for a word in a place."""
    place = "\0".join((kind, *words)).encode("utf-8", errors="replace")
    return crc32(place) << _BITS_OF_END | crc_hqx(place, 0)


def write_table(numbers: Iterable[int]) -> bytes:
    """Return the table of numbers: in order, the first 32 bits of each, then the last 16 of each."""
    ordered = sorted(numbers)
    starts = array("I", (number >> _BITS_OF_END for number in ordered))
    ends = array("H", (number & _MASK_OF_END for number in ordered))
    return b"".join(_order_bytes(part).tobytes() for part in (starts, ends))


@cache
def _read_table() -> tuple["array[int]", "array[int]"]:
    content = read_bundled("torchdoctor.redaction.words", "known_places.bin")
    middle = len(content) // _BYTES * _BYTES_OF_START
    starts, ends = array("I", content[:middle]), array("H", content[middle:])
    return _order_bytes(starts), _order_bytes(ends)


def _order_bytes(part: "array[int]") -> "array[int]":
    """Return an array whose numbers have their lowest byte first in the file."""
    if sys.byteorder == "big":
        part.byteswap()
    return part
