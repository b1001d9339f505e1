"""Leave out the hosts and addresses of a text that are not public."""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.people.public_hosts import is_public_host
from torchdoctor.redaction.words.vocabulary import EAST_ASIAN, is_written, read_known_words

# Where a machine of a network at home or in a company is.
_PRIVATE_ADDRESS = re.compile(
    r"(?<![\w.])(?<!cudart )(?<!ersion )(?<!ersion: )(?<!==)"
    r"(?:10\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|192\.168)"
    r"\.\d{1,3}\.\d{1,3}(?![\w.])|(?<![\w:])f[cd][0-9a-fA-F]{2}:[0-9a-fA-F:]{4,40}"
)
# A host with a domain, and an address with a port.
_TOP_LEVEL = (
    "ai|arpa|at|au|biz|ca|ch|cloud|cn|co|com|corp|cz|de|dev|dk|edu|es|eu|fi|fr|gov|home|hu|ie|in|info|int|intern"
    "|internal|intra|intranet|io|it|jp|kr|lan|local|localdomain|me|mil|net|nl|no|nz|org|pl|pt|ro|ru|se|sg|sk"
    "|tr|tv|tw|ua|uk|us|xyz"
)
_EAST_ASIAN = re.compile(rf"^[{EAST_ASIAN}]+")
# A module, or an attribute, can end with the letters of the others.
_OF_NO_CODE = (
    ".com",
    ".org",
    ".net",
    ".edu",
    ".gov",
    ".cn",
    ".readthedocs.io",
    ".github.io",
    ".huggingface.co",
    ".hf.co",
    ".azurecr.io",
    ".jfrog.io",
    ".wandb.io",
    ".gitlab.io",
    ".ngrok.io",
)
_DOMAIN = re.compile(
    r"(?i)(?:(?<![\w@./\\-])|(?<=(?<![^\s,=\"'])\.)|(?<=(?<![^\s,=\"'])\*\.))"
    r"(?<!import )(?<!named ['\"])(?<!bute ['\"])(?:\w[\w-]{0,62}\.){1,6}"
    rf"(?:{_TOP_LEVEL})(?![\w-]|\.\w|\()"
)
# What attributes end with as well; with fewer labels, a host can be an attribute of a module.
_ATTRIBUTES = frozenset((
    "ai", "cloud", "co", "dev", "home", "in", "info", "int", "intern", "internal", "io", "is", "it", "local",
    "me", "mil", "no", "org", "se", "to", "us",
))  # fmt: skip
_LABELS_OF_A_HOST = 3
_OF_A_NETWORK = (".corp", ".intra", ".intranet", ".lan", ".localdomain", ".cluster.local", ".arpa")
# An attribute has no hyphen, and rarely a number: gpu01.local
_OF_A_MACHINE = re.compile(r"[\w-]*(?:-|[a-z]\d{1,4}\.)[\w-]*(?:\.[\w-]+)*\.?(?:local|internal|home)")
# An address that is no version: quoted, behind a word for a host, or with a port.
_IPV4 = r"(?:\d{1,3}\.){3}\d{1,3}"
_HOST_BY_NUMBERS = re.compile(
    rf"(?<![\w.=]){_IPV4}(?=:\d{{2,5}}\b|[\"']?, (?:port=)?\d{{2,5}}\b)|(?<=[Hh]ost ){_IPV4}"
    rf"|(?<=host=['\"]){_IPV4}|(?<=for ['\"]){_IPV4}"
    rf"|(?<=located at ){_IPV4}|(?<=address for: ){_IPV4}|(?<=connect to ){_IPV4}"
    r"|(?<![\w.-])(?:ip|ec2)-\d{1,3}(?:-\d{1,3}){3}(?![\w-])"
)
# A port, what is exported, and a network: no version has them.
_WITH_A_PORT = re.compile(rf"(?<![\w.]){_IPV4}(?=:\d{{2,5}}\b|:/|/\d{{1,2}}\b)")
_OF_THIS_MACHINE = ("localhost", "127.0.0.1", "0.0.0.0")
_HOST_OF_AN_ADDRESS = re.compile(
    r"(?<=[A-Za-z\d]://)(?P<login>(?:<secret>|\.{3})@|)(?P<host>[^\W_][\w.-]{1,100})(?![\w.-]|:[^\s/@]{1,200}@|@)"
)


def leave_out_private_hosts(text: str) -> str:
    """Replace the hosts of addresses by three dots, except those that are public, and private addresses."""
    shown = _HOST_OF_AN_ADDRESS.sub(_show_host, _PRIVATE_ADDRESS.sub(LEFT_OUT, text))
    if "." not in shown and "-" not in shown:
        return shown
    return _HOST_BY_NUMBERS.sub(_show_address, _DOMAIN.sub(_show_domain, shown))


def leave_out_named_hosts(text: str) -> str:
    """Replace hosts by three dots that only a name can be: those of addresses, and those with a domain.

    What a machine tells has versions and code, which look like other hosts.
    """
    if "." not in text:
        return text
    shown = _DOMAIN.sub(_show_named_domain, _HOST_OF_AN_ADDRESS.sub(_show_host, text))
    return _WITH_A_PORT.sub(_show_address, _HOST_BY_NUMBERS.sub(_show_address, shown))


def _show_named_domain(match: re.Match[str]) -> str:
    host = match[0].lower()
    labels = host.split(".")
    if host.endswith(_OF_A_NETWORK) or _OF_A_MACHINE.fullmatch(host):
        return match[0] if is_known_host(host) else LEFT_OUT
    is_long = len(labels) >= _LABELS_OF_A_HOST and labels[-1] not in _ATTRIBUTES
    return _show_domain(match) if is_long or host.endswith(_OF_NO_CODE) else match[0]


def _show_address(match: re.Match[str]) -> str:
    return match[0] if match[0] in _OF_THIS_MACHINE else LEFT_OUT


def _show_domain(match: re.Match[str]) -> str:
    # A sentence in Chinese, Japanese or Korean has no blank before a host.
    host = _EAST_ASIAN.sub("", match[0].lower())
    is_code = not host.endswith(_OF_NO_CODE) and is_written(host)
    return match[0] if is_known_host(host) or is_code else LEFT_OUT


def is_known_host(host: str) -> bool:
    """Return whether a host is public, this machine, or named in an entry."""
    return is_public_host(host) or host in _OF_THIS_MACHINE or host in read_known_words()


def _show_host(match: re.Match[str]) -> str:
    host = match["host"].lower()
    return match[0] if is_known_host(host) else f"{match['login']}{LEFT_OUT}"
