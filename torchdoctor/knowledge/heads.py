"""Read the TOML head of an entry, fast for the subset of TOML that entries use."""

import json
import re
import sys
from collections.abc import Mapping
from json.encoder import encode_basestring

# Strings and comments; between them are keys, numbers and punctuation.
_QUOTED = re.compile(r"""("[^"\\\n]*(?:\\.[^"\\\n]*)*"|'''(?s:.*?)'''(?!')|'[^'\n]*'|\#[^\n]*)""")
# A key at the start of a line belongs to the head itself, any other key to an inline table.
_KEY = re.compile(r"(\n?)([A-Za-z0-9_-]+)[ \t]*=")
_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_HEXADECIMAL = re.compile(r"\b0x[0-9A-Fa-f]+\b")
# TOML allows a tab in a string.
_DECODER = json.JSONDecoder(strict=False)
# Replaces a string while the rest is turned into JSON; TOML allows this character nowhere.
_PLACEHOLDER = "\x00"


class HeadError(ValueError):
    """A head that is not valid TOML; the message is one line."""


def read_head(text: str) -> Mapping[str, object]:
    """Return the keys and values of a head.

    Raises:
        HeadError: the head is not TOML.
    """
    if '"""' in text or _PLACEHOLDER in text:
        return _read_toml(text)
    try:
        head: Mapping[str, object] = _DECODER.decode(_to_json(text))
    except (ValueError, RecursionError):
        # TOML outside the subset, or no TOML.
        head = _read_toml(text)
    return head


def _read_toml(text: str) -> Mapping[str, object]:
    # Imported here: most runs never need it, and importing it takes longer than reading all heads.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        head: Mapping[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HeadError(str(error)) from error
    except RecursionError as error:
        raise HeadError("nested too deeply") from error
    return head


def _to_json(text: str) -> str:
    """Return a head in the subset of TOML as JSON."""
    parts = _QUOTED.split("\n" + text)
    strings = [_to_json_string(part) for part in parts[1::2]]
    unquoted = _join_unquoted(parts[0::2], strings)
    parts = _KEY.split(_TRAILING_COMMA.sub("", unquoted))
    keys = [
        f',"{key}":' if newline else f'"{key}":'
        for newline, key in zip(parts[1::3], parts[2::3], strict=True)
    ]
    unquoted = parts[0] + "".join(key + value for key, value in zip(keys, parts[3::3], strict=True))
    if "0x" in unquoted:
        unquoted = _HEXADECIMAL.sub(lambda match: str(int(match[0], 16)), unquoted)
    parts = unquoted.split(_PLACEHOLDER)
    members = parts[0] + "".join(string + part for string, part in zip(strings, parts[1:], strict=True))
    return "{" + members.lstrip().removeprefix(",") + "}"


def _join_unquoted(parts: list[str], strings: list[str]) -> str:
    """Join the parts with a placeholder for each string; remove comments ("") from `strings`."""
    if "" not in strings:
        return _PLACEHOLDER.join(parts)
    joined = parts[0] + "".join(
        (_PLACEHOLDER if string else "") + part for string, part in zip(strings, parts[1:], strict=True)
    )
    strings[:] = [string for string in strings if string]
    return joined


def _to_json_string(quoted: str) -> str:
    """Return a TOML string as a JSON string, and "" for a comment."""
    if quoted[0] == '"':
        return quoted
    if quoted[0] == "#":
        return ""
    if quoted.startswith("'''"):
        return encode_basestring(quoted[3:-3].removeprefix("\n"))
    return encode_basestring(quoted[1:-1])
