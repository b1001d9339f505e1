"""Raw text to lines that hold only what the program said, each with its number in the paste."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from torchdoctor.explain.fold import plain
from torchdoctor.explain.mojibake import repair
from torchdoctor.explain.patterns import pattern

# No line is longer than this, so that no pattern can run away.
MAX_LINE = 4000
_MAX_REPAIRS = 60

_ESCAPES = (
    r"\x1b(?:\[[0-9;?<=>!]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-~])?"
    r"|\x9b[0-9;?]{0,64}[@-~]"
)
# C0 and C1 controls, soft hyphens (web pages put them into words), bidirectional controls, zero-width
# characters, tags and lone surrogates.
_CONTROLS = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
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
_ESCAPED_QUOTE = r"(?<!\\)\\(['\"])"
_STRUCTURE = r"\s*(?:File \"|Traceback|During handling|The above exception|[\w.]+(?:Error|Exception)\b)"
_WIDTHS = (79, 80, 100, 119, 120, 132)
# A traceback inside a JSON string or a repr: its newlines are written as two characters.
_ESCAPED_TRACEBACK = "(most recent call last):\\n"
_ESCAPED_NEWLINE = (
    r"\\n(?=[ \t\\]|$|Traceback|During|The above|\[|[\w.]{0,80}(?:Error|Exception|Warning|Interrupt))"
)


class Line(NamedTuple):
    """A cleaned line and its number in the text as it was given."""

    number: int
    text: str


def clean(lines: Iterable[tuple[int, str]], known: Callable[[str], bool]) -> tuple[Line, ...]:
    """Clean numbered lines; `known` says whether a text holds a literal that some entry knows."""
    printed = [*_restore_lines(lines, known)]
    cleaned = (Line(line.number, clean_line(line.text)) for line in _unwrap(printed))
    return tuple(_rejoin_frames(cleaned))


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


def _restore_lines(lines: Iterable[tuple[int, str]], known: Callable[[str], bool]) -> Iterator[Line]:
    """Give each line as the program printed it: one for each carriage return and escaped newline."""
    repairs = _MAX_REPAIRS
    for number, raw in lines:
        for segment in raw[: MAX_LINE * 4].split("\r"):
            text = segment[:MAX_LINE]
            if not text.isascii() and repairs:
                repairs -= 1
                text = repair(text, known)
            text = strip_controls(plain(text)).rstrip()
            if _ESCAPED_TRACEBACK in text:
                for part in pattern(_ESCAPED_NEWLINE).split(text):
                    yield Line(number, part)
            else:
                yield Line(number, text)


def _unwrap(lines: Sequence[Line]) -> Iterator[Line]:
    """Join what a console wrapped: the longest line is then exactly as long as the console is wide."""
    width = max((len(line.text) for line in lines), default=0)
    if width not in _WIDTHS:
        yield from lines
        return
    held: Line | None = None
    full = False
    for line in lines:
        if held and full and line.text and not pattern(_STRUCTURE).match(line.text):
            held = Line(held.number, (held.text + line.text)[:MAX_LINE])
        else:
            if held:
                yield held
            held = line
        full = len(line.text) == width
    if held:
        yield held


def clean_line(text: str) -> str:
    """Give one line without escapes, progress bars and the prefixes of loggers, launchers and test tools."""
    if "%|" in text or not text.isascii():
        text = pattern(_BAR).sub(" ", text)
    if "\\'" in text or '\\"' in text:
        text = pattern(_ESCAPED_QUOTE).sub(r"\1", text)
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


def _rejoin_frames(lines: Iterable[Line]) -> Iterator[Line]:
    """Join a frame whose path was broken over two lines."""
    held: Line | None = None
    for line in lines:
        if held and _is_cut_frame(held.text) and '", line' in line.text and line.number == held.number + 1:
            held = Line(held.number, f"{held.text} {line.text.lstrip()}"[:MAX_LINE])
            continue
        if held:
            yield held
        held = line
    if held:
        yield held


def _is_cut_frame(text: str) -> bool:
    return text.lstrip().startswith('File "') and '", line' not in text
