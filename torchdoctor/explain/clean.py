"""Raw text to lines that hold only what the program said, each with its number in the paste."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from torchdoctor.explain.fold import plain
from torchdoctor.explain.mojibake import repair
from torchdoctor.explain.patterns import pattern

# No line is longer than this, so that no pattern can run away.
MAX_LINE = 4000
_MAX_REPAIRS = 200

_ESCAPES = (
    r"\x1b(?:\[[0-9;?<=>!]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-~])?"
    r"|\x9b[0-9;?]{0,64}[@-~]"
)
# C0 and C1 controls, bidirectional controls, zero-width characters, tags and lone surrogates.
_CONTROLS = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BAR = (
    r"\d{1,3}%\|[^|]{0,300}\|(?:[^\[]{0,60}\[[^\]]{0,120}\])?"  # tqdm
    r"|[━█▏▎▍▌▋▊▉╸╺▒░]{5,}(?:\s+[\d.]+/[\d.]+\s+[kMG]i?B)?[^a-zA-Z\n]{0,40}"  # pip, rich
)
_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_PREFIXES = (
    rf"\[?{_STAMP}\]?(?:\s+-)?\s?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?(?:\s+-)?\s+(?=\S)"
    r"|\[(?:default)?\d{1,3}\]:\s?(?=\S)|\[?rank\s?\d{1,4}\]?:\s?|\[\d+,\d+\]<std(?:err|out)>:\s?"
    r"|\([\w.<>:-]{1,60}(?:\s+pid=\d+)(?:,\s*ip=[\d.]+)?\)\s?"
    r"|E {2,}(?=\S)"
    r"|std(?:err|out): (?=\S)|stderr F |[\w.-]{1,60}(?:_|-)\d{1,3}\s+\| ?"
    r"|(?:-{2,}>|={2,}>)\s*\d+ |> \d+ (?=\s*\S)"
    r"|[│┃╭╰├╮╯❱|] ?(?!\s*\d+[ ])"
    r"|`{1,3}(?=\S)|(?:> ){1,4}|x (?=\w+ .{0,60}did not run)"
)
_BOX_END = r"\s+[│┃|]\s*$"
_ESCAPED = r"\\u([0-9a-fA-F]{4})|(?<=[A-Za-z ])\\x([c-fC-F][0-9a-fA-F])(?=[A-Za-z ,.])"
_STRUCTURE = r"\s*(?:File \"|Traceback|During handling|The above exception|[\w.]+(?:Error|Exception)\b)"
_WIDTHS = (80, 100, 120, 132)


class Line(NamedTuple):
    """A cleaned line and its number in the text as it was given."""

    number: int
    text: str


def clean(lines: Iterable[tuple[int, str]], known: Callable[[str], bool]) -> tuple[Line, ...]:
    """Clean numbered lines; `known` says whether a text holds a literal that some entry knows."""
    return tuple(_rejoin(_clean_lines(lines, known)))


def number_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number the lines of a text from 1."""
    return enumerate(text.replace("\r\n", "\n").split("\n"), start=1)


def strip_controls(text: str) -> str:
    """Give text without anything that a terminal would act upon or that hides characters."""
    if text.isascii() and text.isprintable():
        return text
    return pattern(_CONTROLS).sub(
        "", pattern(_ESCAPES).sub("", text).replace("\t", "    ").replace("\n", " ")
    )


def _clean_lines(lines: Iterable[tuple[int, str]], known: Callable[[str], bool]) -> Iterator[Line]:
    repairs = _MAX_REPAIRS
    for number, raw in lines:
        for segment in raw[: MAX_LINE * 4].split("\r"):
            text = segment[:MAX_LINE]
            if not text.isascii() and repairs:
                repairs -= 1
                text = repair(text, known)
            yield Line(number, clean_line(text))


def clean_line(text: str) -> str:
    """Give one line without escapes, progress bars and the prefixes of loggers, launchers and test tools."""
    text = strip_controls(plain(text))
    if "%|" in text or not text.isascii():
        text = pattern(_BAR).sub(" ", text)
    if "\\u" in text or "\\x" in text:
        text = plain(pattern(_ESCAPED).sub(lambda match: chr(int(match[1] or match[2], 16)), text))
        text = pattern(_CONTROLS).sub("", text)
    indent = len(text) - len(text.lstrip())
    body = text[indent:]
    for _ in range(4):
        match = pattern(_PREFIXES, True).match(body)
        if match is None or not match[0]:
            break
        body = body[match.end() :]
    if len(body) < len(text) - indent:
        body = pattern(_BOX_END).sub("", body)
    return (text[:indent] + body).rstrip()


def _rejoin(lines: Iterable[Line]) -> Iterator[Line]:
    """Join what a console wrapped inside a traceback; anything uncertain stays as it is."""
    held: Line | None = None
    wrapped = 0
    for line in lines:
        glue = _find_glue(held, line) if held and wrapped < 8 else None
        if held and glue is not None:
            held = Line(held.number, (held.text + glue + line.text)[:MAX_LINE])
            wrapped += 1
            continue
        if held:
            yield held
        held, wrapped = line, 0
    if held:
        yield held


def _find_glue(held: Line, line: Line) -> str | None:
    if not line.text or line.number != held.number + 1:
        return None
    opened = held.text.lstrip().startswith('File "') and '", line' not in held.text
    if opened and '", line' in line.text and not line.text.lstrip().startswith("File "):
        return "" if len(held.text) in _WIDTHS else " "
    if line.text[:1].isspace() or pattern(_STRUCTURE).match(line.text):
        return None
    if len(held.text) in _WIDTHS and _is_message(held.text):
        return ""
    return None


def _is_message(text: str) -> bool:
    return pattern(r"\s*[\w.]{1,80}(?:Error|Exception|Warning): ").match(text) is not None
