"""Show the name of a folder or a file only if programs have it: the part of a path between two separators."""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.secrets.random_words import looks_generated
from torchdoctor.redaction.words.numbered_names import is_numbered_by_programs
from torchdoctor.redaction.words.odd_words import leave_out_file
from torchdoctor.redaction.words.shared_names import (
    is_file_of_programs,
    is_folder_of_programs,
    is_package,
)

_GLOB = re.compile(r"(?P<stem>[\w.-]{0,60}\w)[_.-]?\*(?P<ending>\.\w{1,11})")
# What was left out before, or has a mask.
_KEPT_NAME = re.compile(r"\.{3}(?: \.\w{1,11})?|<\w{1,20}>")
_LETTER = re.compile(r"[^\W_]")
_NAME_OF_PROGRAMS = re.compile(r"[\w .()+~@%${}!#&=,\[\]*<>-]{1,255}")
# Blender 4.2
_NUMBERED = re.compile(r"(?P<name>[A-Za-z]{2,20}) (?P<number>\d{1,2}(?:\.\d{1,3}){0,3})")
# A slot in a sentence of ours.
_DEFAULT = re.compile(r"\{\w{1,60}\|(?P<default>[^{}|]{1,60})\}")
VARIABLE = re.compile(
    r"(?:(?:all)?userprofile|(?:local)?appdata|te?mp|program(?:files(?:\(x86\))?|data|w6432)|system(?:root|drive)"
    r"|windir|home(?:path|drive)?|conda_prefix|virtual_env|cuda_(?:path(?:_v\d{1,2}_\d{1,2})?|home|root)|(?:python)?path"
    r"|(?:torch|hf)_home|pwd|public)",
    re.IGNORECASE,
)
_ALPHANUMERIC = re.compile(r"[A-Za-z0-9]{2,200}")


def show_part(part: str) -> str:
    """Return the name of a folder or a file if programs have it, else three dots, with its ending."""
    is_kept = part.startswith("<") or _KEPT_NAME.fullmatch(part) is not None or is_public_part(part)
    if part.startswith(("%", "$")):
        bare = part.strip("%$")
        is_kept = VARIABLE.fullmatch(bare) is not None or is_public_part(bare)
    if is_kept and not any(map(looks_generated, _ALPHANUMERIC.findall(part))):
        return part
    return leave_out_file(part)


def show_whole_part(part: str) -> str:
    """Return a part whose both ends are known: what begins with a mask is more than the mask."""
    # In a list of folders as in PATH, one ends with a colon.
    bare = _DEFAULT.sub(r"\g<default>", part.strip()).rstrip(":;")
    if ";" in bare:
        return part if all(map(_is_of_a_list, bare.split(";"))) else leave_out_file(bare)
    if part.startswith("<") and not _KEPT_NAME.fullmatch(bare):
        return LEFT_OUT
    is_kept = _NAME_OF_PROGRAMS.fullmatch(bare) is not None and show_part(bare) == bare
    return part if is_kept or not _LETTER.search(bare) else leave_out_file(bare)


def _is_of_a_list(piece: str) -> bool:
    """Return whether what stands between two semicolons of a list of folders is public: bin;$env:PATH."""
    is_variable = VARIABLE.fullmatch(piece.strip("%$").removeprefix("env:")) is not None
    return is_variable or is_public_part(piece)


def is_public_part(part: str) -> bool:
    """Return whether a part is a name of programs, or has one letter or digit at most."""
    numbered = _NUMBERED.fullmatch(part)
    says_nothing = part.isascii() and len(_LETTER.findall(part)) < 2
    return (
        says_nothing
        or _is_public_glob(part)
        or is_folder_of_programs(part)
        or is_file_of_programs(part)
        or (
            numbered is not None
            and is_folder_of_programs(numbered["name"])
            and is_numbered_by_programs(numbered["number"])
        )
    )


def _is_public_glob(part: str) -> bool:
    """Return whether a part stands for several files, which programs call so: msvcp140*.dll."""
    glob = _GLOB.fullmatch(part)
    return glob is not None and (
        is_package(glob["stem"]) or is_file_of_programs(glob["stem"] + glob["ending"])
    )
