"""Hide values that stand below their names: answers at a prompt, cells of a table, arms of a traceback."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from torchdoctor.redaction.secrets.secret_names import Strength, rate_name
from torchdoctor.redaction.secrets.written_tokens import Change, change_each

# What is asked at a prompt, and the answer in the next line.
_ASKED = re.compile(
    r"(?m)(?:(?:>>>|\bIn[ ]\[\d{1,4}\]:|\(Pdb(?:\+\+)?\)|\bi?pdb>)[ ]*(?:pp?[ ]|print\()?"
    r"(?:[\w.]{1,60}[\[(])?[\"']?(?:\w{1,40}\.)*(?P<name>\w{1,60})[\"']?[\])]{0,3}"
    r"|^[^\n$#>]{0,200}[$#>][ ]?"
    r"(?:(?:printenv|echo)[ ]+(?:\$\{?|%|\$env:)?|\$env:)(?P<variable>\w{1,60})[}%]?)"
    r"[ \t]*\r?\n[^\S\n]*(?:Out[ ]?\[\d{1,4}\]:[ ])?(?P<value>[^\s>][^\n]{0,400})"
)
# One word, where it ends a line or what is quoted; in an item of a list, also a string.
_BARE = r"[^\s#<\[{|>(\"'][^\s<,;\"'`)]{3,200}(?<![:{\[(,])(?=[\"'`),;*|]|[ ]?[\t|]|[ ]*(?:\r?\n|\Z))"
_STRING = r"(?<=\")(?:\\.|[^\"\\\n]){4,200}(?=\")|(?<=')(?:\\.|[^'\\\n]){4,200}(?=')"
# What ends a line with a name, and one word in the next one: of a setting, of an option in a list of YAML, of
# an element, and of a variable that a shell reads up to a word.
_ENDED = re.compile(
    r"(?:(?P<option>(?m:^)[ \t]*-[ ][\"']?--?[\w-]{2,60}[\"']?)(?=[ \t]*\r?\n[ \t]*-[ ](?![\"']?-))"
    r"|[\"'*]{0,3}[ ]?[:：](?=[ \t]*\r?\n(?:[ \t]+|(?:-[ ])?\S*\d))"
    r"|(?<=\w)>(?=[ \t]*\r?\n[^\n<]*\r?\n[ \t]*</)"
    r"|<<-?[\"']?(?P<end>\w{1,20})[\"']?(?=[ \t]*\r?\n[^\n]*\r?\n[ \t]*(?P=end)\b))"
    rf"[ \t]*\r?\n[ \t]*(?:-[ ])?(?P<value>{_BARE})"
)
# A table that was copied from a page, with each cell on a line of its own.
_CELL = re.compile(rf"(?<=\w)[ ]?\t[ \t]*\r?\n[ \t]*[\"'](?P<value>{_STRING})")
_NAME_BEFORE = re.compile(r"[^\W\d_][\w.-]{0,40}(?:[ ][\w.-]{1,40})?$")
# The next items of the same list; a log may have taken their dashes.
_ITEM = re.compile(
    rf"[\"'`]?[ \t]*\r?\n[ \t]*(?:-[ ]|(?=[^\s:=]*\d[^\s:=]*(?:\s|\Z)))[\"']?(?P<value>{_STRING}|{_BARE})"
)
_HEADER = re.compile(r"(?im)^(?=[^\n]{0,200}(?:pass|pwd|pw\b|secret|token|key|cred))[^\n]{4,400}\n")
_SEPARATORS = "\t|┃║│;,"
_RULE = re.compile(r"[ ]*[-=─━]{2,200}(?:[ ]{1,4}[-=─━]{2,200}){0,40}[ ]*\r?")
_FRAME = re.compile(r"[\s|+:=\-─-╿]*")
_MOST_ROWS = 500
# What stands before a text in quotes or in JSON, and moves its first line against the others.
_OPENING = re.compile(r"(?:[\[({\"'`]|\w{1,40}[\"']:[ ]?){0,8}")
# What loguru draws below a line of code: `└ 'x'`, under arms that go on to other values.
_ARM = re.compile(r"(?m)^(?P<arms>[ \t│|]*└)[ ]?(?P<value>[^\s][^\n]{0,400})$")
_ARMS_ONLY = re.compile(r"[ \t│|]*(?:└[^\n]*)?")
_MOST_ARMS = 20


class _Below(NamedTuple):
    """A name, and where its value stands in the text."""

    name: str
    start: int
    end: int


def hide_values_below(text: str, hide: Change) -> str:
    """Hide what stands below a name of a secret: it is read like the value of a setting."""
    if "\n" not in text:
        return text
    found = sorted(
        {*_find_answers(text), *_find_in_tables(text), *_find_arms(text)}, key=lambda each: each.start
    )
    settings = [f"{below.name}={text[below.start : below.end]}" for below in found]
    pieces: list[str] = []
    done = 0
    for below, setting in zip(found, change_each(settings, hide), strict=True):
        if below.start < done or not setting.startswith(f"{below.name}="):
            continue
        pieces += text[done : below.start], setting[len(below.name) + 1 :]
        done = below.end
    return "".join(pieces) + text[done:]


def _find_answers(text: str) -> Iterator[_Below]:
    for match in _ASKED.finditer(text):
        yield _Below(match["name"] or match["variable"], *match.span("value"))
    for match in (*_ENDED.finditer(text), *_CELL.finditer(text)):
        before = match.groupdict().get("option") or text[max(0, match.start() - 80) : match.start()]
        name = _NAME_BEFORE.search(before.rstrip("\"'"))
        if name is None or rate_name(name[0]) is Strength.NONE:
            continue
        item: re.Match[str] | None = match
        while item is not None:
            yield _Below(name[0], *item.span("value"))
            item = _ITEM.match(text, item.end())


def _find_in_tables(text: str) -> Iterator[_Below]:
    """Yield the cells below the header of a column that names a secret."""
    done = 0
    for match in _HEADER.finditer(text):
        if match.start() < done:
            continue
        opening = _OPENING.match(match[0])
        assert opening is not None
        header = match[0][opening.end() :].rstrip("\r\n")
        following = text.find("\n", match.end())
        starts: list[int] = []
        separator = next((each for each in _SEPARATORS if each in header), "")
        rule = text[match.end() : following if following >= 0 else len(text)]
        if _RULE.fullmatch(rule):
            starts = [found.start() for found in re.finditer(r"[^ \r]+", rule)]
            cells = _cut(header, 0, starts)
        elif separator:
            cells = _split(header, 0, separator)
        else:
            starts = [found.start() for found in re.finditer(r"(?:(?<=[ ]{2})|^)[^ ]", header)]
            cells = _cut(header, 0, starts)
        names = [header[start:end].strip("\"'`* ") for start, end in cells]
        if (separator == "," and not all(map(str.isidentifier, names))) or not _are_names(names):
            continue
        if not any(rate_name(name) >= Strength.WEAK for name in names):
            continue
        for start, line in _read_rows(text, match.end()):
            row = _cut(line, start, starts) if starts else _split(line, start, separator)
            if len(row) != len(names):
                break
            for name, (first, last) in zip(names, row, strict=True):
                value = text[first:last]
                if rate_name(name) >= Strength.WEAK and any(map(str.isdigit, value)) and " " not in value:
                    yield _Below(name, first, last)
            done = start + len(line)


def _are_names(cells: Sequence[str]) -> bool:
    """Return whether the cells of a header are names, of which a line of code has fewer."""
    return all(re.fullmatch(r"(?:[\w.#%/-]{1,40}(?:[ ][\w.()-]{1,40}){0,2})?", cell) for cell in cells)


def _read_rows(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the lines from a place on, up to a blank one, and where they begin; rules are left out."""
    for _ in range(_MOST_ROWS):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].rstrip("\r")
        if not line.strip():
            return
        if not _FRAME.fullmatch(line):
            yield start, line
        if end < 0:
            return
        start = end + 1


