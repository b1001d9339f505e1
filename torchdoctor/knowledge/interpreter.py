"""Name an interpreter in the commands of an entry, in place of the `python` that a shell finds first."""

import re
from collections.abc import Iterable

BLOCK = re.compile(
    r"^(?P<indent>[ ]*)```(?P<shell>powershell|bat|text)\n(?P<code>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)
# A command, also one whose output PowerShell assigns.
_COMMAND = re.compile(r"^([ ]*(?:\$[\w:]+ = )?)python(?=[ ])")
_PIP_COMMAND = re.compile(r"^[ ]*python -m pip ", re.MULTILINE)
_PIP_FIRST = (
    "This Python has no pip. Add it first:\n\n```powershell\npython -m ensurepip\n```\n\n"
    "If it has no ensurepip either, take a Python from https://www.python.org/downloads/windows/.\n\n"
)
_SPAN = re.compile(r"`python(?= -)([^`\n]*)`")
# After these commands, `python` is that of another environment.
_NEW_ENVIRONMENT = re.compile(r"activate|-m venv|conda create|uv venv", re.IGNORECASE)
# The folder of a virtual environment, of its Python and in the command that makes it.
_VENV_PYTHON = re.compile(r"([\w.-]+)\\Scripts\\python\.exe$", re.IGNORECASE)
_MADE_VENV = re.compile(r"-m venv (?:--[\w-]+ )?\"?(?:\.\\)?([^\s\"]+)", re.IGNORECASE)
# A command that asks which Python `python` is.
_QUESTION = "sys.executable"
# A kernel is made of the Python of a console, where the one of the text finds no package.
_MAKES_KERNEL = "-m ipykernel install"
_CALL_OF_ITSELF = re.compile(r"\[sys\.executable, |'--python', sys\.executable")
# A path in which `<user>` or `~` stands for a name.
_LOST_PATH = re.compile(
    r'^([ ]*)(?:& )?(?:"[^"\n]*[<~][^"\n]*\\python\.exe"|[^\s"]*[<~][^\s"]*\\python\.exe)(?=[ ])',
    re.MULTILINE,
)
# What PowerShell and cmd read alike without quotes, and within double quotes. Other characters, such as $ or
# <user> in place of a name that was taken out, have a meaning to one of them.
PLAIN_PATH = re.compile(r"(?!~)[\w.:\\/+~-]+")
# What starts a Python by its version or from the folder of a project: words, which are no path.
_LAUNCHER = re.compile(r"py -3\.\d{1,2}|poetry run python")
_QUOTED_LAUNCHER = re.compile(r'(?:& )?"(py -3\.\d{1,2})"')
QUOTABLE_PATH = re.compile(r"(?!~)[\w .:\\/+()~-]+")


def name_python(markdown: str, python: str) -> str:
    """Replace `python` at the start of commands by a path, up to one that makes or enters an environment.

    A path with spaces is quoted. PowerShell then needs the operator `&`, and cmd has none: a sentence says
    what to leave out there, and `shells.write_for_cmd` leaves it out of blocks. A path that a shell could
    misread is not used.
    """
    if not QUOTABLE_PATH.fullmatch(python):
        return markdown
    is_plain = needs_no_quotes(python)
    for_powershell = python if is_plain else f'& "{python}"'
    named = BLOCK.sub(lambda block: _name_in_block(block, python, for_powershell), markdown)
    if enters_environment(markdown):
        return named
    text, count = _SPAN.subn(lambda span: f"`{for_powershell}{span[1]}`", named)
    return text if is_plain or not count else f"{text}\n\nIn cmd, leave out the `&` before the path."


def unquote_launcher(markdown: str) -> str:
    """Take away the quotation marks of a path where the launcher and a version stand in its place."""
    return _QUOTED_LAUNCHER.sub(r"\1", markdown)


def needs_no_quotes(python: str) -> bool:
    """Return whether both shells read the start of a command as it is."""
    return (PLAIN_PATH.fullmatch(python) or _LAUNCHER.fullmatch(python)) is not None


def name_python_in_steps(steps: Iterable[str], python: str, folder: str = "") -> tuple[str, ...]:
    """Do the same in steps that are followed in order: after a new environment, `python` is that one's.

    `folder` is where a path begins that is not a whole one; the first step that has it says so.
    """
    named, is_same_environment = [], True
    for step in steps:
        text = name_python(step, python) if is_same_environment else step
        if folder and text != step:
            gap = "\n\n" if text.lstrip().startswith("```") else " "
            text, folder = f"Open a terminal in {folder}.{gap}{text}", ""
        named.append(text)
        is_other = enters_environment(step) and not _makes_again(step, python)
        is_same_environment = is_same_environment and not is_other
    return tuple(named)


def _makes_again(step: str, python: str) -> bool:
    """Return whether a step makes the environment of a Python again, in the folder where it is."""
    folder = _VENV_PYTHON.search(python)
    made = {name.lower() for name in _MADE_VENV.findall(step)}
    return folder is not None and made == {folder[1].lower()}


def forget_lost_python(markdown: str) -> str:
    """Put `python` in the place of paths at the start of commands from which a name was taken out."""
    return BLOCK.sub(lambda block: _LOST_PATH.sub(r"\1python", block[0]), markdown)


def add_pip_first(markdown: str) -> str:
    """Put the command that adds pip before a step whose commands use the pip of `python`."""
    uses_pip = any(_PIP_COMMAND.search(block["code"]) for block in BLOCK.finditer(markdown))
    return f"{_PIP_FIRST}{markdown}" if uses_pip and not enters_environment(markdown) else markdown


def enters_environment(markdown: str) -> bool:
    """Return whether a step makes or enters another environment."""
    return any(_NEW_ENVIRONMENT.search(block["code"]) for block in BLOCK.finditer(markdown))


def _name_in_block(block: re.Match[str], python: str, for_powershell: str) -> str:
    for_cmd = python if for_powershell == python else f'"{python}"'
    command = for_powershell if block["shell"] == "powershell" else for_cmd
    if _MAKES_KERNEL in block["code"] or _QUESTION in _CALL_OF_ITSELF.sub("", block["code"]):
        return block[0]
    lines = block["code"].split("\n")
    for number, line in enumerate(lines):
        lines[number] = _COMMAND.sub(lambda match: match[1] + command, line)
        if _NEW_ENVIRONMENT.search(line):
            break
    start, end = (place - block.start() for place in block.span("code"))
    return block[0][:start] + "\n".join(lines) + block[0][end:]
