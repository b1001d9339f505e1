"""Hide what a user has named of Linux: distributions of WSL, and the servers that GNOME shows as folders."""

import re

# What Microsoft's list of distributions offers, and what Docker, Podman and Rancher install.
_PUBLIC = re.compile(
    r"(?i)(?:Ubuntu(?:-\d\d\.\d\d|-Preview)?|Debian|kali-linux(?:-rolling)?|openSUSE(?:-Tumbleweed|-Leap(?:-\d\d\.\d)?|-\d\d)?"
    r"|SUSE-Linux-Enterprise(?:-Server)?-\d\d(?:-SP\d)?|SLES-\d\d|OracleLinux_\d{1,2}_\d{1,2}|AlmaLinux(?:-Kitten)?-\d{1,2}"
    r"|FedoraLinux-\d\d|fedoraremix|archlinux|Alpine|eLxr|WLinux|Pengwin|NixOS|docker-desktop(?:-data)?|rancher-desktop(?:-data)?"
    r"|podman-machine-default|legacy|system|\d|<\w{1,20}>|\.{3})"
)
# The spaces are those that mark what may be a written escape: \\archlinux
_MARK = "\u2004-\u2006\u205f"
_NAME = rf"(?P<name>[^\W_](?:[{_MARK}]|[^\s\\/:;|*?<>\"'`,()\[\]]){{0,62}})"
_DISTRIBUTION = re.compile(
    r"(?i)(?P<start>[\\/]wsl(?:\.localhost|\$)[\\/]{1,8}"
    r"|\bWSL_DISTRO_NAME(?:[ ]?=[ ]?|[\"']:[ ]?|[ ]{1,20})[\"']?|\bwsl\+"
    r"|\bwsl(?:\.exe)?[ ](?:--system[ ])?(?:-d|--distribution|-t|--terminate|--unregister|--export"
    r"|--import(?:-in-place)?|-s|--set-default|--set-version|--manage)[ =][\"']?)" + _NAME
)
# /run/user/1000/gvfs/smb-share:server=x,share=y,user=z
_MOUNT = re.compile(r"(?<=gvfs/)[a-z][a-z-]{1,20}:[^/\s]{1,400}")
_OF_A_MOUNT = re.compile(r"(?P<key>[:,](?P<name>server|host|user|domain)=)[^,/\s\"'`]{1,200}")
_MASKS = {"server": "<host>", "host": "<host>", "user": "<user>", "domain": "<domain>"}


def hide_distributions(text: str) -> str:
    """Replace the name of a distribution of WSL by `<distribution>` unless Microsoft's list has it."""
    return _DISTRIBUTION.sub(_show, text) if "wsl" in text.lower() else text


def _show(match: re.Match[str]) -> str:
    name = re.sub(f"[{_MARK}]", "", match["name"])
    return match[0] if _PUBLIC.fullmatch(name) else f"{match['start']}<distribution>"


def hide_mounts(text: str) -> str:
    """Replace the server, the user and the domain of each share that GNOME shows as a folder."""
    return _MOUNT.sub(_hide_mount, text) if "gvfs/" in text else text


def _hide_mount(match: re.Match[str]) -> str:
    return _OF_A_MOUNT.sub(lambda part: f"{part['key']}{_MASKS[part['name']]}", match[0])
