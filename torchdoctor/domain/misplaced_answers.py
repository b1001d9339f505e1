"""Find what was typed at the prompt of a shell in the place of an answer, and is no command."""

import re
from collections.abc import Iterator

from torchdoctor.domain.random_words import looks_generated

_WORD = r"[^\s\\/.:=|<>\"'`]{6,200}"
# One word at the prompt of cmd or PowerShell, and what both say of it, in any language.
_TYPED = re.compile(rf"(?m)^[^\S\n]{{0,4}}(?:PS )?[A-Za-z]:\\[^>\n]{{0,200}}>[ ]?(?P<typed>{_WORD})[ ]*$")
_SAID = re.compile(
    rf"(?m)^(?:(?P<first>{_WORD})[ ]:[ ][^\n\"'“]{{0,60}}[\"'“](?P=first)[\"'”]"
    rf"|['\"](?P<quoted>{_WORD})['\"][ ])"
)
# The end of a line that asks for a secret.
_ASKED = re.compile(
    r"(?i)(?:\b(?:tokens?|password|passphrase|passcode|pin|api[ _-]?key|secret|passwort|kennwort"
    r"|contraseña|senha|mot de passe|hasło|пароль)\b|密码|密碼|パスワード|비밀번호)[^\n]{0,80}[:：?)][ ]*$"
)
_LINES_BETWEEN = 2
_JOINED = re.compile(r"[-_+]")


def find_misplaced_answers(text: str) -> frozenset[str]:
    """Return the words that a shell was given in the place of an answer.

    They look generated, or stand below a line that asks for a password or a token.
    """
    return frozenset(_find(text))


def _find(text: str) -> Iterator[str]:
    for match in _SAID.finditer(text):
        word = match["first"] or match["quoted"]
        if looks_generated(_JOINED.sub("", word)):
            yield word
    for match in _TYPED.finditer(text):
        word = match["typed"]
        above = text[max(0, match.start() - 400) : match.start()].splitlines()[-_LINES_BETWEEN:]
        if looks_generated(_JOINED.sub("", word)) or any(map(_ASKED.search, above)):
            yield word
