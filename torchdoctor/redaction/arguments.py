"""Separate arguments of a command that anybody may see from those that can be a secret, by their form."""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.secrets.random_words import count_changes
from torchdoctor.redaction.words.odd_words import is_file_name, leave_out_odd_words
from torchdoctor.redaction.words.vocabulary import has_known_words

# Behind a single dash and a letter, the value can follow at once: -pPASSWORD.
_OPTION = re.compile(r"--[A-Za-z][\w.-]{0,60}|-[A-Za-z]{1,5}|/[A-Za-z]{1,20}")
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?(?:e[+-]?\d{1,3})?|[\d.,:x-]{1,20}|True|False|None")
# Too short for a password.
_SHORT = re.compile(r"[A-Za-z]{1,6}")
_PATH = re.compile(
    r"(?!.*://)[\w .:~()+-]*[\\/][\w .:\\/~()+-]*"
    r"|[\w.-]{1,80}\.[a-z]\w{0,11}"
)
_PIECE = re.compile(r"[A-Za-z0-9]+")
# A name of a file has few neighbours of different kinds: UpperLower, v2.
_MOST_CHANGES = 4
# A list of arguments as Python shows it, or a part of one: its items, and what separates them.
_LIST = re.compile(
    r"\bCommand [\"']\[[\"']"
    r"|[\"'],[ ]?[\"']--?[A-Za-z]|[\"']--?[A-Za-z][\w-]{0,60}(?:=[^\"'\n]{0,400})?[\"'][,\]]"
)
# What is hidden already, with the path that follows.
HIDDEN = re.compile(r"<secret>|<(?!secret)[a-z-]{2,20}>(?:[\\/][^\s\"']*)?")
_SEPARATOR = re.compile(r"([\"'],[ ]?[\"']|\[[\"']|[\"']\])")


def is_public_argument(word: str) -> bool:
    """Return whether an argument is an option, a number, a common word, or a path of plain words."""
    option, joint, value = word.partition("=")
    if _OPTION.fullmatch(option):
        return not joint or is_public_argument(value)
    if _NUMBER.fullmatch(word) or _SHORT.fullmatch(word) or word.lower() in read_own_words():
        return True
    if _PATH.fullmatch(word) is None or leave_out_odd_words(word) != word:
        return False
    if not ("/" in word or "\\" in word or is_file_name(word) or has_known_words(word)):
        return False
    return all(count_changes(piece) <= _MOST_CHANGES for piece in _PIECE.findall(word))


def leave_out_private_arguments(text: str) -> str:
    """Replace the items of a list of arguments that are not public by three dots; the list may be cut off."""
    if not _LIST.search(text):
        return text
    parts = _SEPARATOR.split(text)
    last = len(parts) - 1
    return "".join(
        part if index % 2 or _is_outside(parts, index, last) else _show(part)
        for index, part in enumerate(parts)
    )


def _is_outside(parts: list[str], index: int, last: int) -> bool:
    """Return whether a part stands before the list or behind it."""
    is_before = index == 0 and index < last and parts[1].startswith("[")
    is_behind = index == last and index > 0 and parts[index - 1].endswith("]")
    return is_before or is_behind


def _show(argument: str) -> str:
    bare = argument.strip("\"'").replace("\\\\", "\\")
    if HIDDEN.fullmatch(argument) or is_public_argument(bare):
        return argument
    option, joint, _ = argument.partition("=")
    return f"{option}={LEFT_OUT}" if joint and _OPTION.fullmatch(option) else LEFT_OUT
