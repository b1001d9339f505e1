"""Texts that are not written plainly: read as what they mean, changed, and written back as they were."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

Change = Callable[[str], str]


class Token(NamedTuple):
    """A piece of a line: as it is written, and what it means.

    What stands before it and after it, such as quotes, means nothing, and stays whatever becomes of it.
    """

    written: str
    plain: str
    before: str = ""
    after: str = ""


def read_tokens(
    text: str, escapes: Iterable[re.Match[str]], decode: Callable[[re.Match[str]], str]
) -> Iterator[Token]:
    """Yield the pieces of a text; `decode` gives the letter that a match means, or "" for what is written."""
    end = 0
    for match in escapes:
        if plain := decode(match):
            if match.start() > end:
                yield Token(text[end : match.start()], text[end : match.start()])
            yield Token(match[0], plain if plain.isprintable() or plain in "\n\t" else " ")
            end = match.end()
    if end < len(text):
        yield Token(text[end:], text[end:])


def change_lines(
    text: str, change: Change, read: Callable[[str], Sequence[Token]], write: Callable[[str], str]
) -> str:
    """Change what the lines mean for which `read` gives tokens; `write` writes what is new in them."""
    lines = text.split("\n")
    dressed: dict[int, list[list[Token]]] = {}
    for number, line in enumerate(lines):
        if tokens := read(line):
            dressed[number] = [list(group) for _, group in groupby(tokens, key=_is_newline)]
    parts = [part for parts in dressed.values() for part in parts if not _is_newline(part[0])]
    rest = iter(change_each([join_plain(part) for part in parts], change))
    for number, groups in dressed.items():
        lines[number] = "".join(
            _join_written(part) if _is_newline(part[0]) else write_tokens(part, next(rest), write)
            for part in groups
        )
    return "\n".join(lines)


def change_each(lines: Sequence[str], change: Change) -> Sequence[str]:
    """Return what `change` makes of lines that stand below each other."""
    changed = change("\n".join(lines)).split("\n") if lines else []
    return changed if len(changed) == len(lines) else lines


def join_plain(part: Sequence[Token]) -> str:
    """Return what tokens mean."""
    return "".join(token.plain for token in part)


def _join_written(part: Sequence[Token]) -> str:
    return "".join(f"{token.before}{token.written}{token.after}" for token in part)


def write_tokens(part: Sequence[Token], changed: str, write: Callable[[str], str]) -> str:
    """Return a changed line as it is written; what did not change at its ends stays as it was."""
    if changed == join_plain(part):
        return _join_written(part)
    tokens = [token for each in part for token in _split_plain(each)]
    start = _count_equal(tokens, changed)
    before, tokens = tokens[:start], tokens[start:]
    changed = changed[len(join_plain(before)) :]
    end = len(tokens) - _count_equal(tokens[::-1], changed[::-1])
    after = tokens[end:]
    middle = write(changed[: len(changed) - len(join_plain(after))])
    if replaced := tokens[: len(tokens) - len(after)]:
        middle = f"{replaced[0].before}{middle}{replaced[-1].after}"
    return _join_written(before) + middle + _join_written(after)


def _split_plain(token: Token) -> Iterator[Token]:
    """Yield the letters of a token that means what is written."""
    if token.written != token.plain or token.before or token.after:
        yield token
    else:
        yield from (Token(letter, letter) for letter in token.plain)


def _count_equal(tokens: Sequence[Token], text: str) -> int:
    """Return how many tokens, of one letter each, a text begins with."""
    pairs = enumerate(zip(tokens, text, strict=False))
    differing = (count for count, (token, letter) in pairs if token.plain != letter)
    return next(differing, min(len(tokens), len(text)))


def _is_newline(token: Token) -> bool:
    return token.plain == "\n"
