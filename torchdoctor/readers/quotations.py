"""What a text quotes of another person: it says nothing of the machine of its writer."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines

# Who is quoted, in front of what is quoted.
_QUOTED = (
    r"\b(?:someone|somebody|another (?:user|person|guy|post|thread|forum|issue)|(?:other|some) (?:users?"
    r"|people|guy"
    r"|person|forum|post)|forum|reddit|discord|stack ?overflow|author|maintainer|developer|dev|he|she"
    r"|they|friend"
    r"|answer|solution|advice|suggestion|comment|reply|quote|quoted?|readme|docs|documentation|guide|tutorial"
    r"|chatgpt|gpt-?4\w?|claude|gemini|copilot|ai)\b[^\"“”«»\n]{0,60}[:,]?\s{0,3}$"
)
_OPEN = r"(?P<mark>\"{1,8}|“|«|「)(?=\S)"
_CLOSE = {"“": "”", "«": "»", "「": "」"}
_SHORTEST = 40
# A single sign may end elsewhere.
_MOST_LINES, _MOST_LINES_OF_A_SIGN = 12, 3


def clear_quotations(lines: Lines) -> list[tuple[int, str]]:
    """Return the lines without what another person is quoted to say, over several lines, too."""
    if not any(mark in line for _, line in lines for mark in ('"', "“", "«", "「")):
        return list(lines)
    return list(_clear(lines))


def _clear(lines: Lines) -> Iterator[tuple[int, str]]:
    closing, last = "", 0
    for index, (number, line) in enumerate(lines):
        if closing and index > last:
            closing = ""
        if closing:
            end = line.find(closing)
            yield number, line[end + len(closing) :].lstrip('"') if end >= 0 else ""
            closing = "" if end >= 0 else closing
            continue
        opened = _find_opening(line)
        if opened is None:
            yield number, line
            continue
        start, mark = opened
        sign = _CLOSE.get(mark, mark)
        end = line.find(sign, start + len(mark))
        if end >= 0:
            is_long = end - start >= _SHORTEST
            yield number, f"{line[:start]} {line[end + len(sign) :]}" if is_long else line
            continue
        most = _MOST_LINES_OF_A_SIGN if sign == '"' else _MOST_LINES
        if any(sign in later for _, later in lines[index + 1 : index + 1 + most]):
            closing, last = sign, index + most
            yield number, line[:start]
        else:
            yield number, line


def _find_opening(line: str) -> tuple[int, str] | None:
    """Return where a quotation of another person begins in a line, and its mark."""
    if len(line) > 2000:
        return None
    for match in pattern(_OPEN).finditer(line):
        if pattern(_QUOTED, True).search(line[max(0, match.start() - 120) : match.start()]):
            return match.start(), match["mark"]
    return None
