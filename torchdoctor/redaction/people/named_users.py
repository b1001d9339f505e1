"""Hide the users and hosts that commands, prompts and the logs of systems name.

Every pattern begins at a fixed word or a line, so that the time is linear.
"""

import re

from torchdoctor.redaction.people.user_keys import is_user_name
from torchdoctor.redaction.secrets.pattern_rows import Rows, replace_in_rows

_GAP = r"[^\r\n|;&]{0,200}?"
_PLAIN = r"(?P<name>[^\W_][\w.+-]{1,62})(?<![.+-])"
_NAME = rf"{_PLAIN}(?![\w\\/(=])"
_ACCOUNT = rf"(?:(?P<domain>[A-Za-z0-9][\w.-]{{1,15}})\\{{1,2}})?{_NAME}"
_HOST = r"(?P<host>[^\W\d_][\w.-]{1,62})(?<![.-])"
# The start and the end of a line, or of a text in quotes.
_START = r"(?:^|(?<=[\"'`]))"
_END = r"(?=[ \t]*(?:\r?$|[\"'`]))"
# An address of ssh: its user may be called like a word of this program.
_ADDRESS = r"(?P<user>[\w.+-]{1,64})@(?P<host>[\w.-]{1,64})"
_REST = rf"(?P<name>[^\r\n\"'`]{{1,80}}?){_END}"
# Programs with an option for a user.
_CLIENTS = (
    r"(?:docker|podman|nerdctl|az|anaconda)[ ]login|psexec(?:64)?|schtasks|winrs|wmic|cmdkey|net[ ]use|psql"
    r"|mysql\w{0,8}|mariadb|pg_\w{3,8}|sqlcmd|twine[ ]upload|mongo\w{0,8}|xfreerdp|launch\.py|webui\.py|ssh"
    r"|wget"
)
# What is replaced are the groups `name`, `domain` and `host`.
_ROWS: Rows = (
    (
        ("-u", "/u", "/ru", "--user", "-l "),
        rf"(?i)(?:\b(?:{_CLIENTS})\b(?:\.exe)?{_GAP}"
        rf"[ ](?:--user(?:name)?[ =]|-u[ :]?|/user:|/ru[ ]|/u:|-l[ ])[\"']?){_ACCOUNT}",
    ),
    # An account of a domain behind this option, whichever program has it.
    (("/user:",), rf"(?i)(?:/user:[\"']?)(?P<domain>[\w.-]{{1,63}})\\{{1,2}}{_NAME}"),
    (("--username",), rf"(?i)(?:[ ]--username[ =][\"']?){_NAME}"),
    (("net user",), rf"(?i)(?:\bnet[ ]user[ ](?:/\w+[ ])*[\"']?){_NAME}"),
    (
        ("cmdkey", "psexec", "winrs", "wmic", "mstsc", "computername"),
        r"(?i)(?:\bcmdkey[ ]/\w{3,7}:(?:\w+=)?|\bpsexec(?:64)?(?:\.exe)?[ ]\\{1,4}|\bwinrs[ ]-r:"
        rf"|\bmstsc[ ]/v:|/node:[\"']?|[ ]-computername[ ][\"']?){_HOST}",
    ),
    # ssh
    (
        ("'s password", "permission denied"),
        rf"(?<![\w.+%-]){_ADDRESS}(?='s[ ]password|:[ ]Permission[ ]denied)",
    ),
    (
        ("ssh-",),
        rf"\bssh-(?:rsa|ed25519|dss)[ ](?:<secret>|[A-Za-z0-9+/=]{{20,2000}})[ ]{_ADDRESS}",
    ),
    (
        ("accepted ", "failed "),
        rf"(?:\b(?:Accepted|Failed)[ ]\w{{4,20}}[ ]for[ ](?:invalid[ ]user[ ])?){_NAME}(?=[ ]from[ ])",
    ),
    (
        ("accepted ", "failed "),
        r"(?:\b(?:Accepted|Failed)[ ]\w{4,20}[ ]for[ ]\S{1,64}[ ]from[ ])(?P<host>[\w.:]{3,64})"
        r"(?=[ ]port)",
    ),
    (("authenticating to",), rf"(?:\bAuthenticating[ ]to[ ]){_HOST}(?=:\d)"),
    (("authenticating to",), rf"(?:\bAuthenticating[ ]to[ ][^\s']{{1,80}}[ ]as[ ]'){_NAME}"),
    (("hostname ",), rf"(?im)(?:^[ \t]{{1,8}}hostname[ ]){_HOST}{_END}"),
    (("hostname ",), rf"(?im)(?:^[ \t]{{1,8}}user[ ]){_NAME}{_END}"),
    ((".connect(",), rf"(?:\.connect\([\"']){_HOST}(?=[\"'],[ ]?(?:\d{{1,5}},[ ]?)?<secret>)"),
    # What asks for a password, and what refuses it.
    (
        ("[sudo]",),
        rf"(?:\[sudo\][ ](?:[^\r\n:：]{{3,40}}[ ])?){_NAME}(?=[ ]?[:：]|[ ]的)",
    ),
    (("sudo: ",), rf"(?:\bsudo:[ ]{{1,8}}){_NAME}(?=[ ]:[ ])"),
    (("sudoers",), rf"(?:(?<![\w.-])){_NAME}(?=[ ]is[ ]not[ ]in[ ]the[ ]sudoers)"),
    (("username for",), rf"(?:\bUsername[ ]for[ ]'[^'\r\n]{{1,200}}':[ ]){_NAME}"),
    ((" login: ",), rf"(?m)(?:{_START}[\w.-]{{1,63}}[ ]login:[ ]){_NAME}{_END}"),
    (("default login ",), rf"(?:\bdefault[ ]login[ ]){_NAME}(?=[ ])"),
    (("uid=",), rf"(?i)(?:\buid=){_NAME}(?=;|,(?:ou|dc|cn)=)"),
    (("invalid user ",), rf"(?:\bInvalid[ ]user[ ]){_NAME}(?=[ ]from[ ])"),
    (("user ",), rf"(?:\b(?:su|sudo|runuser):[ ]user[ ]['‘]?){_NAME}(?=['’]?[ ]does[ ]not[ ]exist)"),
    (("(publickey",), rf"(?:\bPermission[ ]denied[ ]\(publickey[^)\r\n]{{0,60}}\)[ ]for[ ]){_NAME}"),
    (
        ("getuser()", "getlogin()"),
        rf"(?m)(?:\bget(?:user|login)\(\)[ ]{{0,4}}(?:=|->|→|:)[ ]{{0,4}}){_NAME}(?=[ ]*\r?$)",
    ),
    (("defaultusername",), rf"(?:\bDefaultUserName[ \t]{{1,20}}(?:REG_SZ[ \t]{{1,20}})?){_NAME}"),
    (
        ('name": ', "name': "),
        r"(?i)(?:[\"'](?:full|real|last|first)_?name[\"']:[ ][\"'])(?P<name>[^\"'\r\n<>{}%]{2,64})"
        r"(?=[\"'])",
    ),
    # The name of a person and of what is above it in a directory.
    (("dc=",), r"(?i)(?:\bCN=)(?P<name>[^,=<>\r\n]{2,64})(?=,(?:OU|DC|O|CN)=)"),
    (("dc=",), r"(?i)(?:,(?:OU|DC|O)=|/DC=)(?P<domain>[^,=<>\s]{2,64})"),
    # Who signs a commit, without an address.
    (
        ("-by: ",),
        rf"(?m)(?:{_START}[ \t]{{0,8}}"
        r"(?:Signed-off|Co-authored|Reported|Reviewed|Tested|Acked)-by:[ ])"
        rf"{_REST}",
    ),
    # A connection: its server, its database and the account of its storage.
    (("accountname=",), r"(?i)(?:\bAccountName=)(?P<host>[\w-]{2,60})(?=;)"),
    (
        ("database=", "catalog="),
        r"(?i)(?:;[ ]?(?:Database|Initial[ ]Catalog)=)(?P<host>[^\s;\"'<>]{2,64})(?=[;\"'\s]|$)",
    ),
    (
        ("server=",),
        r"(?i)(?<![\w.])(?:Server=(?:tcp:)?)(?P<host>[A-Za-z][^\s;,:\"'<>\\]{2,64})"
        r"(?=[^\r\n]{0,20};[ ]?(?:Database|Initial|User|Uid|Trusted))",
    ),
    # Windows: events, and what programs show of the computer.
    (
        ("<data name=",),
        r"(?i)(?:<Data[ ]Name=[\"']\w{0,20}(?:UserName|DomainName|Workstation(?:Name)?)[\"']>)"
        r"(?P<name>[^<\r\n]{1,64})(?=</)",
    ),
    (
        ("owner", "csusername"),
        rf"(?im)(?:{_START}(?:WindowsRegisteredOwner|CsUserName|CsPrimaryOwnerName)[ ]{{1,40}}:"
        rf"[ ]){_REST}",
    ),
    (
        ("name\t", "d'utilisateur\t", "用户名\t", "пользователя\t", "ユーザー名\t"),
        rf"(?im)(?:{_START}(?:user[ ]name|benutzername|nom[ ]d'utilisateur|用户名|имя[ ]пользователя"
        rf"|ユーザー名)\t){_REST}",
    ),
    (
        ("владелец", "所有者", "propiedad de"),
        rf"(?im)(?:{_START}(?:зарегистрированный[ ]владелец|登録されている所有者|propiedad[ ]de):"
        rf"[ ]{{2,40}})"
        rf"{_REST}",
    ),
    # A section of .gitconfig.
    (
        ("[user]",),
        rf"(?m)(?:{_START}[ \t]*\[user\][ \t]*\r?\n(?:[ \t]+\w{{2,20}}"
        rf"[ ]?=[^\r\n]{{0,120}}\r?\n){{0,4}}?"
        rf"[ \t]+name[ ]?=[ ]){_REST}",
    ),
    (("wsl.localhost", "wsl$"), rf"(?://wsl(?:\.localhost|\$)/[\w.-]{{1,40}}/home/){_PLAIN}"),
    # An account of a domain behind a label.
    (
        ("\\",),
        r"(?:(?<![\w-])(?:User|Benutzer|Utilisateur|Usuario|Utente|用户|使用者|ユーザー|Пользователь|사용자)"
        r"[ ]?[:：][ \t]{1,40})(?P<domain>[A-Z][A-Z0-9-]{1,14})\\{1,2}(?P<name>[^\s\\/:;,|\"'`)]{2,64})",
    ),
)


_SHOWN = {"name": "<user>", "user": "<user>", "domain": "<domain>", "host": "<host>"}


def hide_named_users(text: str) -> str:
    """Replace the users by `<user>`, their domains by `<domain>` and the hosts by `<host>`."""
    return replace_in_rows(text, _ROWS, _hide)


def _hide(match: re.Match[str]) -> str:
    found = [group for group, value in match.groupdict().items() if group in _SHOWN and value]
    name = match["name"] if "name" in found else ""
    is_word = name and not (" " in name or "\\" in name or is_user_name(name))
    if is_word and "domain" not in found:
        return match[0]
    shown, end = "", match.start()
    for group in sorted(found, key=match.start):
        shown += match.string[end : match.start(group)] + _SHOWN[group]
        end = match.end(group)
    return shown + match.string[end : match.end()]
