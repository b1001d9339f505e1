"""Hide the names of hosts: servers in UNC paths, those that a text gives as hosts, and this machine."""

import re
from functools import cache

from torchdoctor.core.bundled import read_bundled

# \\server\share, also doubled as in source code, and \\?\UNC\server\share. What follows a part of a path is
# the next part of a doubled one, and no server. `explain` reads runs of backslashes as one.
_UNC = re.compile(
    # A folder behind an option of a compiler, -IC:\\include, has a drive.
    r"(?i)(?:^|(?<=[\s\"'`=(\[,;|<“„‘‚«‹「『【《（→])|(?<=[^\W_]{2}:)(?<!-[il][a-z]:)"
    # A prompt, but no name that was replaced.
    r"|(?<=>)(?<!<(?:host|user)>)(?<!<(?:secret|domain)>))"
    r"(?P<start>\\{1,16}(?:[?.]\\{1,8}unc\\{1,8})?)"
    r"(?!wsl\.localhost|u[0-9a-f]{4}|x[0-9a-f]{2}\\)"
    r"(?P<server>[^\W_][\w.-]*)(?P<port>@\w+)?(?=\\[^\s\\]|\\{2,8}\w)",
    re.MULTILINE,
)
# As Python's pathlib writes it. Some comments of C++ and labels of Bazel look like this, too.
_UNC_WITH_SLASHES = re.compile(
    r"(?:^|(?<=[\s\"'`=(\[,;|])|(?<=file:))(?P<start>//(?://|(?i:[?.]/unc/))?)"
    r"(?!localhost|wsl\.localhost/)[^\W_][\w.-]*(?=/[^\s/])",
    re.MULTILINE,
)
# What names a host in a list of variables, in `os.environ`, in what `systeminfo` prints, and in the messages
# of torch.distributed.
_NAMED = re.compile(
    r"(?P<start>(?<![A-Za-z_])(?:COMPUTERNAME|HOSTNAME|LOGONSERVER|USERDOMAIN(?:_ROAMINGPROFILE)?|USERDNSDOMAIN|NCCL_COMM_ID"
    r"|SLURM_(?:JOB_)?NODELIST|[A-Z][A-Z0-9_]*_(?:ADDR|HOST|HOSTNAME|NODENAME))"
    r"(?:=[\"']?|[\"']:[ ]?[\"'])\\{0,4}|\b(?:(?:Host Name|Logon Server):[ ]{1,40}|Domain:[ ]{4,40})\\{0,4}"
    r"|--(?i:master[_-]addr|rdzv[_-]endpoint|node[_-]ip[_-]address)[= ][\"']?"
    r"|(?<![\w.])(?i:host_?name|computer_?name|data[ ]source)=[\"']?"
    r"|\b(?:to|on|from)[ ]\[(?=[\w.-]+\]:\d)|\btcp://)(?P<host>[^\W\d_][\w.-]*)(?![\w-])"
)
# What names a host in what shells, MPI, NCCL and torchrun print, in any language of Windows.
_LABELS = (
    r"host[ ]?name|(?:ps)?computer[ ]?name|machine[ ]?name|node[ ]?name|hostnaam|värdnamn|nom[ ]de[ ]l'hôte"
    r"|nombre[ ]de[ ]host|nome[ ](?:do[ ])?host|nazwa[ ]hosta|název[ ]hostitele|имя[ ]узла|主机名"
    r"|主機名稱|ホスト名|호스트[ ]이름"
)
_LABELLED = re.compile(
    rf"(?P<start>(?<![^\W_])(?i:{_LABELS})[ ]{{0,24}}[:：][ ]{{0,40}}"
    r"|(?:^[ ]{0,8}|\btorchelastic[ ])host[ ]{1,8}:[ ]"
    r"|\b(?:node|gethostname\(\)|platform\.node\(\))[ ]?=[ ]?[\"']"
    r"|\b(?:gethostname|platform\.node)\(\):[ ][\"']?|\bwith[ ]\[(?=[\w.-]+\]:\d)"
    r"|\bbind[ ]to[ ](?=[\w.-]+:\d)"
    # The folder that SummaryWriter of torch makes: runs/May01_12-00-00_name
    r"|\b[A-Z][a-z]{2}\d\d_\d\d-\d\d-\d\d_"
    r"|^[ \t]{0,40}(?:COMPUTERNAME|HOSTNAME|USERDOMAIN(?:_ROAMINGPROFILE)?|USERDNSDOMAIN|LOGONSERVER)"
    r"[ ]{2,40}\\{0,2}"
    r"|^(?:uname[ ]-a:[ ])?Linux[ ](?!version)(?=\S+[ ]\d+\.\d+\.\d)|\b(?:MINGW|MSYS)(?:32|64)?_NT-[\d.-]+[ ]"
    r"|^\[(?=[\w.-]+:\d{2,7}\][ ]))"
    r"(?P<host>[^\W\d_][\w.-]*)(?![\w.-])",
    re.MULTILINE,
)
# The same in the middle of a line: what MPI, NCCL, Slurm and `uname -a` print.
_WITHIN = re.compile(
    r"(?P<start>\bLinux[ ](?=[\w.-]+[ ]\d+\.\d+\.\d\S*[ ]\#\d)|\*\*\*[ ](?:JOB|STEP)[ ][\d.]+[ ]ON[ ]"
    r"|\bPID[ ]\d+[ ]on[ ]node[ ]|(?<!\S)\[(?=[\w.-]+:\d{2,7}\][ ]\*\*\*[ ])"
    r"|(?<!\S)(?=[\w.-]+:\d{1,7}:\d{1,7}[ ]\[\d+\][ ]NCCL))"
    r"(?P<host>[^\W\d_][\w.-]*)(?![\w.-])"
)
# Hosts that messages name by themselves: of a connection that failed, of a node of a cluster, in JSON.
_TOLD = re.compile(
    r"(?P<start>\b(?:HTTPS?|New)?Connection(?:Pool)?\(host=[\"']"
    r"|\b(?:getaddrinfo[ ]failed|[Cc]ould[ ]not[ ]resolve[ ]host):[ ]?"
    r"|\b[Uu]nable[ ]to[ ](?:resolve[ ]host(?:name)?|find[ ]address[ ]for:)[ ]|\b[Ff]ailed[ ]to[ ]resolve[ ]'"
    r"|\bgetaddrinfo[ ]failed[ ]for[ ]|\bunsupported[ ]gloo[ ]device[ ]"
    r"|(?m:(?<=[\s\"'`(=])|^)(?!\w+(?:Error|Exception|Refused):)(?=[\w-]+(?:\.[\w-]+)*:[ ]"
    r"(?:Connection[ ]refused|Name[ ]or[ ]service[ ]not[ ]known|No[ ]route[ ]to[ ]host))"
    r"|\bNodeList=|\bssh[ ]-l[ ]\S{1,40}[ ]"
    r"|\b(?:connect|connected|connecting|[Cc]onnection)[ ]to[ ](?:host[ ])?"
    r"(?=[\w.-]+(?::\d{2,5}\b|[ ]port[ ]\d|[ ]closed\b|[ ]timed[ ]out))"
    r"|\bcertificate[ ]is[ ]not[ ]valid[ ]for[ ]'"
    r"|\b(?:address(?:es)?[ ]of|connect[ ]to)[ ]\((?=[\w.-]+,[ ]\d{2,5}\))"
    r"|\b[Pp]inging[ ](?=[\w.-]+[ ]\[)|\bevents\.out\.tfevents\.\d{10}\."
    r"|\bsrun:[ ](?:error:[ ])?(?:node[ ]|(?=[\w.-]+:[ ]task))|\bhost:[ ](?=[\w.-]+,?[ ](?:rank"
    r"|local_rank|pid))"
    # A server in the same network, and what it exports: http://gpu01:8888, gpu01:/data
    r"|(?<=http)s?://(?=[\w-]+(?::\d{2,5}\b|[/\s\"']|$))|(?<![\w.:/\\-])(?=[A-Za-z][\w-]*\d[\w-]*:/[A-Za-z])"
    r"|--address[= ](?=[\w.-]+:\d)|(?<=[a-z])://(?=[\w-]+\.[\w.-]+:\d)"
    r"|[\"'](?i:host|host_?name|node_?name|computer_?name|machine_?name)[\"']:[ ]?[\"']"
    r"|(?<![\w)\].])\[(?=[\w.-]+\]:\d{4,5}\b)|(?<![\w.])git@)"
    r"(?P<host>[^\W\d_][\w.-]*[^\W_])(?![\w-])"
)
# A key and a name with a number: host=gpu01. In code, such a value is mostly a plain word.
_NUMBERED = re.compile(
    r"(?P<start>(?<![\w.$-])(?i:host|server|node|node_?name|machine)(?:=|:[ ])[\"']?)"
    r"(?P<host>(?!(?i:x86|x64|x32|amd64|arm64|arm|i[3-6]86|win32|win64|aarch64|ppc64|s390|cuda|sm|rtx|gtx|python|py|torch|v\d|ipv[46])"
    r"(?![a-z]))[A-Za-z][A-Za-z-]{1,30}\d{1,5}[a-z]?)(?![\w(\[-]|\.\w)"
)
# Behind the account that a database refuses, and with the port of a server of licences before it.
_BEHIND_AT = re.compile(
    r"(?P<start>'(?:<user>|\w{2,32})'@'|(?<![\w.+%/@:-])(?:2[67]\d{3})@)(?P<host>[^\W\d_][\w.-]{1,62})(?![\w@-])"
)
_TOLD_SIGNS = (
    "host", "connect", "Connection", "getaddrinfo", "srun", "--address", "ode", "ame", "]:", "git@",
    "addresses of", "address of", "is not valid for",
    "inging ", "tfevents", "refused", "not known", "://", ":/", "resolve", "ssh -l", "address for",
    "gloo device",
)  # fmt: skip
# Everybody may see these, and a diagnosis needs them.
_PUBLIC = re.compile(
    r"(?i)(?:[\w-]+\.)*(?:aliyun|aliyuncs|amazonaws|amd|anaconda|azure|bitbucket|cloudflare|cloudfront|conda|docker"
    r"|example|github|githubusercontent|gitlab|google|googleapis|hf|hf-mirror|huggingface|intel|kaggle|microsoft|modelscope"
    r"|nvidia|openai|pypi|python|pythonhosted|pytorch|sjtu|tsinghua|ustc|wandb|windows)"
    r"\.(?:ai|cn|co|com|dev|edu|edu\.cn|io|net|org)"
)
# The name of a file stands before a number as well: [train.py:2950].
_FILE = re.compile(r"\.(?:bin|c|cc|cpp|cu|dll|h|json|log|onnx|pth?|pyc?|safetensors|so|txt)$")