def _cut(line: str, offset: int, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Return where the cells of a line are whose columns begin at given places."""
    if any(line[start - 1 : start].strip() for start in starts if start):
        return []
    length = len(line)
    columns = pairwise([*starts, length])
    return [_strip(line, offset, min(start, length), min(end, length)) for start, end in columns]


def _split(line: str, offset: int, separator: str) -> list[tuple[int, int]]:
    """Return where the cells of a line are that a sign separates; in quotes it does not."""
    cells: list[tuple[int, int]] = []
    start = 0
    pattern = re.compile(rf"\"[^\"]*\"(?={re.escape(separator)}|$)|[^{re.escape(separator)}]*")
    while start <= len(line):
        match = pattern.match(line, start)
        assert match is not None
        cells.append(_strip(line, offset, start, match.end()))
        start = match.end() + 1
    return cells


def _strip(line: str, offset: int, start: int, end: int) -> tuple[int, int]:
    cell = line[start:end]
    left = len(cell) - len(cell.lstrip(" \"'`"))
    right = len(cell.rstrip(" \"'`"))
    return offset + start + min(left, right), offset + start + right


def _find_arms(text: str) -> Iterator[_Below]:
    """Yield the values that loguru draws below the words of a line of code."""
    for match in _ARM.finditer(text):
        column = match.end("arms") - match.start() - 1
        above = text[max(0, match.start() - 4000) : match.start()].split("\n")[-2::-1][:_MOST_ARMS]
        arms = len(list(takewhile(_ARMS_ONLY.fullmatch, above)))
        code = _OPENING.sub("", above[arms], count=1) if arms < len(above) else ""
        # Code stands alone on its line.
        name = re.match(r"\w{0,60}", code[column:]) if code.startswith("  ") else None
        if name and name[0]:
            yield _Below(name[0], *match.span("value"))
