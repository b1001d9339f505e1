"""Leave out of the paths of a machine each part that people name: what no program makes.

Mounts, shares, homes and cloud folders have no end of forms, and below each of them, below a drive and below
the root, people name folders. So a part is shown only if programs make one with its name. What stands below
a folder that programs fill, as `site-packages`, is shown as it is.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, zip_longest

from torchdoctor.domain.masks import MASKED
from torchdoctor.redaction.paths.named_folders import ONLY_MASK, find_filled, show_folder
from torchdoctor.redaction.paths.separators import SEPARATOR
from torchdoctor.redaction.paths.whole_paths import ABSOLUTE, FILE, MARKS, PLACE, find_closing
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.words.odd_words import is_file_name
from torchdoctor.redaction.words.shared_names import is_public_word

_Show = Callable[[str], str]

# Storage of clusters, clouds and other computers: all in such an address was named by people.
_STORAGE = (
    r"(?:abfss?|adls?|afp|az|azureml|cifs|cos|dav|davs|dbfs|dvc|fish|ftps?|gc?s|hdfs|hf|jupyter|lakefs|minio"
    r"|mlflow-artifacts|nfs|obs|oss|rclone|rsync|s3[an]?|scp|sftp|smb|ssh|swift|viewfs|volumes|wandb(?:-artifact)?|wasbs?"
    r"|webdavs?|webhdfs)://"
)
# Behind an element of XML, a path begins; behind a mask, it goes on.
_BEHIND_NO_MASK = "".join(f"(?<!<{mask}>)" for mask in MASKED.split("|"))
# Bytes, raw and formatted strings of Python, and wide ones of C.
_IN_PREFIXED_STRING = r"(?:(?<=(?<!\w)[bfrtuBFRTUL][\"'])|(?<=(?<!\w)[bfrtBFRT]{2}[\"']))"
_ROOT = re.compile(
    rf"(?i:(?<![A-Za-z\d+.-]){_STORAGE})|\\{{2,16}}[?.]\\{{1,8}}(?:(?i:UNC)\\{{1,8}}|(?=\w)(?![A-Za-z]:))|{ABSOLUTE}"
    # A server also with its backslashes doubled; and roots in a list of folders, behind an option of a
    # compiler, and behind the name of a host or of storage: gpu01:/data, dbfs:/models
    r"|(?:(?<=[:;,])|(?<![^\s\"'`(=\[]))\\{2,16}(?=[\w<.])|(?<=[:;,])/(?=[^\s\\/\"'*)\]])|(?<=;)\\(?=\w)"
    r"|(?<=[-/][IL])[A-Za-z]:[\\/]|(?<![\w:/<])//(?=<|wsl|[\w.+-]{1,60}@)|(?<=file:)//(?=<|wsl)"
    # Below the current folder or drive, what only stands above folders of people.
    r"|(?<=[„‚‹『【《（→])\\\\(?=[\w<.])"
    rf"|(?<=>){_BEHIND_NO_MASK}\\\\(?=[\w<][\w.<>-]{{0,64}}\\(?![\\\s]))"
    rf"|(?<![\w.:\\/<@-]){_BEHIND_NO_MASK}(?:(?:homes?|Users|USERS|media|mnt|Volumes)(?:\\{{1,8}}|/)(?=[^\s\\/][^\\/]{{0,64}}[\\/])"
    r"|Library/(?=CloudStorage/|Mobile ))|(?<![A-Za-z\d])[A-Za-z]:(?=Users\\)"
    r"|(?<![\w.:\\/<>])\\(?:Users\\{1,4}(?=[\w<])|(?=<host>\\))|(?<=[\s\"'=]-[IL])/(?=\w)"
    r"|(?:%\w{2,40}%|\$(?i:env:)?\{?\w{2,40}\}?)[\\/]{1,8}(?=[^\s\\/])"
    # With backslashes doubled, below the home of another user, and bytes as Python writes them.
    r"|(?<![\w./\\~])(?:~|\.{1,2})\\{2,8}(?=[^\s\\/\"'`>])|(?<![\w./\\])~<user>[\\/]{1,8}(?=[^\s\\/])"
    rf"|{_IN_PREFIXED_STRING}/(?=[^\s\\/\"'(\[^$.?*+])"
    # A drive in an address: file:///c%3A/data
    r"|(?<![A-Za-z\d])[A-Za-z]%3[aA][\\/]"
)
# A mask begins a path only where no other part of a name stands before it.
_BEFORE_MASKS = " \t\"'`(=[:;,"
_ELEMENT = re.compile(r"</[\w:.-]{1,60}>")
# One sign of each root.
_SIGNS = ("\\", "/")
_YEN = "¥₩"
_PARTS = re.compile(r"[^\\/]+")
# Where a list of folders goes on: another root stands behind it.
_LIST_JOINTS = ";:"
# No path is longer.
_LONGEST = 600
# What no name has: a colon and a blank, an option, and how a message goes on.
_SENTENCE = re.compile(r":[ ]|[ ]--?[A-Za-z]|[ ](?:does|is|was)[ ](?:not[ ]|deprecated)|[ ]does[ ]not$")
# A program with its options, in quotes.
_COMMAND = re.compile(r"\.(?:bat|cmd|exe|ps1|py)[ ]{1,8}-")
_NOT_IN_A_MASK = "".join(f"(?<!<{mask})" for mask in MASKED.split("|"))
_ENDS = re.compile(rf"[\t\"]|[$#%] |{_NOT_IN_A_MASK}> |\s[/>|'`]|\s<(?!(?:{MASKED})>)|\w+://|&&")
_ENDS_ON_WINDOWS = re.compile(rf"[\t\"|*?]|\s[/'`]|\w+://|&&|<(?!(?:{MASKED})>)|{_NOT_IN_A_MASK}>")
_NAME_BEHIND = re.compile(r"(?<=^<user>),[ ][^\W\d_a-z][\w.'-]{0,30}(?=[:\"')\]]|$)")
_NO_BLANKS = re.compile(r"\S+")
# Signs of a sentence around a name.
_AROUND = ".,;:!?()[]{}\"'`* "
# No name of a folder of programs has more.
_MOST_WORDS = 6
# What sentences have, and own_words.txt has not.
_SHORT_WORDS = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "for", "from", "had", "has", "have",
    "in", "is", "it", "its", "no", "not", "of", "off", "on", "one", "or", "that", "the", "then", "they",
    "this", "to", "was", "were", "which", "with",
))  # fmt: skip
_ENCODED = re.compile(
    r"(?i)(?:(?<![\w])[a-z](?::|%3a)|(?<![\w.~])(?:\.{1,2}|~))?(?:%5c|%2f)(?:[^\s\"'`<>&?#;,|%]|%(?!0a|0d|20&)|<\w{1,12}>){1,600}"
)
_ENCODED_SEPARATOR = re.compile(rf"(?i)({SEPARATOR})")
_OF_PEOPLE_ENCODED = re.compile(
    rf"(?i)<(?:{MASKED})>|^[a-z](?::|%3a)|^(?:\.{{1,2}}|~)%|^(?:%5c|%2f){{2}}|(?:%5c|%2f)(?:users|home|mnt|media|volumes)(?:%5c|%2f)"
)


def leave_out_named_parts(text: str) -> str:
    """Return a text in which three dots stand for each part of a path that no program makes."""
    if "%5" in text or "%2" in text:
        text = _ENCODED.sub(_show_encoded, text)
    if any(sign in text for sign in _YEN):
        return _leave_out_between_yen(text)
    if not any(sign in text for sign in _SIGNS):
        return text
    return "\n".join(map(_leave_out_of_line, text.split("\n")))


def _leave_out_between_yen(text: str) -> str:
    """Leave out parts where a font of Japan or Korea shows the backslash as its currency."""
    separators = [sign for sign in text if sign in "\\/¥₩"]
    shown = "\n".join(map(_leave_out_of_line, re.sub(f"[{_YEN}]", r"\\", text).split("\n")))
    following = iter(separators)
    return re.sub(r"[\\/]", lambda _: next(following), shown)


# The same paths stand in many texts of a machine.
@lru_cache(maxsize=4096)
def _leave_out_of_line(line: str) -> str:
    shown, end = [], 0
    roots = tuple(filter(_begins_path, _ROOT.finditer(line)))
    for root, following in zip_longest(roots, roots[1:]):
        if root.start() < end:
            continue
        limit = following.start() if following is not None else len(line)
        closing = _find_closing(line, root)
        is_closed = root.end() < closing <= limit
        if closing > limit:
            # Several paths in the same quotes: a list of folders.
            is_closed = line[limit - 1 : limit] in _LIST_JOINTS
        elif is_closed:
            limit = closing
        elif following is not None:
            is_closed = line[limit - 1] == ";"
        shown += [
            line[end : root.end()],
            _show_body(root[0], line[root.end() : limit], is_closed=is_closed, is_alone=not root.start()),
        ]
        end = limit
    return "".join((*shown, line[end:]))


def _find_closing(line: str, root: re.Match[str]) -> int:
    """Return where the quote or the bracket ends in which a path stands, or -1."""
    mark = MARKS.get(line[root.start() - 1 : root.start()], "")
    closing = find_closing(line, root.end(), mark)
    while (
        closing >= 0
        and mark == ")"
        and line.count("(", root.end(), closing) > line.count(")", root.end(), closing)
    ):
        closing = line.find(")", closing + 1, root.end() + _LONGEST)
    return closing


def _begins_path(root: re.Match[str]) -> bool:
    """Return whether a root is none of a part with a mask, an account of a domain or an element's end."""
    if root[0][0] == "<":
        is_account = root[0] in ("<domain>\\", "<domain>/")
        return not is_account and (not root.start() or root.string[root.start() - 1] in _BEFORE_MASKS)
    return root[0] != "/" or _ELEMENT.match(root.string, root.start() - 1) is None


