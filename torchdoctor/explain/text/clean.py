"""Clean pasted lines: remove what terminals, loggers and launchers added, and join wrapped lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import AnyStr, NamedTuple

from torchdoctor.core.controls import CONTROLS, strip_controls
from torchdoctor.core.log_prefixes import LAUNCHERS, TIME_OF_DAY, TIMESTAMP
from torchdoctor.core.patterns import pattern
from torchdoctor.core.prompts import PROMPT
from torchdoctor.explain.text.fold import to_ascii_punctuation
from torchdoctor.explain.text.mojibake import repair

# Longer lines are cut, which bounds the time that a pattern takes.
_MAX_LINE_LENGTH = 4000
_MAX_REPAIRS = 60

_PROGRESS_BAR = (
    r"\d{1,3}%\|[^|]{0,300}\|(?:[^\[]{0,60}\[[^\]]{0,120}\])?"  # tqdm
    r"|[━█▏▎▍▌▋▊▉╸╺▒░]{5,}(?:\s+[\d.]+/[\d.]+\s+[kMG]i?B)?[^a-zA-Z\n]{0,40}"  # pip, rich
)
# UTF-16 that a console showed as letters with blanks between them, as ONNX Runtime logs on Windows.
_SPACED_LETTERS = r"(?<!\S)(?:\S(?: {3}| )){20,}\S?"
_PREFIXES = (
    rf"\[?{TIMESTAMP}\]?(?:\s+-)?\s?|\[?{TIME_OF_DAY}\]?(?:\s+-)?\s+(?=\S)|(?:{LAUNCHERS})\s?"
    r"|E {2,}(?=\S)|std(?:err|out): (?=\S)|stderr F "
    r"|(?:-{2,}>|={2,}>)\s*\d+ |> \d+ (?=\s*\S)"
    r"|[│┃╭╰├╮╯❱|] ?(?!\s*\d+[ ])"
    r"|`{1,3}(?=\S)|(?:> ){1,4}|x (?=\w+ .{0,60}did not run)"
)
_BOX_END = r"\s+[│┃|]\s*$"
_ESCAPED_LETTER = r"\\u([0-9a-fA-F]{4})|(?<=[A-Za-z ])\\x([c-fC-F][0-9a-fA-F])(?=[A-Za-z ,.])"
_ESCAPED_QUOTE = r"(?<!\\)\\(['\"])"
# The name of what is defined inside a function, which people copy with blanks in it.
_LOCALS = r" ?\. ?<locals> ?\. ?"
_TRACEBACK_LINE = r"\s*(?:File \"|Traceback|During handling|The above exception|[\w.]+(?:Error|Exception)\b)"
# A prompt, or a word with a capital: a console seldom breaks a line just before one.
_LINE_OF_ITS_OWN = (
    rf"{PROMPT}|>>> |\$ "
    # The starter of a frozen program, with the number of its process.
    r"|\[(?:PYI-)?\d{1,7}(?::[A-Z]+)?\] [A-Z]"
    r"|(?!(?:Error|Exception|Warning)\b)[A-Z][a-z]{2,20}(?:[ :]|$)"
)
# What pip 24.3 and later print at the end, with the packages in brackets or in the next line.
_UNBUILT = "Failed to build installable wheels for some pyproject.toml based projects"
_PACKAGES = r"\W{0,8}([A-Za-z][\w.-]{0,60}(?:, [A-Za-z][\w.-]{0,60}){0,20})\W{0,4}"
_LONGEST_WORD = 14
_CONSOLE_WIDTHS = (79, 80, 100, 119, 120, 132)
# In a traceback inside a JSON string or a repr, each newline is written as two characters.
_ESCAPED_TRACEBACK = "(most recent call last):\\n"
_ESCAPED_NEWLINE = (
    r"\\n(?=[ \t\\]|$|Traceback|During|The above|\[|[\w.]{0,80}(?:Error|Exception|Warning|Interrupt))"
)
# A traceback that a form or a chat has joined: two frames, or a frame with the head or the error beside it.
_FRAME = r'File "[^"\n]{1,400}", line \d{1,7}\b'
_ERROR = r"(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Interrupt): "
_JOINED_TRACEBACK = (
    rf"(?:most recent call last\): *{_FRAME}|{_FRAME}.*?(?:(?<=\s)File \"|(?<=[\s)'\"\]]) {_ERROR}))"
)
_JOINED_PART = (
    rf"(?<=\S) +(?={_FRAME}|Traceback \(most recent|During handling of the above|The above exception was)"
)
_JOINED_ERROR = rf"(?<=\S) +(?={_ERROR})"


class Line(NamedTuple):
    """A cleaned line and its number in the pasted text."""

    number: int
    text: str


def clean(lines: Iterable[tuple[int, str]], has_known_literal: Callable[[str], bool]) -> tuple[Line, ...]:
    """Clean numbered lines; `has_known_literal` tests whether a text holds a literal of some entry."""
    return clean_printed(tuple(restore_lines(lines, has_known_literal)))


def clean_printed(printed: Sequence[Line]) -> tuple[Line, ...]:
    """Clean lines that are as a program printed them."""
    cleaned = (Line(line.number, clean_line(line.text)) for line in _join_wrapped_lines(printed))
    return tuple(_name_unbuilt_wheels(_join_cut_frames(cleaned)))


def number_lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines of a text, each with its number from 1."""
    return enumerate(text.replace("\r\n", "\n").split("\n"), start=1)


