"""The heads of entries: TOML, read fast where it keeps to the subset that entries use."""

import json
import re
import sys
from collections.abc import Mapping

# Strings and comments; what is left between them is keys, numbers and punctuation.
_QUOTED = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'''(?s:.*?)'''(?!')|'[^'\n]*'|\#[^\n]*)""")
_TOP_KEY = re.compile(r"^([A-Za-z0-9_-]+)[ \t]*=", re.MULTILINE)
_KEY = re.compile(r"([A-Za-z0-9_-]+)[ \t]*=")
_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_HEXADECIMAL = re.compile(r"\b0x[0-9A-Fa-f]+\b")
# Stands for a quoted string while the rest is turned into JSON; TOML allows it nowhere.
_HOLE = "\x00"


class HeadError(ValueError):
    """A head is not valid TOML; the message is one line."""


def read_head(text: str) -> Mapping[str, object]:
    """Read a head.

    Raises:
        HeadError: the head is not TOML.
    """
    if '"""' not in text and _HOLE not in text:
        try:
            found = json.loads(_to_json(text), strict=False)
        except ValueError:
            pass  # More of TOML than the subset, or no TOML at all.
        else:
            return {str(key): value for key, value in found.items()}
    return _read_toml(text)


def _read_toml(text: str) -> Mapping[str, object]:
    # Imported here because most runs never need it, and it takes longer than reading all heads.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HeadError(str(error)) from error


def _to_json(text: str) -> str:
    parts = _QUOTED.split(text)
    parts[1::2] = [_quote(part) for part in parts[1::2]]
    between = _HOLE.join("" if part is None else part for part in parts[0::2])
    between = _TOP_KEY.sub(r',"\1":', between)
    between = _KEY.sub(r'"\1":', between)
    if "0x" in between:
        between = _HEXADECIMAL.sub(lambda match: str(int(match[0], 16)), between)
    strings = parts[1::2]
    between = _drop_trailing_commas(between, strings)
    pieces = between.split(_HOLE)
    whole = "".join(piece + string for piece, string in zip(pieces, [*strings, ""], strict=True))
    return "{" + whole.lstrip().removeprefix(",") + "}"


def _drop_trailing_commas(between: str, strings: list[str]) -> str:
    """A hole may be a comment, so commas are looked for with those holes closed."""
    if "" in strings:
        kept = between.split(_HOLE)
        between = kept[0]
        for string, piece in zip(strings, kept[1:], strict=True):
            between += (_HOLE if string else "") + piece
        strings[:] = [string for string in strings if string]
    return _TRAILING_COMMA.sub("", between)


def _quote(quoted: str) -> str:
    """Give a TOML string as a JSON string, and nothing for a comment."""
    if quoted.startswith("#"):
        return ""
    if quoted.startswith("'''"):
        return json.dumps(quoted[3:-3].removeprefix("\n"))
    if quoted.startswith("'"):
        return json.dumps(quoted[1:-1])
    return quoted
