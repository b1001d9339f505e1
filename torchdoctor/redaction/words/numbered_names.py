"""Recognise names of folders with the numbers that programs give: of Pythons, CUDA, torch and cards.

No other number is known by its shape: sm88 can be initials with a year of birth, 12.04.1952 a birthday.
"""

import re
from functools import cache

from torchdoctor.domain.cuda_variants import read_builds
from torchdoctor.domain.releases import find_newest_python, list_releases

# The first minor release of Python 3 that torch has had wheels for on Windows; of the others, the last one.
_FIRST_PYTHON = 5
_OLD_PYTHONS = ((2, 7),)
# No Python has had so many bugfix releases: 3.7.17, 3.9.25.
_MOST_BUGFIXES = 29
# https://developer.nvidia.com/cuda-toolkit-archive
_TOOLKITS = frozenset((
    "8.0", "9.0", "9.1", "9.2", "10.0", "10.1", "10.2", "11.0", "11.1", "11.2", "11.3", "11.4", "11.5",
    "11.6", "11.7", "11.8", "12.0", "12.1", "12.2", "12.3", "12.4", "12.5", "12.6", "12.8", "12.9", "13.0",
    "13.1", "13.2",
))  # fmt: skip
# https://developer.nvidia.com/cuda-gpus and /cuda-legacy-gpus
_CAPABILITIES = frozenset((
    "30", "32", "35", "37", "50", "52", "53", "60", "61", "62", "70", "72", "75", "80", "86", "87", "89",
    "90", "100", "101", "103", "110", "120", "121",
))  # fmt: skip
_SYSTEM = r"(?:[-_](?:32|64|arm64|amd64))?"
_OF_PYTHON = re.compile(
    rf"(?:(?:lib|temp|bdist)\.win-amd64-)?(?:pythoncore-|cpython-|python-?|py|cp)"
    rf"(?P<minor>[23]\.?\d{{1,2}})(?:\.(?P<bugfix>\d{{1,2}}))?t?{_SYSTEM}"
    rf"|(?:(?:lib|temp)\.win-amd64-)?(?P<pointed>[23]\.\d{{1,2}})(?:\.(?P<last>\d{{1,2}}))?",
    re.IGNORECASE,
)
_OF_CUDA = re.compile(
    r"(?:cuda[-_ ]?v?|v)(?P<toolkit>\d{1,2}\.\d)(?:\.[0-3])?|(?:cuda|cu)(?P<digits>\d{2,3})", re.IGNORECASE
)
_OF_TORCH = re.compile(
    r"(?:(?:lib|py)?torch[-_]?v?|v)?(?P<release>[12]\.\d{1,2}(?:\.\d)?)(?:[+_-](?:cpu|cu(?P<variant>\d{3})))?"
    r"|(?:py)?torch(?P<digits>\d{2,4})",
    re.IGNORECASE,
)
# https://www.blender.org/download/releases/
_OF_BLENDER = re.compile(
    r"(?:blender[ -]?)?(?:2\.(?:79|8[0-3]|9[0-3])|3\.[0-6]|4\.[0-5]|5\.[01])", re.IGNORECASE
)
# The toolsets of MSVC and the kits of Windows, as they stand in public reports of errors.
_OF_COMPILERS = frozenset((
    "14.16.27023", "14.23.28105", "14.24.28314", "14.26.28801", "14.28.29910", "14.29.30037", "14.29.30133",
    "14.35.32215", "14.38.33130", "14.39.33519", "14.40.33807", "14.41.34120", "14.42.34433", "14.43.34808",
    "14.44.35207", "10.0.19041.0", "10.0.22000.0", "10.0.22621.0", "10.0.26100.0",
))  # fmt: skip
_OF_A_CARD = re.compile(r"(?:sm|compute)_(?P<capability>\d{2,3})[af]?", re.IGNORECASE)


def is_numbered_by_programs(name: str) -> bool:
    """Return whether a name has the number of a Python, a CUDA, a torch, a card, a Blender or MSVC."""
    is_of = (_is_of_python, _is_of_cuda, _is_of_torch, _is_of_a_card)
    is_of_another = name in _OF_COMPILERS or _OF_BLENDER.fullmatch(name) is not None
    return is_of_another or any(is_numbered(name) for is_numbered in is_of)


def _is_of_python(name: str) -> bool:
    found = _OF_PYTHON.fullmatch(name)
    if found is None:
        return False
    minor = (found["minor"] or found["pointed"]).replace(".", "")
    bugfix = found["bugfix"] or found["last"] or "0"
    return minor in _list_pythons() and bugfix == str(int(bugfix)) and int(bugfix) <= _MOST_BUGFIXES


def _is_of_cuda(name: str) -> bool:
    found = _OF_CUDA.fullmatch(name)
    return found is not None and (found["toolkit"] in _TOOLKITS or found["digits"] in _list_variants())


def _is_of_torch(name: str) -> bool:
    found = _OF_TORCH.fullmatch(name)
    if found is None:
        return False
    releases = _list_releases_and_series()
    is_release = found["release"] in releases or found["digits"] in {
        release.replace(".", "") for release in releases
    }
    return is_release and found["variant"] in (None, *_list_variants())


def _is_of_a_card(name: str) -> bool:
    found = _OF_A_CARD.fullmatch(name)
    return found is not None and found["capability"] in _CAPABILITIES


@cache
def _list_pythons() -> frozenset[str]:
    """Return the numbers of Pythons without their points: "310"."""
    newest = find_newest_python()
    minors = (*_OLD_PYTHONS, *((3, minor) for minor in range(_FIRST_PYTHON, newest[1] + 1)))
    return frozenset(f"{major}{minor}" for major, minor in minors)


@cache
def _list_variants() -> frozenset[str]:
    """Return the numbers of CUDA without their points: "118"."""
    built = (build.variant.removeprefix("cu") for build in read_builds())
    return frozenset((*built, *(toolkit.replace(".", "") for toolkit in _TOOLKITS)))


@cache
def _list_releases_and_series() -> frozenset[str]:
    releases = list_releases()
    return frozenset((*releases, *(release.rpartition(".")[0] for release in releases)))