def restore_lines(
    lines: Iterable[tuple[int, str]], has_known_literal: Callable[[str], bool]
) -> Iterator[Line]:
    """Yield numbered lines as the program printed them, split at carriage returns and escaped newlines.

    `has_known_literal` tests whether a text holds a literal of some entry.
    """
    repairs_left = _MAX_REPAIRS
    for number, raw in lines:
        for segment in drop_middle(raw, _MAX_LINE_LENGTH * 4, "\r").split("\r"):
            text = segment[:_MAX_LINE_LENGTH]
            if not text.isascii() and repairs_left:
                repairs_left -= 1
                text = repair(text, has_known_literal)
            text = _join_letters(strip_controls(to_ascii_punctuation(text)).rstrip())
            if _ESCAPED_TRACEBACK in text:
                parts = pattern(_ESCAPED_NEWLINE).split(text)
            elif 'File "' in text and pattern(_JOINED_TRACEBACK).search(text):
                parts = _split_joined_traceback(text)
            else:
                parts = [text]
            for part in parts:
                yield Line(number, part)


def _split_joined_traceback(text: str) -> list[str]:
    """Return the lines of a traceback that was joined to one line; an error ends the frame before it."""
    parts = []
    for part in pattern(_JOINED_PART).split(text):
        is_frame = part.startswith("File ")
        parts += pattern(_JOINED_ERROR).split(part, maxsplit=1) if is_frame else [part]
    return parts


def drop_middle(line: AnyStr, limit: int, mark: AnyStr) -> AnyStr:
    """Return a line without its middle if it is too long, and a carriage return, the mark, in place of it.

    A progress bar writes all its states into one line.
    """
    half = limit // 2
    return line if len(line) <= limit else line[:half] + mark + line[-half:]


def _join_letters(text: str) -> str:
    """Return a line without the blanks that stand between all letters; three stand between words."""
    if text[1:2] != " " and " " not in text[40:80:2]:
        return text
    return pattern(_SPACED_LETTERS).sub(
        lambda run: run[0].replace("   ", "\0").replace(" ", "").replace("\0", " "), text
    )


def _join_wrapped_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Join lines that a console wrapped; the longest line is then exactly as wide as the console."""
    width = max((len(line.text) for line in lines), default=0)
    if width not in _CONSOLE_WIDTHS:
        yield from lines
        return
    pending: Line | None = None
    is_full = False
    for line, following in zip(lines, (*lines[1:], None), strict=False):
        is_rest = bool(line.text) and not (
            pattern(_TRACEBACK_LINE).match(line.text) or pattern(_LINE_OF_ITS_OWN).match(line.text)
        )
        if pending and is_full and is_rest and not _is_filled_at_words(line, following, width):
            pending = Line(pending.number, (pending.text + line.text)[:_MAX_LINE_LENGTH])
        else:
            if pending:
                yield pending
            pending = line
        is_full = len(line.text) == width
    if pending:
        yield pending


def _is_filled_at_words(line: Line, following: Line | None, width: int) -> bool:
    """Return whether a program filled a paragraph at its words, of which one line is as wide as the console.

    Its other lines are nearly as long, and the paragraph goes on; what a console wraps ends with the first
    line that is not full.
    """
    is_nearly_full = width - _LONGEST_WORD <= len(line.text) < width
    goes_on = following is not None and following.text[:1].isalnum()
    return is_nearly_full and goes_on and not line.text[:1].isspace()


def clean_line(text: str) -> str:
    """Return a line without progress bars, escapes and the prefixes of loggers, launchers and test tools."""
    if "%|" in text or not text.isascii():
        text = pattern(_PROGRESS_BAR).sub(" ", text)
    if "\\'" in text or '\\"' in text:
        text = pattern(_ESCAPED_QUOTE).sub(r"\1", text)
    if "\\u" in text or "\\x" in text:
        text = pattern(_ESCAPED_LETTER).sub(lambda match: chr(int(match[1] or match[2], 16)), text)
        text = pattern(CONTROLS).sub("", to_ascii_punctuation(text))
    if "<locals>" in text:
        text = pattern(_LOCALS).sub(".<locals>.", text)
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


def _join_cut_frames(lines: Iterable[Line]) -> Iterator[Line]:
    """Join frames whose path is broken over two lines."""
    pending: Line | None = None
    for line in lines:
        if pending and _is_cut_frame(pending.text) and _is_rest_of_frame(line, pending.number):
            pending = Line(pending.number, f"{pending.text} {line.text.lstrip()}"[:_MAX_LINE_LENGTH])
            continue
        if pending:
            yield pending
        pending = line
    if pending:
        yield pending


def _name_unbuilt_wheels(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines; behind pip's list of wheels that it did not build stand its words of earlier releases."""
    pending: Line | None = None
    for line in lines:
        _, words, behind = line.text.partition(_UNBUILT)
        if pending:
            yield _add_unbuilt_wheels(pending, "" if words else line.text)
            pending = None
        if words and not behind:
            pending = line
        else:
            yield _add_unbuilt_wheels(line, behind) if words else line
    if pending:
        yield pending


def _add_unbuilt_wheels(line: Line, listed: str) -> Line:
    match = pattern(_PACKAGES).fullmatch(listed)
    packages = match[1].split(", ") if match else []
    return line._replace(
        text="; ".join([line.text, *(f"Failed building wheel for {each}" for each in packages)])
    )


def _is_cut_frame(text: str) -> bool:
    return text.lstrip().startswith('File "') and '", line' not in text


def _is_rest_of_frame(line: Line, previous_number: int) -> bool:
    return '", line' in line.text and line.number == previous_number + 1
