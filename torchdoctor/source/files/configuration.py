"""Reading settings from YAML, JSON and TOML files, enough to find numbers and names."""

import re
from pathlib import PurePath

from torchdoctor.source.lines import split_lines
from torchdoctor.source.source_file import ConfigFile, ConfigSetting

_OWN_FILE = "torchdoctor.toml"
_OWN_TABLES = ("[tool.torchdoctor]", "[tool.torchdoctor.")
_LINE = re.compile(r"""^(\s*(?:(?:- |,)\s*)?)["']?([\w.\-/]+)["']?\s*[:=]\s*(.*)""")
_INTEGER = re.compile(r"[+-]?\d{1,9}")
_WORD = re.compile(r"[\w.\-]+")
_QUOTED = re.compile(r"""(["'])([\w.\-:,]+)\1""")
_COMMENT = re.compile(r"\s+(?:#|//).*$")
# A longer comment above a setting is about more than that setting.
_LONGEST_REMARK = 200
# A brace, or a key with its value or opening brace: `{num_workers: 8, sampler: {shuffle: true}}`.
_INLINE = re.compile(
    r"""([{}])|["']?([\w.\-/]+)["']?\s*[:=]\s*(\{|[\w.+\-]+(?=\s*[,}\]]|\s*$)|"[\w.\-]+"|'[\w.\-]+')?"""
)


def read_settings(path: str, raw: bytes) -> ConfigFile:
    """Read the `key: value` and `key = value` lines of a configuration file.

    The doctor installs no YAML parser, and numbers under a key do not need one. Values that span
    lines, or are not a plain number or word, are left out.
    """
    if PurePath(path).name == _OWN_FILE:
        return ConfigFile(path, ())
    text = raw.decode("utf-8-sig", "replace")
    return ConfigFile(path, tuple(_read_lines(text)))


def _read_lines(text: str) -> list[ConfigSetting]:
    settings: list[ConfigSetting] = []
    parents: list[tuple[int, str]] = []
    is_own, above = False, ""
    for number, line in enumerate(split_lines(text), 1):
        if line.startswith("["):
            # What the doctor itself is told, in pyproject.toml.
            is_own = line.startswith(_OWN_TABLES)
        is_comment = line.lstrip().startswith(("#", "//"))
        # A setting has a colon or an equals sign.
        if is_own or is_comment or not (":" in line or "=" in line):
            above = f"{above} {line}" if is_comment and len(above) < _LONGEST_REMARK else ""
            continue
        match = _LINE.match(line)
        if match is None:
            settings += _read_inline(line, number, 0, [parent for _, parent in parents])
            continue
        start, key, value = match.groups()
        indent, remark, above = len(start), above, ""
        if ("#" in value or "//" in value) and (comment := _COMMENT.search(value)) is not None:
            value, remark = value[: comment.start()], remark + comment[0]
        value = value.rstrip(", \t")
        while parents and parents[-1][0] >= indent:
            parents.pop()
        if value in ("", "{"):
            parents.append((indent, key))
        elif "{" in value:
            keys = [*(parent for _, parent in parents), key]
            settings += _read_inline(line, number, match.start(3), keys)
        elif (scalar := _parse_scalar(value.rstrip("} "))) is not None:
            dotted = ".".join([*[parent for _, parent in parents], key])
            settings.append(ConfigSetting(dotted, scalar, number, indent + 1, None, None, remark.strip()))
    return settings


def _read_inline(line: str, number: int, start: int, parents: list[str]) -> list[ConfigSetting]:
    """Read the mappings that YAML, TOML and minified JSON write on one line, from offset `start`."""
    if line.find("{", start) < 0:
        return []
    settings: list[ConfigSetting] = []
    open_keys = [""]
    for match in _INLINE.finditer(line, start):
        brace, key, value = match.groups()
        if brace == "}" and len(open_keys) > 1:
            open_keys.pop()
        elif brace == "{" or value == "{":
            open_keys.append(key or "")
        elif key and value and (scalar := _parse_scalar(value)) is not None:
            dotted = ".".join([*parents, *filter(None, open_keys), key])
            settings.append(ConfigSetting(dotted, scalar, number, match.start() + 1))
    return settings


def _parse_scalar(value: str) -> str | int | float | bool | None:
    if value[:1] in "+-0123456789" and _INTEGER.fullmatch(value):
        return int(value)
    if (quoted := _QUOTED.fullmatch(value)) is not None:
        return quoted[2]
    return value if _WORD.fullmatch(value) else None
