"""Find secrets in what was typed at the prompt of a shell: answers in the wrong place, and arguments."""

import re
from collections.abc import Iterator

from torchdoctor.core.prompts import PROMPT
from torchdoctor.redaction.secrets.random_words import looks_generated

_WORD = r"[^\s\\/.:=|<>\"'`]{6,200}"
# One word at the prompt of cmd or PowerShell, and what both say of it, in any language.
_TYPED = re.compile(rf"(?m)^[^\S\n]{{0,4}}{PROMPT}[ ]?(?P<typed>{_WORD})[ ]*$")
_SAID = re.compile(
    rf"(?m)^(?:(?P<first>{_WORD})[ ]:[ ][^\n\"'“]{{0,60}}[\"'“](?P=first)[\"'”]"
    rf"|['\"](?P<quoted>{_WORD})['\"][ ])"
    # PowerShell, which says the word first and then that it is no command.
    rf"|\b(?:[Tt]erm|[Bb]enennung|[Tt]erme|término|termine|termo|имя)[ ]['\"«](?P<term>{_WORD})['\"»][ ]"
)
# A command at a prompt of any shell or of a notebook, and an argument in it.
_COMMAND = re.compile(
    rf"(?m)^[^\S\n]{{0,4}}(?:{PROMPT}|(?:\([\w.-]{{1,40}}\)[ ])?(?:\$[ ]|[!%](?=[a-z])))"
    r"(?P<command>[^\n]{1,1000})$"
)
_ARGUMENT = re.compile(r"(?<=[\s=\"'])[\w+-]{10,200}(?=[\s\"'`]|$)")
# The hash of a commit and the UUID of a card are no secrets.
_HASH = re.compile(r"(?:[A-Z]{3}-)?[0-9a-f-]+|[0-9A-F-]+")
# The end of a line that asks for a secret.
_ASKED = re.compile(
    r"(?i)(?:\b(?:tokens?|password|passphrase|passcode|pin|api[ _-]?key|secret|passwort|kennwort"
    r"|contraseña|senha|mot de passe|hasło|пароль)\b|密码|密碼|パスワード|비밀번호)[^\n]{0,80}[:：?)][ ]*$"
)
_LINES_BETWEEN = 2
_JOINED = re.compile(r"[-_+]")


def find_typed_secrets(text: str) -> frozenset[str]:
    """Return the words that a shell was given in the place of an answer, and arguments that look generated.

    The answers look generated as well, or stand below a line that asks for a password or a token.
    """
    return frozenset(_find(text))


def _find(text: str) -> Iterator[str]:
    for match in _SAID.finditer(text):
        word = match["first"] or match["quoted"] or match["term"]
        if looks_generated(_JOINED.sub("", word)):
            yield word
    for match in _TYPED.finditer(text):
        word = match["typed"]
        above = text[max(0, match.start() - 400) : match.start()].splitlines()[-_LINES_BETWEEN:]
        if looks_generated(_JOINED.sub("", word)) or any(map(_ASKED.search, above)):
            yield word
    for match in _COMMAND.finditer(text):
        for argument in _ARGUMENT.findall(match["command"]):
            if looks_generated(_JOINED.sub("", argument)) and not _HASH.fullmatch(argument):
                yield argument
