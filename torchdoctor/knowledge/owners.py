"""Leave out of steps what is for computers without an NVIDIA card, where the text names one."""

import re
from collections.abc import Iterable

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


def write_for_nvidia(steps: Iterable[str]) -> tuple[str, ...]:
    """Remove from steps the question whether there is an NVIDIA card, and what follows from a no.

    The last step is never taken out.
    """
    steps = tuple(steps)
    kept = tuple(step for step in steps if not _STEP_FOR_OTHERS.match(step)) or steps
    return tuple(_ALSO_HOLDS.sub("", _HOLDS.sub(_begin, _FOR_OTHERS.sub("", step))) for step in kept)


def _begin(condition: re.Match[str]) -> str:
    return condition["start"] + condition["letter"].upper()
