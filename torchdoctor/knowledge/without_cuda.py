"""Take CUDA builds and new drivers out of an answer for a computer that can use none."""

import re
from collections.abc import Mapping, Sequence

from torchdoctor.knowledge.interpreter import BLOCK

_REASONS = {
    "card": (
        "The {card} is older than anything that a torch of today has code for: no other build and no newer"
        " driver helps."
    ),
    "vm": (
        "The program runs in a virtual machine, which has no NVIDIA card unless one is passed on to it:"
        " there, a CUDA build and a driver change nothing."
    ),
    "arm": (
        "The processor of this computer is an ARM one, for which there is no CUDA build of torch on Windows."
    ),
}
_ON_CPU = (
    "Let the program run on the CPU, which is slow: with its option for it, often `--cpu` or `--device cpu`"
    ' (its `--help` or its settings list it), or with `"cpu"` in place of `"cuda"` in a program of your own.'
    " For that, the CPU build of torch is enough."
)
_VERIFY = "Start the program: it no longer asks for CUDA, and names the CPU."
# A build with CUDA in a command, or one that asks the driver for the card.
_CUDA_COMMAND = re.compile(
    r"/whl/(?:nightly/|test/)?cu\d|\btorch[^\s\"']{0,30}\+cu\d|--query-gpu=compute_cap|-c nvidia\b"
)
_DRIVER = re.compile(
    r"\b(?:update|install|get|take|needs?|newer|newest|clean)\b[^.:;]{0,80}\bdrivers?\b|nvidia\.com/(?:\w+/)?drivers?",
    re.IGNORECASE,
)
_FOR_NVIDIA = re.compile(
    r"(?:With|For|If the PC has) an? (?:NVIDIA|card of the RTX|RTX)\b|A card of the RTX\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
# What a short answer says of builds and drivers.
_OF_CUDA = re.compile(
    r"CUDA[- ]builds?|\bdrivers?\b|\btoolkit\b|for CUDA 1|cu1\d\d|NVIDIA (?:card|GPU)"
    r"|(?:[Ii]nstall|[Tt]ake|[Pp]ut)\b[^.]{0,40}\bbuilds?\b"
)


def leave_out_cuda(
    lead: str, fix: Sequence[str], verify: str, values: Mapping[str, str], shown: Mapping[str, str]
) -> tuple[str, tuple[str, ...], str]:
    """Return an answer without steps for CUDA builds and drivers, where `no_build` says that none can run.

    An answer that has none of these, or says so itself, stays as it is. `shown` are the values that a
    sentence may have.
    """
    reason = _REASONS.get(values.get("no_build", ""))
    if reason is None or not fix:
        return lead, tuple(fix), verify
    kept = tuple(step for step in fix if not _asks_for_cuda(step, values.get("keeps_cuda", "")))
    if len(kept) == len(fix):
        return lead, kept, verify
    capability = shown.get("card_capability", "3.5 or less")
    card = f"{shown.get('old_card', 'card of the text')} (compute capability {capability})"
    said = [sentence for sentence in _SENTENCE.split(lead) if not _OF_CUDA.search(sentence)]
    lead = " ".join((*said, reason.format(card=card)))
    if kept and kept[0] == fix[0]:
        return lead, kept, verify
    return lead, (_ON_CPU, *kept), _VERIFY


def _asks_for_cuda(step: str, kept_build: str) -> bool:
    code = "\n".join(block[0] for block in BLOCK.finditer(step))
    if kept_build:
        code = re.sub(rf"(?:/whl/|\+){re.escape(kept_build)}\b", "", code)
    prose = BLOCK.sub("", step).strip()
    return (
        _CUDA_COMMAND.search(code) is not None
        or _DRIVER.search(prose) is not None
        or _FOR_NVIDIA.match(prose) is not None
    )
