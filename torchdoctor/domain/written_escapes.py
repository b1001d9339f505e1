"""Hide what stands directly behind a written escape: `\\n`, `\\x22`, `%20`, `<br>`.

The letter of an escape is one of the text for a pattern that looks where a word begins. What a child printed,
as Python shows bytes, a line of JSON and an address are full of them.
"""

import re
from collections.abc import Callable

# Backslashes of a path of Windows are no escapes; where they are doubled, a single one is.
_PATH_OR_ESCAPE = re.compile(
    r"(?<![^\W_])[A-Za-z]:(?:\\(?!\\)(?:[^\s\"'<>|*?%]|<\w{1,10}>)*"
    r"|\\{2,8}(?:[^\s\"'<>|*?%\\]|\\{2,8}|<\w{1,10}>)*)"
    r"|(?P<escape>(?:\\{1,8}(?:[abfnrtv0](?=[\w/+])|[nrt](?=\\)|x[0-7][0-9A-Fa-f]|u00[0-7][0-9A-Fa-f])"
    r"|%(?:25)?[0-7][0-9A-Fa-f]|(?<=[bB][rR/])[ ]?/?>)(?=[\w/\\+]))"
)
# Spaces that texts do not have; one of them marks where a word begins.
_MARKS = "\u2005\u2004\u2006\u205f"


def hide_behind_escapes(text: str, hide: Callable[[str], str]) -> str:
    """Return what `hide` makes of a text, and then of the same text with a space behind each written escape.

    The first time, the letter of an escape can be the first one of a name: `\\nina`.
    """
    text = hide(text)
    if "\\" not in text and "%" not in text and ">" not in text:
        return text
    mark = next((mark for mark in _MARKS if mark not in text), None)
    if mark is None:
        return text
    marked = _PATH_OR_ESCAPE.sub(lambda match: match[0] + mark if match["escape"] else match[0], text)
    return text if marked == text else hide(marked).replace(mark, "")
