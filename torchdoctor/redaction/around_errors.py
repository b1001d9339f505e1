"""Hide what stands beside an error on its line by its looks: it proves nothing, and may be a secret."""

import re
from urllib.parse import unquote

from torchdoctor.redaction.arguments import leave_out_private_arguments
from torchdoctor.redaction.people.private_hosts import leave_out_private_hosts
from torchdoctor.redaction.secrets.random_words import hide_random_words
from torchdoctor.redaction.secrets.secret_names import MASK
from torchdoctor.redaction.secrets.settings import find_first_setting
from torchdoctor.redaction.shown_commands import FILLER, leave_out_private_texts, leave_out_private_words
from torchdoctor.redaction.words.odd_words import (
    leave_out_odd_words,
    leave_out_paths_of_addresses,
    leave_out_values_of_paths,
)
from torchdoctor.redaction.words.public_words import NO_NAMES, Names, leave_out_private_in_line

# Options for a user and a password, of whatever command, and what a login is given; `python -u` is none.
_GIVEN = re.compile(
    r"(?:[ ]-{1,2}(?:u|p|pw|user|U|P)[ =]|\blogin[ (])(?=[ ]?[^\s<-])(?!\S{0,80}\.py\b)"
    r"(?![ ]?(?:torch|pip)\b)"
    # The password of an archive or a database stands beside its option.
    r"|\b(?:7za?|rar|unrar|unzip|zip|mysql\w{0,6}|sshpass)\b[^\n|]{0,80}[ ][\"']?-[pP](?=[^\s<]{4})"
    # What asks for them, in words: login: bob x, user/pass bob/x, password> x
    r"|(?i:\b(?:log[ -]?in|clave|contraseña|creds|credentials)[ ]?[:=>][ ]?"
    r"|\b(?:user(?:name)?[ ]?/[ ]?pass(?:word)?|password|passwort|kennwort|passphrase)\b[^\w\n<]{1,6}(?=\S))"
)
# Credentials in an address: ://bob:x@, //bob:x@, and ://bob:x where the line of a terminal ends.
_IN_AN_ADDRESS = re.compile(
    r"(?<![^\s\"'`=:(<])//[^\s\"'<>]{1,400}(?P<end>@|<email>)"
    r"|(?<=:)//[^\s/@:\"'<>]{1,80}:(?!\d{2,5}\b)[^\s/@]*$"
)
# A piece of a secret whose other piece was hidden, as where a console has broken it.
_GLUED = re.compile(rf"[A-Za-z0-9]{{1,60}}(?={MASK})|(?<={MASK})[A-Za-z0-9]{{1,60}}")
_ESCAPED = re.compile(r"\S{0,200}%2[02]\S{0,200}")


def hide_around_error(
    line: str, start: int, end: int, *, is_code: bool = False, own: Names = NO_NAMES
) -> str:
    """Replace what is beside a part of a line, and may be a secret, by `<secret>`.

    That is all behind the first name of a secret, on either side, and words that look generated. A word that
    is no word of messages is left out for three dots, except of code.
    Neither is one in the part itself: `own` are the names that the text defines.
    In a line that is needed whole, plain words behind such a name stay: they may be those of a sentence.
    """
    line = leave_out_private_words(line)
    before, after = _hide_beside(line[:start]), _hide_beside(line[end:])
    if not is_code:
        # Credentials are told by their whole form, which the next step takes apart.
        before, after = map(leave_out_values_of_paths, (before, after))
    shown = (before + _hide_in_proof(line[start:end]) + after).replace(FILLER, "")
    return leave_out_values_of_paths(shown if is_code else leave_out_private_in_line(shown, own))


def _hide_in_proof(text: str) -> str:
    """Hide what the pattern of an entry can have skipped: arguments, hashes, and parts of addresses."""
    text = _IN_AN_ADDRESS.sub(_hide_credentials, leave_out_private_arguments(text))
    return hide_random_words(leave_out_private_hosts(leave_out_paths_of_addresses(text)))


def _hide_beside(text: str) -> str:
    text = leave_out_private_texts(leave_out_private_arguments(text))
    given = _GIVEN.search(text)
    found = (find_first_setting(text), given.end() if given else None)
    start = min((each for each in found if each is not None), default=len(text))
    if text[start:].strip():
        text = f"{text[:start]}{MASK} "
    text = _IN_AN_ADDRESS.sub(_hide_credentials, text)
    text = hide_random_words(_ESCAPED.sub(_hide_escaped, text) if "%2" in text else text)
    return _GLUED.sub("", _leave_out(text))


def _leave_out(text: str) -> str:
    shown = leave_out_odd_words(text)
    if shown == text:
        return text
    # Imported here: most lines are whole. A word that is left out can be what shows that another is a name.
    from torchdoctor.redaction.redaction import Identity

    return leave_out_odd_words(Identity().redact_places(text))


def _hide_credentials(match: re.Match[str]) -> str:
    return f"//{MASK}@" if match["end"] else f"//{MASK}"


def _hide_escaped(match: re.Match[str]) -> str:
    return match[0] if find_first_setting(unquote(match[0])) is None else MASK
