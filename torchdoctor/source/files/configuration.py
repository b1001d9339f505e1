"""The settings of YAML, JSON and TOML files, as far as a number of workers can stand there."""

import re

from torchdoctor.source.lines import split_lines
from torchdoctor.source.source_file import ConfigFile, ConfigSetting

_LINE = re.compile(r"""^(\s*(?:- )?)["']?([\w.\-/]+)["']?\s*[:=]\s*(.*?)\s*,?\s*$""")
_COMMENT = re.compile(r"\s+(?:#|//).*$")
# What opens, closes or sets something in a mapping on one line: `{num_workers: 8, sampler: {shuffle: true}}`.
_INLINE = re.compile(r"""([{}])|["']?([\w.\-/]+)["']?\s*[:=]\s*(\{|[\w.+\-]+(?=\s*[,}\]]|\s*$))?""")


def read_settings(path: str, raw: bytes) -> ConfigFile:
    """Read the `key: value` and `key = value` lines of a configuration file.

    No YAML parser is needed for numbers under a key, and none is installed with the doctor;
    values that span lines or are no plain number or word are left out.
    """
    text = raw.decode("utf-8-sig", "replace")
    return ConfigFile(path, tuple(_read(text)))


def _read(text: str) -> list[ConfigSetting]:
    settings: list[ConfigSetting] = []
    above: list[tuple[int, str]] = []
    for number, line in enumerate(split_lines(text), 1):
        match = _LINE.match(line)
        if line.lstrip().startswith(("#", "//")):
            continue
        if match is None:
            settings += _read_inline(line, number, 0, [key for _, key in above])
            continue
        indent, key, value = len(match[1]), match[2], _COMMENT.sub("", match[3]).rstrip(", ")
        while above and above[-1][0] >= indent:
            above.pop()
        if value in ("", "{"):
            above.append((indent, key))
        elif "{" in value:
            settings += _read_inline(line, number, match.start(3), [*(each for _, each in above), key])
        elif (plain := _plain(value.rstrip("} "))) is not None:
            dotted = ".".join([*(each for _, each in above), key])
            settings.append(ConfigSetting(dotted, plain, number, len(match[1]) + 1))
    return settings


def _read_inline(line: str, number: int, start: int, above: list[str]) -> list[ConfigSetting]:
    """Read the settings of mappings on one line, as YAML, TOML and minified JSON write them."""
    settings: list[ConfigSetting] = []
    inside = [""]
    for match in _INLINE.finditer(line, start) if "{" in line[start:] else ():
        brace, key, value = match.groups()
        if brace == "}" and len(inside) > 1:
            inside.pop()
        elif brace == "{" or value == "{":
            inside.append(key or "")
        elif key and value and (plain := _plain(value)) is not None:
            dotted = ".".join([*above, *(each for each in inside if each), key])
            settings.append(ConfigSetting(dotted, plain, number, match.start() + 1))
    return settings


def _plain(value: str) -> str | int | float | bool | None:
    if re.fullmatch(r"[+-]?\d{1,9}", value):
        return int(value)
    if re.fullmatch(r"[\w.\-]+", value):
        return value
    return None
