"""Hide the names of users where the text around them says so: in variables, labels, listings, git.

Every pattern begins at a fixed word, so that the time is linear in the text.
"""

import re

from torchdoctor.redaction.people.user_keys import hide_users_behind_keys

# What follows the first word of a name: Jan van Dijk, Jan O'Neil (Kowal).
_MORE_WORDS = (
    r"(?:[ ](?:(?:van|von|de|der|den|da|di|du|la|le|el|al|bin|ibn|dos)(?=[ ])|[^\W\d_a-z][\w.'’-]{0,30}"
    r"(?![\w=:(\\/])|\([\w .-]{1,40}\))){0,4}"
)
# What names a user in a list of variables, in JSON, in `os.environ`, in a connection and in what `systeminfo`
# prints. A quoted name ends at its quote.
_USER_SETTING = re.compile(
    r"(?<![A-Za-z_])(?P<start>(?:[A-Z][A-Z0-9_]*_)?(?:USERNAME|LOGNAME|SUDO_USER|USER)=[\"']?|\bmlflow\.user=[\"']?"
    r"|[\"'](?i:user_?name|user|logname|sudo_user)[\"']:[ ]?[\"']|Registered Owner:[ ]{1,40}"
    r"|\b(?:User(?:[ ]?Id)?|Uid)=(?=[^\s;=]{1,40};))"
    r"(?:(?:(?<=\")[^\"\\/:|*?<>`$%{}\[\]\r\n]{1,64}(?=\")|(?<=')[^\"'\\/:|*?<>`$%{}\[\]\r\n]{1,64}(?='))"
    rf"|[^\s\\/:;|,*?<>\"'`$%{{}}()\[\]]+(?:'\w[\w.-]*)?{_MORE_WORDS})"
)
# The same in words; an account of a domain as well.
_USER_LABEL = re.compile(
    r"(?P<start>(?<![^\W_])(?i:user[ ]?name|logged[ ]in[ ]as|benutzername|registrierter[ ]benutzer"
    r"|nom[ ]d'utilisateur|propriétaire[ ]enregistré|nombre[ ]de[ ]usuario|nome[ ](?:utente|de[ ]usuário)"
    r"|имя[ ]пользователя|用户名|使用者名稱|注册的所有人|ユーザー名|사용자[ ]이름"
    r"|owner|whoami|runas[ ]/user)[ ]{0,24}[:：][ ]{0,40}"
    r"|\bAccount[ ]Name:[ \t]{1,40}(?!(?:ANONYMOUS|LOCAL|NETWORK|SYSTEM)\b)"
    # huggingface-cli whoami
    rf"|\buser:[ ]{{2}}(?=\w[\w.-]{{0,60}}{_MORE_WORDS}[ ]*(?:[\t)\"'`,]|\r?$)))"
    r"(?:[\w.-]{1,15}\\{1,2})?"
    r"[^\s\\/:;|,*?<>\"'`$%{}()\[\]=]{1,64}(?:'\w[\w.-]*)?(?![\w\\/.:-])" + _MORE_WORDS,
    re.MULTILINE,
)
# The same in Chinese, where nothing stands between: 账号x密码
_ACCOUNT_IN_CHINESE = re.compile(
    r"(?P<start>(?:账号|帐号|賬號|帳號|账户|用户名)(?:是|为|為|[:：])?[ ]?)"
    r"[A-Za-z][\w.@-]{2,40}(?=[,，、 ]?(?:密码|密碼|口令))",
    re.ASCII,
)
# A row of what PowerShell prints for `Get-ChildItem Env:`.
_USER_ROW = re.compile(
    r"^(?P<start>[ \t]{0,40}(?:USERNAME|LOGNAME|SUDO_USER|USER)[ ]{2,40})"
    r"[^\s\\/:;|,*?<>\"'`$%{}()\[\]=]{1,64}(?=[ \t]*\r?$)",
    re.MULTILINE,
)
# Whom a repository belongs to, in git's refusal.
_GIT_OWNER = re.compile(
    r"(?P<start>\b(?:is[ ]owned[ ]by|the[ ]current[ ]user[ ]is):\s{0,12}[\"']?)(?!S-1-)"
    r"(?:[\w.-]{1,63}|<host>)/[^\s\\/:|*?<>\"'()]{1,64}"
)
_TYPE = re.compile(r"(?:str|int|type|object|bool|Any|None|(?:[A-Z][a-z]+){2,})$")
_NAME = r"[^\s\\/:;|,*?<>\"'`(){}\[\]=]{1,64}"
# What Python and Windows answer when they are asked for it.
_ANSWERED = re.compile(
    r"(?P<start>\b(?:getuser|getlogin)\(\)(?:[ ]{0,4}(?:=|==|->|→|:)[ ]{0,4}|[ \t]*\r?\n[ \t]{0,40})"
    r"(?P<quote>[\"']))"
    r"[^\\/:|*?<>\"'\r\n]{1,64}(?=(?P=quote))"
    r"|(?P<command>(?<![\w.-])whoami[ \t]*\r?\n[ \t]{0,40})"
    rf"(?:[\w.-]{{1,15}}\\{{1,2}}{_NAME}|{_NAME}(?=[ \t]*\r?$))",
    re.MULTILINE,
)
# The account of a task in XML, in the rights of a file, and in what databases refuse.
_ACCOUNT_IN_XML = re.compile(
    r"(?P<start><(?:UserId|LogonUser)>(?!S-1-)|<Author>(?=[\w.-]{1,15}\\))(?:[\w.-]{1,15}\\)?"
    r"[^<>\\\r\n]{1,64}(?=</)"
)
_RIGHTS_OF_ACCOUNT = re.compile(
    r"(?P<start>(?<![\w\\/.:-]))(?!(?:NT|BUILTIN|AUTHORITY|SERVICE|IIS|APPPOOL|SYSTEM|(?i:MANDATORY))\\)"
    r"[\w.-]{1,15}\\[^\s\\/:|*?<>\"']{1,64}(?=:\((?:OI|CI|IO|NP|I|F|M|RX|R|W|D|DE|N)[),])"
)
_REFUSED = re.compile(
    r"(?P<start>\b(?:denied|failed|for|of|as)[ ](?:for[ ])?(?:user|role|login)[ ](?P<quote>[\"']))"
    r"(?!(?:root|postgres|sa|admin|user|username|nobody|none)[\"'])[^\s\\/:|*?<>\"'{}()%$]{1,64}(?=(?P=quote))"
)
# HOME=/home/Jan Kowal, whose first word is hidden already.
_HOME_WITH_SPACES = re.compile(
    r"(?P<start>(?<![A-Za-z])HOME=[\"']?[^\s\"'<>]{0,60}<user>)"
    r"(?:[ ][^\W\d_a-z][\w.'’-]{0,30}(?![\w=:(\\/])){1,3}"
)
# What `ls -l` prints. Accounts that every system has stay.
_LISTED = re.compile(
    r"(?<![\w-])(?P<start>[-bcdlps](?:[r-][w-][xsStT-]){3}[+.@]?[ ]+\d+[ ]+)(?P<user>\S+)(?P<space>[ ]+)"
    r"(?P<group>\S+)(?=[ ]+\d)"
)
_SYSTEM_ACCOUNTS = frozenset(
    {"root", "wheel", "staff", "users", "nobody", "nogroup", "admin", "sudo", "docker", "1000"}
)
# An account of a domain, where the text says that it is one.
_DOMAIN_ACCOUNT = re.compile(
    r"(?P<start>(?:\b(?i:user|account|owner|login|logon|runas|as|by|for)(?:[ ]name)?[ :='\"]{1,3}|^))"
    r"(?!(?:NT|BUILTIN|AUTHORITY|SERVICE|IIS|APPPOOL|CUDA|DLL|LIB|HKLM|HKCU)\\)[A-Z][A-Z0-9-]{1,14}\\{1,2}"
    r"[^\W\d_][\w-]{2,30}(?:\.[a-z]{3,20})?(?=[\"']?(?:[\s,;)]|$)|:\()(?![ ]?[\\/])",
    re.MULTILINE,
)
# An account of Entra ID, whose domain Windows always calls so: the name is often the whole one of a person.
_ENTRA_ACCOUNT = re.compile(
    r"(?<![\w\\/])(?i:azuread)\\{1,2}(?!\\)"
    r"(?:[^\W\d_][\w.'-]{1,40}[ ][A-Z][\w'-]{1,30}(?=[\s\"',;:)]|$)|[^\W\d_][\w.'-]{0,60}\w)"
)
# What `id` prints, and names in what git prints and is told.
_ACCOUNTS = re.compile(r"\b(?:[ug]id|groups)=\d{1,10}\([^()\s]{1,64}\)(?:,\d{1,10}\([^()\s]{1,64}\))*")
_GIT_NAME = re.compile(
    r"(?P<start>(?<![\w-])(?:Author|Commit(?:ter)?|Signed-off-by|Co-authored-by|Reported-by|Tested-by):[ ]+)"
    r"[^\s<][^<\r\n]{0,63}(?=[ ]<)|(?P<setting>\bgit[ ]config[ ](?:--\w+[ ])?user\.name[ ]|\buser\.name=)"
    r"(?:\"[^\"\r\n]{1,64}\"|'[^'\r\n]{1,64}'|[^\s<>\"',;$%{}()\[\]]+"
    rf"(?-i:{_MORE_WORDS}))",
    re.IGNORECASE,
)
# The number of an account, which begins with that of its computer, domain or directory.
_SID = re.compile(r"(?<![\w-])S-1-(?:5-21|12-1)(?:-\d{1,10}){3,5}(?![\w-])")
# The registered owner and organization in what `systeminfo` prints, in the same order in every language.
_LABEL = r"[^\r\n:]{2,40}:[ ]{2,40}"
_REGISTERED = re.compile(
    rf"^(?P<start>{_LABEL}[^\r\n:]{{0,20}}Microsoft Windows (?:1[01]|[78]|Server)\b[^\n]*\n"
    rf"(?:[^\n]*\n){{4}}{_LABEL})[^\r\n]{{1,100}}"
    rf"(?P<middle>\r?\n{_LABEL})?(?P<company>(?<=[ ])[^\r\n]{{1,100}})?",
    re.MULTILINE,
)


