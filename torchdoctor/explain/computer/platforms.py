"""Find out which operating system a text comes from."""

import sys
from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Kind, Unit

_WINDOWS = (
    r"\b[a-z]:\\|\b[a-z]:/(?!/)|\\\\\?\\|\.dll\b|\.pyd\b|\bwinerror\b|\bwin32\b|\bwin_amd64\b|\bwin-64\b|\bwin-32\b"
    r"|\bMINGW(?:32|64) [/~]|\bGit Bash\b|\bMicrosoft Store\b"
    r"|(?<![\w-])windows(?:path)?\b|\bpowershell\b|\.exe\b|\bmsvc\b|\b0xc0000[0-9a-f]{3}\b|-10737\d{5}\b|322122\d{4}\b"
)
# Signs of Linux or macOS. Paths of C++ sources do not count: they come from the build machine.
_UNIX = (
    r"(?<![\w.<>:~/])/"
    r"(?:home|usr|opt|root|Users|mnt|media|var|private|tmp|lib|lib64|Library|Applications"
    r"|workspace|notebooks|kaggle|content|data|scratch)/"
    r"(?![^\s:\"']{0,300}\.(?:cpp|cu|h|cuh|hpp|c|cc):)"
    r"|/dev/shm|\bdmesg\b|\(core dumped\)|killed by signal|Segmentation fault|linux-gnu|\bmanylinux|\bglibc\b"
    r"|\blib[\w-]{1,60}\.so(?:\.\d+){0,3}:|\.so: undefined symbol|\bulimit\b"
    r"|(?<![A-Za-z])(?:[Uu]buntu|[Cc]ent[Oo][Ss]|[Dd]ebian|[Ff]edora)(?![A-Za-z-])"
    r"|\b(?:[Aa]rch|[Mm]anjaro|[Gg]entoo|[Vv]oid|[Ll]inux|[Pp]op!?_OS) [Ll]inux\b|\b[Ll]inux [Mm]int\b"
    r"|\b(?:gcc|GCC) \((?:Ubuntu|Debian|Red Hat)"
    # The layout of Python's folders there, and the names that people give their systems.
    r"|/lib/python3\.\d{1,2}/|\bMac(?:Book)? ?(?:laptop|Pro|Air|mini|Studio|M[1-9])\b"
    r"|\bMacBook|\bmy Mac\b|\bzsh\b|\b(?:osx|OSX|mac ?OS|macOS)\b|\bApple M[1-9]\b"
    r"|\b[Rr]aspberry|\bpiwheels\b"
    r"|\b(?:[Dd]ocker|the) container\b|\bdocker (?:run|build|compose)\b|\brm -rf\b"
    r"|\bOS: (?:[\w.-]{1,20} ){0,2}(?:Ubuntu|Linux|Debian|CentOS|Fedora|macOS|Mac OSX)"
    # A prompt of a Unix shell, and what conda calls the platform.
    r"|\b[\w.-]{1,40}@[\w.-]{1,60}:[~/][\w./~-]{0,200} ?[$#] |\bsudo \w"
    r"|\bPlatform: (?:linux|osx)-\w|/(?:linux|osx)-(?:64|arm64)\b|\bPython 3[\d.]{1,6} on (?:Linux|Darwin)\b"
    # Nix, and hosts of bots and small servers, which run Linux.
    r"|/nix/store/|/build/source/|\bnix (?:run|develop|build|shell|flake|profile)\b|\bNixOS\b"
    r"|\b[Pp]terodactyl\b|\b[Hh]eroku\b|\b[Rr]eplit\b"
    # The lines of a Dockerfile, and the package managers of Linux, where no message quotes them as advice.
    r"|\bRUN (?:apk|apt|apt-get|pip|python3?|yum|dnf) |(?<!')\b(?:apk add|apt(?:-get)? install|yum install) "
)
# What packages print of the machine on which they were built, as `python -m xformers.info` does.
_BUILD_MACHINE = r"\bbuild\.[\w.]{1,60}: {1,60}\S{1,300}"


# A prompt of cmd or PowerShell, with a command.
_WINDOWS_PROMPT = (
    r"(?:^|[\s)])(?:PS )?[A-Za-z]:\\[^>|<\"'\n]{0,200}> ?(?:python|py|pip|conda|uv|git|scp|cd)\b"
)


def find_system() -> dict[str, str]:
    """Return the value `run_on` of what a program printed here: `sys.platform`, but "windows" for Windows."""
    return {"run_on": "windows" if sys.platform == "win32" else sys.platform}


def is_foreign(units: Sequence[Unit]) -> bool:
    """Return whether the text comes from Linux or macOS, and nothing in it from Windows."""
    return any(_shows_unix(unit) for unit in units) and not any(_shows_windows(unit) for unit in units)


def typed_on_windows(units: Sequence[Unit]) -> bool:
    """Return whether a command was typed at a prompt of Windows, and no code ran on Linux or macOS."""
    has_prompt = any(pattern(_WINDOWS_PROMPT).search(unit.text) for unit in units)
    return has_prompt and not any(
        unit.frame is not None and unit.frame.path.startswith("/") for unit in units
    )


def _shows_unix(unit: Unit) -> bool:
    if unit.frame is not None and unit.frame.path.startswith("/"):
        return True
    return bool(pattern(_UNIX).search(pattern(_BUILD_MACHINE).sub("", unit.text)))


def _shows_windows(unit: Unit) -> bool:
    if unit.kind is Kind.FRAME and unit.frame is not None:
        return bool(pattern(_WINDOWS, True).search(unit.frame.path))
    return bool(pattern(_WINDOWS, True).search(unit.text))
