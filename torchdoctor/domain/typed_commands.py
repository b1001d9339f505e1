"""Hide what is typed at a prompt, and what is answered: commands of several lines, arguments, values."""

import re

from torchdoctor.domain.written_tokens import (
    Change,
    Token,
    change_each,
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
# What is asked at a prompt, and the answer in the next line; an option and its value in a list of YAML.
_ASKED = re.compile(
    r"(?m)(?:(?:>>>|\bIn[ ]\[\d{1,4}\]:|\(Pdb(?:\+\+)?\)|\bi?pdb>)[ ]*(?:pp?[ ]|print\()?"
    r"(?:[\w.]{1,60}[\[(])?[\"']?(?:\w{1,40}\.)*(?P<name>\w{1,60})[\"']?[\])]{0,3}"
    r"|^[^\n$#>]{0,200}[$#>][ ]?"
    r"(?:(?:printenv|echo)[ ]+(?:\$\{?|%|\$env:)?|\$env:)(?P<variable>\w{1,60})[}%]?"
    r"|^[ \t]*-[ ][\"']?--?(?P<option>[\w-]{2,60})[\"']?(?=[ \t]*\r?\n[ \t]*-[ ](?![\"']?-)))"
    r"[ \t]*\r?\n[^\S\n]*(?:Out[ ]?\[\d{1,4}\]:[ ]|-[ ])?(?P<answer>[^\s>][^\n]{0,400})"
)
# A command that goes on in the next line, in bash, cmd and PowerShell.
_CONTINUED = re.compile(r"(?m)^(?:[^\n]{0,2000}[^\s\\^`][ \t]+[\\^`][ \t]*\r?\n){1,40}[^\n]{0,2000}")
_CONTINUATION = re.compile(r"[ \t]+[\\^`][ \t]*\r?\n[ \t]*")


def hide_typed(text: str, hide: Change) -> str:
    """Return what `hide` makes of a text, and of what is typed in it."""
    text = hide(_hide_answers(text, hide))
    # The quotes of an argument that has blanks are gone in what the list means.
    if _ARGUMENTS.search(text):
        text = change_lines(text, hide, _read_arguments, str)
    return _CONTINUED.sub(lambda command: _hide_in_command(command[0], hide), text)


def _hide_answers(text: str, hide: Change) -> str:
    """Hide what follows a question for it: the answer is read like the value of a setting."""
    asked = list(_ASKED.finditer(text))
    names = [match["name"] or match["variable"] or match["option"] for match in asked]
    settings = [f"{name}={match['answer']}" for name, match in zip(names, asked, strict=True)]
    pieces: list[str] = []
    end = 0
    for match, name, line in zip(asked, names, change_each(settings, hide), strict=True):
        start = match.start("answer")
        is_setting = line.startswith(f"{name}=")
        pieces += text[end:start], line[len(name) + 1 :] if is_setting else match["answer"]
        end = match.end()
    return "".join(pieces) + text[end:]


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
