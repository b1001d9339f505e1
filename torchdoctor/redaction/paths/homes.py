"""Hide the names of users in the paths of home folders, on whatever system the paths are from.

Every pattern begins at a character that its repeated parts exclude, so that the time is linear in the text.
"""

import re
from collections.abc import Collection, Iterator

from torchdoctor.redaction.paths.cloud_folders import hide_cloud_folders
from torchdoctor.redaction.paths.linux_folders import hide_distributions
from torchdoctor.redaction.paths.separators import SEPARATOR

# The folders of homes, in the languages of Windows and older systems, and the short name of one.
FOLDERS_OF_HOMES = (
    "users", "homes", "home", "profiles", "documents and settings", "docume~1", "benutzer",
    "dokumente und einstellungen", "utilisateurs", "usuarios", "usuários", "utenti",
    "gebruikers", "användare", "brugere", "brukere",
    "użytkownicy", "utilizadores", "uživatelé", "kullanıcılar", "felhasználók",
    "使用者", "사용자", "пользователи", "用户", "用戶", "ユーザー",
)  # fmt: skip
_HOMES = re.compile(
    rf"""(?i)(?:
        # A drive can stand right before the folder, which then is below the current one: C:Users.
        (?:{SEPARATOR}{{1,8}}|(?<=[a-z]:)(?<![^\W_][a-z]:))
        (?P<folder>{"|".join(FOLDERS_OF_HOMES).replace(" ", "(?:[ ]|%20)")})\d?
        # A hidden share of a server; that of a drive ("c$") has a folder of homes.
        |(?<![\w.:\\>])\\{{1,8}}[\w.<>-]+\\{{1,4}}(?!(?:[a-z]|admin|wsl)\$)(?P<share>[\w.-]+)\$
        # A path that begins with the folder itself.
        |(?<![\w\\/.:>-])(?-i:Users)(?=\\)
    ){SEPARATOR}{{1,8}}""",
    re.VERBOSE,
)
# Half of the time goes into this pattern, so it is tried only on texts with one of these words.
_ANCHORS = (*(name.partition(" ")[0] for name in FOLDERS_OF_HOMES), "$")
# What stands before a folder of homes: a drive (also "c$" of a server), WSL's view of Linux, a server, the
# start of a POSIX path or of one in Git Bash, Cygwin or WSL.
# An option of a compiler can stand right before the drive: -Ic:/.
# A letter of another alphabet is of the text around a path, and so is the code of a colour: [31m.
_DRIVE = re.compile(r"(?i)(?:^|[\W_]|[^\x00-\x7f]|-[a-z]|\[[\d;]{0,8}m)[a-z](?::|%3a|\$)$")
_ENCODED_DRIVE = re.compile(r"(?:^|[\W_])[A-Za-z]$")
_WSL = re.compile(r"(?i)\\wsl(?:\$|\.localhost)[\\/]{1,4}[^\\/]{1,60}$|[\\/]rootfs$")
_SERVER = re.compile(
    r"(?:^|[^\w.:\\>])(?:\\{1,8}|//)(?:[?]\\{1,4}UNC\\{1,4})?[\w.<>-]+(?:\\{1,4}[\w.<>$-]{1,60}){0,3}$"
)
# In reverse, because only its end is known: at most three folders, and no address such as https://host.
_POSIX_REVERSED = re.compile(
    r"(?:[\w.-]+/){0,3}(?:$|[^\w./>]|>(?!\w+<)|(?:tsohlacol)?//:elif|[A-Za-z]-(?:$|[^\w-])"
    r"|m[\d;]{0,8}\[|[^\x00-\x7f](?![\w./-]*//))"
)
_BASH_DRIVE = re.compile(r"(?:^|[^\w./>])(?:/mnt|/cygdrive)?/[A-Za-z]$")
_CONTEXT_LENGTH = 120

