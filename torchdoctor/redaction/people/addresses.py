"""Hide the addresses of machines where the text around them, or their own form, says that they are some.

Four numbers can be a version as well (`cudart 10.1.243.0`), so most count only where a host stands.
"""

import re

from torchdoctor.redaction.people.hosts import is_distinctive

_IPV4 = r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_IPV6 = r"(?=[0-9a-f:]{0,37}::|(?:[0-9a-f]{1,4}:){7})[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?:%\w{1,20})?"
# Of this machine, or of none.
_LOCAL = re.compile(r"(?i)(?:::ffff:)?(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0)|::1?")
# As torch.distributed, MPI, shells and URLs write one.
_AT_A_HOST = re.compile(
    rf"(?i)(?:(?<![\w)\]])\[(?P<bracketed>{_IPV4}|{_IPV6})(?=\]:\d)"
    rf"|(?P<start>\bconnect(?:ed|ing|ion)?[ ](?:to[ ])?|(?<![A-Za-z])ip(?:v4)?(?:[ _-]?addr(?:ess|esse)?)?"
    r"(?:=|:[ ])[\"']?|\b(?:bind[ ]to|ping)[ ]|(?:addr|endpoint)[= ]|@|://)"
    rf"(?P<named>{_IPV4})(?![\w.-])|(?<![\w.-])(?P<served>{_IPV4})(?=:\d{{4,5}}(?![\w.])))"
)
# Of a network at home or of an interface: these can be nothing else.
_BY_FORM = re.compile(
    r"(?i)(?<![\w.-])(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![\w-]|\.\w)"
    # An address that is public, and a network card as routers write it.
    r"|(?<![\w:.])[23][0-9a-f]{3}(?:(?::[0-9a-f]{1,4}){7}|(?::[0-9a-f]{1,4}){1,5}::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,4})?)(?!\w|:[\w:])"
    r"|(?<![\w.-])(?=[\d.]{0,13}[a-f])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![\w-]|\.\w)"
    r"|(?<![\w:])fe80::[0-9a-f:]{1,30}(?:%\w{1,20})?(?![\w:])"
    r"|(?<![\w:-])[0-9a-f]{2}(?:(?::[0-9a-f]{2}){5}|(?:-[0-9a-f]{2}){5})(?![\w:-])"
)
# A host without a domain, or with one of a network at home or in a company.
_PRIVATE = r"(?:local|lan|internal|intranet|localdomain|home\.arpa|fritz\.box)"
_PRIVATE_HOST = re.compile(
    rf"(?i)(?P<start>(?<=[a-z\d])://(?:<[a-z]+>(?::<[a-z]+>)?@)?"
    r"|(?<=--trusted-host)[ =]|(?<=proxy)=[\"']?(?=[\w.-]+:\d))"
    rf"(?P<host>[a-z][\w-]{{0,62}}(?:(?:\.[\w-]{{1,63}}){{0,4}}\.{_PRIVATE})?)(?![\w-]|\.\w)"
    rf"|(?<![\w.@/-])(?P<served>[a-z][\w-]{{0,62}}\.{_PRIVATE})(?=:\d{{2,5}}(?!\w))"
)
_SIGNS = (
    "://", "-host", "proxy=", ".local:", ".lan:", ".internal:", ".intranet:", ".localdomain:", ".arpa:",
    ".box:",
)  # fmt: skip


def hide_addresses(text: str) -> str:
    """Replace the addresses of machines, and the names of hosts in local networks, by `<host>`."""
    if text.count(".") > 2 or "]:" in text:
        text = _AT_A_HOST.sub(_hide_address, text)
    lowered = text.lower()
    if "::" in text or text.count(".") > 1 or text.count(":") > 4 or text.count("-") > 4:
        text = _BY_FORM.sub("<host>", text)
    if any(sign in lowered for sign in _SIGNS):
        text = _PRIVATE_HOST.sub(_hide_private, text)
    return text


def _hide_address(match: re.Match[str]) -> str:
    address = match["bracketed"] or match["named"] or match["served"]
    return match[0] if _LOCAL.fullmatch(address) else match[0][: -len(address)] + "<host>"


def _hide_private(match: re.Match[str]) -> str:
    host = match["host"] or match["served"]
    label = host.partition(".")[0]
    if host.lower() == "localhost" or not is_distinctive(label):
        return match[0]
    return match[0][: -len(host)] + "<host>"