_SIGNS = ("=", "[", "tcp://", "':", '":', "Name:", "Server:", "Domain:", "addr", "rdzv")
# The first lines of `systeminfo`, whose order is the same in every language.
_SYSTEMINFO = re.compile(
    r"^(?P<start>[^\r\n:]{2,40}:[ ]{2,40})[^\s:]{1,63}"
    r"(?P<end>[ ]*\r?\n[^\r\n:]{2,40}:[ ]{2,40}[^\r\n:]{0,20}Microsoft Windows (?:1[01]|[78]|Server)\b)",
    re.MULTILINE,
)
_LOGON_SERVER = re.compile(r"^([^\r\n:]{2,40}:[ ]{2,40}\\{2})[\w.-]{1,63}(?![\w\\])", re.MULTILINE)
# The last one is no server: \Device\HarddiskVolume1, doubled.
_LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "device"})
# What documentation and code have behind a label.
_NO_NAMES = _LOCAL_NAMES | {"str", "string", "none", "the"}
# No ending of a file, and no key of a setting: num_workers.
_SUFFIX = (
    r"(?:\.(?!(?:bat|cfg|conf|csv|dll|env|exe|html?|ini|ipynb|json|log|md|pkl|ps1|pth?|py|sh|so|toml|txt|whl|xml|ya?ml|zip)(?!\w))"
    r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?!\w))*"
)
# What Windows makes up for a new machine.
_MADE_UP = re.compile(r"(?i)(?:desktop|laptop|win|ec2amaz)-[a-z0-9]{6,}")
# What its owner or a company calls one: Rosalinds-MacBook-Pro, ROSALIND-PC, GLOBEXO-WS-0231
_CALLED_AFTER = re.compile(
    r"(?<![\w-])(?P<owner>[A-Z][^\W\d_]{2,19})-(?i:MacBook(?:-(?:Pro|Air))?|MBP|MBA|iMac|PC|Laptop|Notebook|Desktop|Workstation"
    r"|(?-i:WS|NB|LT|WKS|SRV|DC)(?=-?\d))(?:-?\d{1,5})?(?:\.local)?(?![\w-])"
)
# The account of a machine in a domain. A hidden share has backslashes before its server.
_ACCOUNT = re.compile(r"(?<![\w\\$])[A-Z][A-Z0-9-]{1,14}\\[A-Z][A-Z0-9-]{2,14}\$(?![\w\\$])")
_MADE_UP_ANYWHERE = re.compile(
    r"(?i)(?<![\w-])(?:(?:desktop|ec2amaz)-[a-z0-9]{7}|laptop-[a-z0-9]{8}|win-[a-z0-9]{11})(?![\w-])"
    + _SUFFIX
)


