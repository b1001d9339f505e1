"""Hide what is typed at a prompt, and what is answered: commands of several lines, lists of arguments."""

import re

from torchdoctor.domain.values_below import hide_values_below
from torchdoctor.domain.written_tokens import (
    Change,
    Token,
    change_lines,
    join_plain,
    read_tokens,
    write_tokens,
)

# The arguments of a program, as Python shows a list of them.
_ARGUMENTS = re.compile(
    r"\[(?:'[^'\n]{0,500}'|\"[^\"\n]{0,500}\")(?:,[ ](?:'[^'\n]{0,500}'|\"[^\"\n]{0,500}\")){1,100}\]"
)
_BETWEEN_ARGUMENTS = re.compile(r"\[[\"']|[\"'],[ ][\"']|[\"']\]")
# A command that goes on in the next line, in bash, cmd and PowerShell.
_CONTINUED = re.compile(r"(?m)^(?:[^\n]{0,2000}[^\s\\^`][ \t]+[\\^`][ \t]*\r?\n){1,40}[^\n]{0,2000}")
_CONTINUATION = re.compile(r"[ \t]+[\\^`][ \t]*\r?\n[ \t]*")


def hide_typed(text: str, hide: Change) -> str:
    """Return what `hide` makes of a text, and of what is typed in it."""
    text = hide(hide_values_below(text, hide))
    # The quotes of an argument that has blanks are gone in what the list means.
    if _ARGUMENTS.search(text):
        text = change_lines(text, hide, _read_arguments, str)
    return _CONTINUED.sub(lambda command: _hide_in_command(command[0], hide), text)


def _hide_in_command(command: str, hide: Change) -> str:
    """Hide in a command of several lines; the lines keep their numbers."""
    tokens = list(read_tokens(command, _CONTINUATION.finditer(command), lambda match: " "))
    written = write_tokens(tokens, hide(join_plain(tokens)), str)
    return written + "\n" * (command.count("\n") - written.count("\n"))


def _read_arguments(line: str) -> list[Token]:
    """Read a list of arguments as a shell would."""
    between = (
        each
        for match in _ARGUMENTS.finditer(line)
        for each in _BETWEEN_ARGUMENTS.finditer(line, match.start(), match.end())
    )
    return list(read_tokens(line, between, lambda match: " "))
