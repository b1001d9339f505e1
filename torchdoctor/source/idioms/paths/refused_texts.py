"""Whether a file may make a path of a text with a character that Windows refuses, told by its bytes."""

import re

# A refused character before or behind a field of a text, from a quote on. A colon that ends a line is one of
# a statement: `if name in {"a", "b"}:`.
_BESIDE_FIELD = re.compile(rb"""["'][^"'\n]*?(?:[|?*<>:][{%]|\}(?:[|?*<>]|:(?![/\\\r\n])))""")
_GAP = rb"(?:\s|\\\r?\n|#[^\n]*\n)*"
_TEXT = rb"""[rRfFbBuU]{0,2}(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
# Functions that make a path or a part of one, also under names of their own.
_MAKERS = rb"\w*(?:open|save|mkdir|dirs|imwrite|Writer|csv|join|[pP]ath)\w*|str"
# What a text follows that is no path, up to its quote: another function, an item of a list or a dictionary,
# a word, or what is set and is no name. Texts that are joined with it may be between.
_BEFORE_OTHERS = re.compile(
    rb"(?:\b(?!(?:%s)\()\w+\(|[\[{:]|[=!]=|\b(?:return|yield|in|else|if|and|or|not|assert)\b"
    rb"|\n[ \t]*(?:\w+\.)+\w+ ?=|\n[ \t]*[\w.]+\[[^\]\n]*\] ?=)%s(?:%s%s)*[rRfFbBuU]{0,2}\Z"
    % (_MAKERS, _GAP, _TEXT, _GAP)
)
# So far back it is looked, and at so many texts; the others count as paths.
_LONGEST, _MOST_TEXTS = 300, 50


def may_have_refused_path(raw: bytes) -> bool:
    """Return whether a text with a refused character beside a field stands where a path can be made.

    Most such texts are messages: `raise ValueError(f"{name}: {error}")`.
    """
    texts = enumerate(_BESIDE_FIELD.finditer(raw))
    return any(number > _MOST_TEXTS or not _is_other(raw, match.start()) for number, match in texts)


def _is_other(raw: bytes, quote: int) -> bool:
    """Return whether a text is surely no path, by what is before it."""
    found = _BEFORE_OTHERS.search(raw, max(0, quote - _LONGEST), quote)
    # What is before it can be the end of a comment.
    return found is not None and b"#" not in raw[raw.rfind(b"\n", 0, found.start() + 1) + 1 : found.start()]
