"""Files installed with torchdoctor: tables and schemas."""

import pkgutil


def read_bundled(package: str, name: str) -> bytes:
    """Read a file beside a package's modules; this works from a zip file too.

    `importlib.resources` does the same, but takes as long to import as all entries take to read.

    Raises:
        OSError: the package has no such file.
    """
    data = pkgutil.get_data(package, name)
    if data is None:
        raise FileNotFoundError(f"{package} has no {name}")
    return data
