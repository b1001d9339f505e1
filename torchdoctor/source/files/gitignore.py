"""Git's ignore files: reading their rules and applying them to paths."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record

_GLOB_PART = re.compile(r"\*+|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)
_MOST_DOUBLE_STARS = 3


@record
class IgnoreRule:
    """A rule of an ignore file; `pattern` matches paths relative to its folder with forward slashes."""

    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


@record
class IgnoreFile:
    """The rules of an ignore file in a folder; a path that `any_pattern` does not match, no rule matches."""

    folder: str
    rules: tuple[IgnoreRule, ...]
    any_pattern: re.Pattern[str]


def read_ignore_file(path: Path) -> IgnoreFile | None:
    """Read the rules of a `.gitignore`; return None when it has none or cannot be read."""
    try:
        lines = read_bytes(path).decode("utf-8-sig", "replace").splitlines()
    except OSError:
        return None
    return parse_rules(str(path.parent), lines)


def parse_rules(folder: str, lines: Iterable[str]) -> IgnoreFile | None:
    """Return the rules of lines for the paths in a folder; None if they have none."""
    rules = tuple(rule for line in lines if (rule := _parse_rule(line)) is not None)
    if not rules:
        return None
    # The numbers of groups count within a rule.
    patterns = (
        re.sub(r"(?<=\(\?P<g|\(\?P=g)(?=\d)", f"{number}_", rule.pattern.pattern)
        for number, rule in enumerate(rules)
    )
    return IgnoreFile(folder, rules, re.compile("|".join(patterns)))


def is_ignored(files: Iterable[IgnoreFile], path: str, is_folder: bool) -> bool:
    """Return whether the last rule that matches the path excludes it; files of outer folders come first."""
    for file in reversed(tuple(files)):
        rest = path[len(file.folder) :].replace("\\", "/")
        # "proj2" begins with "proj", and does not lie in it.
        is_below = path.startswith(file.folder) and (rest[:1] == "/" or file.folder[-1:] in ("/", "\\", ""))
        relative = rest.lstrip("/")
        if not is_below or not file.any_pattern.match(relative):
            continue
        for rule in reversed(file.rules):
            if (is_folder or not rule.folders_only) and rule.pattern.match(relative):
                return not rule.negated
    return False


def _parse_rule(line: str) -> IgnoreRule | None:
    text = re.sub(r"(?<!\\)\s+$", "", line)
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    # Git matches a pattern without a slash in any folder.
    prefix = "" if "/" in text else "(?:.*/)?"
    try:
        pattern = re.compile(prefix + _translate_glob(text.lstrip("/")) + r"\Z")
    except re.error:
        return None
    return IgnoreRule(pattern, negated, folders_only)


def _translate_glob(glob: str) -> str:
    """Return the regular expression of a glob; it takes time in proportion to the path, whatever the glob.

    Raises:
        re.error: the glob has more `**` than people write, whose matching would take long.
    """
    segments = re.sub(r"(?:(?<=/)|^)(?:\*\*/)+", "**/", glob).split("/")
    if segments.count("**") > _MOST_DOUBLE_STARS:
        raise re.error("too many **")
    numbers = itertools.count()
    parts: list[str] = []
    *folders, last = segments
    for segment in folders:
        parts.append("(?:.*/)?" if segment == "**" else f"{_translate_segment(segment, numbers)}/")
    parts.append(".+" if last == "**" else _translate_segment(last, numbers))
    return "".join(parts)


def _translate_segment(segment: str, numbers: Iterator[int]) -> str:
    """Translate the part of a glob between slashes; a group has a number of its own.

    What stands between two stars is looked for from the left, and the first place found is kept.
    """
    before, *between = re.split(r"\0+", "".join(map(_translate_part, _GLOB_PART.findall(segment))))
    if not between:
        return before
    *middle, end = between
    found = (
        f"(?=(?P<g{number}>[^/]*?{part}))(?P=g{number})"
        for part, number in zip(middle, numbers, strict=False)
    )
    return f"{before}{''.join(found)}[^/]*{end}"


def _translate_part(part: str) -> str:
    if part.startswith("*"):
        return "\0"
    if part == "?":
        return "[^/]"
    if part.startswith("[") and len(part) > 2:
        inner = part[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^/{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(part[-1] if part.startswith("\\") else part)