def hide_hosts(text: str) -> str:
    """Replace names by `<host>` that have the form of a host's, or stand where only a host can.

    The first are servers in UNC paths and names that Windows makes up for machines.
    """
    if "-" in text:
        text = _MADE_UP_ANYWHERE.sub(_hide_made_up, text)
        text = _CALLED_AFTER.sub(_hide_called_after, text)
    if any(sign in text for sign in _SIGNS):
        text = _NAMED.sub(_hide_named, text)
    text = _LABELLED.sub(_hide_named, text)
    if any(sign in text for sign in _TOLD_SIGNS):
        text = _TOLD.sub(_hide_told, text)
    if "=" in text or ": " in text:
        text = _NUMBERED.sub(_hide_named, text)
    if "@" in text:
        text = _BEHIND_AT.sub(_hide_named, text)
    if any(sign in text for sign in ("***", "NCCL", " on node ", "Linux ")):
        text = _WITHIN.sub(_hide_named, text)
    if "Microsoft Windows " in text:
        text = _SYSTEMINFO.sub(r"\g<start><host>\g<end>", text)
        text = _LOGON_SERVER.sub(r"\1<host>", text)
    if "\\" in text:
        text = _UNC.sub(_hide_server, text)
        text = _ACCOUNT.sub(r"<domain>\\<host>$", text)
    return _UNC_WITH_SLASHES.sub(r"\g<start><host>", text) if "//" in text else text