def _show_body(root: str, body: str, *, is_closed: bool, is_alone: bool) -> str:
    """Return what stands behind the root of a path, up to where another one can begin."""
    is_closed = is_closed and _COMMAND.search(body) is None
    end, stop = (len(body), len(body)) if is_closed else _find_end(root, body)
    at = max(body.rfind("\\", 0, end), body.rfind("/", 0, end)) + 1
    names = _PARTS.findall(body[:at])
    filled = find_filled(root, names)
    shown = (show_folder(root, names, number, filled) for number in range(len(names)))
    folders = _PARTS.sub(lambda _: next(shown), body[:at])
    last = body[at:stop]
    is_option = root == "/" and not at and not is_closed and not is_alone
    if not last or is_option or filled < len(names):
        return f"{folders}{body[at:]}"
    show = lambda name: show_folder(root, [*names, name], len(names), filled)  # noqa: E731
    return f"{folders}{_show_closed(last, show) if is_closed else _show_open(last, show)}{body[stop:]}"


def _find_end(root: str, body: str) -> tuple[int, int]:
    """Return where the folders of a path end that is in no quotes, and where all of it has ended."""
    found = (_ENDS if root.endswith("/") else _ENDS_ON_WINDOWS).search(body)
    stop = found.start() if found is not None else len(body)
    for part in _PARTS.finditer(body, 0, stop):
        file = FILE.match(part[0])
        if file is not None and file.end() < len(part[0]) and is_file_name(file[0]):
            return part.start(), min(stop, part.end())
    return stop, stop


