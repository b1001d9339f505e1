"""Write redaction/words/known_names.txt: the names in code that a value of a text may be shown with.

    python .ci/known_names.py

They are the names in the code, the heads and the paths of the entries and the documentation, those of the
standard library, those of functions in the table of frames, and those that two samples of the tests have
where code has names. redaction/words/known_packages.txt has the names of packages.
"""

import builtins
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / ".ci"))
sys.path.insert(0, str(ROOT))

from known_words import NO_WORDS, OWN_TEXTS, list_samples  # noqa: E402

TABLE = ROOT / "torchdoctor" / "redaction" / "words" / "known_names.txt"
FRAMES = ROOT / "torchdoctor" / "domain" / "frame_lines.csv"
OWN_TABLES = ROOT / "torchdoctor" / "pe"
MIN_TEXTS = 2
# Words that people take as passwords, and names that examples of passwords have.
NO_NAMES = frozenset((
    "ab12cd34", "abc12x", "abc123", "admin123", "battery", "bob", "changeme", "correct", "dragon", "hunter",
    "hunter2", "kw04", "letmein", "monkey", "password", "password1", "qwerty", "qwerty123", "secret",
    "shadow", "summer", "sunshine", "test123", "trustno1", "welcome", "welcome1", "winter",
))  # fmt: skip
LONGEST = 40
_PIECE = re.compile(r"[A-Za-z][A-Za-z0-9]*")
# What is code in the entries and the documentation: fenced blocks, the heads among them, and quotations.
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
# Where a text has names of code: imports, frames, what a message quotes, commands, words with signs.
_NAMES = re.compile(
    r"\bimport ([\w., ]+)|\bfrom ([\w.]+) import|, in (\w+)"
    r"|(?:named|attribute|importing|name|function|class|object) ['\"]?([\w.]+)"
    r"|[\\/]([\w.-]+)(?=[\\/])|[\\/]([\w-]+)\.(?:py|dll|pyd|exe)\b|\b(\w+(?:[_.]\w+)+)\b|\b(\w+)\("
    r"|(--?[\w-]+)|\b(\w+)(?:[=<>~!]=)|\bpip3? install ([\w .=-]+)"
    r"|\b([A-Za-z]+\d+\w*)\b|\b([A-Z][a-z]+[A-Z]\w+)\b"
)


# The escapes of regular expressions in the heads of entries, and a hash or a mixture that is no name.
_ESCAPE = re.compile(r"\\\\[A-Za-z]")
# In a pattern in single quotes, an escape has one backslash.
_HEAD = re.compile(r"```toml\n.*?\n```\n", re.DOTALL)
_ESCAPE_OF_HEAD = re.compile(r"(?<!\\)\\[bBdDsSwW]")
_NO_NAME = re.compile(r"(?=.*\d)h?[0-9a-f]{6,}|(?:[a-z]+\d+){3,}[a-z]*|.*\d{5,}.*|tmp\w{8}|u[0-9a-f]{4,8}")


def find_names(text: str) -> set[str]:
    """Return the names in code, in small letters and without their signs."""
    found = (" ".join(filter(None, match.groups())) for match in _NAMES.finditer(text))
    return {piece.lower() for names in found for piece in _PIECE.findall(names)}


def find_names_of_code(markdown: str) -> set[str]:
    """Return the names in the code of a text in Markdown."""
    without_escapes = _HEAD.sub(lambda head: _ESCAPE_OF_HEAD.sub(" ", head[0]), markdown)
    code = (_ESCAPE.sub(" ", code) for code in _CODE.findall(without_escapes))
    return {piece.lower() for each in code for piece in _PIECE.findall(each)}


def list_names() -> Iterator[str]:
    """Yield the names that are known without the samples."""
    for glob in OWN_TEXTS:
        for path in ROOT.glob(glob):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".md":
                yield from find_names_of_code(text)
            elif path.suffix == ".toml":
                yield from map(str.lower, _PIECE.findall(text))
    for name in (*sys.stdlib_module_names, *dir(builtins)):
        yield from map(str.lower, _PIECE.findall(name))
    for line in FRAMES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from map(str.lower, _PIECE.findall(" ".join(line.split(",")[:2])))
    for file in (ROOT / "torchdoctor" / "domain" / "gpu_capabilities.csv", *sorted(OWN_TABLES.glob("*.t*"))):
        yield from map(str.lower, _PIECE.findall(file.read_text(encoding="utf-8")))


def write_table() -> None:
    """Find the names, and write them."""
    counts = Counter(name for text in list_samples() for name in find_names(text))
    names = {*list_names(), *(name for name, count in counts.items() if count >= MIN_TEXTS)}
    names = {name for name in names if 1 < len(name) <= LONGEST and not _NO_NAME.fullmatch(name)}
    names -= NO_WORDS | NO_NAMES
    TABLE.write_text("\n".join(sorted(names)) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(names)} names")


if __name__ == "__main__":
    write_table()
