"""Make new environments with conda for people who work with it: they may have no other Python."""

import re
from collections.abc import Iterable

from torchdoctor.knowledge.interpreter import BLOCK

_FOLDER = r"(?P<folder>C:\\envs\\(?P<name>[\w-]{1,40}))"
# A command that makes a virtual environment in its own folder.
MAKES_VENV = re.compile(
    rf"^(?P<indent>[ ]*)(?:py -(?P<minor>3\.\d{{1,2}})|(?:py|python|\S*\\python\.exe)) -m venv {_FOLDER}$",
    re.MULTILINE,
)
_ACTIVATION = re.compile(
    rf"^(?P<indent>[ ]*)Set-ExecutionPolicy [^\n]+\n[ ]*{_FOLDER}\\Scripts\\Activate\.ps1$", re.MULTILINE
)
# A Python of another kind: a conda that is 32-bit, or runs x64 on ARM, makes more of its own kind.
_UNNAMED = re.compile(r"(?P<command>\bconda (?:activate|env remove -n|install -n|list -n)) NAME\b")
_OTHER_KIND = re.compile(r"\b32-bit\b|\bARM64\b|Windows installer \(64-bit\)\"")
# conda knows no launcher: what the launcher lists are Pythons that it has not made.
_LISTING = re.compile(r"^[ ]*py -0p\n", re.MULTILINE)
_IN_VENV = re.compile(rf"(?<![\w\\]){_FOLDER}\\Scripts\\python\.exe")


def _in_prose(pattern: str) -> re.Pattern[str]:
    """Compile a pattern whose blanks stand for the blanks and line ends of a paragraph."""
    return re.compile(pattern.replace(" ", r"\s+"))


_BESIDE = r"(?: beside (?:it|the one you have|the other one))?"
_FROM = r",? from (?:https?://[^\s,]+?|python\.org)(?: \(Windows installer, 64-bit\))?(?=[,.]?\s)"
# A Python, and where its installer is: conda brings it with the environment.
_PYTHON = (
    r"(?:64-bit )?Python (?P<version>3\.\d{1,2})(?:\.\d{1,2})?(?: \(64-bit(?:, from python\.org)?\))?"
    rf"{_BESIDE}(?:{_FROM})?{_BESIDE}"
)
_MAKE = r"(?:,? and|\. Then) make (an environment|a new environment)(?: with it)?"
_OF_LAUNCHER = (
    r" ?If `py` is not found or has no 3\.\d{1,2}, install it from \S+ \(Windows installer, 64-bit\)\."
)
_OTHERWISE = re.compile(r"[ \n]+Without\s+conda,\s+(?:`[^`]*`|[^.`:]|\.(?!\s))*\.(?=\s|$)")
_UNDO = _in_prose(
    r"([Tt])o undo, delete (?:the (?:folder|environment)|it)(?: `C:\\envs\\[\w-]{1,40}`)?(?=[.:])"
)
_SENTENCES = (
    (_in_prose(rf"Install {_PYTHON}{_MAKE}"), r"Make \2 with Python \g<version>"),
    (_in_prose(rf"install {_PYTHON}{_MAKE}"), r"make \2 with Python \g<version>"),
    (
        _in_prose(rf"Install {_PYTHON}, and (torch [^.]{{0,40}}in a new environment)"),
        r"Install \2 with Python \g<version>",
    ),
    (_in_prose(rf"with {_PYTHON}"), r"with Python \g<version>"),
    (
        _in_prose(
            r"install one that does \(64-bit, such as (3\.\d+)\) beside it, and make a new environment"
        ),
        r"make a new environment with one that does, such as \1",
    ),
    (_in_prose(_OF_LAUNCHER), ""),
    (_in_prose(r"With conda: `conda create [^`]{1,60}`\. "), ""),
    (_in_prose(r"with (?:this|its|the) `python\.exe`(?: of this environment)?"), "in this environment"),
    (_in_prose(r"with `C:\\envs\\[\w-]{1,40}\\Scripts\\python\.exe`"), "in this environment"),
)


def write_for_conda(steps: Iterable[str], python_version: str = "", at_hand: str = "") -> tuple[str, ...]:
    """Make new environments with conda in steps that are followed in order.

    `python_version` is that of the environment at hand; a new one gets it where the step names none.
    `at_hand` is its name, which no new one gets: `conda create -y` removes the environment of that name.
    """
    steps = _avoid_name((_OTHERWISE.sub("", step) for step in steps), at_hand)
    if not any(MAKES_VENV.search(step) for step in steps):
        return steps
    minor = re.match(r"3\.\d{1,2}(?!\d)", python_version)
    return tuple(_write_step(step, minor[0] if minor else "3.12") for step in steps)


def _avoid_name(steps: Iterable[str], at_hand: str) -> tuple[str, ...]:
    """Return the steps with another name for a new environment that has that of the one at hand."""
    steps = tuple(steps)
    named = re.compile(
        r"(?P<before>C:\\envs\\"
        r"|\bconda (?:activate|(?P<makes>create(?: -y)?) -n|(?:env remove|install|list) -n) )"
        rf"{re.escape(at_hand)}(?![\w.-])",
        re.IGNORECASE,
    )
    made = [match["name"].lower() for step in steps for match in MAKES_VENV.finditer(step)]
    if at_hand.lower() not in made and not any(
        match["makes"] for step in steps if at_hand for match in named.finditer(step)
    ):
        return steps
    return tuple(named.sub(rf"\g<before>{at_hand}-new", step) for step in steps)


def _write_step(step: str, minor: str) -> str:
    if _OTHER_KIND.search(step):
        return step
    makes = MAKES_VENV.search(step)
    parts, end = [], 0
    for block in BLOCK.finditer(step):
        parts += [_write_prose(step[end : block.start()], makes), _write_block(block[0], minor)]
        end = block.end()
    return "".join((*parts, _write_prose(step[end:], makes)))


def _write_prose(text: str, makes: re.Match[str] | None) -> str:
    if makes is not None:
        text = _UNDO.sub(rf"\1o undo, type `conda env remove -n {makes['name']}`", text)
        for sentence, written in _SENTENCES:
            text = sentence.sub(written, text)
    return _IN_VENV.sub("python", text)


def _write_block(block: str, minor: str) -> str:
    made = MAKES_VENV.search(block)
    enters = _IN_VENV.search(block)
    activation = "" if _ACTIVATION.search(block) else r"\n\g<indent>conda activate \g<name>"
    block = _LISTING.sub("", block) if made else block
    block = MAKES_VENV.sub(
        lambda match: match.expand(
            rf"\g<indent>conda create -y -n \g<name> python={match['minor'] or minor}{activation}"
        ),
        block,
    )
    block = _ACTIVATION.sub(r"\g<indent>conda activate \g<name>", block)
    if enters and not made:
        start = block.index("\n") + 1
        indent = re.match(r"[ ]*", block[start:])
        block = (
            f"{block[:start]}{indent[0] if indent else ''}conda activate {enters['name']}\n{block[start:]}"
        )
    return _IN_VENV.sub("python", block)


def name_conda_environment(step: str, name: str) -> str:
    """Return a step that enters or removes the environment of a text by its name, in place of NAME."""
    return _UNNAMED.sub(rf"\g<command> {name}", step)
