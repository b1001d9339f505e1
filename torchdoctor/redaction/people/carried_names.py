"""Hide a user, a host or a secret wherever it stands, once one place has given it away.

A path names the user, and the next line has the name alone; a setting names a token, and an error repeats it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from torchdoctor.core.record import record
from torchdoctor.domain.masks import MASKED
from torchdoctor.redaction.people.hosts import is_distinctive

# Only what the first three stand for is looked up elsewhere; the dots stand for anything.
_MASK = re.compile(rf"<(secret|user|host)>|<(?:{MASKED})>|\.{{3}}|\u2026")
# A project of somebody on a public page is no person of this text.
_NOT_ON_A_PAGE = r"(?<!github\.com/)(?<!huggingface\.co/)(?<!gitlab\.com/)"
# No name or secret is longer.
_LONGEST = 200
# None is shorter, and so many characters of each are looked up at once.
_SHORTEST = 6
_SECRET = re.compile(r"[^\s\"'<>|]{8,200}")
# Where a word can begin: behind no letter or digit, and on no public page.
_WORD_START = re.compile(rf"(?<![^\W_]){_NOT_ON_A_PAGE}[^\s\"'<>|]")
# A word and a number, such as python310, may be what the text is about.
_WORD_AND_NUMBER = re.compile(r"[a-z]*[\d.]*|[\d.]*[a-z]*", re.IGNORECASE)
_USER = re.compile(r"[^\W_][\w.-]{3,39}|[^\W\d_a-z][\w.'-]{1,30}(?:[ ][^\W\d_a-z][\w.'-]{1,30}){1,3}")
_HOST = re.compile(r"[^\W_][\w.-]{4,62}")
# A name of a few letters can be a word of a sentence, such as Will or Mark.
_SHORT_NAME = re.compile(r"[^\W\d_]{1,5}")
# What many users and computers are called, and what else is called so.
_COMMON = frozenset((
    "acer", "admin", "administrator", "alienware", "asus", "boss", "computer", "dell", "desktop",
    "family", "fujitsu", "gamer", "gaming", "gigabyte", "guest", "huawei", "intel", "laptop", "lenovo",
    "localhost", "master", "microsoft", "office", "owner", "personal", "razer", "samsung", "student",
    "teacher", "toshiba", "username", "workstation", "xiaomi",
))  # fmt: skip


@record
class Carried:
    """What places of a value have given away: names in lower case, secrets as they are."""

    secrets: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()

    def hide(self, text: str) -> str:
        """Replace each of them by its mask where it stands as a word of its own."""
        if self.secrets:
            text = _hide_secrets(text, self.secrets)
        lowered = text.lower()
        if not any(name in lowered for name in (*self.users, *self.hosts)):
            return text
        return _compile(self.users, self.hosts).sub(lambda match: f"<{match.lastgroup}>", text)


def learn(pairs: Iterable[tuple[str, str]]) -> Carried:
    """Return what was hidden in texts, given before and after, as far as it can mean nothing else."""
    found: dict[str, set[str]] = {"secret": set(), "user": set(), "host": set()}
    for text, hidden in pairs:
        for mask, value in _find_replaced(text, hidden):
            if _means_nothing_else(mask, value):
                found[mask].add(value if mask == "secret" else value.lower())
    return Carried(frozenset(found["secret"]), frozenset(found["user"]), frozenset(found["host"]))


@lru_cache(maxsize=8)
def _index(secrets: frozenset[str]) -> dict[str, tuple[int, ...]]:
    """Return how long the secrets are that begin alike, the longest first; a text may have very many."""
    lengths: dict[str, set[int]] = {}
    for secret in secrets:
        lengths.setdefault(secret[:_SHORTEST], set()).add(len(secret))
    return {start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()}


def _hide_secrets(text: str, secrets: frozenset[str]) -> str:
    index = _index(secrets)
    parts = []
    end = 0
    for match in _WORD_START.finditer(text):
        start = match.start()
        lengths = index.get(text[start : start + _SHORTEST], ()) if start >= end else ()
        for length in lengths:
            stop = start + length
            if text[start:stop] in secrets and not text[stop : stop + 1].isalnum():
                parts += [text[end:start], "<secret>"]
                end = stop
                break
    return "".join([*parts, text[end:]])


@lru_cache(maxsize=8)
def _compile(users: frozenset[str], hosts: frozenset[str]) -> re.Pattern[str]:
    parts = [
        f"(?P<{mask}>(?i:{_join(names)}))" for mask, names in (("user", users), ("host", hosts)) if names
    ]
    return re.compile(rf"(?<![^\W_]){_NOT_ON_A_PAGE}(?:{'|'.join(parts)})(?![^\W_])")


def _join(names: frozenset[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))


def _find_replaced(text: str, hidden: str) -> Iterator[tuple[str, str]]:
    """Yield each mask and what stood in its place, in lines whose remainder stands in both."""
    if text == hidden:
        return
    for line, shown in zip(text.splitlines(), hidden.splitlines(), strict=False):
        if line != shown:
            yield from _find_in_line(line, shown)


def _find_in_line(line: str, shown: str) -> Iterator[tuple[str, str]]:
    first, *rest = _MASK.split(shown)
    if not line.startswith(first):
        return
    at = len(first)
    for number in range(0, len(rest), 2):
        mask, literal = rest[number], rest[number + 1]
        if number + 2 == len(rest):
            end = len(line) - len(literal)
            if end < at or not line.endswith(literal):
                return
        else:
            end = line.find(literal, at, at + _LONGEST + len(literal)) if literal else -1
            if end < 0:
                return
        if mask is not None:
            yield mask, line[at:end]
        if mask == "secret" and ":" in line[at:end]:
            # The password of an address, or behind an option, without its user.
            yield mask, line[at:end].partition(":")[2]
        at = end + len(literal)


def _means_nothing_else(mask: str, value: str) -> bool:
    lowered = value.lower()
    if lowered in _COMMON or not is_distinctive(value):
        return False
    if mask == "secret":
        has_both = any(each.isdecimal() for each in value) and any(each.isalpha() for each in value)
        return _SECRET.fullmatch(value) is not None and has_both and not _WORD_AND_NUMBER.fullmatch(value)
    if mask == "user":
        return _USER.fullmatch(value) is not None and not _SHORT_NAME.fullmatch(value)
    return _HOST.fullmatch(value) is not None and not value.isalpha()
