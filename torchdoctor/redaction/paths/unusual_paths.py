"""Leave out the parts of paths that are no words of messages: many of them are named after people."""

import re
from collections.abc import Iterator
from itertools import takewhile

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.paths.path_parts import VARIABLE, is_public_part, show_part
from torchdoctor.redaction.paths.whole_paths import leave_out_of_path, leave_out_parts
from torchdoctor.redaction.people.private_hosts import is_known_host, leave_out_private_hosts
from torchdoctor.redaction.words.known_words import is_known
from torchdoctor.redaction.words.odd_words import ENDINGS_OF_PROGRAMS, is_file_name, leave_out_file
from torchdoctor.redaction.words.release_words import is_wheel, leave_out_of_wheel
from torchdoctor.redaction.words.shared_names import (
    is_file_of_programs,
    is_folder_of_programs,
    is_name_of_code,
    is_package,
    is_public_word,
)
from torchdoctor.redaction.words.shared_values import show_value

_ADDRESS_OF_A_PAGE = re.compile(
    r"https?://(?P<host>[A-Za-z\d][\w.-]{0,100})(?![\w.-]|:[^\s/@]{1,200}@|@)[^\s\"'`<>)\]]*"
)
# A folder, which can have blanks, and the last part of a path.
_FOLDER = re.compile(
    r"(?<=[\\/])(?!\s|\.(?!\w))(?:[^\\/:\"'`<>|\r\n]{1,64}|[^\s\\/:\"'`<>|]{65,255})(?=[\\/])"
)
# A folder behind a blank or a dot, which begins so or was broken there. A blank counts in an absolute path.
_FOLDER_BEHIND = re.compile(
    r"(?<=[\\/])(?P<start>\s{1,8}(?:>\s{0,4})?|\.(?=\w))(?P<part>[^\s\\/:*?\"'`<>|][^\\/:*?\"'`<>|\r\n]{0,63})"
    r"(?=[\\/])"
)
_ABSOLUTE = re.compile(
    r"(?:(?<![A-Za-z\d])[A-Za-z]:[\\/]|(?<![^\s\"'`=(])\\\\|(?<![\w.<:/*`-])/(?=\w))"
    r"(?:[^:*?\"'`<>|\n]|<\w{1,10}>){0,400}$"
    r"|(?:(?<![A-Za-z\d])[A-Za-z]:[\\/]{1,4}|(?<![^\s\"'`=(])/)$"
)
# One with a sign of quoting in it: an apostrophe, or what a wrong code page makes of a letter. A quote
# between two letters ends no path.
_FOLDER_WITH_QUOTE = re.compile(
    r"(?:(?<=[\\/])[^\\/:*?\"'`<>|,\r\n]{0,60}[\w.]|(?<=<user>)(?:\.{3})?)[\"'`](?=\w)"
    r"[^\\/:*?\"'`<>|\r\n]{1,64}(?:[\"'`](?=\w)[^\\/:*?\"'`<>|\r\n]{1,64}){0,3}(?=[\\/])"
)
# The first part of a relative path in any writing, and the owner of a repository or a model. A number is
# one if letters stand behind it: 4264/models, not 12/5000.
_FIRST = re.compile(
    r"(?<![^\s:\"'`“”‘’«»<>|()\[\]{},;=?])(?!\d{1,12}/\d[\d/]{0,24}(?:[^\w\\/.]|\.?$|\.\s))"
    r"[^\s\\/:\"'`“”‘’«»<>|()\[\]{},;=?]{1,255}"
    r"(?=[\\/]{1,4}(?:[^\s\\/\"'`]|\s|$)|/[\"'`])"
    r"|(?<=(?<!\\)[\"'`])[^\s\\/:\"'`“”‘’«»<>|()\[\]{},;=?]{1,255}(?=[\\/]{1,4}[\"'`])"
)
# The last part, and what its name has in brackets or behind a sign.
_FILE = re.compile(
    r"(?<=[\\/])(?!grant \")(?:[^\s\\/:\"'`<>|,;?]|[,;](?=\w)(?![A-Za-z]:)|\?(?!\w{1,60}=)){2,255}"
    r"(?=[\s\"'`<>|,;:?]|$)"
)
# What stands behind a name and is none of it: the number of a line, and the end of a sentence or of brackets.
_BEHIND_NAME = re.compile(r"(?:\(\d{1,6}(?:,\d{1,6})?\))?[,;.?!*]*$")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_SIGNS = "*#!?&^_-+@~.%$\u2026"
# C++
_LANGUAGE = re.compile(r"[A-Za-z]{1,3}\+\+")
# A speed, and how much of a size: 2.03s/it, 1.5/7.9GB
_AMOUNT = re.compile(r"\d{1,4}(?:\.\d{1,3})?(?:m?s|it|[KMGT]?i?B)?")
_AMOUNT_BEFORE = re.compile(rf"(?<![\w.\\/-]){_AMOUNT.pattern}/$")
# A count, or a date: 12/500, 2026/11/29
_COUNT_BEFORE = re.compile(r"(?<![\w.\\/-])(?:\d{1,12}/){1,2}$")
_PER = re.compile(r"(?:it|s|step|\d{1,4}(?:\.\d{1,3})?[ ]?[KMGT]?i?B)(?![\w./\\-])")
# The default of a slot in a sentence of ours.
_DEFAULT_BEFORE = re.compile(r"\{\w{1,60}\|[^{}\s]{0,200}$")
# A port stands behind a host.
_HOST_BEFORE = re.compile(r"://[\w.\[\]-]{1,255}:$")
# A path in quotes ends with them, whatever blanks its last part has.
_QUOTED = re.compile(
    r"(?<![^\W_])(?P<start>[bru]?(?P<quote>[\"'`])(?=(?:[A-Za-z]:|~|\.{1,2})?[\\/])"
    r"(?:(?!(?P=quote))[^\n]){1,400}[\\/])"
    r"(?P<last>(?:(?!(?P=quote))[^\\/\n]){2,200})(?=(?P=quote)(?![^\W_]))"
)
# The last part of another one goes on over blanks; and what stands before it, from a drive or a server.
_LAST_WORDS = re.compile(
    r"(?<=[\\/])(?P<last>[^\s\\/:*?\"'`<>|()\[\],;=]{1,120})"
    r"(?P<rest>(?:[ ][^\s\\/:*?\"'`<>|()\[\],;=]{1,60}){1,8})"
    r"(?![^\s:*?\"'`<>|()\[\],;=])"
)
_ROOTED = re.compile(
    r"(?:(?<![A-Za-z\d])[A-Za-z]:[\\/]|(?<![^\s\"'`=(])\\\\)(?:[^:*?\"'`<>|\n]|<\w{1,10}>){0,400}$"
)
# A file of a program or a model, also where its name stands alone.
_FILE_OF_A_PROGRAM = re.compile(
    r"(?<![\w.+%@=\u2026-])(?P<stem>[^\W_][\w.+-]{0,100})"
    rf"(?P<ending>\.(?:{ENDINGS_OF_PROGRAMS}))(?![\w-]|\.\w|\()",
    re.IGNORECASE,
)
# The name of a text, and where it stands in a file of several.
_SEPARATOR = re.compile(r"([\\/]+)")
_KEPT_PART = re.compile(r"[\\/]+|[A-Za-z]:|~|\.{1,3}|<\w{1,10}>")
_NAME_OF_TEXT = re.compile(
    r"(?P<stem>.+?)(?P<ending>\.[A-Za-z]{1,8})?(?P<place>:\d{1,9}|,? \(?(?:lines?|part) .{1,80})?", re.DOTALL
)
_OF_A_TEXT = re.compile(
    r"standard input|-|\d{1,3}"
    r"|(?:(?:errors?|log|output|out|text|paste|report|stderr|stdout|traceback|crash)"
    r"[_-]?\d{0,3})(?:\.[A-Za-z]{1,8})?(?::\d{1,9}|,? \(?(?:lines?|part) .{1,80})?"
)
# A longer one is none of a file.
_LONGEST_PATH = 400
# A table of nvidia-smi cuts off the start of a path.
_CUT_OFF = re.compile(r"(?<![\w.])\.{3}[\w-]{2,60}(?=\\)")
_SAME_PARTS = re.compile(r"(?P<separator>[\\/]{1,4})\.{3}(?:[\\/]{1,4}\.{3}(?=[\\/\s\"'`]|$))+")


