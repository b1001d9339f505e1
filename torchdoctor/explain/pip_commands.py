"""Read from a text what was given to pip."""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.split import Unit

# A command of pip, to the end of its line; other characters than these are not put into commands. What stands
# before it: a prompt, the Python, a quotation mark.
_PIP_COMMAND = (
    r"(?P<before>^|[>$!%&|\"'`:]|-m|\.exe\"?|\buv|\bsudo)? ?"
    r"\bpip3? install (?P<pip_arguments>[\w=.+:/@~\[\] -]{3,300})[\"'`]?\s*$"
)
# A command that a person marks as one.
_QUOTED_COMMAND = r"`(?:python -m )?pip3? install (?P<pip_arguments>[\w=.+:/@~\[\] -]{3,300})`"
# Words of a sentence that goes on behind a command, and are no names of packages.
_SENTENCE = (
    r"(?: |^)(?:and|but|can ?not|causes?|does|doesn|errors?|fails?|failed|for|gives|has|hangs|in|is|issue|not"
    r"|on|or|out|problem|returns|so|stuck|takes|the|then|throws|to|when|with|won|works?)(?= |$)"
)
# pip itself proposes this command.
_OF_PIP_ITSELF = r"(?:(?:-U|--upgrade) )+pip\s*|pip (?:-U|--upgrade)\s*"


def read_pip_arguments(units: Sequence[Unit]) -> str | None:
    """Return the arguments of the first `pip install` that stands at the end of a line, or None.

    Words of a sentence are none: "pip install flair causes an error", nor is an update of pip. In the middle
    of a line, only one argument is taken for a package.
    """
    lines = [line.text for unit in units for line in unit.lines]
    for line in lines:
        quoted = pattern(_QUOTED_COMMAND, True).search(line)
        if quoted is not None and not pattern(_OF_PIP_ITSELF, True).fullmatch(quoted["pip_arguments"]):
            return quoted["pip_arguments"]
        match = pattern(_PIP_COMMAND, True).search(line)
        if match is None or pattern(_SENTENCE, True).search(match["pip_arguments"]):
            continue
        if pattern(_OF_PIP_ITSELF, True).fullmatch(match["pip_arguments"]):
            continue
        if match["before"] is not None or " " not in match["pip_arguments"].strip():
            return match["pip_arguments"]
    return None
