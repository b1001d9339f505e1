"""Add the training code of a scan to its facts."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from torchdoctor.check import Check
from torchdoctor.core.usage import UsageError
from torchdoctor.facts import Absent, Facts
from torchdoctor.source import ConfigFile, SourceFile

NO_CODE = "no training code was given; torchdoctor scan PATH reads it"


def add_sources(
    facts: Facts, paths: Sequence[Path], checks: Iterable[Check]
) -> tuple[Facts, tuple[str, ...]]:
    """Return the facts with the training code below the paths, and a line for each unreadable file.

    A file is parsed if it contains the words of one of the checks, or if a check of code has no words.

    Raises:
        UsageError: a path does not exist, or is a pipe or a device.
    """
    if not paths:
        absent = Absent(NO_CODE)
        return facts.with_values({SourceFile: absent, ConfigFile: absent}), ()
    from torchdoctor.source.files.reading import read_sources
    from torchdoctor.source.files.relevance import make_filter

    for path in paths:
        if not os.path.exists(path):
            raise UsageError(f"{path}: no such file or folder")
        if not (os.path.isfile(path) or os.path.isdir(path)):
            raise UsageError(f"{path}: neither a file nor a folder")
    code_checks = [check for check in checks if {SourceFile, ConfigFile} & set(check.facts)]
    sources = read_sources(paths, make_filter(check.words for check in code_checks))
    return facts.with_values(sources.values), sources.notices


def list_sources(facts: Facts) -> tuple[SourceFile, ...]:
    """Return the files of training code; empty if no code was given."""
    sources = facts.all(SourceFile)
    return () if isinstance(sources, Absent) else sources