def hide_unknown_folders(text: str) -> str:
    """Replace each part of a path that is no word of messages, and hosts that are not public, by three dots.

    Many folders are named after people.
    """
    if "://" in text:
        end, parts = 0, []
        for address in _ADDRESS_OF_A_PAGE.finditer(text):
            if is_known_host(address["host"].lower()):
                parts += [_hide_folders(text[end : address.start()]), address[0]]
                end = address.end()
        return "".join((*parts, _hide_folders(text[end:])))
    return _hide_folders(text)


def list_parts(text: str) -> Iterator[str]:
    """Yield the parts of the paths in a text, and its names of files, as they are looked at."""
    for form in (_FOLDER, _FIRST, _FILE, _FILE_OF_A_PROGRAM):
        yield from (match[0] for match in form.finditer(text))
    for form in (_QUOTED, _LAST_WORDS):
        yield from (match["last"] for match in form.finditer(text))


def _hide_folders(text: str) -> str:
    text = leave_out_private_hosts(text)
    if "." in text:
        text = _FILE_OF_A_PROGRAM.sub(_show_file, text)
    if "\\" not in text and "/" not in text:
        return text
    plain = _FOLDER_WITH_QUOTE.sub(_show_with_quote, leave_out_parts(text))
    shown = _LAST_WORDS.sub(_show_last_words, _QUOTED.sub(_show_quoted, plain))
    shown = _FOLDER_BEHIND.sub(_show_behind, shown)
    shown = _FOLDER.sub(_show_part, _FIRST.sub(_show_first, shown))
    shown = _FILE.sub(_show_last, _CUT_OFF.sub(LEFT_OUT, shown))
    return text if shown == text else _SAME_PARTS.sub(rf"\g<separator>{LEFT_OUT}", shown)


