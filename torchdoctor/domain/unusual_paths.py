"""Leave out the parts of paths that are no words of messages: many of them are named after people."""

import re

from torchdoctor.domain.known_words import is_known, is_written_by_programs
from torchdoctor.domain.odd_words import LEFT_OUT
from torchdoctor.domain.private_hosts import is_known_host, leave_out_private_hosts
from torchdoctor.domain.random_words import looks_generated
from torchdoctor.domain.vocabulary import has_known_words

_ADDRESS_OF_A_PAGE = re.compile(
    r"https?://(?P<host>[A-Za-z\d][\w.-]{0,100})(?![\w.-]|:[^\s/@]{1,200}@|@)[^\s\"'`<>)\]]*"
)
# A folder, which can have blanks, and the last part of a path.
_FOLDER = re.compile(r"(?<=[\\/])(?![\s.])[^\\/:*?\"'`<>|\r\n]{1,64}(?=[\\/])")
# The first part of a relative path, and the owner of a repository or a model.
_FIRST = re.compile(r"(?<![\w./\\:@%<>~-])[A-Za-z][\w.-]{1,60}(?=[\\/]\w)")
_FILE = re.compile(r"(?<=[\\/])[^\s\\/:*?\"'`<>|()\[\],;=]{2,120}(?=[\s\"'`<>|()\[\],;:=]|$)")
# A longer one is none of a file. Behind it, the words and numbers in a name.
_LONGEST_PATH = 400
_PIECE = re.compile(r"[^\W_]{2,200}")
_ALPHANUMERIC = re.compile(r"[A-Za-z0-9]{2,200}")
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


def _hide_folders(text: str) -> str:
    text = leave_out_private_hosts(text)
    if "\\" not in text and "/" not in text:
        return text
    shown = _FOLDER.sub(_show_part, _FIRST.sub(_show_part, text))
    shown = _FILE.sub(_show_part, _CUT_OFF.sub(LEFT_OUT, shown))
    return text if shown == text else _SAME_PARTS.sub(rf"\g<separator>{LEFT_OUT}", shown)


def hide_unknown_parts(path: str) -> str:
    """Replace in the name of a file each part that is no word of messages by three dots."""
    if len(path) > _LONGEST_PATH:
        return LEFT_OUT
    start = max(path.rfind("/"), path.rfind("\\")) + 1
    if is_written_by_programs(path[start:]):
        return path
    return hide_unknown_folders(path[:start]) + _PIECE.sub(_show_piece, path[start:])


def _show_piece(match: re.Match[str]) -> str:
    return match[0] if has_known_words(match[0]) else LEFT_OUT


def _show_part(match: re.Match[str]) -> str:
    part = match[0]
    is_kept = part.startswith(("<", "...", "{", "%", "$")) or is_known(part)
    return part if is_kept and not any(map(looks_generated, _ALPHANUMERIC.findall(part))) else LEFT_OUT
