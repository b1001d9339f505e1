"""Hide what stands before an error on its line: it proves nothing, and may be a secret."""

import re

from torchdoctor.domain.random_words import hide_random_words
from torchdoctor.domain.secret_names import MASK
from torchdoctor.domain.settings import find_first_setting

# Options for a user and a password, of whatever command, and what a login is given; `python -u` is none.
_GIVEN = re.compile(r"(?:[ ]-{1,2}(?:u|p|pw|user)[ =]|\blogin[ (])(?=[ ]?[^\s<-])(?!\S{0,80}\.py\b)")


def hide_before_error(text: str) -> str:
    """Replace all behind the first name of a secret, and words that look generated, by `<secret>`.

    In a line that is needed whole, plain words behind such a name stay: they may be those of a sentence.
    """
    given = _GIVEN.search(text)
    found = (find_first_setting(text), given.end() if given else None)
    start = min((each for each in found if each is not None), default=len(text))
    if text[start:].strip():
        text = f"{text[:start]}{MASK} "
    return hide_random_words(text)
