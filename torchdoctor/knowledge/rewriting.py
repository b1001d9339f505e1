"""Write the commands of steps for the notebook, the project and the script that a text shows."""

import re
from collections.abc import Iterable

from torchdoctor.knowledge.conda import MAKES_VENV
from torchdoctor.knowledge.interpreter import BLOCK

# The script in the commands of entries, which stands for the user's own.
_EXAMPLE = re.compile(r"(?<=[ ])(?:train|your_script|your_program)\.py\b")
# A command of pip in a sentence, and one that is too long to be copied from there.
_COMMAND_START = r"`((?:\.\\[^\s`]{1,80}\.exe|python) (?:-s )?-m pip "
_COMMAND = re.compile(_COMMAND_START + r"[^`\n]{3,400})`")
_LONG_COMMAND = re.compile(_COMMAND_START + r"[^`\n]{35,400})`")
# A command of a block, which a line begins with.
_BARE_PYTHON = re.compile(r"^python (?=-c |-m |-X )", re.MULTILINE)
_VERIFICATION = re.compile(
    r"\A`(?P<command>(?:python|uv run)[ ][^`\n]{20,})`(?P<where> in [^.,]{3,40}?)?"
    r"(?P<rest> (?:prints|ends|shows|lists)\b)"
)
_PLACES = ("the first command below", "the second one", "the third one")

# What asks for the name of the program, where a command below has it.
_NAME_HINTS = (
    (re.compile(r"With\s+your\s+script\s+in\s+place\s+of\s+`train\.py`,\s+it(?=\s)"), "It"),
    (re.compile(r",\s+with\s+your\s+program\s+in\s+place\s+of\s+`train\.py`"), ""),
    (
        re.compile(r"\.\s+Write\s+the\s+name\s+of\s+your\s+program\s+in\s+place\s+of\s+`train\.py`(?=[.:])"),
        "",
    ),
)
# The file that a verification lets torchdoctor read, and one that cmd and PowerShell take as it is written.
_SCANNED = re.compile(r"(?<=torchdoctor scan )train\.py(?= --select )")
_SCANNED_PATH = re.compile(r"(?P<plain>[\w:\\/.-]{1,300}\.py)|(?P<quoted>[\w:\\/. ()+~-]{1,300}\.py)")
_PULL = re.compile(r"^([ ]*)git pull$", re.MULTILINE)
# What a zip archive from GitHub is unpacked to.
_OF_AN_ARCHIVE = re.compile(r"-(?:main|master)(?:\\|$)", re.IGNORECASE)
_NO_CLONE = (
    "The name of this folder is that of a zip archive from GitHub, which git cannot update: if it says"
    " `not a git repository`, download the archive again, and unpack it beside the old folder."
)
# A program in one line that starts pip by `s.call`: a cell can run it as it is.
_PROGRAM = re.compile(r'python -c "(import subprocess as s[^"\n]*)"')
# A block in which pip alone is called, or such a program.
_FOR_A_CELL = re.compile(
    rf"[ ]*{_PROGRAM.pattern}\n|"
    r"(?:[ ]*python -m pip (?!list|show|debug|check)[^\n|;]+\n|[ ]*\n)+"
)
# A notebook cannot answer what pip asks.
_UNANSWERED = re.compile(r"%pip uninstall (?!-y)")
# A sentence behind another one, up to its end or the command below it.
_PACKAGE_HINT = re.compile(r"(?<=[.:])\s(?:`[^`]*`|[^.:`])*\bPACKAGE\b(?:`[^`]*`|[^.:`])*[.:](?=\s|$)")
# A verification that says what to write for it.
_PRINTS_HINT = re.compile(
    r"With\s+the\s+name\s+of\s+(?:the|your)\s+extension\s+in\s+place\s+of\s+PACKAGE\s+it(?=\s)"
)
_IN_A_CELL = (
    "Restart the kernel of the notebook, run this in a cell before all others, and restart the kernel again:"
)


def drop_package_hint(step: str) -> str:
    """Remove the sentence that says what to write for PACKAGE, where no command of the step has it."""
    commands = [block["code"] for block in BLOCK.finditer(step)] if "PACKAGE" in step else []
    if not commands or any("PACKAGE" in code for code in commands):
        return step
    return _PACKAGE_HINT.sub("", _PRINTS_HINT.sub("It", step))


def write_for_notebook(steps: Iterable[str]) -> tuple[str, ...]:
    """Rewrite commands of pip for a notebook cell: a console may start another Python than its kernel."""
    return tuple(_write_for_notebook(step) for step in steps)


