"""Show the name of a folder by its place in a path: programs make it, or fill one above it."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from torchdoctor.domain.masks import LEFT_OUT, MASKED
from torchdoctor.redaction.paths.homes import FOLDERS_OF_HOMES, is_shared
from torchdoctor.redaction.paths.path_parts import show_whole_part
from torchdoctor.redaction.people.public_hosts import is_public_host
from torchdoctor.redaction.words.odd_words import leave_out_file
from torchdoctor.redaction.words.shared_names import is_folder_of_programs

# Stands for a part with other letters than those of ASCII, for which a check looks.
_LEFT_OUT_BEYOND_ASCII = "\u2026"
_OF_SERVER = re.compile(r"(?:.*://|//|\\{2,16}|.*UNC\\{1,8})", re.IGNORECASE)
_MASK = re.compile(rf"<(?:{MASKED})>|\.{{3}}|{_LEFT_OUT_BEYOND_ASCII}")
ONLY_MASK = re.compile(
    rf"(?:<(?:{MASKED})>|~|{_LEFT_OUT_BEYOND_ASCII})(?:@SSL)?(?:@\d{{1,5}})?|\.{{3}}(?: \.\w{{1,11}})?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*")
# What stands beside a mask in the name of a folder.
_BESIDE_MASKS = frozenset((
    "archived", "creative", "documents", "dokumente", "general", "hsperfdata", "krb5cc", "of",
    "personal", "sharedlibraries", "ssl", "torchinductor",
))  # fmt: skip
# What systems, servers and clients of cloud storage call the folders in which those of people stand.
_STRUCTURE = frozenset((
    "$recycle.bin", ".pixi", "afs", "all users", "autofs", "batch", "box sync", "box", "box-box", "c$",
    "clients", "cloudfiles", "cloudstorage", "clusters", "com~apple~clouddocs", "content",
    "creative cloud files", "cygdrive", "d$", "dav", "davwwwroot", "dbfs", "documents and settings",
    "drive", "dropbox (personal)", "dropbox", "export", "exports", "filestore", "gdrive",
    "google drive", "gpfs", "gvfs", "home", "homes", "icloud drive", "iclouddrive", "kaggle",
    "kio-fuse", "library", "localhost", "ls_root", "lustre", "media", "mnt", "mobile documents",
    "mounts", "my drive", "my dropbox", "mydrive", "net", "network", "nextcloud", "nfs", "onedrive",
    "onedrive-personal", "owncloud", "personal", "private", "profiles", "public", "pypoetry", "rclone",
    "remote.php", "repos", "root", "run", "sagemaker", "scratch", "servers", "shared drives", "shared",
    "shareddrives", "sites", "smb", "srv", "sshfs", "studios", "sync", "teams", "teamspace", "tsclient",
    "unc", "user", "users", "var", "virtualenvs", "volumes", "workspace", "wsl", "wsl$",
    "wsl.localhost",
))  # fmt: skip
# What stands in the folders of homes is a person.
_HOMES = frozenset((*FOLDERS_OF_HOMES, "people"))
_SERVERS_OF_LINUX = ("wsl$", "wsl.localhost")
# Packages of the Microsoft Store, and the Pythons that uv installs.
_PACKED = re.compile(
    r"PythonSoftwareFoundation\.[\w.]{4,60}_qbz5n2kfra8p0"
    r"|(?:cpython|pypy)-\d\.\d{1,2}\.\d{1,2}-(?:windows|linux|macos)-(?:x86|x86_64|aarch64)-(?:none|gnu|musl)"
)
# Programs fill these, and nobody else: at any depth, in a Python, on a drive, and below the root.
_FILLED = frozenset(
    ("custom_nodes", "dist-packages", "program files", "program files (x86)", "site-packages")
)
_FILLED_IN_PYTHON = frozenset(
    ("conda-meta", "dlls", "include", "lib", "lib-dynload", "libs", "library", "pkgs", "tcl")
)
_PYTHON = re.compile(
    r"(?:cpython|pypy|python)[\d.-]*(?:_embed(?:ded|ed))?|(?:mini|ana)conda[23]?|miniforge3?|mambaforge\d?|micromamba|conda|\.?venv\d*"
)
_FILLED_ON_DRIVE = frozenset(("windows", "winnt"))
_DRIVE = re.compile(r"[a-z](?:\$|:)?", re.IGNORECASE)
_FILLED_BELOW_ROOT = frozenset((
    "Applications", "Library", "System", "bin", "etc", "lib", "lib64", "nix", "proc", "sbin", "sys",
    "usr/bin", "usr/include", "usr/lib", "usr/lib64", "usr/libexec", "usr/local/bin", "usr/local/include",
    "usr/local/lib", "usr/local/lib64", "usr/local/share", "usr/sbin", "usr/share", "usr/src",
))  # fmt: skip
_ROOT_OF_PROGRAMS = re.compile(
    r"(?:%(?:systemroot|windir|programfiles(?:\(x86\))?|programw6432)%"
    r"|\$(?:env:)?\{?(?:systemroot|windir|programfiles(?:\(x86\))?)\}?)[\\/]",
    re.IGNORECASE,
)
_OF_WEBDAV = re.compile(r"(?:@SSL)?(?:[@:]\d{1,5})?$", re.IGNORECASE)


def find_filled(root: str, names: Sequence[str]) -> int:
    """Return the number of the first folder that programs fill, or how many folders there are.

    What `..` leads out of does not count: site-packages/../../data is below no site-packages.
    """
    lowered = [unquote(name).strip().lower() for name in names]
    start = 0
    if _ROOT_OF_PROGRAMS.fullmatch(root):
        start = _find_way_out(lowered, 0)
        if not start:
            return -1
    found = _find_filled_from(root, names, lowered, start)
    while found < len(names) and (start := _find_way_out(lowered, found + 1)):
        found = _find_filled_from(root, names, lowered, start)
    return found


def _find_way_out(names: Sequence[str], start: int) -> int:
    """Return the number behind the `..` that leads out of the folder before `start`, or 0."""
    depth = 0
    for number in range(start, len(names)):
        depth += {"..": -1, ".": 0}.get(names[number], 1)
        if depth < 0:
            return number + 1
    return 0


def _find_filled_from(root: str, names: Sequence[str], lowered: Sequence[str], start: int) -> int:
    for number in range(start, len(lowered)):
        name = lowered[number]
        before = lowered[number - 1] if number else ""
        if name in _FILLED or (name in _FILLED_IN_PYTHON and _PYTHON.fullmatch(before)):
            return number
        is_on_drive = root[1:2] in (":", "%") if not number else _DRIVE.fullmatch(before) is not None
        if name in _FILLED_ON_DRIVE and is_on_drive:
            return number
        if root == "/" and "/".join(names[: number + 1]) in _FILLED_BELOW_ROOT:
            return number
    return len(names)


def show_folder(root: str, names: Sequence[str], number: int, filled: int) -> str:
    """Return the name of a folder or a file, by its number in a path, or what stands for it."""
    name = names[number]
    if number > filled:
        return name
    if not number and _OF_SERVER.fullmatch(root):
        return _show_server(name)
    if number == 1 and names[0].lower() in _SERVERS_OF_LINUX:
        # The distributions that no list has are hidden before.
        return name
    plain = unquote(name.replace("+", "%2B")).strip()
    shown = _show_name(plain)
    before = names[number - 1] if number else root.strip("\\/")
    if before.lower() in _HOMES and not is_shared(plain) and plain not in (".", ".."):
        is_person = before == "Users" and plain.lower() not in _STRUCTURE and _MASK.search(plain) is None
        if shown == LEFT_OUT or is_person:
            return "<user>"
    if shown == LEFT_OUT and not plain.isascii():
        return _LEFT_OUT_BEYOND_ASCII
    return name if shown == plain else shown


def _show_server(name: str) -> str:
    host, joint, rest = name.partition("@")
    is_shown = (
        host.lower() in _STRUCTURE or _MASK.fullmatch(host) or is_public_host(host.lower()) or host in ".?"
    )
    if is_shown and _OF_WEBDAV.fullmatch(f"{joint}{rest}"):
        return name
    found = _OF_WEBDAV.search(name)
    return f"<host>{found[0] if found is not None else ''}"


def _show_name(name: str) -> str:
    lowered = name.lower()
    if (
        lowered in _STRUCTURE
        or lowered.rstrip("0123456789") in _HOMES
        or _PACKED.fullmatch(name)
        or ONLY_MASK.fullmatch(name)
        or not _WORD.search(name)
    ):
        return name
    if _MASK.search(name) is None:
        return show_whole_part(name)
    beside = _WORD.findall(_MASK.sub(" ", lowered))
    is_shown = " ".join(beside) in _STRUCTURE or all(
        word in _BESIDE_MASKS or word in _STRUCTURE or is_folder_of_programs(word) for word in beside
    )
    return name if is_shown else leave_out_file(name)
