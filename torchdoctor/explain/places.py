"""Read whether the program of a text runs in WSL or in a virtual machine of Windows."""

from collections.abc import Iterator, Mapping

from torchdoctor.core.patterns import pattern

_WSL = r"\bWSL ?-?[12]?\b|\bWindows Subsystem for Linux\b"
# The kernel of WSL 1 and of WSL 2, as `uname` names them, and a shell in a folder of Windows.
_KERNEL_1 = r"\b4\.4\.0-\d{4,5}-Microsoft\b"
_KERNEL_2 = r"microsoft-standard-WSL2|\d-microsoft-standard\b"
_SHELL = r"[\w.-]{1,40}@[\w.-]{1,60}:/mnt/[a-z]/[^\s$]{0,200}\$"
_WSL_1 = r"\bWSL ?-?1\b(?![.\d])"
_PRODUCTS = (
    r"VirtualBox|VMware(?: Workstation| Player| Fusion)?|Hyper-?V|Parallels(?: Desktop)?|QEMU|UTM|Proxmox"
)
_MACHINE = r"\b(?:VM|virtual machine|guest)\b"
# Without a word for the machine, these are only installed, or switched on.
_VIRTUAL = (
    rf"\b(?P<product>{_PRODUCTS})(?: \d[\d.]{{0,8}})?[ -]"
    rf"(?:(?:Windows|Win|guest|Win ?1[01]|1[01]) ?){{0,3}}{_MACHINE}"
    rf"|{_MACHINE}[^\n.;:]{{0,30}}?\b(?:in|of|under|with|on|by|\() ?(?:Oracle |Microsoft )?"
    rf"(?P<other>{_PRODUCTS})\b"
    r"|\b(?:in|inside|within) (?:Oracle )?"
    r"(?P<inside>VirtualBox|VMware(?: Workstation| Player| Fusion)?|Parallels)\b"
)
# A card that the host passes on.
_PASSED_ON = (
    r"pass(?:ed|es|ing)?[ -]?(?:it |the \w+ )?through|\bvGPU\b|\bGPU-?PV?\b|\bGRID\b|\bDDA\b|partition"
)
# The machine of a clause with these is not where the program fails.
_NOT_HERE = (
    r"\b(?:no|not|non|without|instead of|outside|never|rather than|don['’]t|works?|worked|fine|runs? well"
    r"|no problem|should|would|could|maybe|try|tried|use[ds]? to|before|previously|enabled?|installed|host)\b"
)
_CLAUSE = r"[.,;:!?](?=\s|$)|\s-\s|\bbut\b|\bwhile\b|\bwhereas\b|\n"
# What runs in Windows itself.
_WINDOWS_ITSELF = r"File \"[A-Za-z]:\\|^(?:\([^)\n]{1,40}\) ?)?(?:PS )?[A-Za-z]:\\[^>\n]{0,200}> ?\S"


def read_place(text: str) -> Mapping[str, str]:
    """Return `place`, "wsl", "wsl 1" or "virtual machine", with the product as `machine`; {} elsewhere."""
    lowered = text.lower()
    if "wsl" in lowered or "subsystem" in lowered or "microsoft" in lowered or "/mnt/" in lowered:
        place = _read_wsl(text)
        if place:
            return {"place": place}
    if "virtual" in lowered or "vm" in lowered or "parallels" in lowered or "guest" in lowered:
        return _read_machine(text)
    return {}


def _read_wsl(text: str) -> str:
    if pattern(_KERNEL_1).search(text):
        return "wsl 1"
    if pattern(_KERNEL_2).search(text) or pattern(_SHELL, True).search(text):
        return "wsl"
    if pattern(_WINDOWS_ITSELF).search(text):
        return ""
    named = [clause for clause in _split(text) if pattern(_WSL, True).search(clause)]
    here = [clause for clause in named if not pattern(_NOT_HERE, True).search(clause)]
    if not here:
        return ""
    return "wsl 1" if all(pattern(_WSL_1, True).search(clause) for clause in here) else "wsl"


def _read_machine(text: str) -> Mapping[str, str]:
    if pattern(_PASSED_ON, True).search(text):
        return {}
    for clause in _split(text):
        match = pattern(_VIRTUAL, True).search(clause)
        # "VirtualBox VM on a host with an RTX 3070" is about the machine in the host.
        if match and not pattern(_NOT_HERE, True).search(clause[: match.start()]):
            behind = clause[match.end() :]
            if not pattern(r"\b(?:works?|worked|fine|no problem)\b", True).search(behind):
                return {"place": "virtual machine", "machine": next(filter(None, match.groups()))}
    return {}


def _split(text: str) -> Iterator[str]:
    return filter(str.strip, pattern(_CLAUSE, True).split(text))
