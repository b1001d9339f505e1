"""Share what programs printed on a machine by the rule for pasted texts: any name can stand in it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import lru_cache

from torchdoctor.facts import CudaTrial, TorchImportTrial
from torchdoctor.facts.partial import list_values
from torchdoctor.redaction.paths.unusual_paths import hide_unknown_folders
from torchdoctor.redaction.words.placed_words import leave_out_by_place
from torchdoctor.redaction.words.shared_names import is_imported

# The fields of trials that hold what a program raised or printed.
PRINTED = ("error", "exception_message", "kernel_error", "refusal", "stderr_tail", "traceback", "warnings")
_OF_TRIALS = (TorchImportTrial, CudaTrial)
# A sentence repeats a message at least to here; what is shorter is in other sentences as well.
_LEAST_REPEATED = 12
# A frame in the code of a package, which is the same on every machine that has it.
_FRAME = re.compile(
    r"(?P<start>\s{0,20}File \"[^\"\n]*?)"
    r"(?P<inside>(?P<packages>[\\/](?:site|dist)-packages[\\/])(?P<package>\w+)"
    r"(?:[\\/][\w.\\/-]+)?\.py\", line \d{1,7}(?:,? in [\w.<>]{1,200})?)"
)
# What the start of a frame is judged with.
_OF_A_FRAME = 'torch/__init__.py", line 1, in <module>'
_INDENTED = re.compile(r"[ ]{4,}\S")


def find_printed(value: object, kept: tuple[type, ...]) -> Iterator[str]:
    """Yield what the trials in a value raised and printed; records of the types in `kept` have none."""
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from find_printed(item, kept)
    elif is_dataclass(value) and not isinstance(value, (type, *kept)):
        for name, item in list_values(value):
            if isinstance(value, _OF_TRIALS) and name in PRINTED:
                texts = item if isinstance(item, tuple) else (item,)
                yield from (text for text in texts if isinstance(text, str) and text)
            else:
                yield from find_printed(item, kept)


def make_sharing(printed: Sequence[str]) -> Callable[[str], str]:
    """Return a function that shares any text: one of those that were printed, or a sentence that repeats one.

    A sentence repeats a line, or a message in one line, whole or from its start.
    """
    texts = frozenset(printed)
    pieces = {" ".join(text.split()) for text in texts} | {
        line.strip() for text in texts for line in text.splitlines()
    }
    changed = (piece for piece in pieces if len(piece) >= _LEAST_REPEATED and _share_line(piece) != piece)
    repeated = sorted(changed, key=lambda piece: (-len(piece), piece))

    def share(text: str) -> str:
        if text in texts:
            return share_printed(text)
        for piece in repeated:
            text = _share_piece(text, piece)
        return text

    return share


def share_printed(text: str) -> str:
    """Return what a program printed, with the words, names, folders and files that anybody may see.

    Of a traceback, frames in packages that many have are shown with their lines of code.
    """
    return "\n".join(_share_lines(text.split("\n")))


def _share_lines(lines: Sequence[str]) -> Iterator[str]:
    is_code = False
    for line in lines:
        frame = _FRAME.fullmatch(line)
        if frame is not None and is_imported(frame["package"]):
            whole = _share_line(f"{frame['start']}{frame['packages']}{_OF_A_FRAME}")
            yield whole.removesuffix(_OF_A_FRAME).removesuffix(frame["packages"]) + frame["inside"]
            is_code = True
        else:
            is_code = is_code and _INDENTED.match(line) is not None
            yield line if is_code else _share_line(line)


def _share_piece(text: str, piece: str) -> str:
    start = text.find(piece[:_LEAST_REPEATED])
    if start < 0:
        return text
    same = (index for index in range(start, len(text)) if not piece.startswith(text[start : index + 1]))
    end = next(same, len(text))
    return f"{text[:start]}{_share_line(text[start:end])}{text[end:]}"


@lru_cache(maxsize=4096)
def _share_line(line: str) -> str:
    return hide_unknown_folders(leave_out_by_place(line))
