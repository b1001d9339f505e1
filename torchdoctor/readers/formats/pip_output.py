"""What pip prints while it installs: what is installed already, and what it has installed."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "pip-output"
_SATISFIED = (
    rf"Requirement already (?:satisfied|up-to-date):"
    rf" (?P<name>[A-Za-z][\w.-]{{0,60}}?)(?:\[[\w,-]{{1,60}}\])?(?:[<>=!~ ][^\n(]{{0,120}}?)?"
    rf" in (?P<folder>[^\n(]{{3,250}}?) (?:\(from [^\n()]{{1,200}}(?:\(line \d{{1,5}}\))?\) )?"
    rf"\((?P<version>{values.VERSION})\)"
)
_INSTALLED = r"Successfully installed (?P<list>[\w.+! -]{3,4000})"
_PAIR = rf"(?P<name>[A-Za-z][\w.-]{{0,60}}?)-(?P<version>{values.VERSION}|\d{{4,8}})(?=\s|$)"
# What uv prints of an installation.
_UV = r"\s*Installed \d{1,4} packages? in "
_ADDED = rf"\s*\+ (?P<name>[A-Za-z][\w.-]{{0,60}})==(?P<version>{values.VERSION})\s*$"
# pip takes a wheel with the tags of the Python that it runs in.
_WHEEL = (
    r"\b(?:Downloading|Using cached) \S{1,300}-cp3(?P<minor>\d{1,2})-cp3\d{1,2}t?"
    r"-(?P<platform>win|manylinux|macosx)"
)
_PLATFORMS = {"win": "windows", "manylinux": "linux", "macosx": "darwin"}
# "you have torch 2.1.0 which is incompatible."
_HAVE = (
    rf"but you(?:'ll)? have (?P<name>[A-Za-z][\w.-]{{0,60}}) (?P<version>{values.VERSION})"
    rf" which is incompatible"
)
_HAS_NEED = (
    rf"(?<![\w.-])(?P<name>[A-Za-z][\w.-]{{0,60}}) (?P<version>{values.VERSION}) (?:requires|has"
    rf" requirement) [^\n,]{{2,80}}"
    r"(?:,[^\n,]{1,20}){0,3}, but you"
)
# What it says of torch: "xformers 0.0.21 requires torch==2.0.1, but you have torch 2.1.0".
_NEEDS_TORCH = (
    rf"(?<![\w.-])(?P<name>[A-Za-z][\w.-]{{0,60}}) {values.VERSION} (?:requires|has requirement) torch ?\(?"
    r"(?P<range>[<>=!~]=?[^\n;]{1,60}?)\)?, but you(?:'ll)? have torch "
)
# A console breaks lines at its width, also within a name; what is copied from it keeps the breaks.
_WIDTHS = (80, 120)
_LONG_LINE = (
    r"\s*(?P<list>Successfully installed )|\s*Requirement already satisfied: "
    r"|\s*(?:ERROR: )?[A-Za-z][\w.-]{0,60} \d\S{0,30} (?:requires|has requirement) "
)
_REST_OF_LIST = r"[\w.+! -]{1,120}$"
_REST = r"(?!ERROR|WARNING|\[notice|(?:\([\w.-]{1,40}\) ?)?(?:[A-Za-z]:\\|PS |\$))\S"
_SHOWN_NAME, _SHOWN_VERSION = (
    r"Name: (?P<name>[A-Za-z][\w.-]{0,60})\s*$",
    rf"Version: (?P<version>{values.VERSION})\s*$",
)


# A torch of PyPI has no local part in its version; from 2.0 on, those of other indexes have one.
_OF_PYPI = r"[2-9]\.\d{1,2}\.\d{1,2}"
_WINDOWS, _OTHER_SYSTEM = (
    r"(?<![A-Za-z])[A-Za-z]:\\|\bwin_amd64\b|\b[Ww]in(?:dows)? ?1[01]\b",
    r"manylinux|/home/|/usr/|macosx",
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the packages that pip says are installed."""
    lines = list(_join_broken(lines))
    is_windows = _is_of_windows(lines)
    shown = ""
    is_uv = any(pattern(_UV).match(line) for _, line in lines)
    for number, line in lines:
        added = pattern(_ADDED).match(line) if is_uv else None
        if added:
            yield from _read_package(added["name"], added["version"], number)
        wheel = pattern(_WHEEL).search(line) if "-cp3" in line else None
        if wheel:
            yield Statement(Topic.PYTHON, f"3.{wheel['minor']}", number, _NAME)
            yield Statement(Topic.SYSTEM, _PLATFORMS[wheel["platform"]], number, _NAME)
        if "which is incompatible" in line:
            for pair in (*pattern(_HAVE).finditer(line), *pattern(_HAS_NEED).finditer(line)):
                yield from _read_package(pair["name"], pair["version"], number)
            for need in pattern(_NEEDS_TORCH).finditer(line):
                wanted = pattern(r"\s|\+\w{1,12}").sub("", need["range"])
                yield Statement(Topic.REQUIRED_TORCH, wanted, number, _NAME, subject=need["name"].lower())
        match = pattern(_SATISFIED).search(line)
        if match:
            yield from _read_package(match["name"], match["version"], number)
            folder = match["folder"]
            if folder.rstrip().endswith(("site-packages", "dist-packages")):
                yield Statement(Topic.SITE_PACKAGES, folder.strip(), number, _NAME)
        installed = pattern(_INSTALLED).search(line)
        if installed:
            for pair in pattern(_PAIR).finditer(installed["list"]):
                yield from _read_package(pair["name"], pair["version"], number)
                if is_windows and pair["name"] == "torch" and pattern(_OF_PYPI).fullmatch(pair["version"]):
                    yield Statement(Topic.TORCH_CUDA, "none", number, _NAME)
        name, version = pattern(_SHOWN_NAME).match(line), pattern(_SHOWN_VERSION).match(line)
        if version and shown:
            yield from _read_package(shown, version["version"], number)
        shown = name["name"] if name else ""


def _is_of_windows(lines: Lines) -> bool:
    """Return whether pip ran on Windows, where PyPI's torch is a CPU build."""
    text = "\n".join(line for _, line in lines if "\\" in line or "win" in line.lower() or "/" in line)
    return pattern(_WINDOWS).search(text) is not None and not pattern(_OTHER_SYSTEM).search(text)


def _join_broken(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, and the long ones of pip that a console broke as one."""
    first, text, last, width, rest = 0, "", "", 0, ""
    for number, line in lines:
        start = pattern(_LONG_LINE).match(line)
        if width and not start and pattern(rest).match(line):
            # A blank at the end of a line is not copied.
            text += line if len(last) == width else f" {line}"
        else:
            if first:
                yield first, text
            first, text = number, line
            width = next((each for each in _WIDTHS if start and each - len(line) in (0, 1)), 0)
            rest = _REST_OF_LIST if start and start["list"] else _REST
        last = line
        width = width if width - len(line) in (0, 1) else 0
    if first:
        yield first, text


def _read_package(name: str, version: str, number: int) -> Iterator[Statement]:
    for topic, value, subject in values.read_installed(name, version):
        yield Statement(topic, value, number, _NAME, subject=subject)
