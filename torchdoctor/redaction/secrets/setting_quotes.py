"""Find where a value in quotes ends, whatever the quotes are and however often they are escaped."""

import re

OPENED = re.compile(
    r"(?i)(?:[bruf]{1,2}(?=\\{0,7}[\"']))?"
    r"(?P<quote>(?P<slashes>\\{0,7})(?P<sign>\"\"\"|'''|[\"'`])|&quot;|&\#34;|&apos;|“)"
)
_SLASHES_AND_QUOTE = {sign: re.compile(rf"(\\*)({sign})|[\r\n]") for sign in "\"'`"}
# How a shell of POSIX writes a quote in a value: 'it'\''s', 'it'"'"'s'.
_QUOTE_OF_A_SHELL = re.compile(r"'(?:\\'|\"'\")'")
_LONGEST_IN_SUCH_QUOTES = 4000


def find_closing(text: str, opened: re.Match[str]) -> tuple[int, bool]:
    """Return where the value in a quote ends, and whether the quote is closed."""
    start = opened.end()
    sign = opened["sign"]
    if sign is None or len(sign) == 3:
        closing = {"“": "”"}.get(opened["quote"], opened["quote"])
        end = text.find(closing, start, start + _LONGEST_IN_SUCH_QUOTES)
        if end >= 0 and (sign or "\n" not in text[start:end]):
            return end, True
        return find_end_of_line(text, start), False
    level = len(opened["slashes"])
    position = start
    while match := _SLASHES_AND_QUOTE[sign].search(text, position):
        position = match.end()
        if match[2] is None:
            return match.start(), False
        slashes = len(match[1])
        if slashes < level:
            return match.start(), True
        if slashes % (2 * (level + 1)) == level and not _is_inner_quote(text, match, start):
            if level or (quote := _QUOTE_OF_A_SHELL.match(text, match.end() - 1)) is None:
                return match.end() - 1 - level, True
            position = quote.end()
    return len(text), False


def _is_inner_quote(text: str, match: re.Match[str], start: int) -> bool:
    """Return whether a quote is one of a value: `it's`, and `a""b` in CSV, PowerShell and INI files."""
    sign = match[2]
    before, after = text[match.start() - 1], text[match.end() : match.end() + 1]
    is_first_of_two = after == sign and text[match.end() + 1 : match.end() + 2].isalnum()
    return match.start() > start and (
        is_first_of_two or (after.isalnum() and (before.isalnum() or before == sign))
    )


def find_end_of_line(text: str, start: int) -> int:
    """Return where the line ends in which a position is."""
    ends = [end for end in (text.find("\n", start), text.find("\r", start)) if end >= 0]
    return min(ends, default=len(text))
