"""Leave out the parts of paths as wholes: a path has parts between separators, whatever signs these have.

A name can have blanks, colons, quotes, brackets and signs of any writing. Where a path stands in quotes, all
up to the closing one is the path. Else it goes on to the last separator of the line: a word too many is left
out rather than one of a name shown.
"""

import re
from collections.abc import Callable

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.paths.path_parts import show_whole_part
from torchdoctor.redaction.words.odd_words import is_file_name
from torchdoctor.redaction.words.shared_names import is_name_of_code, is_public_word

Show = Callable[[str], str]

MARKS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "<": ">",
    "(": ")",
    "[": "]",
    "“": "”",
    "‘": "’",
    "«": "»",
    "「": "」",
}
# An option of a command of Windows is no path: /s, /t, /std:c++17.
_BEHIND_ROOT = r"(?![A-Za-z](?:[\s:`]|$)|std:|user:)[\w<]"
ABSOLUTE = (
    r"(?<![A-Za-z\d])[A-Za-z]:[\\/]|(?<![^\s\"'`“‘«「=(<])(?<!\w[\"'`>])\\\\(?=[\w<.])"
    rf"|(?<![\w.<:/*`)\]}}>~%!-])(?<!\w[\"'])/(?={_BEHIND_ROOT})"
    rf"|(?<![\w/\\][`<])(?<=[`<])/(?={_BEHIND_ROOT})"
    r"|(?<![\w./\\~])(?:~|\.{1,2}|%\w{2,40}%|<\w{1,10}>)[\\/](?=[ ]?[^\s\\/\"'`>])"
)
_ROOT = re.compile(ABSOLUTE)
# Also where a path begins that is relative and in quotes.
_ROOT_OR_START = re.compile(
    rf"{ABSOLUTE}|(?<![\w)\]\\/][\"'`<“‘«「])(?<=[\"'`<“‘«「])"
    r"(?=[^\s\\/\"'`<>,;:)(\]{}=-][^\\/\n]{0,120}[\\/](?!/))"
)
# What stands in quotes and is no path: an address, options of a command and code.
_CODE = re.compile(r"://|\s--?[a-z]|\s/[a-z]{1,12}(?:\s|$)|[{}]|\$[A-Z(]")
_HOMES = re.compile(r"(?i)(?:^|[\\/])(?:users|home|documents and settings)[\\/]{1,8}$")
# Also what icacls prints of an account, whose name is hidden elsewhere: name:(F).
_PLAIN = re.compile(r"[\w .~+-]*\$?(?::\([A-Za-z]{1,4}\))?|<\w{1,20}>")
_BRACKETS = (")", "]")
_SEPARATORS = re.compile(r"[\\/]+")
# What no name has that stands in no quotes: the sign of a prompt, of an address, and of another command.
_ENDS = re.compile(r"[$#%>] |\s/|\s[<>|]|\w+://|&&")
_ENDS_ON_WINDOWS = re.compile(
    r"\s/|(?<!\w)>|(?<!<user)(?<!<host)(?<!<secret)>|<(?!\w{1,10}>)|[\"|*?]|\w+://|&&"
)
# A file ends a path if a blank or a sign of a sentence stands behind it.
FILE = re.compile(r"[^\s\\/]{0,120}?\.[A-Za-z]\w{0,11}(?=$|[\s:,;)\]}\"'`>(&…]|\.(?:\s|$))")
# The last part of a path in no quotes ends at a blank; a sign between two letters does not end it.
_LAST = re.compile(r"[^\s\\/<>|]{0,255}[^\W_]")
_JOINED = re.compile(r"[\w.](?!:\([A-Za-z]{1,4}(?:\)|$))[\"'`´’:,;&!(\[{]+[^\W\d_]")
PLACE = re.compile(r"(?::\d{1,7}){1,2}:?|\(\d{1,7}(?:,\d{1,7})?\):?")
# What stands behind the sign that closes a path in a frame and in code.
_CLOSED = re.compile(r", line \d|\)\.\w")
_LONGEST = 600


def leave_out_parts(text: str) -> str:
    """Return a text in which three dots stand for each part of an absolute path that no program has."""
    if "\\" not in text and "/" not in text:
        return text
    return "\n".join(_leave_out_of_line(line, _ROOT, show_whole_part) for line in text.split("\n"))


def leave_out_of_path(path: str) -> str:
    """Return what is a path as a whole with three dots for each part that no program has."""
    root = _ROOT.match(path)
    start = root.end() if root is not None else len(path) - len(path.lstrip("\\/"))
    if _ROOT.search(path, start) is not None or (not start and _is_command(path)):
        return leave_out_parts(path)
    return path[:start] + _show_marked(path[start:], show_whole_part)