# Windows does not allow " / \ [ ] : ; | = , + * ? < > in the name of a user; some can still be in that of
# the folder. The backslash before a space is the escape of a POSIX shell.
_WINDOWS_NAME = re.compile(
    r"(?i)(?:[^\\/¥₩:;|,*?<>\"'`\x00-\x1f\x7f\x85\u2028\u2029%]|'(?=\w)|\\[ ](?=\S)|%(?!5c|2f))*"
)
_POSIX_WORD = r"[^\s\\/:;|,*?<>\"'`()\[\]{}]+"
_POSIX_NAME = re.compile(
    # O'Neil, and others with a sign that a folder can have, where the path goes on.
    rf"{_POSIX_WORD}(?:'(?=\w)|,(?=\w)|;(?=\w)|`(?=\w)|[ ]?[(\[{{](?=\w))[\w.-]{{1,32}}[)\]}}]?(?=/)"
    rf"|{_POSIX_WORD}(?:(?:[ ]|\\[ ]){_POSIX_WORD}){{1,2}}(?=/)|(?:{_POSIX_WORD})?"
)
_NEXT_DRIVE = re.compile(r"[\s(=][A-Za-z]$")
# Names of people are shorter; a longer text is a sentence that goes on after the path.
_MAX_NAME_LENGTH = 64

# Below /home of large institutions stand folders of groups.
_GROUPS = frozenset({"ldap", "nis", "local", "staff", "student", "students", "users"})
# Users can be called like these as well.
_GROUPS_OR_USERS = frozenset((
    "ad", "corp", "domain", "employees", "external", "faculty", "group", "groups", "guests", "hpc", "lab",
    "labs", "phd", "research", "team", "teams",
))  # fmt: skip
_SHARED_NAMES = ("public", "default user", "default", "all users", "shared", "linuxbrew", "conda")
# A name that begins with a sign can be that of a person: $john, {john}.
_VARIABLE = (
    r"(?:env:)?(?:\w*user\w*|\w*name|home|login|logname|profile|whoami|you\w*|me|self|i|u|x|n|\d{1,2})"
)
_PLACEHOLDER = re.compile(
    rf"(?i)%[a-z_]+%|\$(?:{_VARIABLE}|\{{?env|\{{{_VARIABLE}\}})|\{{(?:{_VARIABLE}|\w+[.]\w[\w.]*)?\}}|[.…]+"
)
# What a name can have in it, where the path goes on behind it: `Smith, John\`, but not `john;C:\`.
_REST_OF_NAME = re.compile(
    r"[,;`][^\\/¥₩:|*?<>\"'\x00-\x1f\x7f\x85\u2028\u2029%]{0,63}(?<![\s,;`])(?:(?=[\\/¥₩])|(?=>[ ]\w|>$))"
)
# A part of a path with the separator behind it.
_PART = re.compile(rf"(?i)([^\\/¥₩:|*?<>\"'\x00-\x1f%]{{1,100}}){SEPARATOR}{{1,8}}")
# Homes of accounts of a domain stand in a folder of it: /home/CORP/kowal, /home/corp.example.com/kowal.
_DOMAIN = re.compile(
    r"[A-Z][A-Z0-9-]{1,14}(?:\.[A-Z]{2,12}){0,3}|(?:[a-z][a-z0-9-]{0,30}\.){1,3}"
    r"(?:com|org|net|edu|gov|ac\.uk|co\.uk|corp|lan|local|int|internal|intra|at|be|ca|ch|cn|cz|de|dk|es|eu|fi|fr|it|jp|kr|nl"
    r"|no|pl|pt|ru|se|sk|ua|uk|us)"
)
_PART_OF_A_HOME = re.compile(r"[^\W\d_][\w.-]{1,63}(?=[\\/])")
_FOLDERS_OF_A_HOME = frozenset((
    "anaconda3", "bin", "build", "code", "conda", "data", "datasets", "dev", "env", "envs", "git", "lib",
    "local", "miniconda3", "miniforge3", "models", "opt", "project", "projects", "python", "pytorch", "repos",
    "scratch", "share", "source", "src", "tmp", "torch", "venv", "work", "workspace",
))  # fmt: skip
# Hidden shares that are for all.
_FOLDERS_ON_SERVERS = frozenset((
    "archive", "backup", "data", "daten", "datasets", "home", "homes", "install", "models", "public",
    "profile", "profiles", "projects", "scratch", "share", "shared", "shares", "software",
    "temp", "tmp", "user", "users",
))  # fmt: skip
# So many parts are read to find where `..` leads.
_MOST_PARTS = 16

