"""Hide what commands and formats take as a secret where no name tells of it: `curl -u`, `docker login -p`."""

import re
from functools import cache

from torchdoctor.domain.secret_names import MASK

# What may stand between a command and its password: no other one, which is hidden already.
_GAP = r"(?:(?!<secret>)[^\r\n]){0,200}?"
# Words of which the text has one, in lower case, and what stands before and in the place of the secret.
_COMMANDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("-----begin",),
        r"(?s)(?P<start>-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)"
        r"(?:(?:(?!-----BEGIN).){0,20000}?(?=-----END)"
        # One that is cut off ends before a blank line or a line of words.
        r"|(?:\s{0,4}[\w-]{1,30}:[ ][^\n]{1,80}\n)*\s{0,4}"
        r"(?:(?!\n\s*\n|\n[^\n]{0,200}[ ]\w+[ ]\w|\n[ ]*Traceback).)*)",
    ),
    (
        ("cookie:",),
        r"(?i)(?P<start>\b(?:set-)?cookie:[ ])(?=[^\s=;,]{1,80}=)(?!<)"
        r"(?:[^\r\n\"']|(?<==)[\"'][^\r\n\"']*[\"'])+",
    ),
    (
        ("/t/",),
        r"(?P<start>//[\w.-]+/t/)[\w-]{8,}(?=/)(?!/\d+(?![\w-]))",
    ),
    (
        ("machine ",),
        r"(?i)(?P<start>\bmachine[ ]\S+[ ]login[ ])\S+[ ]password[ ]\S+",
    ),
    (
        ("login",),
        r"(?i)(?P<start>\blogin(?:[ ]|\((?:\w+=)?[\"']))[A-Za-z0-9_-]{20,}",
    ),
    (
        ("login",),
        r"(?i)(?P<start>(?:\b|_)login\((?:\w+=)?\")(?![A-Za-z_.]*\"|https?:|<secret>)[^\"\n]{8,}",
    ),
    (
        ("login",),
        r"(?i)(?P<start>(?:\b|_)login\((?:\w+=)?')(?![A-Za-z_.]*'|https?:|<secret>)[^'\n]{8,}",
    ),
    # login("bob", "x"), HfApi("https://a.org", "x")
    (
        ("login(", "hfapi(", "authenticate("),
        r"(?i)(?P<start>\b(?:\w{0,20}login|hfapi|authenticate)\((?:[\"'][^\"'\n]{1,80}[\"'],[ ]?)?\")"
        r"(?![A-Za-z_.]*\"|https?:|<secret>)[^\"\n]{8,}(?=\"[,)])",
    ),
    (
        ("login(", "hfapi(", "authenticate("),
        r"(?i)(?P<start>\b(?:\w{0,20}login|hfapi|authenticate)\((?:[\"'][^\"'\n]{1,80}[\"'],[ ]?)?')"
        r"(?![A-Za-z_.]*'|https?:|<secret>)[^'\n]{8,}(?='[,)])",
    ),
    (
        ("login(",),
        r"(?P<start>\blogin\([^()\n]{1,120}?,[ ]?key=[\"'])(?!<)[^\"'\n]+",
    ),
    # The keys of Comet.
    (
        ("experiment(",),
        r"(?P<start>\bExperiment\([\"'])(?=[A-Za-z]*\d)[A-Za-z0-9]{16,}(?=[\"'])",
    ),
    (
        ("set_credentials(",),
        r"(?P<start>\bset_credentials\([^)\n]{0,200}?\bkey=[\"'])[^\"'\n<]+",
    ),
    (
        ("identified",),
        r"(?i)(?P<start>\bidentified[ ](?:with[ ]\S{1,40}[ ])?(?:by|as)[ ](?:password[ ])?[\"'])[^\"'\n<]+",
    ),
    (
        ("curl",),
        r"(?P<start>\bcurl\b(?:\.exe)?"
        rf"{_GAP}[ ](?:-b|--cookie)[ =]?[\"']?[\w.-]{{1,80}}=)(?!<secret>)"
        r"[^\s\"']+(?:;[ ][\w.-]{1,80}=[^\s\"']+)*",
    ),
    (
        ("--password-stdin",),
        r"(?i)(?P<start>\becho[ ][\"']?)[^\s|<]+(?=[ ]?\|[^\r\n|]{1,60}--password-stdin)",
    ),
    (
        (" -u ",),
        r"(?P<start>[ ]-u[ ][\"']?)[^\s:\"'<]+:[^\s]+?(?=[\"']?[ ][\"']?https?:/)",
    ),
    (
        (
            "curl",
            "wget",
            "http",
            "xh ",
        ),
        r"(?P<start>\b(?:curl|wget|http|https|xh)\b(?:\.exe)?[\"']?"
        rf"{_GAP}[ \"'](?:-u[\"']?,?[ ]?[\"']?"
        r"|(?:--user|--proxy-user|-U|-a)[\"']?,?[ =][\"']?[^\s:\"'<]+:(?!<)))"
        r"(?:(?<=[\"'])[^\"']+|[^\s\"']+)",
    ),
    (
        (
            "sshpass",
            "docker login",
        ),
        r"(?P<start>\b(?:sshpass|docker[ ]login)\b"
        rf"{_GAP}[ ]-p[ ]?)[^\s<]+",
    ),
    (
        (" login",),
        r"(?P<start>\b(?:az|podman|nerdctl|oras|skopeo)[ ]login\b"
        rf"{_GAP}[ ]-p[ ]?)[^\s<]+",
    ),
    (
        (
            "twine upload",
            "psexec",
        ),
        r"(?P<start>\b(?:twine[ ]upload|psexec(?:64)?(?:\.exe)?)\b"
        rf"{_GAP}[ ]-p[ ])[^\s<]+",
    ),
    # These ask for it where it does not follow at once.
    (
        (
            "mysql",
            "mariadb",
        ),
        r"(?P<start>\b(?:mysql(?:dump|admin|import)?|mariadb)\b"
        rf"{_GAP}[ ]-p)[^\s<]+",
    ),
    (
        (" -pw ",),
        r"(?i)(?P<start>\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b"
        rf"{_GAP}[ ]-pw[ ])[^\s<]+",
    ),
    (
        ("net user",),
        r"(?im)(?P<start>\bnet[ ]user[ ](?:/\w+[ ])*[^\s/]\S*[ ])(?![/*<])(?=\S*[^A-Za-z\s])"
        r"[^\s\"'`]+(?=[ ]/|[\"'`]|[ ]*\r?$)",
    ),
    (
        ("cmdkey",),
        r"(?i)(?P<start>\bcmdkey\b"
        rf"{_GAP}[ ]/pass:)[^\s<]+",
    ),
    (
        ("schtasks",),
        r"(?i)(?P<start>\bschtasks\b"
        rf"{_GAP}[ ]/rp[ ])[^\s<]+",
    ),
    (
        ("/bot",),
        r"(?P<start>/bot\d{6,12}:)[\w-]{10,}",
    ),
    (
        ("net use",),
        r"(?i)(?P<start>\bnet[ ]use[ ]"
        rf"{_GAP}[ ]/user:\S+[ ])[^\s<]+",
    ),
    (
        ("net use",),
        r"(?i)(?P<start>\bnet[ ]use[ ](?:(?:\w:|\*)[ ])?\\\\\S+[ ])(?![/<])\S+",
    ),
    (
        ("securestring",),
        r"(?i)(?P<start>\bconvertto-securestring[ ](?:-string[ ])?[\"'])[^\"'<]+",
    ),
    (
        ("login",),
        r"(?i)(?P<start>\b(?:wandb|hf|huggingface-cli|huggingface_hub)[ .]login"
        r"\(?(?:(?:[ ]--?[\w-]{2,20}(?:[ =]https?:\S{1,80})?){0,3}[ ][\"']?|(?:\w+=)?[\"']))"
        r"(?!-|https?:|<secret>)[^\s\"']{8,}",
    ),
    (
        ('"key"',),
        r"(?P<start>\"username\":[ ]?\"[^\"\n]{1,60}\",[ ]?\"key\":[ ]?\")[^\"<]+",
    ),
    (
        ("proxy=",),
        r"(?i)(?P<start>proxy=)[^\s:/@]{1,80}:[^\s/@]{1,200}(?=@)",
    ),
    (
        ("hook",),
        r"(?P<start>(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks"
        r"|webhook\.office\.com/webhookb2)/)[\w/@-]+",
    ),
    (
        (
            "?",
            "&",
        ),
        r"(?i)(?P<start>[?&](?:jwt|key|policy|sas|sv|appid|app_id|api|k|auth|ticket|session|sid|otp|pin)=)"
        r"(?!<secret>)(?=[^\s&]{0,200}\d)[^\s&\"'<>)\]]{8,}",
    ),
    (
        (
            "?",
            "&",
        ),
        r"(?i)(?P<start>[?&](?:code|state)=)(?!<secret>)(?=[^\s&]{0,200}\d)[^\s&\"'<>)\]]{16,}",
    ),
    (
        (
            "7z",
            "zip ",
            "rar ",
        ),
        r"(?P<start>\b(?:7z|7za|7zz|zip|unzip|rar|unrar)(?:\.exe)?(?=[ ])"
        rf"{_GAP}[ ]-[pP][ ]?)(?=[^\s<]*\d)[^\s<]+",
    ),
    (
        ("redis-cli", "valkey-cli"),
        r"(?P<start>\b(?:redis|valkey)-cli\b(?:\.exe)?"
        rf"{_GAP}[ ](?:-a|--pass)[ =][\"']?)[^\s\"'<]+",
    ),
    # The options of SQL Server have their value with or without a space.
    (
        ("sqlcmd", "bcp ", "osql", "bcp.exe"),
        r"(?i)(?P<start>\b(?:sqlcmd|bcp|osql)\b(?:\.exe)?"
        rf"{_GAP}[ ](?-i:-P)[ ]?[\"']?)(?![-/][a-zA-Z](?:[ ]|$))[^\s\"'<]+",
    ),
    (
        ("lftp",),
        rf"(?P<start>\blftp\b{_GAP}[ ](?:-u[ ]?|--user[ =])[\"']?[^\s,\"'<]{{1,80}},)[^\s\"'<]+",
    ),
    (
        ("openssl",),
        rf"(?P<start>\bopenssl(?:\.exe)?[ ]enc\b{_GAP}[ ]-[kK][ ][\"']?)[^\s\"'<]+",
    ),
    # What logs in somewhere, or uploads: an option of one letter and a word with a digit.
    (
        ("login ", "publish ", "upload ", "auth ", "signin "),
        rf"(?i)(?P<start>(?<![\w-])(?:login|publish|upload|auth|signin)\b{_GAP}[ ]-(?:p|t|k|w)[ ][\"']?)"
        r"(?=[^\s\"'<>]*\d)(?=[^\s\"'<>]*[A-Za-z])[^\s\"'<>:\\/]{8,}",
    ),
    # Commands whose option of one letter is a password; it has a digit.
    (
        (
            "mongo",
            "ldap",
            "xfreerdp",
            "htpasswd",
            "ncftp",
            "crane ",
            "anaconda",
            "certutil",
            "signtool",
            "doctl",
        ),
        r"(?i)(?P<start>\b(?:mongo\w{0,8}|ldap(?:search|modify|add|delete|whoami)|xfreerdp|htpasswd|ncftp\w{0,4}"
        rf"|crane|anaconda|certutil|signtool|doctl)\b(?:\.exe)?{_GAP}[ ][-/](?:p|w|t|b)[ ][\"']?)"
        r"(?=[^\s\"'<>]*\d)(?=[^\s\"'<>]*[A-Za-z])[^\s\"'<>:\\/]{6,}",
    ),
    (
        ("smbclient",),
        rf"(?P<start>\bsmbclient\b{_GAP}[ ]-U[ ]?[\"']?[\w.\\-]{{1,80}}%)[^\s\"'<]+",
    ),
    (
        ("poetry config",),
        r"(?P<start>\bpoetry[ ]config[ ](?:http-basic\.\S{1,60}[ ]\S{1,80}|pypi-token\.\S{1,60})[ ])"
        r"(?!<|-)\S+",
    ),
    (
        ("vault login",),
        r"(?P<start>\bvault[ ]login[ ](?:token=)?)(?![-<]|[a-z]+(?:[ \r\n]|$))\S{6,}",
    ),
    (
        ("gh secret",),
        rf"(?P<start>\bgh[ ]secret[ ]set[ ]{_GAP}(?:-b|--body)[ =][\"']?)[^\s\"'<]+",
    ),
    (
        ("rabbitmqctl",),
        r"(?P<start>\brabbitmqctl[ ](?:add_user|change_password)[ ]\S{1,80}[ ])(?!<)\S+",
    ),
    (
        ("ssh-keygen",),
        rf"(?P<start>\bssh-keygen(?:\.exe)?\b{_GAP}[ ]-[NP][ ][\"']?)[^\s\"'<]+",
    ),
    (
        ("sudo -s",),
        r"(?i)(?P<start>\becho[ ][\"']?)[^\s|\"'<]+(?=[\"']?[ ]?\|[ ]?sudo[ ]-S\b)",
    ),
    (
        ("jdbc:oracle",),
        r"(?P<start>\bjdbc:oracle:\w{1,10}:[\w.-]{1,60}/)[^\s@/\"'<]+(?=@)",
    ),
    # A line of .pgpass: host, port, database, user and password.
    (
        (":543", ":6432:", ":*:"),
        r"(?P<start>(?<![^\s\"'])[\w.*-]{1,80}:(?:543\d|6432|\*):[\w.*-]{1,80}:[\w.*-]{1,80}:)(?!<)"
        r"(?=\S*\w)[^\s\"'<]+",
    ),
    (
        (" -pass",),
        r"(?P<start>[ ]-pass(?:in|out|word)?[ ]pass:)[^\s<]+",
    ),
    (
        ("authtoken",),
        r"(?i)(?P<start>\b(?:ngrok|jupyter|tunnel)[ ](?:config[ ]add-)?authtoken[ ])[^\s<]{8,}",
    ),
    (
        (
            "auth ",
            "auth=",
            "--login",
        ),
        r"(?i)(?P<start>[ ](?:--?(?:gradio-)?auth|--login)[ =][^\s:<>]{1,40}:)[^\s<]+",
    ),
    # Resources of Android, property lists of Apple, properties of Java.
    (
        ("</",),
        r"(?i)(?P<start><\w{1,20}[ ](?:name|key|id)=[\"'](?:[\w.-]{0,40}[._-])?"
        r"(?:pass(?:word|wd|phrase)?|pwd|secret|\w{0,20}token|(?:api|(?<=[._-]))[_.-]?key)[\"']>"
        r"|<key>[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|secret|token)</key>\s{0,9}<string>)"
        r"(?!<)[^<\n]{1,200}(?=</)",
    ),
    (
        ("using password",),
        r"(?i)(?P<start>\b(?:access[ ]denied|login[ ]failed)\b[^\r\n<]{0,120}?using[ ]password:[ ])"
        r"(?!yes|no\b)[^\s<)]+",
    ),
)


def hide_in_commands(text: str) -> str:
    """Replace what the commands and formats in a text take as a secret by `<secret>`."""
    lowered = text.lower()
    for words, pattern in _COMMANDS:
        if any(word in lowered for word in words):
            text = _compile(pattern).sub(_hide, text)
    return text


# Few texts have any of these commands.
@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _hide(match: re.Match[str]) -> str:
    secret = match[0][len(match["start"]) :]
    # A quote around the whole command is no part of the secret.
    last = secret[-1:]
    quote = last if last in ("'", '"', "`") and secret.count(last) == 1 else ""
    # The lines keep their numbers.
    return match["start"] + MASK + quote + "\n" * secret.count("\n")
