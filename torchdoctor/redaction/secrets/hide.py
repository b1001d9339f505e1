"""Hide passwords, tokens and e-mail addresses in text.

Every pattern begins at a fixed word, or at the start of a run of characters, so that the time is linear.
"""

import re

from torchdoctor.redaction.secrets.random_words import looks_generated
from torchdoctor.redaction.secrets.secret_names import MASK, Strength, rate_name
from torchdoctor.redaction.secrets.settings import hide_settings
from torchdoctor.redaction.secrets.tokens import hide_tokens
from torchdoctor.redaction.secrets.unnamed_secrets import hide_unnamed
from torchdoctor.redaction.secrets.written_escapes import hide_behind_escapes

# https://user:password@host, https://token@host; "git" is the user of every clone address.
_URL_CREDENTIALS = re.compile(r"(?<=:)(?P<slashes>(?:\\?/){2})(?!git@)[^\s/?#\"'<>\\]+@(?=[\w\[<])")
# A password with signs of addresses in it, up to the first @ before a host with a domain or a port, or to the
# last @; a port and a path with @ are none.
_PASSWORD = r"(?:[^\s\"'\\<]|[\"'](?=\w)|\\[\"']?(?=\w)|<(?!secret)|\"\"(?=\w))"
_END_OF_HOST = r"[:/\s\"'`,;)\]}>]"
_URL_PASSWORD = re.compile(
    r"(?<=:)(?P<slashes>(?:\\?/){2})[^\s/?#\"'<>\\@:]{0,80}:(?!\d+/|//|<secret>)"
    rf"(?:{_PASSWORD}{{1,120}}?@(?=(?:[\w-]+(?:(?:\.[\w-]+)+|:\d+)|\[[0-9a-fA-F:]{{2,40}}\])(?:{_END_OF_HOST}|$))"
    rf"|{_PASSWORD}{{1,120}}@(?=[\w-]+(?:[/\s\"']|$)))"
)
# The path of an index that is somebody's own has a token in it. urllib3 and pip name it apart from the host.
_SIGNS_OF_PATHS = ("://", "with url: ", "': /")
_URL_PATH = re.compile(r"(?:(?<=://)|(?<=with url: )|(?<=': )(?=/))[^\s\"'<>]{1,500}")
_PART = re.compile(r"(?<=/)[A-Za-z0-9]{12,64}(?=[/?#]|$)")
_HASH = re.compile(r"[0-9a-f]+")
_QUERY = re.compile(r"(?<=[?&])(?P<name>[\w-]{2,40})=(?!<)(?P<value>[^\s&\"'<>#]{4,})")
_AUTHORIZATION = re.compile(
    r"(?i)\b(?P<scheme>bearer|authorization:[ ]?(?:basic|token|negotiate|ntlm|hawk|splunk))\\?[ ]+"
    r"(?P<value>(?![\w.~+/=-]+(?:[\s\"',;)\]}]|$))(?=[^\s\"']*\d)(?!<secret>)[^\s\"']{6,}|[\w.~+/=-]+)"
)
_EMAIL = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]+(?:@|(?<!%40)(?<=[^\W\d_])%40|＠)(?:[^\W_](?:[\w-]*)\.)+[^\W\d_]{2,24}(?![^\W\d_])"
)
# name:password@host, as proxies are given without a scheme. A password of letters alone needs a host with a
# domain or a port: name:tag@next is a package.
_PLAIN_PASSWORD = re.compile(
    r"(?<![\w.+%/@:\\-])(?P<name>[A-Za-z][\w.+-]{1,60}):(?![?:/\\<])(?P<password>[^\s\"'<>]{2,100})@"
    r"(?=(?P<host>\d{1,3}(?:\.\d{1,3}){3}|[A-Za-z][\w-]*(?:\.[\w-]+)*)(?P<port>:\d{2,5}(?!\w))?"
    r"(?:[\s\"'`,;)\]}/<]|$))"
)
_PASSWORD_AND_PORT = re.compile(
    r"(?<![\w.+%/@:\\-])[A-Za-z][\w.+-]{1,60}:(?![?:/\\<])[^\s\"'<>@]{2,100}@(?=[A-Za-z][\w-]*(?:\.[\w-]+)+:\d{2,5}(?!\w))"
)
# What a shell of POSIX shows before a command: user@host:~/project$, [user@host project]$, user@host
# project % and, in Git Bash, user@HOST MINGW64 ~/project
_PROMPT = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]+@[\w.-]+(?=:[~/])"
    r"|(?<=\[)(?!git@)[\w.+-]+@[\w.-]+(?=[ ][^\]\r\n]{1,100}\][$#])"
    r"|(?<![\w.+%-])(?!git@)[\w.+-]+@[\w.-]+(?=[ ](?:(?:MINGW|MSYS|UCRT|CLANG)\w*\b|[^\s]{1,100}[ ]%[ ]))"
    r"|(?<=\bssh[ ])[\w.+-]+@[\w.-]+"
    # Kali and oh-my-zsh.
    r"|(?<=─\()[\w.+-]+[@㉿][\w.-]+(?=\)-)|(?<=╭─)[\w.+-]+@[\w.-]+"
)


