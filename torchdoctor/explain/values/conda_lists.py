"""Read the packages that conda did not find, and the file that names them."""

from collections.abc import Mapping

from torchdoctor.core.patterns import pattern

_REQUESTED = (
    r"- nothing provides requested (?P<name>[\w.-]{1,60}) ={1,2}(?P<number>[\w.]{1,30})"
    r" (?P<build>\w{4,60})(?!\S)"
)
_MESSAGE = rf"ResolvePackageNotFound|PackagesNotFoundError|not available from current channels|{_REQUESTED}"
_FILE = r"\bconda env (?:create|update)\b[^\n]{0,60}?(?:-f|--file)[ =]{0,2}(?P<file>[\w.-]{1,60}\.ya?ml)\b"
# The lines of a list may be joined to one.
_ITEM = r"(?<=\s)- (?P<name>[\w.-]{1,60})={1,2}(?P<number>[\w.]{1,30})(?:=(?P<build>[\w.]{1,60}))?(?![^\s])"
_ANY_ITEM = r"(?:^|\s)- [\w.-]{1,60}(?:[=\s]|$)"
# Packages that conda's channels have for Linux or macOS and not for Windows.
_FOR_OTHERS = (
    r"torchtriton|cudatoolkit-dev|nccl|lib(?:gcc|stdcxx|gfortran)-ng|libgomp|_libgcc_mutex|\w{2,30}_linux-64"
    r"|appnope|libcxx(?:abi)?|ncurses|readline|libuuid|libedit|dbus|alsa-lib|gnutls|nettle|lame|libidn2"
    r"|libtasn1|libunistring|openh264"
)
_MOST_NAMES = 12


def read_conda_list(text: str) -> Mapping[str, str]:
    """Return what a list of packages that conda did not find shows; nothing without such a message.

    `conda_list` is "yes", and so is `conda_unlisted` if the packages are not in the text.
    `conda_file` is the name of the file that was given to conda, `linux_names` the
    packages that Windows does not have, in backquotes; `built_line` is one that names a build, and `cut_line`
    the same without it: "`pytorch=2.0.1`".
    """
    message = pattern(_MESSAGE, True).search(text)
    if message is None:
        return {}
    values = {"conda_list": "yes"}
    file = pattern(_FILE, True).search(text)
    if file is not None:
        values["conda_file"] = file["file"]
    items = list(pattern(_ITEM if message["build"] is None else _REQUESTED).finditer(text, message.start()))
    if not pattern(_ANY_ITEM).search(text, message.start()):
        values["conda_unlisted"] = "yes"
    names = dict.fromkeys(item["name"] for item in items if pattern(_FOR_OTHERS).fullmatch(item["name"]))
    if names:
        values["linux_names"] = ", ".join(f"`{name}`" for name in list(names)[:_MOST_NAMES])
    built = next((item for item in items if item["build"] and item["name"] not in names), None)
    if built is not None:
        values["cut_line"] = f"`{built['name']}={built['number']}`"
        values["built_line"] = f"`{built['name']}={built['number']}={built['build']}`"
    return values
