"""Read whether the program of a text runs in WSL, and not in Windows itself."""

from collections.abc import Iterator, Mapping

from torchdoctor.core.patterns import pattern

_WSL = r"\bWSL ?-?[12]?\b|\bWindows Subsystem for Linux\b"
# The kernel of WSL 1 and of WSL 2, as `uname` names them, and a shell in a folder of Windows.
_KERNEL_1 = r"\b4\.4\.0-\d{4,5}-Microsoft\b"
_KERNEL_2 = r"microsoft-standard-WSL2|\d-microsoft-standard\b"
_SHELL = r"[\w.-]{1,40}@[\w.-]{1,60}:/mnt/[a-z]/[^\s$]{0,200}\$"
_WSL_1 = r"\bWSL ?-?1\b(?![.\d])"
# The machine of a clause with these is not where the program fails.
_NOT_HERE = (
    r"\b(?:no|not|non|without|instead of|outside|never|rather than|don['’]t|works?|worked|fine|runs? well"
    r"|no problem|should|would|could|maybe|try|tried|use[ds]? to|before|previously|enabled?|installed|host)\b"
)
_CLAUSE = r"[.,;:!?](?=\s|$)|\s-\s|\bbut\b|\bwhile\b|\bwhereas\b|\n"
# What runs in Windows itself.
_WINDOWS_ITSELF = r"File \"[A-Za-z]:\\|^(?:\([^)\n]{1,40}\) ?)?(?:PS )?[A-Za-z]:\\[^>\n]{0,200}> ?\S"


def read_place(text: str) -> Mapping[str, str]:
    """Return `place`, "wsl" or "wsl 1"; {} where the program runs elsewhere."""
    lowered = text.lower()
    if not any(word in lowered for word in ("wsl", "subsystem", "microsoft", "/mnt/")):
        return {}
    place = _read_wsl(text)
    return {"place": place} if place else {}


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


def _split(text: str) -> Iterator[str]:
    return filter(str.strip, pattern(_CLAUSE, True).split(text))
