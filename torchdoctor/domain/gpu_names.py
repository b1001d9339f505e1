"""The compute capability of an NVIDIA GPU by its name, for where only the name is known."""

import csv
import functools
import re

from torchdoctor.core.bundled import read_bundled


def find_capability(name: str) -> tuple[int, int] | None:
    """Return the compute capability of a GPU, or None if the name is not in the table or cut too early.

    An old nvidia-smi cuts names: "GeForce RTX 208..." can only be one of a series.
    """
    spaced = _split_number(" ".join(name.lower().split()))
    if spaced.endswith("..."):
        return _find_of_cut_name(spaced.removesuffix("...").rstrip())
    return _find(spaced)


def _split_number(name: str) -> str:
    """Return a name as NVIDIA writes it: "rtx 3080 ti" of "rtx3080ti"."""
    name = re.sub(r"\b(rtx|gtx?|quadro|tesla)-?(?=\d)", r"\1 ", name)
    return re.sub(
        r"(?<=\d)(ti)?(super)?d?(?![a-z])",
        lambda match: "".join(f" {part}" for part in match.groups() if part),
        name,
    )


def _find(name: str) -> tuple[int, int] | None:
    return next((capability for regex, capability in _read_table() if regex.search(name)), None)


def _find_of_cut_name(name: str) -> tuple[int, int] | None:
    """Return the capability if the name has the whole number of the GPU, or all but its last zero."""
    return _find(name) or (_find(f"{name}0") if name[-1:].isdecimal() else None)


@functools.cache
def _read_table() -> tuple[tuple[re.Pattern[str], tuple[int, int]], ...]:
    text = read_bundled("torchdoctor.domain", "gpu_capabilities.csv").decode("utf-8")
    return tuple(
        (re.compile(rf"\b{row['name']}"), _read_capability(row["capability"]))
        for row in csv.DictReader(text.splitlines())
    )


def _read_capability(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)
