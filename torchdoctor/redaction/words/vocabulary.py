"""The words that messages are made of, and the names in code: those of the entries and of several samples.

`.ci/known_words.py` and `.ci/known_names.py` write the lists. A name of a person, a computer or a project is
mostly none of them. No script writes known_packages.txt: it has the names of the packages that were
downloaded most from PyPI in November 2026, some more for torch, and Python's modules. A new name is added by
hand, in order.
"""

import re
from functools import cache

from torchdoctor.core.bundled import read_bundled
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.secrets.random_words import looks_generated

# Letters of writings that have no blanks between words; of these, pairs of letters are known.
EAST_ASIAN = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[^\W\d_{EAST_ASIAN}]{{2,400}}")
# Signs that stand around a word, and are none of it.
AROUND = ".!?*+~#&^-_/\\$%@"
_RUN = re.compile(rf"[{EAST_ASIAN}]{{1,400}}")
# A name of a person in Chinese, Japanese or Korean has fewer.
_FEW_PAIRS = 4
# Letters and digits in one, as of a password; and those that are names: cp310, cu121, fp16, RTX4090, 8GB.
_MIXTURE = re.compile(r"(?=[0-9]*[A-Za-z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{2,400}")
_NAMED_NUMBER = re.compile(
    r"(?:sm|cp|cu|cuda|py|python|torch|fp|bf|nf|int|uint|float|bfloat|complex|win|windows|wsl|amd|x|gfx|rtx|gtx|gt|rx|mx"
    r"|hd|rocm|conv|linear|layer|block|rank|conda|vc|vs|msvc|lnk|msb|errno|winerror|pt|e|r|v|rc|post|dev|lib|gpu|cpu"
    r"|exp|home|ec|im|yolo|yolov)\d{1,4}[a-z]{0,3}|\d{1,5}[a-z]{1,3}|\d{1,4}(?:bit|(?:ti)?super)"
    r"|0x[0-9a-f]{1,16}|\d{1,5}x\d{1,5}|\d{1,2}(?:a|b|rc|dev|post)\d{1,8}|h[0-9a-f]{7,8}|0000[0-9a-f]{12}|\d{1,2}t\d{1,2}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d{1,2}|[a-z]\d{1,4}[a-z]{0,3}",
    re.IGNORECASE,
)
# The name of a computer or an account; those of cards and systems look alike.
_NUMBERED = re.compile(r"(?i)(?!(?:rtx|gtx|gt|rx|mx|hd|win|py|cp|cu|cuda|torch|hresult)\d)[a-z]{1,4}\d{4,9}")


def has_known_words(text: str) -> bool:
    """Return whether a text has words of messages and numbers alone."""
    return not looks_generated(text) and is_written(text)


def is_written(text: str) -> bool:
    """Return whether all words of a text are words of messages, whatever else it has."""
    if _NUMBERED.fullmatch(text):
        return False
    if not all(map(is_known_mixture, _MIXTURE.findall(text))):
        return False
    known = read_known_words()
    own = read_own_words()
    if not all(word.casefold() in known or word.casefold() in own for word in WORD.findall(text)):
        return False
    return all(_is_sentence([pair in known for pair in list_pairs(run)]) for run in _RUN.findall(text))


def list_pairs(run: str) -> list[str]:
    """Return the pairs of neighbours in a run of letters."""
    return [run[start : start + 2] for start in range(len(run) - 1)]


def _is_sentence(are_known: list[bool]) -> bool:
    """Return whether so many pairs of a run are known as in a sentence: all of a few, half of many."""
    return all(are_known) if len(are_known) < _FEW_PAIRS else 2 * sum(are_known) >= len(are_known)


def is_known_mixture(word: str) -> bool:
    """Return whether letters with digits are a name of something that many have."""
    return is_known_name(word) or _NAMED_NUMBER.fullmatch(word) is not None


def is_known_name(name: str) -> bool:
    """Return whether a name is one in code, or that of a package."""
    folded = name.lower()
    return folded in read_known_names() or folded in read_known_packages()


@cache
def read_known_names() -> frozenset[str]:
    """Read the names in code; known_names.txt has one in each line, in small letters."""
    return _read_words("known_names.txt")


@cache
def read_known_packages() -> frozenset[str]:
    """Read the names of packages and of Python's modules, in small letters and with hyphens."""
    return _read_words("known_packages.txt")


@cache
def read_known_words() -> frozenset[str]:
    """Read the words, the pairs of letters, and the hosts that entries name; all in small letters."""
    return _read_words("known_words.txt")


def _read_words(file: str) -> frozenset[str]:
    return frozenset(read_bundled("torchdoctor.redaction.words", file).decode("utf-8").split())
