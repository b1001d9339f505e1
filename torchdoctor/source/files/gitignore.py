"""Git's ignore files: which paths below a folder they exclude."""

import re
from pathlib import Path

from torchdoctor.core.record import record


@record
class IgnoreRule:
    """One line of an ignore file; `pattern` matches paths relative to `folder`, with slashes."""

    folder: str
    pattern: re.Pattern[str]
    negated: bool
    folders_only: bool


def read_ignore_file(path: Path) -> tuple[IgnoreRule, ...]:
    """Read the rules of a `.gitignore`; a file that cannot be read has none."""
    try:
        lines = path.read_bytes().decode("utf-8-sig", "replace").splitlines()
    except OSError:
        return ()
    rules = (_read_rule(str(path.parent), line) for line in lines)
    return tuple(rule for rule in rules if rule is not None)


def is_ignored(rules: tuple[IgnoreRule, ...], path: str, is_folder: bool) -> bool:
    """Tell whether the last rule that matches a path excludes it."""
    for rule in reversed(rules):
        if rule.folders_only and not is_folder:
            continue
        relative = path[len(rule.folder) :].replace("\\", "/").lstrip("/")
        if path.startswith(rule.folder) and rule.pattern.match(relative):
            return not rule.negated
    return False


def _read_rule(folder: str, line: str) -> IgnoreRule | None:
    text = re.sub(r"(?<!\\)\s+$", "", line)
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text[negated:]
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    try:
        pattern = re.compile(("" if anchored else "(?:.*/)?") + _translate(text.lstrip("/")) + r"\Z")
    except re.error:
        return None
    return IgnoreRule(folder, pattern, negated, folders_only) if text else None


_PART = re.compile(r"\*\*/|/\*\*|\*+|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)


def _translate(glob: str) -> str:
    return "".join(_translate_part(match[0]) for match in _PART.finditer(glob))


def _translate_part(part: str) -> str:
    match part:
        case "**/":
            return "(?:.*/)?"
        case "/**":
            return "/.*"
        case "?":
            return "[^/]"
    if part.startswith("*"):
        return "[^/]*"
    if part.startswith("[") and len(part) > 2:
        inner = part[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(part[-1] if part.startswith("\\") else part)
