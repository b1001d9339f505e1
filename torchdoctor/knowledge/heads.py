"""The heads of entries: TOML, read fast where it keeps to the subset that entries use."""

import json
import re
import sys
from collections.abc import Mapping
from json.encoder import encode_basestring

# Strings and comments; what is left between them is keys, numbers and punctuation.
_QUOTED = re.compile(r"""("[^"\\\n]*(?:\\.[^"\\\n]*)*"|'''(?s:.*?)'''(?!')|'[^'\n]*'|\#[^\n]*)""")
# A key at the start of a line is one of the head itself, any other one of an inline table.
_KEY = re.compile(r"(\n?)([A-Za-z0-9_-]+)[ \t]*=")
_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_HEXADECIMAL = re.compile(r"\b0x[0-9A-Fa-f]+\b")
# TOML allows a tab in a string.
_DECODER = json.JSONDecoder(strict=False)
# Stands for a quoted string while the rest is turned into JSON; TOML allows it nowhere.
_HOLE = "\x00"


class HeadError(ValueError):
    """A head is not valid TOML; the message is one line."""


def read_head(text: str) -> Mapping[str, object]:
    """Read a head.

    Raises:
        HeadError: the head is not TOML.
    """
    if '"""' in text or _HOLE in text:
        return _read_toml(text)
    try:
        found: Mapping[str, object] = _DECODER.decode(_to_json(text))
    except ValueError:
        # More of TOML than the subset, or no TOML at all.
        found = _read_toml(text)
    return found


def _read_toml(text: str) -> Mapping[str, object]:
    # Imported here because most runs never need it, and it takes longer than reading all heads.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        found: Mapping[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HeadError(str(error)) from error
    return found


def _to_json(text: str) -> str:
    parts = _QUOTED.split("\n" + text)
    strings = [_quote(part) for part in parts[1::2]]
    between = _drop_comments(parts[0::2], strings)
    words = _KEY.split(_TRAILING_COMMA.sub("", between))
    keys = [
        f',"{key}":' if newline else f'"{key}":'
        for newline, key in zip(words[1::3], words[2::3], strict=True)
    ]
    between = words[0] + "".join(key + rest for key, rest in zip(keys, words[3::3], strict=True))
    if "0x" in between:
        between = _HEXADECIMAL.sub(lambda match: str(int(match[0], 16)), between)
    pieces = between.split(_HOLE)
    whole = pieces[0] + "".join(string + piece for string, piece in zip(strings, pieces[1:], strict=True))
    return "{" + whole.lstrip().removeprefix(",") + "}"


def _drop_comments(pieces: list[str], strings: list[str]) -> str:
    """Join what is between the strings, with a hole for each string; comments leave none."""
    if "" not in strings:
        return _HOLE.join(pieces)
    joined = pieces[0] + "".join(
        (_HOLE if string else "") + piece for string, piece in zip(strings, pieces[1:], strict=True)
    )
    strings[:] = [string for string in strings if string]
    return joined


def _quote(quoted: str) -> str:
    """Give a TOML string as a JSON string, and nothing for a comment."""
    if quoted[0] == '"':
        return quoted
    if quoted[0] == "#":
        return ""
    if quoted.startswith("'''"):
        return encode_basestring(quoted[3:-3].removeprefix("\n"))
    return encode_basestring(quoted[1:-1])
