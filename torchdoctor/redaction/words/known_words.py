"""Separate words that programs write from the names of people and computers."""

import re

from torchdoctor.redaction.words.odd_words import (
    ENDINGS_OF_PROGRAMS,
    ERROR_OF_A_COMPILER,
    is_name_of_the_linker,
)
from torchdoctor.redaction.words.vocabulary import is_written

# Files of programs, whose names say what failed, and what C++, CUDA and Python write in messages.
_OF_A_PROGRAM = re.compile(
    rf"[\w.+-]{{1,120}}\.(?:{ENDINGS_OF_PROGRAMS}|so(?:\.\d+)*)"
    r"|[\w.]*(?:Error|Exception|Warning)|[\w:<>]*::[\w:<>~]*|[A-Za-z]\d{1,4}[A-Za-z]{0,3}|\w+\.\w+\(\w*\)?"
    rf"|{ERROR_OF_A_COMPILER}"
    r"|__\w+__|(?:cublas|cudnn|cuda|cufft|cusolver|cusparse|cu|hip|nccl|nvml|nvrtc)[A-Z]\w*"
)
_PATH = re.compile(r"[\\/]|^[A-Za-z]:$|^~")


def is_known(word: str) -> bool:
    """Return whether a word has words of messages alone, or is a path, or a name that programs write."""
    # What has separators before it alone is the name of a computer.
    is_path = _PATH.search(word.lstrip("\\/")) is not None
    bare = word.strip(".!?*-")
    return is_path or is_written_by_programs(bare) or is_name_of_the_linker(bare) or is_written(word)


def is_written_by_programs(word: str) -> bool:
    """Return whether a word is the name of a program, of its files, or of what its code has."""
    return _OF_A_PROGRAM.fullmatch(word) is not None
