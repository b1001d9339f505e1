"""Refuse to write an output over, or among, what is read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torchdoctor.core.usage import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_CODE_SUFFIXES = (".py", ".ipynb", ".toml", ".yaml", ".yml", ".cfg", ".ini")


def keep_inputs(output: Path | None, inputs: Iterable[Path | str]) -> None:
    """Refuse to write over what is read, or over training code and its configuration.

    Raises:
        UsageError: the file is one of these.
    """
    if output is None:
        return
    is_input = any(each and os.path.realpath(each) == os.path.realpath(output) for each in inputs)
    if (is_input and not os.path.isdir(output)) or (
        os.path.isfile(output) and output.suffix in _CODE_SUFFIXES
    ):
        raise UsageError(
            f"{output}: this would replace {'what is read' if is_input else 'code'} by the report"
        )


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
        inside = os.path.realpath(output).startswith(os.path.join(os.path.realpath(folder), ""))
        if inside and os.path.isdir(folder):
            raise UsageError(f"{output}: in {folder} this would be read as {what}: write it elsewhere")