def _show_file(match: re.Match[str]) -> str:
    """Show the name of a file if it is one that many have, or has known words; else its ending alone."""
    name = match[0]
    is_shown = is_file_of_programs(name)
    if not is_shown and is_wheel(name) and any(map(str.isdecimal, name)):
        return leave_out_of_wheel(name, is_package)
    return name if is_shown else f"{LEFT_OUT} {match['ending']}"


def hide_unknown_parts(path: str) -> str:
    """Replace the name of a file that programs do not write by three dots; its ending stays."""
    if len(path) > _LONGEST_PATH:
        return LEFT_OUT
    if "/" in path or "\\" in path:
        path = leave_out_of_path(path)
        start = max(path.rfind("/"), path.rfind("\\")) + 1
        return hide_unknown_folders(path[:start]) + path[start:]
    if is_public_part(path):
        return path
    return show_value(path) if " " in path or ":" in path else leave_out_file(path)


def hide_name_of_text(name: str, *, keeps_file: bool = False) -> str:
    """Replace each part that is no known word in the name or the path of a text; its ending stays.

    With `keeps_file`, so does the name of the file: it tells many texts apart for whoever gave them.
    """
    if "://" in name:
        return hide_unknown_folders(name)
    *folders, file = _SEPARATOR.split(name)
    shown = [
        part if not part or _KEPT_PART.fullmatch(part) or is_folder_of_programs(part) else LEFT_OUT
        for part in folders
    ]
    found = _NAME_OF_TEXT.fullmatch(file)
    is_kept = keeps_file or _OF_A_TEXT.fullmatch(file) is not None
    if (
        found is not None
        and not is_kept
        and not is_file_of_programs(f"{found['stem']}{found['ending'] or ''}")
    ):
        blank = " " if found["ending"] else ""
        file = f"{LEFT_OUT}{blank}{found['ending'] or ''}{found['place'] or ''}"
    return _SAME_PARTS.sub(rf"\g<separator>{LEFT_OUT}", "".join((*shown, file)))