def hide_secrets(text: str) -> str:
    """Replace credentials and tokens by `<secret>` and e-mail addresses by `<email>`.

    Those directly behind a written escape are left to `hide_behind_escapes`.
    """
    text = _hide_credentials(text)
    return _PROMPT.sub("<user>@<host>", text) if "@" in text or "㉿" in text else text


def hide_credentials(text: str) -> str:
    """Replace credentials, tokens and e-mail addresses, but no prompts of shells, which tell the system."""
    return hide_behind_escapes(text, _hide_credentials)


def _hide_credentials(text: str) -> str:
    lowered = text.lower()
    if "@" in text and "//" in text.replace("\\/", "/"):
        text = _URL_PASSWORD.sub(rf"\g<slashes>{MASK}@", text)
        text = _URL_CREDENTIALS.sub(rf"\g<slashes>{MASK}@", text)
    text = hide_settings(hide_unnamed(text))
    if any(sign in text for sign in _SIGNS_OF_PATHS):
        text = _URL_PATH.sub(_hide_in_address, text)
    if "bearer" in lowered or "authorization" in lowered:
        text = _AUTHORIZATION.sub(_hide_authorization, text)
    text = hide_tokens(text)
    if any(sign in text for sign in ("@", "%40", "＠")):
        # A port tells a password from an address.
        text = _PASSWORD_AND_PORT.sub(f"{MASK}@", text)
        text = _PLAIN_PASSWORD.sub(_hide_plain_password, _EMAIL.sub("<email>", text))
    return text


def _hide_in_address(match: re.Match[str]) -> str:
    path = _PART.sub(lambda part: MASK if _is_token(part[0]) else part[0], match[0])
    return _QUERY.sub(_hide_in_query, path)


def _is_token(part: str) -> bool:
    # The hash of a file or of a commit is public.
    return looks_generated(part) and not _HASH.fullmatch(part)


def _hide_in_query(match: re.Match[str]) -> str:
    return f"{match['name']}={MASK}" if rate_name(match["name"]) >= Strength.WEAK else match[0]


def names_a_secret(variable: str) -> bool:
    """Return whether the name of an environment variable says that its value is a secret."""
    return rate_name(variable) >= Strength.WEAK or variable.endswith(("_KEY", "_KEYS", "_TOKEN", "_TOKENS"))


def _hide_plain_password(match: re.Match[str]) -> str:
    is_word = re.fullmatch(r"[A-Za-z_-]+", match["password"])
    is_host = match["port"] or "." in match["host"] or match["host"] == "localhost"
    is_line = "." in match["name"] and match["password"].isdecimal()
    return match[0] if is_line or (is_word and not is_host) else f"{MASK}@"


def _hide_authorization(match: re.Match[str]) -> str:
    value = match["value"]
    is_word = re.fullmatch(r"[A-Za-z]{1,19}[.]?", value) and match["scheme"].lower() == "bearer"
    return match[0] if is_word else match[0][: -len(value)] + MASK
