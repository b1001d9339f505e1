"""Name an interpreter in the commands of an entry, in place of the `python` that a shell finds first."""

import re
from collections.abc import Iterable

_BLOCK = re.compile(
    r"^(?P<indent>[ ]*)```(?P<shell>powershell|bat|text)\n(?P<code>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)
_COMMAND = re.compile(r"^([ ]*)python(?=[ ])")
_SPAN = re.compile(r"`python(?= -)([^`\n]*)`")
# After these commands, `python` is that of another environment.
_NEW_ENVIRONMENT = re.compile(r"activate|-m venv|conda create|uv venv", re.IGNORECASE)
# A path in which a home folder or a user name was taken out cannot be run.
_REDACTED = re.compile(r"^~|[<>]")


def name_python(markdown: str, python: str) -> str:
    """Replace `python` at the start of commands by a path, up to one that makes or enters an environment.

    A path with spaces is quoted for the shell of the code block. Only PowerShell needs the operator `&`, so
    the text then says what to leave out in cmd, and commands within sentences stay as they are.
    """
    if _REDACTED.search(python):
        return markdown
    named = _BLOCK.sub(lambda block: _name_in_block(block, python), markdown)
    if " " in python:
        return f"{named}\n\nIn cmd, leave out the `&` before the path." if '& "' in named else named
    if _NEW_ENVIRONMENT.search(markdown):
        return named
    return _SPAN.sub(lambda span: f"`{python}{span[1]}`", named)


def name_python_in_steps(steps: Iterable[str], python: str) -> tuple[str, ...]:
    """Do the same in steps that are followed in order: after a new environment, `python` is that one's."""
    named, is_same_environment = [], True
    for step in steps:
        named.append(name_python(step, python) if is_same_environment else step)
        is_same_environment = is_same_environment and not _NEW_ENVIRONMENT.search(step)
    return tuple(named)


def _name_in_block(block: re.Match[str], python: str) -> str:
    operator = "& " if block["shell"] == "powershell" else ""
    command = f'{operator}"{python}"' if " " in python else python
    lines = block["code"].split("\n")
    for number, line in enumerate(lines):
        lines[number] = _COMMAND.sub(lambda match: match[1] + command, line)
        if _NEW_ENVIRONMENT.search(line):
            break
    start, end = (place - block.start() for place in block.span("code"))
    return block[0][:start] + "\n".join(lines) + block[0][end:]
