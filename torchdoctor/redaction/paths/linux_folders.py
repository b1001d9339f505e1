"""Hide the names that a user gave to distributions of WSL."""

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


def hide_distributions(text: str) -> str:
    """Replace the name of a distribution of WSL by `<distribution>` unless Microsoft's list has it."""
    return _DISTRIBUTION.sub(_show, text) if "wsl" in text.lower() else text


def _show(match: re.Match[str]) -> str:
    name = re.sub(f"[{_MARK}]", "", match["name"])
    return match[0] if _PUBLIC.fullmatch(name) else f"{match['start']}<distribution>"
