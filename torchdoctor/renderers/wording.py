"""Sentences of an explanation that several renderers write."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from torchdoctor.explain.answer import Confidence, Diagnosis, Explanation
from torchdoctor.knowledge.interpreter import enters_environment
from torchdoctor.knowledge.projects import PYTHON_OF_POETRY

if TYPE_CHECKING:
    from torchdoctor.readers import Conflict
    from torchdoctor.readers.questions import Question

SUSPECTED = "The text has signs of this problem, and does not prove it."
FIX, FIX_STEPS = "Fix", "Fix, step by step until it works"
NOT_RECOGNISED = "Nothing in this text proves a known problem of PyTorch on Windows."
OF_PROGRAM = "mostly an error of the program or of its data, not of this computer"
WHAT_TO_DO = "What to do"
_WHAT_TO_PASTE = (
    "The whole output from the command to its end, with every Traceback: in a text with several, the "
    "first one names the cause. If the program ended without a message, paste its exit code."
)
_WINDOW = (
    "A window that closes by itself can be kept open: click on the address line of Explorer in the folder of"
    " the program, type cmd, press Enter, and type the name of the file that you clicked on, such as run.bat."
    " Paste what stands there then."
)
WHICH_PYTHON = (
    "In these commands, python is the Python that runs the program: that in its folder, such as"
    r" python_embeded\python.exe or venv\Scripts\python.exe, where it has one."
)
_OFFLINE = (
    "The text speaks of a computer without internet. Where a command says pip install, type pip download -d"
    " wheels in its place, without --upgrade and --force-reinstall, on a computer with internet, Windows and"
    " the same version of Python, and fetch there what has an address. Carry the folder wheels over: there,"
    " python -m pip install --no-index --find-links wheels installs from it, with the names of the packages"
    " and what the command had in front of them."
)
_FREEZES = "python -m PyInstaller"
# Other commands of the launcher name the Python that they start.
_MAKES_VENV = re.compile(r"\bpy -3[.\d]* -m venv\b")
_STARTED_BY_PATH = re.compile(r'(?m)^[ ]*(?:& )?"?[A-Za-z]:\\[^"\n]*python\.exe"? [\w-]+\.py$')
_WHICH_PYTHON_FREEZES = "In these commands, python is the Python that the program is built with."
_USUAL_PYTHON = (
    "The text shows the Python {python}. {program} mostly has one of its own, {usual_python} in its folder:"
    " if it is there, start the program as its instructions say, so that it runs in that one."
)
_LIKELY_PYTHON = (
    "These commands have the Python whose packages the text shows. If there is no {likely_python}, it is"
    " {python_elsewhere}: type that one."
)
_LAUNCHED = (
    "The text shows packages of your user folder, which every Python of that version loads. {python} starts"
    " that version; if Windows finds no py, type python in its place."
)
_KERNEL = (
    "The text shows a notebook. Its kernel has a Python of its own: import sys; print(sys.executable) in a"
    " cell prints the path, which goes in place of python where a command begins with it."
)
_INSTALLERS = {
    "conda": "The text shows conda: type conda activate NAME first, with the name of your environment;"
    " python is then that of this environment.",
    "uv": "The text shows uv: in an environment that it made, write uv pip install in place of python -m pip"
    " install. uv sync puts back what pyproject.toml and uv.lock name, so change the package there as well.",
    "poetry": "The text shows poetry: write poetry run python in place of python. poetry install puts back"
    " what pyproject.toml and poetry.lock name, so change the package there as well.",
}
_CONSOLE_FILE = (
    "The text shows {console_file}: start that file, in the folder of the program, and type the commands in"
    " its window; python is then that of the program. The command conda may be unknown there."
)
_MICROMAMBA = (
    "The text shows micromamba: type micromamba activate NAME first, with the name of your environment;"
    " python is then that of this environment. Where a command begins with conda, write micromamba."
)
_NAMED_CONDA = (
    "The text shows the conda environment {conda_name}: type conda activate {conda_name} first; python is"
    " then that of this environment."
)
# Of the lines that differ in a text, so many are shown above the answer.
CONFLICTS_SHOWN = 2


def describe_what_to_paste(explanation: Explanation) -> str:
    """Return what to paste where a text is not enough; a window that is gone has to be kept open first."""
    return _WINDOW if "window_gone" in explanation.values else _WHAT_TO_PASTE


def describe_confirmation(diagnosis: Diagnosis) -> str:
    """Return what follows the confidence of a diagnosis whose check gave a result, else "".

    What an error proves needs no version in the text that shows it as well.
    """
    is_proved = diagnosis.confidence is Confidence.CERTAIN and diagnosis.examined == "text"
    if diagnosis.confirmed is None or (is_proved and not diagnosis.confirmed):
        return ""
    place = "by the environment in the text" if diagnosis.examined == "text" else "on this machine"
    return f", confirmed {place}" if diagnosis.confirmed else f", not confirmed {place}"


def describe_conflict(conflict: "Conflict") -> str:
    """Return a sentence for two lines that differ."""
    return (
        f"Two lines differ: {conflict.describe()}. The error may be of another environment than the one"
        " that was looked at."
    )


def describe_doubt(question: "Question", code: str = "") -> str:
    """Return a sentence that says what to run to be sure; `code` is put on both sides of the command."""
    return (
        f"To be sure: run {code}{question.command}{code} on that computer, and paste its output together with"
        f" this text. It says {question.unknown}."
    )


def _describe_installer(installer: str, values: Mapping[str, str]) -> str:
    if installer == "conda" and "console_file" in values:
        return _CONSOLE_FILE.format(**values)
    if installer == "conda" and "micromamba" in values:
        return _MICROMAMBA
    if installer == "conda" and "conda_name" in values:
        return _NAMED_CONDA.format(**values)
    return _INSTALLERS[installer]


def describe_offline(diagnosis: Diagnosis) -> str | None:
    """Return how packages come to a computer without internet, None where the steps say it or need none."""
    steps = "\n".join(diagnosis.fix)
    is_needed = "pip install" in steps and not re.search(r"pip download|--no-index", steps)
    return _OFFLINE if is_needed and "offline" in diagnosis.values else None


def describe_python(diagnosis: Diagnosis) -> str | None:
    """Return what to know about the Python in the commands, None if they name it or there are none."""
    starts = ("python -", "python.exe -")
    steps = [step.replace(f"{PYTHON_OF_POETRY} ", "") for step in diagnosis.fix]
    with_commands = [
        step for step in steps if any(start in step for start in starts) or _MAKES_VENV.search(step)
    ]
    # What the first one makes or enters is the environment of all that follow.
    if not with_commands or enters_environment(with_commands[0]):
        return None
    if any("-m pip install" in step for step in steps):
        installer = diagnosis.values.get("installer", "")
        if installer in _INSTALLERS and "python" not in diagnosis.values:
            return _describe_installer(installer, diagnosis.values)
    elif steps[0] != with_commands[0] and _STARTED_BY_PATH.search(steps[0]):
        return None
    if "conda_python" in diagnosis.values and not diagnosis.values.keys() & {"python", "environment"}:
        return _describe_installer("conda", diagnosis.values)
    if "usual_python" in diagnosis.values:
        return _USUAL_PYTHON.format(**diagnosis.values)
    if "other_pythons" in diagnosis.values:
        return diagnosis.values["other_pythons"].replace("`", "") + "."
    if diagnosis.values.get("python", "").startswith("py -"):
        return _LAUNCHED.format(**diagnosis.values)
    if "likely_python" in diagnosis.values:
        return _LIKELY_PYTHON.format(**diagnosis.values)
    if "kernel" in diagnosis.values and "python" not in diagnosis.values:
        return _KERNEL
    is_known = any(name in diagnosis.values for name in ("python", "environment", "typed_at_prompt"))
    if not is_known and any(_FREEZES in step for step in with_commands):
        return _WHICH_PYTHON_FREEZES
    return None if is_known else WHICH_PYTHON


# A block of code, which can have blank lines.
_FENCED = re.compile(r"[ ]*(?P<fence>`{3,})[^\n]*\n.*?\n[ ]*(?P=fence)(?=\s|$)", re.DOTALL)


def shorten_step(step: str) -> str:
    """Return the first paragraph of a step, with the commands that it announces."""
    head, _, rest = step.partition("\n\n")
    if not head.rstrip().endswith(":"):
        return head
    fenced = _FENCED.match(rest)
    return f"{head}\n\n{fenced[0] if fenced else rest.partition(chr(10) * 2)[0]}"
