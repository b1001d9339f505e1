"""Which word follows which in messages, and which names, folders and files programs have: a table of hashes.

`.ci/known_places.py` writes known_places.bin. It has no word itself, and one of a million that are not in it
seems to be.
"""

import sys
from array import array
from binascii import crc32
from bisect import bisect_left
from functools import cache

from torchdoctor.core.bundled import read_bundled

# The kinds of places: a word behind another one, a name in code, what is imported, a name in another one,
# the name of a package, a folder, the name of a file, a part of the path of an address, and a value.
FOLLOWS, NAME, IMPORTED, MEMBER, PACKAGE, FOLDER, FILE, PART, VALUE = (
    "w",
    "n",
    "i",
    "m",
    "p",
    "f",
    "b",
    "u",
    "v",
)


def is_known_place(kind: str, *words: str) -> bool:
    """Return whether a word is known in a place; all are in small letters."""
    table = _read_table()
    number = hash_place(kind, *words)
    index = bisect_left(table, number)
    return index < len(table) and table[index] == number


def hash_place(kind: str, *words: str) -> int:
    """Return the number of 32 bits for a word in a place."""
    return crc32("\0".join((kind, *words)).encode("utf-8", errors="replace"))


@cache
def _read_table() -> "array[int]":
    """Read the numbers, in order; each has four bytes, the lowest first."""
    table = array("I", read_bundled("torchdoctor.domain", "known_places.bin"))
    if sys.byteorder == "big":
        table.byteswap()
    return table
