"""The files that are installed with the doctor: tables, schemas, what runs in the examined interpreter."""

import pkgutil


def read_bundled(package: str, name: str) -> bytes:
    """Read a file beside a package's modules, also where the doctor runs from a zip.

    `importlib.resources` does the same, and takes as long to import as all entries take to read.

    Raises:
        OSError: the package has no such file.
    """
    data = pkgutil.get_data(package, name)
    if data is None:
        raise FileNotFoundError(f"{package} has no {name}")
    return data