def _show_quoted(match: re.Match[str]) -> str:
    """Show the last part of a path in quotes if all its words are known; behind a file stand arguments."""
    last = match["last"]
    first, blank, rest = last.partition(" ")
    if not blank or "://" in match["start"]:
        return match[0]
    if is_file_name(first):
        words = (
            word if is_public_word(word) or is_name_of_code(word) else LEFT_OUT for word in rest.split(" ")
        )
        return f"{match['start']}{show_part(first)} {' '.join(words)}"
    return f"{match['start']}{show_part(last)}"


def _show_last_words(match: re.Match[str]) -> str:
    """Leave out the words behind a blank in the last part of a path, up to one that is known."""
    last, words = match["last"], match["rest"].split(" ")[1:]
    unknown = sum(1 for _ in takewhile(lambda word: not is_known(word), words))
    if not unknown or is_file_name(last) or not _stands_behind(_ROOTED, match):
        return match[0]
    shown = f"{last} {LEFT_OUT}" if is_public_part(last) else LEFT_OUT
    return " ".join((shown, *words[unknown:]))


def _show_with_quote(match: re.Match[str]) -> str:
    """Leave out a folder with a sign of quoting in it; one with blanks is part of an absolute path."""
    is_of_path = " " not in match[0] or _stands_behind(_ABSOLUTE, match)
    return LEFT_OUT if is_of_path else match[0]


def _show_behind(match: re.Match[str]) -> str:
    """Leave out a folder behind a blank in an absolute path, or behind a dot, unless programs have it."""
    start, part = match["start"], match["part"]
    is_of_path = not start.isspace() or _stands_behind(_ABSOLUTE, match)
    if not is_of_path or is_public_part(part) or is_public_part(f"{start}{part}"):
        return match[0]
    return f"{start.rstrip('.')}{LEFT_OUT}"


def _stands_behind(before: re.Pattern[str], match: re.Match[str]) -> bool:
    """Return whether a pattern is found in what stands before a match in the text, as far as a path goes."""
    return before.search(match.string[max(0, match.start() - _LONGEST_PATH) : match.start()]) is not None


def _show_part(match: re.Match[str]) -> str:
    return show_part(match[0])


def _show_first(match: re.Match[str]) -> str:
    """Show the first part of a relative path if programs have it, whatever signs stand around it."""
    part = match[0]
    bare = part.strip(_SIGNS)
    if not bare or VARIABLE.fullmatch(bare) or _LANGUAGE.fullmatch(part):
        return part
    if part.startswith(".") and all(map(is_folder_of_programs, bare.split("-"))):
        return part
    if bare.isdecimal() and _stands_behind(_HOST_BEFORE, match):
        return part
    if _AMOUNT.fullmatch(part) and _PER.match(match.string, match.end() + 1):
        return part
    if part == bare or show_part(part) == part:
        return show_part(part)
    return part if show_part(bare) == bare else LEFT_OUT


def _show_last(match: re.Match[str]) -> str:
    """Show the last part of a path; a bracket that it does not open stands behind it."""
    name = match[0]
    if name.endswith("}") and _stands_behind(_DEFAULT_BEFORE, match):
        return name
    is_count = name.isdecimal() and _stands_behind(_COUNT_BEFORE, match)
    if is_count or (_PER.match(name) and _stands_behind(_AMOUNT_BEFORE, match)):
        return name
    while name and (start := _BEHIND_NAME.search(name)) is not None:
        end = start.start()
        if (
            end
            and name[end - 1] in _BRACKETS
            and name.count(name[end - 1], 0, end) > name.count(_BRACKETS[name[end - 1]], 0, end)
        ):
            end -= 1
        if end == len(name):
            break
        name = name[:end]
    return f"{show_part(name)}{match[0][len(name) :]}" if len(name) > 1 else match[0]
