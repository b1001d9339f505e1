"""Leave out of steps what is for NVIDIA's cards, where the card of a text is from another maker."""

import re
from collections.abc import Iterable

from torchdoctor.knowledge.interpreter import BLOCK

# Where each maker has its drivers.
_PAGES = {
    "amd": "Update the driver of the card, from https://www.amd.com/en/support, and restart Windows.",
    "intel": (
        "Update the driver of the card, from https://www.intel.com/content/www/us/en/download-center/home.html,"
        " and restart Windows."
    ),
}
_DRIVER = re.compile(
    r"\bwww\.nvidia\.com/(?:en-us/)?drivers\b|\bNVIDIA(?:'s)?\s+(?:graphics\s+|Game\s+Ready\s+|Studio\s+)?driver\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\b(?:[Uu]pdate|[Ii]nstall|[Tt]ake|[Rr]oll back)\b")
# What only a computer with such a card has, or has a use for.
_ONLY_THERE = re.compile(
    rf"{_DRIVER.pattern}|\bnvidia-smi\b|\bNVIDIA\s+(?:Control\s+Panel|App)\b|\bnvidia\s+container\b",
    re.IGNORECASE,
)
# The CUDA toolkit compiles for NVIDIA's cards alone.
_TOOLKIT = re.compile(
    r"\bdeveloper\.nvidia\.com/cuda-(?:toolkit|downloads)|\\NVIDIA GPU Computing Toolkit\\", re.IGNORECASE
)
_NO_TOOLKIT = (
    "The card of the text is not from NVIDIA: what the CUDA toolkit compiles cannot run on it. Look on the"
    " page of the package for a build for this card, or leave the package out, if the program can do without"
    " it."
)
# A sentence that says for whom it is.
_CONDITION = re.compile(
    r"\b(?:[Ww]ith(?:out)?|[Ff]or|[Oo]n|[Ii]f|[Oo]f|needs?)\b[^.;:]{0,60}\bNVIDIA(?:'s)?\s+(?:cards?|GPUs?|graphics)\b"
    r"|\bwithout NVIDIA\b"
)
_FOR_NVIDIA = re.compile(
    r"(?:(?:With|For|On)\s+(?:an?\s+|the\s+)?(?:(?:PC|computer)\s+with\s+an?\s+)?NVIDIA\s+(?:card|GPU)\b)"
)
_OF_A_PANEL = re.compile(r"\bNVIDIA\s+(?:Control\s+Panel|App)\b")
_ASIDE = re.compile(r"\s\([^()\n]{0,60}\bnvidia-smi\b[^()\n]{0,60}\)", re.IGNORECASE)
# A step whose first sentence has one of these is for such a computer.
_NEEDS_ONE = re.compile(r"\b(?:has an|the|for(?: an)?|which)\s+NVIDIA\s+(?:cards?|GPUs?)\b")
_SENTENCE = re.compile(r"(?:`[^`\n]*`|[^.`]|\.(?!\s|\Z)|`)+(?:\.|\Z)\s*")
_COMMAND = re.compile(r"^[^\n]*\bnvidia-smi\b[^\n]*\n", re.MULTILINE)
_EMPTY_BLOCK = re.compile(r"[ ]*```\w+\n\s*```")


def leave_out_nvidia(steps: Iterable[str], maker: str) -> tuple[str, ...]:
    """Return the steps without what is for NVIDIA's cards; the last text is the verification.

    A step that updates NVIDIA's driver updates that of the card. One with the CUDA toolkit leaves, and the
    first step says why. Where no step would be left, all stay.
    """
    *fix, verify = steps
    needs_toolkit = [step for step in fix if _TOOLKIT.search(step)]
    written = [_write(step, maker) for step in fix if step not in needs_toolkit]
    kept = tuple(dict.fromkeys([_NO_TOOLKIT] * bool(needs_toolkit) + [step for step in written if step]))
    return (*(kept or fix), _write(verify, maker) or verify)


def _write(step: str, maker: str) -> str:
    """Return a step as it is for a card of another maker, "" if it is for NVIDIA's alone."""
    step = _ASIDE.sub("", step)
    if _FOR_NVIDIA.match(step) or _OF_A_PANEL.search(step):
        return ""
    first = _SENTENCE.match(step.partition("```")[0])
    if first is not None and _NEEDS_ONE.search(first[0]):
        return ""
    if not _ONLY_THERE.search(step):
        return step
    parts: list[str] = []
    end = 0
    for block in BLOCK.finditer(step):
        prose = step[end : block.start()]
        written = _write_prose(prose, maker)
        if prose.strip() and not written.strip() and not parts:
            return ""
        code = _COMMAND.sub("", block[0])
        # What was said of a command goes with it.
        is_kept = _EMPTY_BLOCK.fullmatch(code) is None and (written.strip() or not prose.strip())
        parts += [written, code] if is_kept else []
        end = block.end()
    last = _write_prose(step[end:], maker)
    return re.sub(r"\n{3,}", "\n\n", "".join((*parts, last))).strip()


def _write_prose(prose: str, maker: str) -> str:
    """Return sentences without those for NVIDIA's cards; "" if the first one is of these."""
    kept: list[str] = []
    for match in _SENTENCE.finditer(prose):
        sentence = match[0]
        if not _ONLY_THERE.search(sentence) or _CONDITION.search(sentence):
            kept.append(sentence)
        elif _DRIVER.search(sentence) and _ORDER.search(sentence) and maker in _PAGES:
            kept.append(f"{_PAGES[maker]}{sentence[len(sentence.rstrip()) :]}")
        elif not kept:
            return ""
    return "".join(kept)
