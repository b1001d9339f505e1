"""Hide what commands, formats, calls and prompts have as a secret where no name tells of it."""

import re
from functools import cache

from torchdoctor.domain.secret_commands import COMMANDS
from torchdoctor.domain.secret_formats import FORMATS
from torchdoctor.domain.secret_names import MASK


def hide_unnamed(text: str) -> str:
    """Replace what the commands and formats in a text take as a secret by `<secret>`."""
    lowered = text.lower()
    for words, pattern in (*FORMATS, *COMMANDS):
        if any(word in lowered for word in words):
            text = _compile(pattern).sub(_hide, text)
    return text


# Few texts have any of these commands.
@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _hide(match: re.Match[str]) -> str:
    secret = match[0][len(match["start"]) :]
    # A quote around the whole command is no part of the secret.
    last = secret[-1:]
    quote = last if last in ("'", '"', "`") and secret.count(last) == 1 else ""
    # The lines keep their numbers.
    return match["start"] + MASK + quote + "\n" * secret.count("\n")
