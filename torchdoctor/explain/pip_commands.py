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
# A command, also within a sentence, with its first argument that is no option, and a sign that it is one.
_WANTED = (
    r"(?:^|[>$%&`'\"]|-m|\b(?:do|did|ran|run|running|tried|try|trying|typed|use|used|using|with|then)) {0,2}"
    r"['\"`]?"
    r"pip3? install (?:(?:-[vUI]|--(?:no-|pre\b|upgrade|verbose|force-reinstall|user)[\w-]{0,30}) ){0,6}"
    r"(?P<wanted>(?:-[er] )?(?:git\+https://[\w./-]{5,120}|\.|[a-z.](?:[\w./\[\]=-]{0,80}[\w\]])?))"
    r"(?=\s*$|[`'\"),]| (?:-|and|but|it\b|i |then|gives|fails|ends|stops|with the|in )|\.(?: |$))"
)
# Words behind such a command that are no packages, and packages that are there before others are built.
_NOT_WANTED = (
    " a again all and any but command commands do does error errors everything fail failed fails for gives"
    " in is it of on out package packages process returns run same step still stuck that the them these this"
    " to was with work worked works"
    " build cmake ninja packaging pip setuptools torch torchaudio torchvision uv wheel "
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


def read_wanted_package(units: Sequence[Unit]) -> str | None:
    """Return the only package, file or folder that the text gives to pip, or None.

    torch, and the tools that other packages are built with, are not counted.
    """
    found: set[str] = set()
    for line in (line.text for unit in units for line in unit.lines):
        for match in pattern(_WANTED, True).finditer(line):
            wanted = match["wanted"]
            name = pattern(r"[=\[]").split(wanted, 1)[0].lower()
            if f" {name} " not in _NOT_WANTED:
                found.add(wanted)
    return found.pop() if len(found) == 1 else None
