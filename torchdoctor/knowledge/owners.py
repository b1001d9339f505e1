"""Write steps for the card that a text names: of NVIDIA, or of another maker."""

import re
from collections.abc import Iterable

from torchdoctor.knowledge.interpreter import BLOCK

_STEP_FOR_OTHERS = re.compile(r"\s*No\s+NVIDIA\s+card\s+in\s+this\s+computer\?")
# A condition that holds, at the start of a sentence or within it.
_HOLDS = re.compile(
    r"(?P<start>\A|(?<=[.:!?])\s|(?<=\n)[ ]*)"
    r"(?:With|On\s+a\s+(?:PC|computer)\s+with|If\s+(?:the|your)\s+PC\s+has)\s+an\s+NVIDIA\s+(?:card|GPU),\s+(?P<letter>\w)"
)
_ALSO_HOLDS = re.compile(
    r"\s+and\s+the\s+PC\s+has\s+an\s+NVIDIA\s+(?:card|GPU)(?=,)"
    r"|;\s+without\s+an\s+NVIDIA\s+(?:card|GPU),\s+write\s+`cpu`\s+in\s+place\s+of\s+its\s+last\s+part(?=\.)"
)
# A sentence that holds no command of its own below it.
_FOR_OTHERS = re.compile(
    r"(?:\A|(?<=[.:!?])\s|(?<=\n)[ ]*)Without\s+an\s+NVIDIA\s+(?:card|GPU),\s"
    r"(?:`[^`\n]*`|[^.:`]|\.(?!\s|\Z))*\.(?=\s|\Z)"
)
# A CUDA build of torch in a command of pip, and packages that exist for CUDA only.
_INSTALLS_TORCH = re.compile(
    r"[ ]install [^\n]*(?<![\w-])torch(?![\w-])|[ ]install [^\n]*requirements[^\n]*/whl/cu\d"
)
_CUDA_INDEX = re.compile(r"(?<=/whl/)cu\d{2,3}\b")
_CUDA_RELEASE = re.compile(r"(?<=\d\+)cu\d{2,3}\b")
_CUDA_ONLY = re.compile(r"\b(?:xformers|bitsandbytes|flash[-_]attn|nvidia-\w+)\b")
# What a step says of the build that its command installs.
CUDA_BUILD_SAID = re.compile(
    r"(?:(?<=\n)[ ]*|[ ]+|\n[ ]*)?This is a CUDA build(?:`[^`]*`|[^.:`])*(?:\.(?=\s)|(?=:))"
    r"(?:(?<=\.) (?=\S))?"
    r"|; a CUDA build on a PC with an NVIDIA card also prints `True`"
)
# A step, or a sentence of it, that begins with the card that it is for.
_FOR_NVIDIA = re.compile(r"(?:\A|(?<=[.!?])\s+)(?:For|With|On|If)\b[^.;:]{0,40}\bNVIDIA\b")
_FOR_PROCESSOR = "This takes the build for the processor: CUDA builds need a card from NVIDIA."


def write_for_other_cards(steps: Iterable[str]) -> tuple[str, ...]:
    """Put the CPU build of torch into the commands of pip, where the card is not from NVIDIA.

    A step that says itself for which cards it is stays.
    """
    return tuple(_write_for_processor(step) for step in steps)


def _write_for_processor(step: str) -> str:
    unsaid = CUDA_BUILD_SAID.sub("", step)
    if _FOR_NVIDIA.search(BLOCK.sub("", unsaid)):
        return step
    changed = BLOCK.sub(_take_cpu_builds, unsaid)
    first = BLOCK.search(changed)
    if first is None or changed == unsaid:
        return step if first is not None else unsaid
    start = changed[: first.start()].rstrip().rstrip(":.")
    return f"{start}. {_FOR_PROCESSOR}\n\n{changed[first.start() :]}"


def _take_cpu_builds(block: re.Match[str]) -> str:
    return "\n".join(
        _CUDA_RELEASE.sub("cpu", _CUDA_INDEX.sub("cpu", line))
        if _INSTALLS_TORCH.search(line) and not _CUDA_ONLY.search(line)
        else line
        for line in block[0].split("\n")
    )


def write_for_nvidia(steps: Iterable[str]) -> tuple[str, ...]:
    """Remove from steps the question whether there is an NVIDIA card, and what follows from a no.

    The last step is never taken out.
    """
    steps = tuple(steps)
    kept = tuple(step for step in steps if not _STEP_FOR_OTHERS.match(step)) or steps
    return tuple(_ALSO_HOLDS.sub("", _HOLDS.sub(_begin, _FOR_OTHERS.sub("", step))) for step in kept)


def _begin(condition: re.Match[str]) -> str:
    return condition["start"] + condition["letter"].upper()