def _show_closed(last: str, show: _Show) -> str:
    """Return the last part of a path whose end is known, and the line of a file behind it."""
    file = FILE.match(last)
    if file is not None and is_file_name(file[0]) and PLACE.fullmatch(last, file.end()):
        return f"{show(file[0])}{last[file.end() :]}"
    bare = last.rstrip(";: ,")
    return f"{show(bare)}{last[len(bare) :]}"


def _show_open(last: str, show: _Show) -> str:
    """Return the last part of a path behind which a sentence can go on: its words are the program's own."""
    file = FILE.match(last)
    if file is not None and is_file_name(file[0]):
        return f"{show(file[0])}{last[file.end() :]}"
    goes_on = _SENTENCE.search(last)
    if goes_on is not None and goes_on.start():
        return f"{_show_open(last[: goes_on.start()], show)}{last[goes_on.start() :]}"
    words = list(_NO_BLANKS.finditer(last))
    if not words or words[0][0].rstrip(_AROUND) == "<user>":
        # Where the name ends has been looked at when the mask was put there, but for a name behind a comma.
        return _NAME_BEHIND.sub("", last, count=1)
    odd = [number for number, word in enumerate(words) if number and _can_name(word[0])]
    for number in range(min(len(words), _MOST_WORDS), odd[-1] if odd else 0, -1):
        name = last[: words[number - 1].end()].rstrip(_AROUND)
        if name and show(name) == name:
            return last
    end = len(last[: words[odd[-1] if odd else 0].end()].rstrip(_AROUND))
    return f"{show(last[:end])}{last[end:]}"


def _can_name(word: str) -> bool:
    """Return whether a word can be one of a name: no number, and none that the program itself writes."""
    bare = word.strip(_AROUND).removesuffix("'s")
    if not bare or ONLY_MASK.fullmatch(bare) or bare.lower() in read_own_words() or bare in _SHORT_WORDS:
        return False
    return not is_public_word(bare) if bare.isupper() or not bare.isalpha() else True


def _show_encoded(match: re.Match[str]) -> str:
    """Return a path of an address, with its separators encoded, as one that is not."""
    is_value = match.string[match.start() - 1 : match.start()] == "="
    if not is_value and _OF_PEOPLE_ENCODED.search(match[0]) is None:
        return match[0]
    first, *others = _ENCODED_SEPARATOR.split(match[0])
    names = others[1::2]
    root = "C:\\" if first else "/"
    filled = find_filled(root, names)
    shown = (show_folder(root, names, number, filled) if name else "" for number, name in enumerate(names))
    return "".join((first, *chain.from_iterable(zip(others[::2], shown, strict=True))))
