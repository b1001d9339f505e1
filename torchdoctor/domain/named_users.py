"""Hide the users and hosts that commands, prompts and the logs of systems name.

Every pattern begins at a fixed word or a line, so that the time is linear.
"""

import re
from functools import cache

from torchdoctor.domain.user_keys import is_user_name

_GAP = r"[^\r\n|;&]{0,200}?"
_PLAIN = r"(?P<name>[^\W_][\w.+-]{1,62})(?<![.+-])"
_NAME = rf"{_PLAIN}(?![\w\\/(=])"
_ACCOUNT = rf"(?:(?P<domain>[A-Za-z0-9][\w.-]{{1,15}})\\{{1,2}})?{_NAME}"
_HOST = r"(?P<host>[^\W\d_][\w.-]{1,62})(?<![.-])"
# The start and the end of a line, or of a text in quotes.
_START = r"(?:^|(?<=[\"'`]))"
_END = r"(?=[ \t]*(?:\r?$|[\"'`]))"
_REST = rf"(?P<name>[^\r\n\"'`]{{1,80}}?){_END}"
# Programs with an option for a user.
_CLIENTS = (
    r"(?:docker|podman|nerdctl|az|anaconda)[ ]login|psexec(?:64)?|schtasks|winrs|wmic|cmdkey|net[ ]use|psql"
    r"|mysql\w{0,8}|mariadb|pg_\w{3,8}|sqlcmd|twine[ ]upload|mongo\w{0,8}|xfreerdp|launch\.py|webui\.py|ssh"
)
# Words of which the text has one, in lower case, and the pattern.
_ROWS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("-u", "/u", "/ru", "--user", "-l "),
        rf"(?i)(?P<start>\b(?:{_CLIENTS})\b(?:\.exe)?{_GAP}"
        rf"[ ](?:--user(?:name)?[ =]|-u[ :]?|/user:|/ru[ ]|/u:|-l[ ])[\"']?){_ACCOUNT}",
    ),
    (("net user",), rf"(?i)(?P<start>\bnet[ ]user[ ](?:/\w+[ ])*[\"']?){_NAME}"),
    (
        ("cmdkey", "psexec", "winrs", "wmic", "mstsc", "computername"),
        r"(?i)(?P<start>\bcmdkey[ ]/\w{3,7}:(?:\w+=)?|\bpsexec(?:64)?(?:\.exe)?[ ]\\{1,4}|\bwinrs[ ]-r:"
        rf"|\bmstsc[ ]/v:|/node:[\"']?|[ ]-computername[ ][\"']?){_HOST}",
    ),
    # ssh
    (
        ("'s password", "permission denied"),
        r"(?P<start>(?<![\w.+%-]))[\w.+-]{1,64}@(?P<host>[\w.-]{1,64})(?='s[ ]password|:[ ]Permission"
        r"[ ]denied)",
    ),
    (
        ("ssh-",),
        r"(?P<start>\bssh-(?:rsa|ed25519|dss)[ ](?:<secret>|[A-Za-z0-9+/=]{20,2000})[ ])[\w.+-]{1,64}@"
        r"(?P<host>[\w.-]{1,64})",
    ),
    (
        ("accepted ", "failed "),
        rf"(?P<start>\b(?:Accepted|Failed)[ ]\w{{4,20}}[ ]for[ ](?:invalid[ ]user[ ])?){_NAME}(?=[ ]from[ ])",
    ),
    (
        ("accepted ", "failed "),
        r"(?P<start>\b(?:Accepted|Failed)[ ]\w{4,20}[ ]for[ ]\S{1,64}[ ]from[ ])(?P<host>[\w.:]{3,64})"
        r"(?=[ ]port)",
    ),
    (("authenticating to",), rf"(?P<start>\bAuthenticating[ ]to[ ]){_HOST}(?=:\d)"),
    (("authenticating to",), rf"(?P<start>\bAuthenticating[ ]to[ ][^\s']{{1,80}}[ ]as[ ]'){_NAME}"),
    (("hostname ",), rf"(?im)(?P<start>^[ \t]{{1,8}}hostname[ ]){_HOST}{_END}"),
    (("hostname ",), rf"(?im)(?P<start>^[ \t]{{1,8}}user[ ]){_NAME}{_END}"),
    ((".connect(",), rf"(?P<start>\.connect\([\"']){_HOST}(?=[\"'],[ ]?(?:\d{{1,5}},[ ]?)?<secret>)"),
    # What asks for a password, and what refuses it.
    (
        ("[sudo]",),
        rf"(?P<start>\[sudo\][ ](?:[^\r\n:：]{{3,40}}[ ])?){_NAME}(?=[ ]?[:：]|[ ]的)",
    ),
    (("sudo: ",), rf"(?P<start>\bsudo:[ ]{{1,8}}){_NAME}(?=[ ]:[ ])"),
    (("sudoers",), rf"(?P<start>(?<![\w.-])){_NAME}(?=[ ]is[ ]not[ ]in[ ]the[ ]sudoers)"),
    (("username for",), rf"(?P<start>\bUsername[ ]for[ ]'[^'\r\n]{{1,200}}':[ ]){_NAME}"),
    ((" login: ",), rf"(?m)(?P<start>{_START}[\w.-]{{1,63}}[ ]login:[ ]){_NAME}{_END}"),
    (("default login ",), rf"(?P<start>\bdefault[ ]login[ ]){_NAME}(?=[ ])"),
    (("uid=",), rf"(?i)(?P<start>\buid=){_NAME}(?=;)"),
    # Windows: events, and what programs show of the computer.
    (
        ("<data name=",),
        r"(?i)(?P<start><Data[ ]Name=[\"']\w{0,20}(?:UserName|DomainName|Workstation(?:Name)?)[\"']>)"
        r"(?P<name>[^<\r\n]{1,64})(?=</)",
    ),
    (
        ("owner", "csusername"),
        rf"(?im)(?P<start>{_START}(?:WindowsRegisteredOwner|CsUserName|CsPrimaryOwnerName)[ ]{{1,40}}:"
        rf"[ ]){_REST}",
    ),
    (
        ("name\t", "d'utilisateur\t", "用户名\t", "пользователя\t", "ユーザー名\t"),
        rf"(?im)(?P<start>{_START}(?:user[ ]name|benutzername|nom[ ]d'utilisateur|用户名|имя[ ]пользователя"
        rf"|ユーザー名)\t){_REST}",
    ),
    (
        ("владелец", "所有者", "propiedad de"),
        rf"(?im)(?P<start>{_START}(?:зарегистрированный[ ]владелец|登録されている所有者|propiedad[ ]de):"
        rf"[ ]{{2,40}})"
        rf"{_REST}",
    ),
    # A section of .gitconfig.
    (
        ("[user]",),
        rf"(?m)(?P<start>{_START}[ \t]*\[user\][ \t]*\r?\n(?:[ \t]+\w{{2,20}}"
        rf"[ ]?=[^\r\n]{{0,120}}\r?\n){{0,4}}?"
        rf"[ \t]+name[ ]?=[ ]){_REST}",
    ),
    (("wsl.localhost", "wsl$"), rf"(?P<start>//wsl(?:\.localhost|\$)/[\w.-]{{1,40}}/home/){_PLAIN}"),
    # An account of a domain behind a label.
    (
        ("\\",),
        r"(?P<start>(?<![\w-])(?:User|Benutzer|Utilisateur|Usuario|Utente|用户|使用者|ユーザー|Пользователь|사용자)"
        r"[ ]?[:：][ \t]{1,40})(?P<domain>[A-Z][A-Z0-9-]{1,14})\\{1,2}(?P<name>[^\s\\/:;,|\"'`)]{2,64})",
    ),
)


def hide_named_users(text: str) -> str:
    """Replace the users by `<user>`, their domains by `<domain>` and the hosts by `<host>`."""
    lowered = text.lower()
    for words, pattern in _ROWS:
        if any(word in lowered for word in words):
            text = _compile(pattern).sub(_hide, text)
    return text


# Few texts have any of these.
@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _hide(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("name") is None:
        at = "<user>@" if "@" in match[0][len(match["start"]) :] else ""
        shown = f"{match['start']}{at}<host>"
        return shown + match[0][match.end("host") - match.start() :]
    name = groups["name"]
    if not (" " in name or "\\" in name or is_user_name(name)) and not groups.get("domain"):
        return match[0]
    domain = "<domain>\\" if groups.get("domain") else ""
    return f"{match['start']}{domain}<user>{match[0][match.end('name') - match.start() :]}"
