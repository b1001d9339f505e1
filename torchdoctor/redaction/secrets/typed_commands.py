"""Hide what is typed at a prompt, and what is answered: commands of several lines, lists of arguments."""

import re

from torchdoctor.redaction.secrets.unnamed_secrets import hide_in_commands
from torchdoctor.redaction.secrets.values_below import hide_values_below
from torchdoctor.redaction.secrets.written_tokens import (
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
# A quoted word of a line that has options, as shells read them; what stands for a blank in it is no space.
_OPTION = re.compile(r"(?:^|[\s|\"'])--?[A-Za-z]|(?:^|[\s|])/[A-Za-z]{1,20}(?![\w/\\])")
# A path, whose names with blanks are found as they are written, or what is hidden already.
_AS_WRITTEN = re.compile(r"[\\/][^\\/]*[\\/]|<secret>")
_QUOTED_WORD = re.compile(
    r"(?:(?<=[\s=:|(,%])|(?<=-[A-Za-z]))(?P<quote>[\"'])(?P<word>[^\"'\n]{1,200})(?P=quote)(?!\w)"
)
_BLANK = "\u2800"
# A command that goes on in the next line, in bash, cmd and PowerShell.
_CONTINUED = re.compile(r"(?m)^(?:[^\n]{0,2000}[^\s\\^`][ \t]+[\\^`][ \t]*\r?\n){1,40}[^\n]{0,2000}")
_CONTINUATION = re.compile(r"[ \t]+[\\^`][ \t]*\r?\n[ \t]*")


def hide_typed(text: str, hide: Change) -> str:
    """Return what `hide` makes of a text, and of what is typed in it."""
    # A part of a quoted word may be found without the others, so these come first.
    if _BLANK not in text and _OPTION.search(text):
        text = change_lines(
            text, hide_in_commands, _read_quoted_words, lambda plain: plain.replace(_BLANK, " ")
        )
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


def _read_quoted_words(line: str) -> list[Token]:
    """Read the quoted words of a command without their quotes, and each as one word."""
    # What a list of arguments means is read as a whole.
    if not _OPTION.search(line) or _ARGUMENTS.search(line):
        return []
    tokens: list[Token] = []
    end = 0
    for match in _QUOTED_WORD.finditer(line):
        quote, word = match["quote"], match["word"]
        if _AS_WRITTEN.search(word):
            continue
        before = line[end : match.start()]
        last = len(word) - 1
        tokens.append(Token(before, before))
        tokens += (
            Token(each, _BLANK if each == " " else each, quote * (at == 0), quote * (at == last))
            for at, each in enumerate(word)
        )
        end = match.end()
    return [*tokens, Token(line[end:], line[end:])] if tokens else []


def _read_arguments(line: str) -> list[Token]:
    """Read a list of arguments as a shell would."""
    between = (
        each
        for match in _ARGUMENTS.finditer(line)
        for each in _BETWEEN_ARGUMENTS.finditer(line, match.start(), match.end())
    )
    return list(read_tokens(line, between, lambda match: " "))
