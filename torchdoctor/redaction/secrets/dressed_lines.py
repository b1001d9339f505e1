"""Hide what stands in lines that a log, a quotation, a string of JSON or HTML dresses.

Patterns look at what stands before a word: the start of a line, a quote, a blank. In a log that is a time,
in a string of JSON `\\"` or `\\n`, in HTML `&quot;`.
"""

import html
import re

from torchdoctor.core.log_prefixes import LAUNCHERS, TIME_OF_DAY, TIMESTAMP
from torchdoctor.redaction.secrets.typed_commands import hide_typed
from torchdoctor.redaction.secrets.written_tokens import Change, Token, change_each, change_lines, read_tokens

# What Markdown, patches and listings write before a line, and then loggers, launchers and test tools. Blanks
# that follow are of the line.
_MARKUP = (
    r"(?:>(?!>>)[ ]?){1,4}|(?:\*\*|__|~~|`{1,3}|[+|#│┃]|-(?=[\s\\/~\"']))[ ]?|\d{1,6}(?:[ ]{1,2}|[|:][ ]?)"
)
_LOGGED = (
    rf"\[?(?:{TIMESTAMP}|{TIME_OF_DAY})\]?|[\[(]?\b(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\b[\])]?:?"
    rf"|{LAUNCHERS}|\[(?:\d{{1,6}}|std(?:err|out))\]:?|std(?:err|out)(?:[ ]F|:)|E[ ]{{3}}"
)
_PREFIX = re.compile(rf"(?:[ \t]{{0,8}}(?:{_MARKUP}))?(?:(?:[ ]?(?:{_LOGGED})(?:[ ]?[-:](?=[ ]))?)+[ ]?)?")
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
# A string can stand in a string: a line of JSON in a line of JSON.
_MOST_STRINGS = 3


def hide_in_dressed_lines(text: str, hide: Change) -> str:
    """Return what `hide` makes of what dressed lines mean, and then of the text as it is written.

    As it is written, a name may be found in part, and the rest would stay. `hide` keeps the number of lines.
    """
    return _hide(text, hide, _MOST_STRINGS)


def _hide(text: str, hide: Change, most_strings: int) -> str:
    def hide_plain(plain: str) -> str:
        return hide_typed(plain, hide)

    def hide_in_string(plain: str) -> str:
        return _hide(plain, hide, most_strings - 1)

    if _ENTITY.search(text):
        text = change_lines(text, hide_plain, _read_html, _write_html)
    if "\\" in text and most_strings:
        text = change_lines(text, hide_in_string, _read_string, _write_string)
    return hide_plain(_hide_behind_prefixes(text, hide_plain))


def _hide_behind_prefixes(text: str, hide: Change) -> str:
    lines = text.split("\n")
    bodies: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(lines):
        match = _PREFIX.match(line)
        if match is not None and match[0].strip():
            # A command of PowerShell goes on behind this sign.
            endings = f"{_ENDINGS}`" if "`" in match[0] else _ENDINGS
            bodies[number] = match.end(), max(match.end(), len(line.rstrip(endings)))
    plain = [lines[number][start:end] for number, (start, end) in bodies.items()]
    for (number, (start, end)), line in zip(bodies.items(), change_each(plain, hide), strict=True):
        lines[number] = lines[number][:start] + line + lines[number][end:]
    return "\n".join(lines)


def _read_string(line: str) -> list[Token]:
    if "\\" not in line:
        return []
    escapes = list(_ESCAPE.finditer(line))
    # With a backslash that escapes nothing it is another text.
    if line.count("\\") > sum(match[0].count("\\") for match in escapes if not match["path"]):
        return []
    return list(read_tokens(line, escapes, _decode))


def _read_html(line: str) -> list[Token]:
    return list(read_tokens(line, _ENTITY.finditer(line), lambda match: html.unescape(match[0])))


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