# ~name/, but not the folders that pip renames (~orch) and no operator (torch~=2.8).
_TILDE = re.compile(r"(?:(?<=[\s\"'`=:;,(\[])|^)~[A-Za-z_][\w.-]*(?=/[^~])", re.MULTILINE)
# A console can break a line behind the folder of homes; another path can begin there as well.
_ROOTS = (
    "bin", "boot", "content", "data", "dev", "etc", "home", "kaggle", "lib", "media", "mnt", "opt", "proc",
    "root", "run", "sbin", "sys", "tmp", "usr", "users", "var", "volumes", "workspace",
)  # fmt: skip
_BROKEN = re.compile(
    rf"(?i)(?P<start>[\\/](?:users|home)\r?\n[ ]{{0,8}}[\\/])(?!(?:{'|'.join(_ROOTS)}|[a-z])[\\/])"
    r"[^\s\\/]{2,40}(?=[\\/])"
)
# In code, a folder of homes and a name can be two texts: join("C:\\Users", "kowal").
_IN_PARTS = re.compile(
    r"(?i)(?P<start>[\\/](?:users|home)[\\/]{0,4}(?:[\"']\)?[ ]{0,2}[,/+][ ]{0,2}[rbf]?[\"']|\{[\"']))"
    r"(?!<)[^\s\\/\"'{}<>][^\\/\"'{}<>\n]{0,63}(?=[\"'\\/])"
)
# The homes of AFS: /afs/cern.ch/user/k/kowal.
_AFS = re.compile(
    r"(?<![\w.])(?P<start>/afs/[\w.-]{1,60}/(?:users?|home|u)/(?:\w/){0,2})[\w.-]{2,64}(?=/|\W|$)"
)
# A disk that a user plugged in, on Linux.
_MEDIA = re.compile(r"(?<![\w./])((?:/run)?/media/)(?!cdrom|floppy|usb)[^\s\\/:;|,*?<>\"'`]+(?=/)")
# Folders of temporary files that are named after a user: those of torch.compile, pytest, Kerberos and Java.
_TEMPORARY = re.compile(
    r"(?<=[\\/])(torchinductor_|pytest-of-|krb5cc_|hsperfdata_)(?!\d+(?!\w)|(?:root|unknown)(?![\w-]))"
    r"[^\s\\/:;|,*?<>\"'`]+(?:(?:[ ][^\W\d_][\w.'-]{0,30}){1,2}(?=[\\/]))?"
)
_TEMPORARY_SIGNS = ("torchinductor_", "pytest-of-", "krb5cc_", "hsperfdata_")
# A folder that has what only a home has, wherever it is: D:\\Profiles\\kowal\\AppData, E:\\kowal\\OneDrive.
_TOLD_BY_CONTENT = re.compile(
    rf"(?i)(?:(?<=[\\/¥₩])(?P<name>[^\\/¥₩:;|,*?<>\"'`\x00-\x1f%]{{1,64}})(?={SEPARATOR}{{1,4}}appdata(?![\w.-]))"
    rf"|(?<=[a-z]:[\\/])(?P<profiles>(?:[\\/]{{0,3}}profiles?{SEPARATOR}{{1,4}})?|[\\/]{{1,3}})"
    rf"(?P<owner>[^\\/¥₩:;|,*?<>\"'`\x00-\x1f%]{{1,64}})(?={SEPARATOR}{{1,4}}(?:onedrive|desktop)(?![\w.])))"
)
_NO_USERS = frozenset((
    "~", "backup", "cloud", "defaultuser0", "localservice", "microsoft", "networkservice", "profile",
    "profiles", "program files", "programdata", "systemprofile", "windows",
))  # fmt: skip
# What JupyterHub serves to a user.
_JUPYTERHUB = re.compile(
    r"(?<=/user/)[\w.@%+-]{1,64}(?=/(?:api|doc|edit|files|git|lab|notebooks|oauth_callback|proxy|terminals|tree|view|vscode)"
    r"(?![\w.-]))"
)
# Folders of users in the storage of a cluster, and the short ones of large institutions.
_STORED = re.compile(
    r"(?P<start>\b(?:dbfs:|hdfs://[\w.:-]{0,80}|(?:s3a?|gs|abfss?|wasbs?)://[^\s/\"']{1,100})(?:/[\w.-]{1,60}){0,3}?"
    r"/(?:users?|homes?)/|(?<![\w./:-])/u/(?:\w/)?)[\w.@-]{2,64}(?=/|[\s\"']|$)"
)
# What an editor shows of a file on another computer: that computer, and the path there.
_REMOTE = re.compile(r"(?<=vscode-remote://)[^\s\"'()]{1,400}|(?<=vscode-notebook-cell:)[^\s\"'()]{1,400}")
_WANDB = re.compile(
    r"(?<=wandb\.ai/)[\w.-]{1,64}(?=/[\w.%-]{1,128}/(?:artifacts|groups|reports|runs|sweeps|table|workspace)(?![\w.-]))"
    r"|(?<=\bproject at https://wandb\.ai/)[\w.-]{1,64}(?=/)"
)


