"""Who supplies a DLL: what to install where it is missing."""

import sys
from fnmatch import fnmatchcase
from functools import cache

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.pe.system import normalise_dll_name


@record
class Supplier:
    """A product that brings DLLs, by a stable key and as a reader knows it."""

    key: str
    text: str


def find_supplier(name: str) -> Supplier | None:
    """Find who supplies a DLL; the first pattern of suppliers.toml that fits wins."""
    lowered = normalise_dll_name(name)
    return next((supplier for pattern, supplier in _patterns() if fnmatchcase(lowered, pattern)), None)


@cache
def _patterns() -> tuple[tuple[str, Supplier], ...]:
    # Imported here: most scans have no DLL to name.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    document = tomllib.loads(read_bundled("torchdoctor.pe", "suppliers.toml").decode("utf-8"))
    return tuple(
        (pattern, Supplier(entry["key"], entry["text"]))
        for entry in document["supplier"]
        for pattern in entry["patterns"]
    )