def _write_for_notebook(step: str) -> str:
    blocks = list(BLOCK.finditer(step))
    if len(blocks) != 1 or not _FOR_A_CELL.fullmatch(blocks[0]["code"]):
        return step
    block = blocks[0]
    start = step[: block.start()].rstrip().removesuffix(":").removesuffix(".")
    lines = "".join(f"{block['indent']}{line}\n" for line in _list_lines(block["code"]))
    cell = f"{block['indent']}```python\n{lines}{block['indent']}```"
    rest = _UNANSWERED.sub("%pip uninstall -y ", step[block.end() :].replace("`python -m pip ", "`%pip "))
    # A package that the kernel has loaded cannot be replaced.
    return f"{start}. {_IN_A_CELL}\n\n{_UNANSWERED.sub('%pip uninstall -y ', cell)}{rest}"


def _list_lines(code: str) -> list[str]:
    lines = (_PROGRAM.sub(r"\1", line.strip()) for line in code.splitlines())
    return [line.replace("python -m pip ", "%pip ", 1) for line in lines if line]


def name_project(steps: Iterable[str], folder: str) -> tuple[str, ...]:
    """Name the folder of the program in commands of git, so that they work in any folder."""
    return tuple(_name_project(step, folder) for step in steps)


def _name_project(step: str, folder: str) -> str:
    named, count = _PULL.subn(lambda match: f'{match[1]}git -C "{folder}" pull', step)
    if not count or not _OF_AN_ARCHIVE.search(folder):
        return named
    return f"{named.rstrip()}\n\n   {_NO_CLONE}"


def name_script(steps: Iterable[str], script: str) -> tuple[str, ...]:
    """Replace the name that stands for the user's program in commands, such as `train.py`, by its own."""
    return tuple(_name_script(step, script) if script not in step else step for step in steps)


def _name_script(step: str, script: str) -> str:
    named = BLOCK.sub(lambda block: _EXAMPLE.sub(lambda _: script, block[0]), step)
    if named == step:
        return step
    for hint, written in _NAME_HINTS:
        named = hint.sub(written, named)
    return named


def name_scanned_file(step: str, file: str) -> str:
    """Name the file whose line failed where a step reads the script of the user: often it is another one."""
    hint, written = _NAME_HINTS[0]
    path = _SCANNED_PATH.fullmatch(file)
    if path is None or not hint.search(step):
        return step
    name = path["plain"] or f'"{path["quoted"]}"'
    named, count = _SCANNED.subn(lambda _: name, step)
    return hint.sub(written, named) if count else step


def set_verification_apart(verify: str) -> str:
    """Set the command with which a verification begins in a block: in a sentence it cannot be copied."""
    return _VERIFICATION.sub(
        lambda match: (
            f"```powershell\n{match['command']}\n```\n\n"
            + (f"In{match['where'][3:]}, it" if match["where"] else "It")
            + match["rest"]
        ),
        verify,
    )


def verify_in_new_environment(steps: tuple[str, ...]) -> tuple[str, ...]:
    """Write the verification, the last text, for the Python of the environment that the first step makes.

    The `python` of a new console is still the other one, and would fail after a cure.
    """
    made = MAKES_VENV.search(steps[0])
    if made is None:
        return steps
    python = rf"{made['folder']}\Scripts\python.exe "
    return (*steps[:-1], _BARE_PYTHON.sub(lambda _: python, steps[-1]))


def set_commands_apart(step: str) -> str:
    """Move long commands of pip out of sentences, where settings of programs have them, into a block.

    A step with a block of its own, or with more commands than have a name here, stays as it is.
    """
    if BLOCK.search(step) or not _LONG_COMMAND.search(step):
        return step
    commands = _COMMAND.findall(step)
    if len(commands) > len(_PLACES):
        return step
    places = iter(_PLACES if len(commands) > 1 else ("the command below",))
    sentence = _COMMAND.sub(lambda _: next(places), step).rstrip()
    lines = "".join(f"   {command}\n" for command in commands)
    return f"{sentence}\n\n   ```powershell\n{lines}   ```"


def write_for_git_bash(markdown: str, python: str) -> str:
    """Return a step whose commands name a Python as Git Bash reads its path: it takes backslashes away."""
    named = python.replace("\\", "/")
    named = f'"{named}"' if " " in named else named
    return BLOCK.sub(
        lambda block: re.sub(rf'(?:& )?"?{re.escape(python)}"?', lambda _: named, block[0]), markdown
    )