def leave_out_odd_parts(text: str) -> str:
    """Return what was read from a text without the parts of paths that have signs of quoting or sentences.

    The others stay for now: a name that is found in its folder is left out wherever the text has it.
    """
    if "\\" not in text and "/" not in text:
        return text
    return "\n".join(_leave_out_of_line(line, _ROOT_OR_START, _show_odd_part) for line in text.split("\n"))


def _show_odd_part(part: str) -> str:
    return part if _PLAIN.fullmatch(part) else show_whole_part(part)


def _leave_out_of_line(line: str, roots: re.Pattern[str], show: Show) -> str:
    shown, end = [], 0
    root = roots.search(line)
    while root is not None:
        shown.append(line[end : root.start()])
        opening = line[root.start() - 1 : root.start()]
        start = root.end()
        end = find_closing(line, root.end(), MARKS.get(opening, ""))
        if not root[0] and (end < 0 or _is_command(line[start:end])):
            end, parts = start, ""
        elif end < 0:
            following = next((each for each in _ROOT.finditer(line, start) if each[0]), None)
            limit = following.start() if following is not None else len(line)
            end = _find_end(line, root, limit)
            parts = _show_folders(line[start:end], show)
            last = _LAST.match(line, end, limit)
            is_option = root[0] == "/" and end == start
            is_joined = last is not None and _JOINED.search(last[0]) is not None
            if last is not None and is_joined and not is_option and FILE.match(last[0]) is None:
                parts += show(last[0])
                end = last.end()
        else:
            parts = _show_marked(line[start:end], show if root[0] else show_whole_part)
        shown += [root[0], parts]
        root = roots.search(line, end + (end == start))
    return "".join((*shown, line[end:]))


def _is_command(quoted: str) -> bool:
    """Return whether what stands in quotes has no relative path alone: a command, an address or code."""
    first, _, rest = quoted.partition(" ")
    if _ROOT.search(quoted) is not None:
        return True
    is_program = bool(rest) and (is_name_of_code(first) or is_public_word(first))
    return is_program or _CODE.search(quoted) is not None


def find_closing(line: str, start: int, mark: str) -> int:
    """Return where the sign stands that closes a path, or -1; a name can have the same sign."""
    closing = -1
    at = line.find(mark, start, start + _LONGEST) if mark else -1
    while at >= 0:
        behind = line[at + 1 : at + 2]
        is_between = behind and (behind in "\\/_" or behind.isalnum())
        if _ROOT.match(line, at + 1) and not line[at - 1 : at].isalnum():
            break
        if not is_between and (closing < 0 or _SEPARATORS.search(line, closing, at)):
            closing = at
            # No name on Windows has such a sign.
            is_closed = mark in '">' and line[start - 1 : start] == "\\"
            if is_closed or is_file_name(line[max(start, at - 12) : at]) or _CLOSED.match(line, at + 1):
                break
        at = line.find(mark, at + 1, start + _LONGEST)
    # Arguments stand in brackets as well: (C:\\a, D:\\b)
    has_several = mark in _BRACKETS and _ROOT.search(line, start, max(closing, start)) is not None
    return -1 if has_several else closing


def _find_end(line: str, root: re.Match[str], end: int) -> int:
    """Return where the last folder of a path ends that is in no quotes: behind its last separator."""
    ends = _ENDS if root[0][:1] == "/" else _ENDS_ON_WINDOWS
    stop = ends.search(line, root.end(), end)
    end = stop.start() if stop is not None else end
    at = root.end()
    for separator in _SEPARATORS.finditer(line, root.end(), end):
        file = FILE.match(line, at, separator.start())
        if file is not None and file.end() < separator.start() and is_file_name(file[0]):
            return at
        at = separator.end()
    return at


def _show_folders(body: str, show: Show) -> str:
    def show_folder(part: re.Match[str]) -> str:
        shown = show(part[0])
        before = body[max(0, part.start() - 40) : part.start()]
        is_user = shown == LEFT_OUT != part[0] and _HOMES.search(before) is not None
        return "<user>" if is_user else shown

    return re.sub(r"[^\\/]+", show_folder, body)


def _show_marked(body: str, show: Show) -> str:
    at = max(body.rfind("\\"), body.rfind("/")) + 1
    return _show_folders(body[:at], show) + _show_last(body[at:], show)


def _show_last(last: str, show: Show) -> str:
    """Return the last part of a path in quotes; behind a file stand arguments, or a place in it."""
    file = FILE.match(last)
    if file is None or not is_file_name(file[0]):
        return show(last)
    rest = last[file.end() :]
    if not rest or PLACE.fullmatch(rest):
        return f"{show(file[0])}{rest}"
    if not rest.startswith(" "):
        return show(last)
    words = (
        word if is_public_word(word) or is_name_of_code(word) else LEFT_OUT for word in rest[1:].split(" ")
    )
    return f"{show(file[0])} {' '.join(words)}"
