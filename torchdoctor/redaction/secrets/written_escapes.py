"""Hide what stands directly behind a written escape: `\\n`, `\\x22`, `%20`, `_x000A_`, `<br>`.

The letter of an escape is one of the text for a pattern that looks where a word begins. What a child printed,
as Python shows bytes, a line of JSON and an address are full of them.
"""

import re
from collections.abc import Callable

# Backslashes of a path of Windows are no escapes; where they are doubled, a single one is.
_PATH_OR_ESCAPE = re.compile(
    r"(?<![^\W_])[A-Za-z]:(?:\\(?!\\)(?:[^\s\"'<>|*?%]|<\w{1,10}>)*"
    r"|\\{2,8}(?:[^\s\"'<>|*?%\\]|\\{2,8}|<\w{1,10}>)*)"
    r"|(?P<escape>(?:(?:\\{1,8}(?:x1b|033|e|u001b|U0000001b)|_x001B_)\[[\d;]{0,12}m"
    r"|\\{1,8}(?:[0-3][0-7]{2}|[abfnrtv0](?=[\w/+])|[nrt](?=\\)|x[0-7][0-9A-Fa-f]|(?:u|U0000)00[0-7][0-9A-Fa-f])"
    # What PowerShell, quoted-printable mail and addresses write.
    r"|_x00[0-7][0-9A-Fa-f]_|`[0nrt]|=(?:0[9AD]|2[0-9A-F]|3[A-F])"
    r"|%(?:25)?[0-7][0-9A-Fa-f]|(?<=[bB][rR/])[ ]?/?>)(?=[\w/\\+$]))"
)
# One of these is in each escape.
_SIGNS = ("\\", "%", ">", "_x00", "`", "=")
# Spaces that texts do not have; one of them marks where a word begins.
_MARKS = "\u2005\u2004\u2006\u205f"


def hide_behind_escapes(text: str, hide: Callable[[str], str]) -> str:
    """Return what `hide` makes of a text, and then of the same text with a space behind each written escape.

    The first time, the letter of an escape can be the first one of a name: `\\nina`.
    """
    text = hide(text)
    if not any(sign in text for sign in _SIGNS):
        return text
    mark = next((mark for mark in _MARKS if mark not in text), None)
    if mark is None:
        return text
    marked = _PATH_OR_ESCAPE.sub(lambda match: match[0] + mark if match["escape"] else match[0], text)
    return text if marked == text else hide(marked).replace(mark, "")
