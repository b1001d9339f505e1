"""The one form in which text and literal symptoms are compared."""

import re

_SAME = str.maketrans(
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
_BACKSLASHES = re.compile(r"\\{2,}")


def plain(text: str) -> str:
    """Give text with typographic quotes, colons and spaces as ASCII; the length stays the same."""
    return text if text.isascii() else text.translate(_SAME)


def squeeze(text: str) -> str:
    """Give text with white space folded, quotes plain and the doubled backslashes of a repr single."""
    text = " ".join(plain(text).split())
    return _BACKSLASHES.sub(r"\\", text) if "\\\\" in text else text


def lower(text: str) -> str:
    """Lower the case and turn backslashes to slashes without changing any position."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lowered.replace("\\", "/")


def fold(text: str) -> str:
    """Give the form in which a literal symptom is searched."""
    return lower(squeeze(text))