def hide_user_names(text: str) -> str:
    """Replace the names that a text gives as those of users by `<user>`."""
    lowered = text.lower()
    if "user" in lowered or "logname" in lowered or "Registered" in text or "owned by" in text:
        text = _USER_SETTING.sub(r"\g<start><user>", text)
        text = _USER_ROW.sub(r"\g<start><user>", text)
        text = _GIT_OWNER.sub(r"\g<start><domain>/<user>", text)
    text = hide_users_behind_keys(_USER_LABEL.sub(_hide_labelled, text))
    if "密" in text or "口令" in text:
        text = _ACCOUNT_IN_CHINESE.sub(r"\g<start><user>", text)
    if "()" in text or "whoami" in text:
        text = _ANSWERED.sub(lambda match: f"{match['start'] or match['command']}<user>", text)
    if "</" in text:
        text = _ACCOUNT_IN_XML.sub(r"\g<start><user>", text)
    if "HOME=" in text:
        text = _HOME_WITH_SPACES.sub(r"\g<start>", text)
    if any(word in lowered for word in ("user", "role", "login")):
        text = _REFUSED.sub(r"\g<start><user>", text)
    if "rw" in text:
        text = _LISTED.sub(_hide_listed, text)
    if ":(" in text:
        text = _RIGHTS_OF_ACCOUNT.sub(r"<domain>\\<user>", text)
    if "azuread" in lowered:
        text = _ENTRA_ACCOUNT.sub(r"<domain>\\<user>", text)
    if "\\" in text:
        text = _DOMAIN_ACCOUNT.sub(r"\g<start><domain>\\<user>", text)
    if "S-1-" in text:
        text = _SID.sub("<user>", text)
    if "id=" in text:
        text = _ACCOUNTS.sub(lambda match: re.sub(r"\([^)]+\)", "(<user>)", match[0]), text)
    if "user.name" in lowered or " <<email>>" in text:
        text = _GIT_NAME.sub(lambda match: f"{match['start'] or match['setting']}<user>", text)
    if "Microsoft Windows " in text:
        text = _REGISTERED.sub(_hide_registered, text)
    return text


def _hide_labelled(match: re.Match[str]) -> str:
    # An argument of a function in code: owner: str
    is_type = match["start"].startswith("owner:") and _TYPE.match(match[0][len(match["start"]) :])
    return match[0] if is_type else f"{match['start']}<user>"


def _hide_listed(match: re.Match[str]) -> str:
    user, group = (name if name in _SYSTEM_ACCOUNTS else "<user>" for name in (match["user"], match["group"]))
    return f"{match['start']}{user}{match['space']}{group}"


def _hide_registered(match: re.Match[str]) -> str:
    company = "<company>" if match["company"] else ""
    return f"{match['start']}<user>{match['middle'] or ''}{company}"