def hide_home_names(text: str, own_names: Collection[str] = ()) -> str:
    """Replace the folder of a user in each path by `<user>`; `own_names` are known names, in lower case.

    A name with spaces ends at the next separator. Where the path ends with the name, the end can be ambiguous
    (`C:\\Users\\John Smith wrote this`): unless the name is known, the rest of the line may be hidden, too.
    """
    lowered = text.lower()
    if any(anchor in lowered for anchor in _ANCHORS):
        text = _hide_in_homes(text, own_names)
    text = hide_broken_homes(text)
    if '"' in text or "'" in text:
        text = _IN_PARTS.sub(r"\g<start><user>", text)
    if "/media/" in text:
        text = _MEDIA.sub(r"\1<user>", text)
    text = hide_distributions(text)
    if "/afs/" in text:
        text = _AFS.sub(r"\g<start><user>", text)
    text = hide_cloud_folders(text)
    if any(sign in text for sign in _TEMPORARY_SIGNS):
        text = _TEMPORARY.sub(r"\1<user>", text)
    if any(sign in lowered for sign in ("appdata", "onedrive", "desktop")):
        text = _TOLD_BY_CONTENT.sub(_hide_owner, text)
    if any(sign in text for sign in ("/user", "/home", "/u/")):
        text = _STORED.sub(r"\g<start><user>", text)
    if "vscode-" in text:
        text = _REMOTE.sub("...", text)
    if "/user/" in text:
        text = _JUPYTERHUB.sub("<user>", text)
    if "wandb.ai/" in text:
        text = _WANDB.sub("<user>", text)
    return _TILDE.sub("~<user>", text) if "~" in text else text


def hide_broken_homes(text: str) -> str:
    """Replace the folder of a user by `<user>` where a line ends between it and the folder of homes."""
    return _BROKEN.sub(r"\g<start><user>", text) if "\n" in text else text


def _hide_owner(match: re.Match[str]) -> str:
    name = match["name"] or match["owner"]
    lowered = name.lower().strip()
    if (
        is_shared(name)
        or lowered in _NO_USERS
        or lowered in FOLDERS_OF_HOMES
        or lowered in _FOLDERS_OF_A_HOME
    ):
        return match[0]
    return f"{match['profiles'] or ''}<user>"


def _hide_in_homes(text: str, own_names: Collection[str]) -> str:
    parts: list[str] = []
    end = 0
    for match in _HOMES.finditer(text):
        kind = _find_kind(text, match) if match.start() >= end else None
        if kind is None:
            continue
        if match["share"] and match["share"].lower() not in _FOLDERS_ON_SERVERS:
            # A hidden share for each user is named after that user.
            parts += (text[end : match.start("share")], "<user>")
            end = match.end("share")
        # Below a share for all, and below a folder of groups, stands another folder first.
        # On a drive of Windows, `student` is an account.
        groups = _GROUPS if kind != "windows" else frozenset[str]()
        skipped = _GROUPS | _FOLDERS_ON_SERVERS if match["share"] else groups
        for start in _find_name_starts(text, match.end(), skipped, kind != "windows"):
            stop = _find_end(text, start, kind != "posix", own_names)
            if stop > start:
                parts += (text[end:start], "<user>")
                end = stop
    return "".join(parts) + text[end:]


