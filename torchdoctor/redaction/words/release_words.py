"""The versions of packages and the names of wheels: which parts of them say nothing of who has them."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from torchdoctor.domain.masks import LEFT_OUT

VERSION = re.compile(
    r"v?\d{1,4}(?:\.(?:\d{1,5}|[x*])){0,4}(?:[._-]?(?:a|b|c|rc|alpha|beta|dev|post|rev|fix|patch|windows|win)"
    r"[._-]?\d{0,8}){0,2}(?:[+.-](?:cpu|rocm[\d.]{0,8}|xpu|git[\da-f]{0,10}"
    r"|(?:cu\d{2,3}|pt[\d.]{1,8}|torch[\d.]{1,8}|cxx11(?:abi)?(?:true|false)?){1,3}|cp\d{2,3}"
    r"|computecanada|nv|win|windows|linux|amd64|x64|mkl|full|with|pypi|conda"
    r"|snapshot|nightly|release|final|local|dirty|debug))*",
    re.IGNORECASE,
)
# What counts builds behind dev, post and rc is a small number or a date; others can be those of a person.
_BEHIND_SUFFIX = (
    r"(?:a|b|c|rc|alpha|beta|dev|post|rev|fix|patch|windows|win)[._-]?"
    r"(?!(?:20)?[1-3]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d))\d{5}"
)
# As it is shared: the hash of a commit names the source, which can be one that nobody else has.
SHARED_VERSION = re.compile(
    rf"(?!.{{0,60}}(?:[+.-]git[\da-f]|{_BEHIND_SUFFIX})){VERSION.pattern}", re.IGNORECASE
)
_ODD_SUFFIX = re.compile(_BEHIND_SUFFIX, re.IGNORECASE)
# The name of a wheel has a project, a version and tags: torch-2.6.0-cp312-cp312-win_amd64.whl
_WHEEL = ".whl"
_TAG = re.compile(
    r"(?:(?:cp|py|pp)\d{1,4}[a-z]{0,2}\.?){1,4}|none|abi\d|any|win32|win_(?:amd64|arm64)|(?:pypy|graalpy)[\d_]{0,8}(?:pp\d{2})?"
    r"|(?:(?:(?:many|musl)?linux|macosx)[\d_]{0,10}_(?:x86_64|i686|aarch64|arm64|armv7l|ppc64le|s390x|universal2|intel)\.?)"
    r"{1,4}",
    re.IGNORECASE,
)


def leave_out_local_part(version: str) -> str | None:
    """Return a version with three dots for the part that its builder has chosen; None without a release."""
    release, plus, _ = version.partition("+")
    return f"{release}+{LEFT_OUT}" if plus and SHARED_VERSION.fullmatch(release) else None


def is_wheel(word: str) -> bool:
    """Return whether a word is the name of a wheel."""
    return word.lower().endswith(_WHEEL)


def leave_out_of_wheel(name: str, is_public: Callable[[str], bool]) -> str:
    """Return the name of a wheel with three dots for a project that is not public, and for odd parts."""
    project, *parts = name[: -len(_WHEEL)].split("-")
    shown = [project if is_public(project) else LEFT_OUT]
    shown += [part if _is_of_a_wheel(unquote(part)) else LEFT_OUT for part in parts]
    return "-".join(shown) + name[-len(_WHEEL) :]


def _is_of_a_wheel(part: str) -> bool:
    is_version = VERSION.fullmatch(part) is not None and _ODD_SUFFIX.search(part) is None
    return is_version or _TAG.fullmatch(part) is not None
