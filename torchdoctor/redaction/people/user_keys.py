"""Hide the names of users behind keys that code and sentences have as well: `user=x`, `logged in as x`.

So the line must be one of settings, and the name no word. Every pattern begins at a fixed word, so that the
time is linear.
"""

import re

from torchdoctor.redaction.people.hosts import is_distinctive, read_own_words
from torchdoctor.redaction.secrets.secret_names import read_words
from torchdoctor.redaction.words.odd_words import is_file_name
from torchdoctor.redaction.words.shared_names import is_folder_of_programs

_NAME = r"(?P<name>[^\W\d_][\w.+-]{1,62})(?<![.+-])"
_KEY = r"(?:db_?)?(?:user|user_?name|owner|log_?name|login)"
_SETTING = re.compile(
    # user = 'x', owner="x", "owner": "x"
    rf"(?i)(?P<start>(?<![\w.$@])(?:{_KEY}[ ]?=[ ]?|[\"'](?:owner|login)[\"']:[ ]?)(?P<quote>[\"']))"
    rf"{_NAME}(?=(?P=quote))"
)
# One of several settings in a row, as libpq and logs have them, or alone on its line; in code such a name is
# that of a variable.
_IN_A_ROW = re.compile(
    rf"(?im)(?P<start>(?:(?<=\S[ ])|(?<=[;\"'(`])|(?<!.)){_KEY}=){_NAME}"
    r"(?=[ \t]+[a-z_.]{2,40}=\S|[\"';,)`\t]|[ ]*\r?$)"
)
_ROW_BEFORE = re.compile(
    r"(?:^|[\s;\"'(`=])[\w.]{2,40}=[^\s(,]+[ ;]$|(?:^|[\r\n\"'])$|[^\s(,=][\])]?[ ]?[\])|:-][ ]$"
)
_LABEL = re.compile(
    # The name is all that follows, as in what programs print, and unlike in a chat.
    rf"(?P<start>(?<![\w$])(?:(?:User|USER)[ ]{{0,24}}:[ ]{{1,40}}(?=[\w.+-]+[ ]*(?:[,;)|\"'`\t]|\r?$))"
    r"|(?i:benutzer|utilisateur|usuario|usuário|utente|пользователь|gebruiker)[ ]{0,24}[:：][ ]{1,40}"
    r"(?=[\w.+-]+[ ]*(?:[,;)|\"'`\t]|\r?$))"
    r"|(?:LOGNAME|SUDO_USER)[ ]{0,4}:[ ]{1,8}|(?i:logged[ ]in[ ]as)[ ](?:user[ ])?[\"']?"
    r"|(?i:\b(?:password|session[ ](?:opened|closed)|auth\w{0,10}[ ](?:failed|failure|error)|access[ ]denied"
    r"|login[ ]failed)[ ]for[ ](?:invalid[ ])?user[ ])"
    r"|\b[Uu]ser[ ](?P<quote>[\"'])(?=[\w.+-]{2,63}(?P=quote))))"
    rf"{_NAME}"
    r"(?P<more>(?:(?<=[a-z])[ ][^\W\d_a-z][^\W\d_A-Z]{1,30}(?=[ ]*(?:\r?$|[\"'`,;(]))){0,2})(?![\w\\/(])",
    re.MULTILINE,
)
# An account of a domain within a sentence.
_ACCOUNT_WITHIN = re.compile(
    r"(?<![\w\\/:.<>%$-])(?!(?:NT|BUILTIN|HKLM|HKCU|HKCR|HKU)\\)(?P<domain>[A-Z][A-Z0-9-]{2,14})\\{1,2}"
    r"(?P<name>[a-z][a-z0-9_-]{2,30}(?:\.[a-z]{3,20})?)(?![\w\\/-]|\.\w)"
)
# Accounts that every system has, words that are no name, and owners of public projects.
_NO_NAMES = read_words(
    "admin an anonymous another args both colab comfyanonymous different docker everyone"
    " facebookresearch false guest hello her hey hi his invalid its jovyan kaggle lightning microsoft"
    " multiple my mysql nobody normal null nvidia ok okay one openai our postgres postgresql ray root"
    " runner slurm someone stabilityai standard thanks the their true ubuntu unknown vscode xformers yes"
    " your"
)


_KEYS = (
    "user", "owner", "logname", "login", "logged in", "benutzer", "utilisateur", "usuario", "usuário",
    "utente", "пользователь", "gebruiker",
)  # fmt: skip


def hide_users_behind_keys(text: str) -> str:
    """Replace the names of users by `<user>` that follow a key and are no words of this program."""
    lowered = text.lower()
    if "\\" in text:
        text = _ACCOUNT_WITHIN.sub(_hide_account, text)
    if not any(key in lowered for key in _KEYS):
        return text
    if "=" in text or '":' in text or "':" in text:
        text = _SETTING.sub(_hide, text)
        text = _IN_A_ROW.sub(_hide_in_a_row, text)
    return _LABEL.sub(_hide, text)


def _hide(match: re.Match[str]) -> str:
    return f"{match['start']}<user>" if is_user_name(match["name"]) else match[0]


def _hide_account(match: re.Match[str]) -> str:
    name = match["name"]
    is_path = is_file_name(name) or is_folder_of_programs(name) or not is_distinctive(match["domain"])
    return match[0] if is_path or not is_user_name(name) else "<domain>\\<user>"


def _hide_in_a_row(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - 120) : match.start()]
    following = match.string[match.end() : match.end() + 1]
    is_in_a_row = following in (" ", "\t", ";") or _ROW_BEFORE.search(before)
    return _hide(match) if is_in_a_row else match[0]


def is_user_name(name: str) -> bool:
    """Return whether a word is no word of this program and no account that every system has."""
    parts = re.split(r"[._+-]|\d+", name.lower())
    words = read_own_words()
    return any(len(part) > 1 and part not in words and part not in _NO_NAMES for part in parts)
