"""Leave out the rest of a word of which a part was left out: it is often of the same person."""

import re

from torchdoctor.domain.masks import LEFT_OUT

# As in falcon-<user>, <user>-falcon and ...-falcon.
_JOINED_TO_A_MASK = re.compile(
    r"(?<![\w~+.<-])[\w~+-][\w~+.-]{0,120}<(?:user|host|secret)>[\w~+.-]*"
    r"|<(?:user|host|secret)>[_.~+-]{0,3}[^\W_][\w~+.-]*"
    r"|\.{3}[_~+-]{1,3}[^\W\d_][\w~+.-]*"
)


def leave_out_joined(text: str) -> str:
    """Return a text in which three dots stand for each word that has a mask in it."""
    if "<" not in text and LEFT_OUT not in text:
        return text
    return _JOINED_TO_A_MASK.sub(LEFT_OUT, text)
