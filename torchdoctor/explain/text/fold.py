"""Fold text and literal symptoms into the form in which they are compared."""

import re

_ASCII_FORMS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        "：": ":",
        "（": "(",
        "）": ")",
        "\u00a0": " ",
        "\u202f": " ",
        "\u3000": " ",
        "‑": "-",
        "–": "-",
    }
)
# A path on a server begins with two (\\server\share); where all are doubled, with four or more.
_BACKSLASHES = re.compile(
    r"(?<![^\s\"'`=(\[,;|])(?P<server>\\{2}(?=[^\s\\/\"']{1,255}\\(?!\\))|\\{4,32}(?=[\w?.]))|\\{2,}"
)


def to_ascii_punctuation(text: str) -> str:
    """Return text with ASCII for typographic quotes, dashes, colons and spaces; the length stays the same."""
    return text if text.isascii() else text.translate(_ASCII_FORMS)


def squeeze(text: str) -> str:
    """Return text with ASCII punctuation, and each run of white space or backslashes as one character.

    The repr of a path doubles its backslashes. A path on a server keeps two at its beginning.
    """
    text = " ".join(to_ascii_punctuation(text).split())
    return _BACKSLASHES.sub(_shorten, text) if "\\\\" in text else text


def _shorten(backslashes: re.Match[str]) -> str:
    return "\\\\" if backslashes["server"] else "\\"


def lower(text: str) -> str:
    """Return text in lower case and with slashes for backslashes; no character changes its position."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lowered.replace("\\", "/")


def fold(text: str) -> str:
    """Return the form in which a literal symptom is searched for."""
    return lower(squeeze(text))