def _find_name_starts(text: str, start: int, skipped: Collection[str], is_of_many: bool) -> Iterator[int]:
    """Yield where the parts of a path begin that stand in a folder of homes, also behind `.` and `..`.

    A system of many users has folders of groups, of domains or of first letters there.
    """
    depth = 0
    for _ in range(_MOST_PARTS):
        part = _PART.match(text, start)
        name = part[1] if part else ""
        if depth == 0 and name not in (".", "..") and name.lower() not in skipped:
            yield start
            is_domain = is_of_many and _names_a_group(name)
            following = _PART_OF_A_HOME.match(text, part.end()) if part and is_domain else None
            if part and following and following[0].lower() not in _FOLDERS_OF_A_HOME:
                yield part.end()
        if part is None or depth < 0:
            return
        depth += {".": 0, "..": -1}.get(name, 0 if depth == 0 and name.lower() in skipped else 1)
        start = part.end()


def _names_a_group(name: str) -> bool:
    """Return whether a folder of homes is that of a group, a domain or a first letter."""
    return len(name) == 1 or name.lower() in _GROUPS_OR_USERS or _DOMAIN.fullmatch(name) is not None


def _find_kind(text: str, match: re.Match[str]) -> str | None:
    """Return "windows", "server" or "posix" if the matched folder is one of homes, else None."""
    folder = match["folder"]
    if folder is None:
        return "windows"
    before = text[max(0, match.start() - _CONTEXT_LENGTH) : match.start()]
    if _DRIVE.search(before, max(0, len(before) - 14)):
        return "windows"
    # C%5CUsers%5Cname, without the colon.
    if text[match.start()] == "%" and _ENCODED_DRIVE.search(before):
        return "windows"
    if ("wsl" in before or "rootfs" in before) and _WSL.search(before):
        return "posix"
    if _BASH_DRIVE.search(before, len(before) - 12):
        return "windows"
    if ("\\" in before or "//" in before) and _SERVER.search(before):
        return "server"
    # On other systems, and in code, it is a folder like any other.
    if folder.lower() == "profiles":
        return None
    if text[match.start()] != "\\":
        return "posix" if _POSIX_REVERSED.match(before[::-1]) else None
    # Source code has folders called `users`, too.
    return "windows" if folder == "Users" or not before or before[-1] in "%\"' \n" else None


def _find_end(text: str, start: int, is_windows: bool, own_names: Collection[str]) -> int:
    """Return where the name that begins at `start` ends; `start` itself for a name that is no secret."""
    match = (_WINDOWS_NAME if is_windows else _POSIX_NAME).match(text, start)
    name = match[0] if match else ""
    rest = _REST_OF_NAME.match(text, start + len(name)) if is_windows and not is_shared(name) else None
    name += rest[0] if rest else ""
    following = text[start + len(name) : start + len(name) + 1]
    if following == ":" and _NEXT_DRIVE.search(name):
        name = name[:-1]
    name = name.rstrip()
    if following in ("\\", "/", "%", "¥", "₩"):
        return start if is_shared(name) else start + len(name)
    for known in (*own_names, *_SHARED_NAMES):
        if name.lower().startswith(known) and not re.match(r"[\w-]|\.\w", name[len(known) :]):
            return start if known in _SHARED_NAMES else start + len(known)
    if len(name) > _MAX_NAME_LENGTH and " " in name:
        name = name[: max(name.rfind(" ", 0, _MAX_NAME_LENGTH), name.find(" "))]
    return start if _PLACEHOLDER.fullmatch(name) else start + len(name)


def is_shared(name: str) -> bool:
    """Return whether a folder of homes is one for all, or stands for that of anybody."""
    return name.lower() in _SHARED_NAMES or _PLACEHOLDER.fullmatch(name) is not None
