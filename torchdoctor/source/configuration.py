"""The settings of YAML, JSON and TOML files, as far as a number of workers can stand there."""

import re

from torchdoctor.facts.source import ConfigFile, Setting
from torchdoctor.source.lines import split_lines

_LINE = re.compile(r"""^(\s*(?:- )?)["']?([\w.\-/]+)["']?\s*[:=]\s*(.*?)\s*,?\s*$""")
_COMMENT = re.compile(r"\s+#.*$")


def read_settings(path: str, raw: bytes) -> ConfigFile:
    """Read the `key: value` and `key = value` lines of a configuration file.

    No YAML parser is needed for numbers under a key, and none is installed with the doctor;
    values that span lines or are no plain number or word are left out.
    """
    text = raw.decode("utf-8-sig", "replace")
    return ConfigFile(path, tuple(_read(text)))


def _read(text: str) -> list[Setting]:
    settings: list[Setting] = []
    above: list[tuple[int, str]] = []
    for number, line in enumerate(split_lines(text), 1):
        match = _LINE.match(line)
        if match is None or line.lstrip().startswith(("#", "//")):
            continue
        indent, key, value = len(match[1]), match[2], _COMMENT.sub("", match[3]).rstrip(", ")
        while above and above[-1][0] >= indent:
            above.pop()
        if value in ("", "{"):
            above.append((indent, key))
        elif (plain := _plain(value)) is not None:
            dotted = ".".join([*(each for _, each in above), key])
            settings.append(Setting(dotted, plain, number, len(match[1]) + 1))
    return settings


def _plain(value: str) -> str | int | float | bool | None:
    if re.fullmatch(r"[+-]?\d{1,9}", value):
        return int(value)
    if re.fullmatch(r"[\w.\-]+", value):
        return value
    return None
