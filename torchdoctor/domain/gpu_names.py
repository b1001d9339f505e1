"""The compute capability of an NVIDIA GPU by its name, for where only the name is known."""

import csv
import functools
import re
from collections.abc import Iterator

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.domain.masks import LEFT_OUT

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
    "ada", "arc", "blackwell", "edition", "frontier", "geforce", "generation", "gre", "laptop", "max",
    "mobile", "notebook", "quadro", "radeon", "super", "tesla", "ti", "tisuper", "titan", "workstation",
    "xp", "xt", "xtx",
))  # fmt: skip
_SEVERAL_LEFT_OUT = re.compile(r"\.{3}(?:[\s,;:()\[\]/|-]{1,3}\.{3})+")
# What the name of a card has, as it is shared: its maker, series, number, and what stands behind that.
_OF_A_CARD = re.compile(
    r"nvidia|amd|ati|intel|r|tm|corporation|geforce|quadro|tesla|titan|radeon|arc|iris|xe|vega|pro|instinct"
    r"|firepro|grid|nvs|cuda|rtx|gtx|gts|gt|rx|mx|u?hd|ti|super|tisuper|m|d|gs|xp?|v|e|xtx?|xl|gre|sff|black"
    r"|(?:rtxa?|gtx|gts|gt|rx|mx|u?hd|vega|arc|titan)?(?:[abghklmptvw]|gb|gh|gp|gv)?"
    r"\d{1,5}(?:ti|super|tisuper|m|d|s|e|x|xt|xtx|gre|g|t|xl)?(?:\.{2,3})?"
    r"|ada|lovelace|blackwell|ampere|turing|pascal|gen(?:eration)?|laptop|notebook|mobile|gpus?|graphics|max|q"
    r"|design|desktop|workstation|server|editio?n?|pcie?|nvl|sxm\d?|with|of|and|on|off|mig|wddm|tcc|series"
    r"|founders|frontier|v?ram|memory|hbm\d?e?|oc|lhr|compute|capability|version|driver|total|free|zluda|unused"
    r"|[kmgt]i?b|\d{1,6}(?:\.\d{1,2})?[kmgt]i?b?|\dg\.\d{1,3}gb|sm_?\d{2,3}[a-z]?|gfx\d{3,4}[a-z]?|cuda:\d{1,2}"
    r"|\d{1,3}\.\d{1,4}(?:\.\d{1,2})?|[^\w\s]{1,3}|[^\W\d_]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{3,6}")
_SERIES = re.compile(
    r"rtx|gtx|gts|gt|rx|mx|hd|uhd|graphics|iris|arc|quadro|radeon|geforce|pro|titan|vega|xe|nvs|ti",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ ]?[kmgt]i?b\b", re.IGNORECASE)
# What every name of the table has.
_NAMED = re.compile(r"\d|\btitan\b")
# What a data set calls "GT".
_GROUND_TRUTH = re.compile(r"\bgt \d{3} (?=bb?ox|label|mask|object|annot|image|instance|frame)")
# A longer line is data, not words.
_LONGEST_LINE = 2000
# What ends the name of a card in a text.
_NAME_ENDS = re.compile(r"[^\w .()-]+")


@record
class LastDriver:
    """The last branch of the driver for a generation of cards, and the first number that is beyond it."""

    branch: int
    numbers_below: int


def leave_out_behind_card(name: str) -> str:
    """Return the name of a card without the words behind its model that belong to no name of a card."""
    model = _MODEL.search(name)
    if model is None:
        return name
    shown = _WORD.sub(
        lambda word: word[0] if _BEHIND_MODEL.fullmatch(word[0]) else LEFT_OUT, name[model.end() :]
    )
    return name[: model.end()] + _SEVERAL_LEFT_OUT.sub(LEFT_OUT, shown)


def show_card(name: str) -> str:
    """Return the name of a card as it is shared: maker, series, number, suffix and memory; no other word."""
    words = list(_WORD.finditer(name))
    are_shown = [_OF_A_CARD.fullmatch(word[0]) is not None for word in words]
    for index, word in enumerate(words):
        # A number is that of the model, or has a unit: several may be those of a phone.
        is_of_model = index > 0 and _SERIES.fullmatch(words[index - 1][0]) and word[0][0] != "0"
        if _NUMBER.fullmatch(word[0]) and not is_of_model and not _UNIT.match(name, word.end()):
            are_shown[index] = False
    shown, end = [], 0
    for word, is_shown in zip(words, are_shown, strict=True):
        shown += [name[end : word.start()], word[0] if is_shown else LEFT_OUT]
        end = word.end()
    return _SEVERAL_LEFT_OUT.sub(LEFT_OUT, "".join((*shown, name[end:])))


def find_capability(name: str) -> tuple[int, int] | None:
    """Return the compute capability of a GPU, or None if the name is not in the table or cut too early.

    An old nvidia-smi cuts names: "GeForce RTX 208..." can only be one of a series.
    """
    spaced = _split_number(" ".join(name.lower().split()))
    if spaced.endswith("..."):
        return _find_of_cut_name(spaced.removesuffix("...").rstrip())
    return _find(spaced)


def list_named_capabilities(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names of cards in a text that the table knows, each with its compute capability."""
    for line in text.lower().split("\n"):
        if len(line) > _LONGEST_LINE or not _NAMED.search(line):
            continue
        for part in _NAME_ENDS.split(line):
            spaced = _GROUND_TRUTH.sub(" ", _split_number(" ".join(part.split())))
            for regex, capability in _read_table():
                for match in regex.finditer(spaced):
                    yield match[0], capability
                spaced = regex.sub(" ", spaced)


def find_last_driver(capability: tuple[int, int]) -> LastDriver | None:
    """Return the last driver for cards of a compute capability; None if new ones still support them."""
    return next((last for below, last in _read_last_drivers() if capability < below), None)


def has_driver(capability: tuple[int, int], number: int) -> bool:
    """Return whether there is a driver of a number, or a newer one, for cards of a compute capability."""
    last = find_last_driver(capability)
    return last is None or number < last.numbers_below


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
        (re.compile(rf"\b{row['name']}", re.ASCII), _read_capability(row["capability"]))
        for row in csv.DictReader(text.splitlines())
    )


@functools.cache
def _read_last_drivers() -> tuple[tuple[tuple[int, int], LastDriver], ...]:
    text = read_bundled("torchdoctor.domain", "last_drivers.csv").decode("utf-8")
    return tuple(
        (
            _read_capability(row["capability_below"]),
            LastDriver(int(row["branch"]), int(row["numbers_below"])),
        )
        for row in csv.DictReader(text.splitlines())
    )


def _read_capability(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)
