"""Hide passwords, tokens and e-mail addresses in text.

Every pattern begins at a fixed word, or at the start of a run of characters, so that the time is linear.
"""

import re

from torchdoctor.domain.secret_names import Strength, rate_name
from torchdoctor.domain.settings import MASK, hide_settings
from torchdoctor.domain.tokens import hide_tokens

# https://user:password@host, https://token@host; "git" is the user of every clone address.
_URL_CREDENTIALS = re.compile(r"(?<=:)(?P<slashes>(?:\\?/){2})(?!git@)[^\s/?#\"'<>\\]+@(?=[\w\[<])")
# What may stand between a command and its password: no other one, which is hidden already.
_GAP = r"(?:(?!<secret>)[^\r\n]){0,200}?"
# A password with signs of addresses in it, up to the first @ before a host with a domain or a port, or to the
# last @; a port and a path with @ are none.
_PASSWORD = r"(?:[^\s\"'\\<]|[\"'](?=\w)|\\[\"']?(?=\w)|<(?!secret)|\"\"(?=\w))"
_URL_PASSWORD = re.compile(
    r"(?<=:)(?P<slashes>(?:\\?/){2})[^\s/?#\"'<>\\@:]{0,80}:(?!\d+/|//|<secret>)"
    rf"(?:{_PASSWORD}{{1,120}}?@(?=[\w-]+(?:(?:\.[\w-]+)+|:\d+)(?:[:/\s\"']|$))|{_PASSWORD}{{1,120}}@(?=[\w-]+(?:[/\s\"']|$)))"
)
# What may stand between a command and its password: no other one, which is hidden already.
_GAP = r"(?:(?!<secret>)[^\r\n]){0,200}?"
_AUTHORIZATION = re.compile(
    r"(?i)\b(?P<scheme>bearer|authorization:[ ]?(?:basic|token))[ ]+"
    r"(?P<value>(?![\w.~+/=-]+(?:[\s\"',;)\]}]|$))(?=[^\s\"']*\d)(?!<secret>)[^\s\"']{6,}|[\w.~+/=-]+)"
)
# What stands behind the names of programs and formats that take a secret.
_BEHIND = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?s)(?P<start>-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----).*?(?=-----END|\Z)",
        r"(?i)(?P<start>\b(?:set-)?cookie:[ ])(?=[^\s=;,]{1,80}=)[^\r\n<][^\r\n]*",
        r"(?P<start>//[\w.-]+/t/)[\w-]{8,}(?=/)(?!/\d+(?![\w-]))",
        r"(?i)(?P<start>\bmachine[ ]\S+[ ]login[ ])\S+[ ]password[ ]\S+",
        r"(?i)(?P<start>\blogin(?:[ ]|\((?:\w+=)?[\"']))[A-Za-z0-9_-]{20,}",
        r"(?i)(?P<start>\blogin\((?:\w+=)?\")(?![A-Za-z_.]*\"|<secret>)[^\"\n]{8,}",
        r"(?i)(?P<start>\blogin\((?:\w+=)?')(?![A-Za-z_.]*'|<secret>)[^'\n]{8,}",
        r"(?i)(?P<start>\becho[ ][\"']?)[^\s|<]+(?=[ ]?\|[^\r\n|]{1,60}--password-stdin)",
        r"(?P<start>[ ]-u[ ][\"']?)[^\s:\"'<]+:[^\s]+?(?=[\"']?[ ][\"']?https?:/)",
        r"(?P<start>\b(?:curl|wget|http|https|xh)\b(?:\.exe)?[\"']?"
        rf"{_GAP}[ \"'](?:-u[\"']?,?[ ]?[\"']?"
        r"|(?:--user|--proxy-user|-U|-a)[\"']?,?[ =][\"']?[^\s:\"'<]+:(?!<)))"
        r"(?:(?<=[\"'])[^\"']+|[^\s\"']+)",
        r"(?P<start>\b(?:sshpass|docker[ ]login)\b"
        rf"{_GAP}[ ]-p[ ]?)[^\s<]+",
        r"(?P<start>\b(?:az|podman|nerdctl|oras|skopeo)[ ]login\b"
        rf"{_GAP}[ ]-p[ ]?)[^\s<]+",
        r"(?P<start>\b(?:twine[ ]upload|psexec(?:64)?(?:\.exe)?)\b"
        rf"{_GAP}[ ]-p[ ])[^\s<]+",
        # These ask for it where it does not follow at once.
        r"(?P<start>\b(?:mysql(?:dump|admin|import)?|mariadb)\b"
        rf"{_GAP}[ ]-p)[^\s<]+",
        r"(?i)(?P<start>\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b"
        rf"{_GAP}[ ]-pw[ ])[^\s<]+",
        r"(?i)(?P<start>\bnet[ ]user[ ][^\s/]\S*[ ])(?![/*<])(?=\S*[^A-Za-z\s])\S+(?=[ ]/|[ ]*$)",
        r"(?i)(?P<start>\bcmdkey\b"
        rf"{_GAP}[ ]/pass:)[^\s<]+",
        r"(?i)(?P<start>\bschtasks\b"
        rf"{_GAP}[ ]/rp[ ])[^\s<]+",
        r"(?P<start>/bot\d{6,12}:)[\w-]{10,}",
        r"(?i)(?P<start>\bnet[ ]use[ ]"
        rf"{_GAP}[ ]/user:\S+[ ])[^\s<]+",
        r"(?i)(?P<start>\bnet[ ]use[ ](?:\w:[ ])?\\\\\S+[ ])(?![/<])\S+",
        r"(?i)(?P<start>\bconvertto-securestring[ ](?:-string[ ])?[\"'])[^\"'<]+",
        r"(?i)(?P<start>\b(?:wandb|hf|huggingface-cli|huggingface_hub)[ .]login"
        r"\(?(?:[ ]|(?:\w+=)?[\"']))(?!-|<secret>)[^\s\"']{8,}",
        r"(?P<start>\"username\":[ ]?\"[^\"\n]{1,60}\",[ ]?\"key\":[ ]?\")[^\"<]+",
        r"(?i)(?P<start>proxy=)[^\s:/@]+:[^\s/@]+(?=@)",
        r"(?P<start>(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks"
        r"|webhook\.office\.com/webhookb2)/)[\w/@-]+",
        r"(?i)(?P<start>[?&](?:jwt|key|policy|sas|sv|appid|app_id|api|k|auth|ticket|session|sid|otp|pin)=)"
        r"(?!<secret>)(?=[^\s&]*\d)[^\s&\"'<>)\]]{8,}",
        r"(?i)(?P<start>[?&](?:code|state)=)(?!<secret>)(?=[^\s&]*\d)[^\s&\"'<>)\]]{16,}",
        r"(?P<start>\b(?:7z|7za|7zz|zip|unzip|rar|unrar)(?:\.exe)?[ ]"
        rf"{_GAP}[ ]-[pP][ ]?)(?=[^\s<]*\d)[^\s<]+",
        r"(?P<start>[ ]-pass(?:in|out|word)?[ ]pass:)[^\s<]+",
        r"(?i)(?P<start>\b(?:ngrok|jupyter|tunnel)[ ](?:config[ ]add-)?authtoken[ ])[^\s<]{8,}",
        r"(?i)(?P<start>[ ](?:--?(?:gradio-)?auth|--login)[ =][^\s:<>]{1,40}:)[^\s<]+",
        r"(?i)(?P<start>\b(?:access[ ]denied|login[ ]failed)\b[^\r\n<]{0,120}?using[ ]password:[ ])"
        r"(?!yes|no\b)[^\s<)]+",
    )
)
_BEHIND_WORDS = (
    "-----begin",
    "cookie:",
    "/t/",
    "machine ",
    "login",
    "curl ",
    "sshpass",
    "proxy=",
    "hooks",
    "passw",
    "net use",
    "net user",
    "twine upload",
    "psexec",
    "mysql",
    "mariadb",
    " -pw ",
    "cmdkey",
    "schtasks",
    ' value="',
    "/bot",
    " -u ",
    "--password-stdin",
    "curl'",
    'curl"',
    "wget",
    "http ",
    "?",
    "&",
    "7z",
    "zip ",
    "rar ",
    " -pass",
    "authtoken",
    "auth ",
    "auth=",
    "webhook",
    "using password",
    "securestring",
    '"key"',
)
_EMAIL = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]+(?:@|(?<!%40)(?<=[^\W\d_])%40|＠)(?:[^\W_](?:[\w-]*)\.)+[^\W\d_]{2,24}(?![\w-])"
)
# What a shell of POSIX shows before a command: user@host:~/project$, [user@host project]$, user@host
# project % and, in Git Bash, user@HOST MINGW64 ~/project
_PROMPT = re.compile(
    r"(?<![\w.+%-])(?!git@)[\w.+%-]+@[\w.-]+(?=:[~/])"
    r"|(?<=\[)(?!git@)[\w.+-]+@[\w.-]+(?=[ ][^\]\r\n]{1,100}\][$#])"
    r"|(?<![\w.+%-])(?!git@)[\w.+-]+@[\w.-]+(?=[ ](?:(?:MINGW|MSYS|UCRT|CLANG)\w*\b|[^\s]{1,100}[ ]%[ ]))"
    r"|(?<=\bssh[ ])[\w.+-]+@[\w.-]+"
)


