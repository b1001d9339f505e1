"""Hide what commands, formats, calls and prompts have as a secret where no name tells of it."""

import re

from torchdoctor.redaction.secrets.pattern_rows import replace_in_rows
from torchdoctor.redaction.secrets.secret_commands import COMMANDS
from torchdoctor.redaction.secrets.secret_formats import FORMATS, PRIVATE_KEYS
from torchdoctor.redaction.secrets.secret_names import MASK

_ROWS = (*FORMATS, *COMMANDS)


def hide_unnamed(text: str) -> str:
    """Replace what the commands and formats in a text take as a secret by `<secret>`."""
    return replace_in_rows(text, _ROWS, _hide)


def hide_private_keys(text: str) -> str:
    """Replace private keys by `<secret>`: the lines of one say nothing without the others."""
    has_key = "-----BEGIN" in text or "-----END" in text
    return replace_in_rows(text, PRIVATE_KEYS, _hide) if has_key else text


def hide_in_commands(text: str) -> str:
    """Replace what commands take as a secret by `<secret>`, and nothing else."""
    return replace_in_rows(text, COMMANDS, _hide)


def _hide(match: re.Match[str]) -> str:
    secret = match[0][len(match["start"]) :]
    # A quote around the whole command is no part of the secret.
    last = secret[-1:]
    quote = last if last in ("'", '"', "`") and secret.count(last) == 1 else ""
    # The lines keep their numbers.
    return match["start"] + MASK + quote + "\n" * secret.count("\n")
