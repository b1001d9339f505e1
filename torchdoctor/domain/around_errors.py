"""Hide what stands beside an error on its line by its looks: it proves nothing, and may be a secret."""

import re
from urllib.parse import unquote

from torchdoctor.domain.random_words import hide_random_words
from torchdoctor.domain.secret_names import MASK
from torchdoctor.domain.settings import find_first_setting

# Options for a user and a password, of whatever command, and what a login is given; `python -u` is none.
_GIVEN = re.compile(
    r"(?:[ ]-{1,2}(?:u|p|pw|user|U|P)[ =]|\blogin[ (])(?=[ ]?[^\s<-])(?!\S{0,80}\.py\b)"
    r"(?![ ]?(?:torch|pip)\b)"
)
# Credentials in an address: ://bob:x@, //bob:x@, and ://bob:x where the line of a terminal ends.
_IN_AN_ADDRESS = re.compile(
    r"(?<![^\s\"'`=:(<])//[^\s\"'<>]{1,400}(?P<end>@|<email>)"
    r"|(?<=:)//[^\s/@:\"'<>]{1,80}:(?!\d{2,5}\b)[^\s/@]*$"
)
_ESCAPED = re.compile(r"\S{0,200}%2[02]\S{0,200}")


def hide_around_error(line: str, start: int, end: int) -> str:
    """Replace what is beside a part of a line, and may be a secret, by `<secret>`.

    That is all behind the first name of a secret, on either side, and words that look generated.
    In a line that is needed whole, plain words behind such a name stay: they may be those of a sentence.
    """
    return _hide_beside(line[:start]) + line[start:end] + _hide_beside(line[end:])


def _hide_beside(text: str) -> str:
    given = _GIVEN.search(text)
    found = (find_first_setting(text), given.end() if given else None)
    start = min((each for each in found if each is not None), default=len(text))
    if text[start:].strip():
        text = f"{text[:start]}{MASK} "
    text = _IN_AN_ADDRESS.sub(_hide_credentials, text)
    return hide_random_words(_ESCAPED.sub(_hide_escaped, text) if "%2" in text else text)


def _hide_credentials(match: re.Match[str]) -> str:
    return f"//{MASK}@" if match["end"] else f"//{MASK}"


def _hide_escaped(match: re.Match[str]) -> str:
    return match[0] if find_first_setting(unquote(match[0])) is None else MASK