def hide_secrets(text: str) -> str:
    """Replace credentials and tokens by `<secret>` and e-mail addresses by `<email>`."""
    lowered = text.lower()
    if "@" in text and "//" in text.replace("\\/", "/"):
        text = _URL_PASSWORD.sub(rf"\g<slashes>{MASK}@", text)
        text = _URL_CREDENTIALS.sub(rf"\g<slashes>{MASK}@", text)
    if any(word in lowered for word in _BEHIND_WORDS):
        for pattern in _BEHIND:
            text = pattern.sub(_hide_behind, text)
    text = hide_settings(text)
    if "bearer" in lowered or "authorization" in lowered:
        text = _AUTHORIZATION.sub(_hide_authorization, text)
    text = hide_tokens(text)
    if any(sign in text for sign in ("@", "%40", "＠")):
        text = _PROMPT.sub("<user>@<host>", _EMAIL.sub("<email>", text))
    return text


def names_a_secret(variable: str) -> bool:
    """Return whether the name of an environment variable says that its value is a secret."""
    return rate_name(variable) >= Strength.WEAK or variable.endswith(("_KEY", "_KEYS", "_TOKEN", "_TOKENS"))


def _hide_behind(match: re.Match[str]) -> str:
    # The lines keep their numbers.
    lines = match[0].count("\n")
    return match["start"] + MASK + "\n" * lines


def _hide_authorization(match: re.Match[str]) -> str:
    value = match["value"]
    is_word = re.fullmatch(r"[A-Za-z]{1,19}[.]?", value) and match["scheme"].lower() == "bearer"
    return match[0] if is_word else match[0][: -len(value)] + MASK