def _hide_named(match: re.Match[str]) -> str:
    return match[0] if match["host"].lower() in _NO_NAMES else f"{match['start']}<host>"


def _hide_told(match: re.Match[str]) -> str:
    host = match["host"]
    if host.lower() in _NO_NAMES or _PUBLIC.fullmatch(host) or _FILE.search(host):
        return match[0]
    # gpu-a100-03 is made of plain words, and is no word.
    is_name = re.search(r"[.\d-]", host) is not None or is_distinctive(host)
    return f"{match['start']}<host>" if is_name else match[0]


def _hide_made_up(match: re.Match[str]) -> str:
    made_up = match[0].partition(".")[0].partition("-")[2]
    # Without a digit, and not in capitals, it is a word.
    is_word = made_up.isalpha() and (not made_up.isupper() or _is_plain(made_up.lower()))
    return match[0] if is_word else "<host>"


def _hide_called_after(match: re.Match[str]) -> str:
    return "<host>" if is_distinctive(match["owner"]) else match[0]


def _hide_server(match: re.Match[str]) -> str:
    is_rooted_path = match["start"] == "\\" and not is_distinctive(match["server"])
    if is_rooted_path or match["server"].lower() in _LOCAL_NAMES:
        return match[0]
    return f"{match['start']}<host>{match['port'] or ''}"


@cache
def compile_host(name: str) -> re.Pattern[str] | None:
    """Return a pattern of what stands for a host, with its DNS suffix; None for a name that says nothing.

    A name made of words that this program writes itself (`windows`, `driver-model`) is found only where a
    host stands: in an address, after @, in brackets or before a port, and after `host=`.
    """
    label, _, suffix = name.partition(".")
    if len(label) < 3 or label.lower() in _LOCAL_NAMES or re.fullmatch(r"[\d.]+", name):
        return None
    host = re.escape(label)
    if is_distinctive(label):
        return re.compile(rf"(?i)(?<![\w-]){host}{_SUFFIX}(?![\w-])")
    host += rf"(?:\.{re.escape(suffix)})?" if suffix else ""
    return re.compile(
        rf"(?i)(?:(?<=@)|(?<=\[)(?=[^\]\s]*\]:\d)|(?<=host=)|(?<=host:[ ])|(?<=hostname=)"
        rf"|(?<=hostname:[ ])|(?<=computername=)|(?<=master_addr=)){host}(?![\w.-])"
        rf"|(?<=://){host}(?=[:/\s\"']|$)|(?<![\w.-]){host}(?=:\d{{4,5}}\b)"
        + (rf"|(?<![\w-]){re.escape(name)}(?![\w-])" if suffix else "")
    )


def is_distinctive(name: str) -> bool:
    """Return whether a name is no word, and is not made of words, that this program writes itself."""
    if _MADE_UP.fullmatch(name):
        return True
    return not all(_is_plain(part) for part in re.split(r"[-_]", name.lower()))


def _is_plain(part: str) -> bool:
    stems = re.fullmatch(r"([^\W\d_]*)[\d.]*([^\W\d_]*)", part)
    return stems is not None and all(len(stem) <= 3 or stem in read_own_words() for stem in stems.groups())


@cache
def read_own_words() -> frozenset[str]:
    """Read the words that checks, facts and entries write often; own_words.txt has one in each line."""
    return frozenset(read_bundled("torchdoctor.redaction.words", "own_words.txt").decode("utf-8").split())
