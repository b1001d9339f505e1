"""Refuse to write an output over, or among, what is read."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from torchdoctor.core.files import follow_links
from torchdoctor.core.usage import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_CODE_SUFFIXES = (".py", ".pyw", ".ipynb", ".toml", ".yaml", ".yml", ".cfg", ".ini")
# Outputs have these endings, and are replaced also if a power failure has left zeros in them.
_OUTPUT_SUFFIXES = (".html", ".json", ".jsonl", ".log", ".md", ".parquet", ".sarif", ".txt", ".xml")
_BEGINNING_BYTES = 8192


def keep_inputs(output: Path | None, inputs: Iterable[Path | str] = ()) -> None:
    """Refuse to write over what is read, over training code with its configuration, and over binary files.

    Raises:
        UsageError: the file is one of these.
    """
    if output is None:
        return
    is_input = any(each and follow_links(each) == follow_links(output) for each in inputs)
    if (is_input or _is_standard_input(output)) and not os.path.isdir(output):
        raise UsageError(f"{output}: this would replace what is read by the report")
    if not os.path.isfile(output):
        return
    suffix = output.suffix.lower()
    if suffix in _CODE_SUFFIXES:
        raise UsageError(f"{output}: this would replace code by the report")
    if suffix not in _OUTPUT_SUFFIXES and _is_binary(output):
        raise UsageError(f"{output}: this would replace a file that is no text by the report")


def _is_standard_input(output: Path) -> bool:
    """Return whether a file is what the shell has put on the standard input: `explain - -o x < x`."""
    try:
        status = os.fstat(0)
        return stat.S_ISREG(status.st_mode) and os.path.samestat(status, os.stat(output))
    except OSError:
        return False


def _is_binary(file: Path) -> bool:
    try:
        with open(file, "rb") as stream:
            return b"\0" in stream.read(_BEGINNING_BYTES)
    except OSError:
        return False


def keep_out_of_folders(
    output: Path | None, inputs: Iterable[Path], is_read: Callable[[Path], bool], what: str
) -> None:
    """Refuse to write into a folder that is read, under a name by which the next run would read it.

    `what` is what it would be taken for.

    Raises:
        UsageError: the file is there.
    """
    if output is None or not is_read(output):
        return
    for folder in inputs:
        inside = follow_links(output).startswith(os.path.join(follow_links(folder), ""))
        if inside and os.path.isdir(folder):
            raise UsageError(f"{output}: in {folder} this would be read as {what}: write it elsewhere")
