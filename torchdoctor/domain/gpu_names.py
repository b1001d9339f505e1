"""The compute capability of an NVIDIA GPU by its name, for where only the name is known."""

import csv
import functools
import re

from torchdoctor.core.bundled import read_bundled
from torchdoctor.domain.odd_words import LEFT_OUT

# The number of a model, and what can stand behind it: who writes of a card can name its owner or computer.
_MODEL = re.compile(r"[A-Za-z]{0,3}\d{2,4}[A-Za-z]{0,2}(?![\w])|\bTITAN(?: \w{1,3})?\b")
_WORD = re.compile(r"[^\s,;:()\[\]/|-]+")
_BEHIND_MODEL = re.compile(
    r"ti|super|tisuper|m|d|gs|xp?|v|rtx|ada|lovelace|blackwell|ampere|turing|pascal|generation|gen|laptop|notebook|mobile"
    r"|gpus?|graphics|max|q|design|with|desktop|workstation|server|edition|pcie|nvl|sxm\d?|[kmgt]i?b|\dg\.\d{1,3}gb|hbm\d?e?|oc|lhr"
    r"|founders|xtx?|xl|gre|pro|sff|v?ram|memory|of|and|mig|geforce|nvidia|quadro|tesla|titan|cuda|sm_\d{2,3}[a-z]?|compute"
    r"|capability|version|driver|wddm|tcc|on|off|[a-z]?\d[\d.]*[a-z]?|\d[\d.]*[kmgt]i?b?|\W+|.",
    re.IGNORECASE,
)
# Words of names of cards, which name nobody.
CARD_WORDS = frozenset((
    "ada", "arc", "blackwell", "edition", "geforce", "generation", "gre", "laptop", "max", "mobile",
    "notebook", "quadro", "radeon", "super", "tesla", "ti", "tisuper", "titan", "workstation", "xp", "xt",
    "xtx",
))  # fmt: skip


def leave_out_behind_card(name: str) -> str:
    """Return the name of a card without the words behind its model that belong to no name of a card."""
    model = _MODEL.search(name)
    if model is None:
        return name
    shown = _WORD.sub(
        lambda word: word[0] if _BEHIND_MODEL.fullmatch(word[0]) else LEFT_OUT, name[model.end() :]
    )
    return name[: model.end()] + re.sub(r"\.{3}(?:[\s,;:()\[\]/|-]{1,3}\.{3})+", LEFT_OUT, shown)


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
