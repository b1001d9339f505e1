"""Find the product to install if a DLL is missing."""

import sys
from fnmatch import fnmatchcase
from functools import cache

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.pe.system import normalise_dll_name


@record
class Supplier:
    """A product that contains DLLs: a stable key, a text for users, and where they get it ("" if unknown)."""

    key: str
    text: str
    source: str = ""


def find_supplier(name: str) -> Supplier | None:
    """Find the supplier of a DLL; the first pattern of suppliers.toml that matches wins."""
    normalised = normalise_dll_name(name)
    return next(
        (supplier for pattern, supplier in _read_patterns() if fnmatchcase(normalised, pattern)), None
    )


@cache
def _read_patterns() -> tuple[tuple[str, Supplier], ...]:
    # Imported here, because most scans need no supplier.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    document = tomllib.loads(read_bundled("torchdoctor.pe", "suppliers.toml").decode("utf-8"))
    return tuple(
        (pattern, Supplier(entry["key"], entry["text"], entry.get("source", "")))
        for entry in document["supplier"]
        for pattern in entry["patterns"]
    )
