"""Hide what stands in lines that a log, a quotation, a string of JSON or HTML dresses.

Patterns look at what stands before a word: the start of a line, a quote, a blank. In a log that is a time,
in a string of JSON `\\"` or `\\n`, in HTML `&quot;`.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

Hide = Callable[[str], str]

_TIME = r"(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
# What Markdown, patches and listings write before a line, and then loggers, launchers and test tools. Blanks
# that follow are of the line.
_PREFIX = re.compile(
    r"(?:[ \t]{0,8}(?:(?:>(?!>>)[ ]?){1,4}|(?:\*\*|__|~~|`{1,3}|[+|#│┃]|-(?=[\s\\/~\"']))[ ]?"
    r"|\d{1,6}(?:[ ]{1,2}|[|:][ ]?)))?"
    rf"(?:(?:[ ]?(?:\[?{_TIME}\]?|[\[(]?\b(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\b[\])]?:?"
    r"|\[(?:rank[ ]?\d{1,4}|\d{1,6}|std(?:err|out))\]:?|E[ ]{3}|std(?:err|out)(?:[ ]F|:)"
    r"|\(\w{1,40}[ ]pid=\d{1,9}\)|[\w.-]{1,40}[_-]\d{1,3}[ ]+\|)(?:[ ]?[-:](?=[ ]))?)+[ ]?)?"
)
# What they write behind it.
_ENDINGS = " \t\r|│┃*"
# A path with single backslashes has no escapes; in a shell, a quote in a quoted word is none.
_ESCAPE = re.compile(
    r"(?P<path>(?<![^\W_])[A-Za-z]:\\(?!\\|u[0-9a-fA-F]{4})[^\s\"'<>|*?%]*)|(?P<quote>'\\'')"
    r"|(?P<newline>\\r\\n|\\n)"
    r"|\\(?:(?P<sign>[\"'\\/bfrt])|u(?P<unicode>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2}))"
)
_LETTERS = {"b": "\b", "f": "\f", "r": "\r", "t": "\t"}
_ENTITY = re.compile(r"&(?:quot|apos|amp|lt|gt|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
# The arguments of a program, as Python shows a list of them.
_ARGUMENTS = re.compile(
    r"\[(?P<first>'[^'\n]{0,500}'|\"[^\"\n]{0,500}\")(?:,[ ](?:'[^'\n]{0,500}'|\"[^\"\n]{0,500}\")){1,100}\]"
)
_BETWEEN_ARGUMENTS = re.compile(r"\[[\"']|[\"'],[ ][\"']|[\"']\]")
# What is asked at a prompt, and the answer in the next line; an option and its value in a list of YAML.
_ASKED = re.compile(
    r"(?m)(?:(?:>>>|\bIn[ ]\[\d{1,4}\]:|\(Pdb(?:\+\+)?\)|\bi?pdb>)[ ]*(?:pp?[ ]|print\()?"
    r"(?:[\w.]{1,60}[\[(])?[\"']?(?:\w{1,40}\.)*(?P<name>\w{1,60})[\"']?[\])]{0,3}"
    r"|^[^\n$#>]{0,200}[$#>][ ]?"
    r"(?:(?:printenv|echo)[ ]+(?:\$\{?|%|\$env:)?|\$env:)(?P<variable>\w{1,60})[}%]?"
    r"|^[ \t]*-[ ][\"']?--?(?P<option>[\w-]{2,60})[\"']?(?=[ \t]*\r?\n[ \t]*-[ ](?![\"']?-)))"
    r"[ \t]*\r?\n[^\S\n]*(?:Out[ ]?\[\d{1,4}\]:[ ]|-[ ])?(?P<answer>[^\s>][^\n]{0,400})"
)
# A command that goes on in the next line, in bash, cmd and PowerShell.
_CONTINUED = re.compile(r"(?m)^(?:[^\n]{0,2000}[^\s\\^`][ \t]+[\\^`][ \t]*\r?\n){1,40}[^\n]{0,2000}")
_CONTINUATION = re.compile(r"[ \t]+[\\^`][ \t]*\r?\n[ \t]*")
# A string can stand in a string: a line of JSON in a line of JSON.
_MOST_STRINGS = 3


class _Token(NamedTuple):
    """A piece of a line: as it is written, and what it means."""

    written: str
    plain: str


def hide_in_dressed_lines(text: str, hide: Hide) -> str:
    """Return what `hide` makes of what dressed lines mean, and then of the text as it is written.

    As it is written, a name may be found in part, and the rest would stay. `hide` keeps the number of lines.
    """
    return _hide(text, hide, _MOST_STRINGS)


def _hide(text: str, hide: Hide, most_strings: int) -> str:
    def hide_plain(plain: str) -> str:
        plain = hide(_hide_answers(plain, hide))
        # The quotes of an argument that has blanks are gone in what the list means.
        if _ARGUMENTS.search(plain):
            plain = _hide_in_lines(plain, hide, _read_arguments, str)
        return _CONTINUED.sub(lambda command: _hide_in_command(command[0], hide), plain)

    def hide_in_string(plain: str) -> str:
        return _hide(plain, hide, most_strings - 1)

    if _ENTITY.search(text):
        text = _hide_in_lines(text, hide_plain, _read_html, _write_html)
    if "\\" in text and most_strings:
        text = _hide_in_lines(text, hide_in_string, _read_string, _write_string)
    return hide_plain(_hide_behind_prefixes(text, hide_plain))


def _hide_answers(text: str, hide: Hide) -> str:
    """Hide what follows a question for it: the answer is read like the value of a setting."""
    asked = list(_ASKED.finditer(text))
    names = [match["name"] or match["variable"] or match["option"] for match in asked]
    settings = [f"{name}={match['answer']}" for name, match in zip(names, asked, strict=True)]
    pieces: list[str] = []
    end = 0
    for match, name, line in zip(asked, names, _hide_each(settings, hide), strict=True):
        start = match.start("answer")
        is_setting = line.startswith(f"{name}=")
        pieces += text[end:start], line[len(name) + 1 :] if is_setting else match["answer"]
        end = match.end()
    return "".join(pieces) + text[end:]


def _hide_in_command(command: str, hide: Hide) -> str:
    """Hide in a command of several lines; the lines keep their numbers."""
    tokens = list(_read(command, _CONTINUATION.finditer(command), lambda match: " "))
    plain = _join(tokens)
    hidden = hide(plain)
    if hidden == plain:
        return command
    written = _write(tokens, hidden, str)
    return written + "\n" * (command.count("\n") - written.count("\n"))


def _hide_behind_prefixes(text: str, hide: Hide) -> str:
    lines = text.split("\n")
    bodies: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(lines):
        match = _PREFIX.match(line)
        if match is not None and match[0].strip():
            # A command of PowerShell goes on behind this sign.
            endings = f"{_ENDINGS}`" if "`" in match[0] else _ENDINGS
            bodies[number] = match.end(), max(match.end(), len(line.rstrip(endings)))
    plain = [lines[number][start:end] for number, (start, end) in bodies.items()]
    for (number, (start, end)), line in zip(bodies.items(), _hide_each(plain, hide), strict=True):
        lines[number] = lines[number][:start] + line + lines[number][end:]
    return "\n".join(lines)


def _hide_in_lines(
    text: str, hide: Hide, read: Callable[[str], Sequence[_Token]], write: Callable[[str], str]
) -> str:
    """Hide in what the lines mean for which there are tokens."""
    lines = text.split("\n")
    dressed: dict[int, list[list[_Token]]] = {}
    for number, line in enumerate(lines):
        if tokens := read(line):
            dressed[number] = [list(group) for _, group in groupby(tokens, key=_is_newline)]
    parts = [part for parts in dressed.values() for part in parts if not _is_newline(part[0])]
    rest = iter(_hide_each([_join(part) for part in parts], hide))
    for number, groups in dressed.items():
        lines[number] = "".join(
            _join_written(part) if _is_newline(part[0]) else _write(part, next(rest), write)
            for part in groups
        )
    return "\n".join(lines)


def _hide_each(lines: Sequence[str], hide: Hide) -> Sequence[str]:
    """Return what `hide` makes of lines that stand below each other."""
    hidden = hide("\n".join(lines)).split("\n") if lines else []
    return hidden if len(hidden) == len(lines) else lines


def _is_newline(token: _Token) -> bool:
    return token.plain == "\n"


def _join(part: Sequence[_Token]) -> str:
    return "".join(token.plain for token in part)


def _join_written(part: Sequence[_Token]) -> str:
    return "".join(token.written for token in part)


def _write(part: Sequence[_Token], hidden: str, write: Callable[[str], str]) -> str:
    """Write a line that `hide` gave; what did not change at its ends stays as it was written."""
    if hidden == _join(part):
        return _join_written(part)
    tokens = [token for each in part for token in _split_plain(each)]
    start = _count_equal(tokens, hidden)
    before, tokens = tokens[:start], tokens[start:]
    hidden = hidden[len(_join(before)) :]
    end = len(tokens) - _count_equal(tokens[::-1], hidden[::-1])
    after = tokens[end:]
    middle = hidden[: len(hidden) - len(_join(after))]
    return _join_written(before) + write(middle) + _join_written(after)


def _split_plain(token: _Token) -> Iterator[_Token]:
    """Yield the letters of a token that means what is written."""
    if token.written != token.plain:
        yield token
    else:
        yield from (_Token(letter, letter) for letter in token.plain)


def _count_equal(tokens: Sequence[_Token], text: str) -> int:
    """Return how many tokens, of one letter each, a text begins with."""
    pairs = enumerate(zip(tokens, text, strict=False))
    differing = (count for count, (token, letter) in pairs if token.plain != letter)
    return next(differing, min(len(tokens), len(text)))


def _read_string(line: str) -> list[_Token]:
    if "\\" not in line:
        return []
    escapes = list(_ESCAPE.finditer(line))
    # With a backslash that escapes nothing it is another text.
    if line.count("\\") > sum(match[0].count("\\") for match in escapes if not match["path"]):
        return []
    return list(_read(line, escapes, _decode))


def _read_html(line: str) -> list[_Token]:
    return list(_read(line, _ENTITY.finditer(line), lambda match: html.unescape(match[0])))


def _read_arguments(line: str) -> list[_Token]:
    """Read a list of arguments as a shell would."""
    between = (
        each
        for match in _ARGUMENTS.finditer(line)
        for each in _BETWEEN_ARGUMENTS.finditer(line, match.start(), match.end())
    )
    return list(_read(line, between, lambda match: " "))


def _read(
    line: str, escapes: Iterable[re.Match[str]], decode: Callable[[re.Match[str]], str]
) -> Iterator[_Token]:
    end = 0
    for match in escapes:
        if plain := decode(match):
            if match.start() > end:
                yield _Token(line[end : match.start()], line[end : match.start()])
            yield _Token(match[0], plain if plain.isprintable() or plain in "\n\t" else " ")
            end = match.end()
    if end < len(line):
        yield _Token(line[end:], line[end:])


def _decode(match: re.Match[str]) -> str:
    """Return the letter that an escape means; "" for what is none."""
    if match["quote"]:
        return ""
    if match["newline"]:
        return "\n"
    if match["sign"]:
        return _LETTERS.get(match["sign"], match["sign"])
    letter = chr(int(match["unicode"] or match["byte"], 16))
    return " " if letter == "\n" else letter


def _write_string(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")


def _write_html(text: str) -> str:
    # What was hidden stays as it is elsewhere, so that it is not taken for a name.
    return re.sub(r"&lt;(\w{1,10})&gt;", r"<\1>", html.escape(text))
