"""Read the files that are installed with torchdoctor: tables and schemas."""

import pkgutil


def read_bundled(package: str, name: str) -> bytes:
    """Read a file from the folder of a package, which may be in a zip file.

    `importlib.resources` does the same, but importing it takes as long as reading all entries.

    Raises:
        OSError: the package has no such file.
    """
    data = pkgutil.get_data(package, name)
    if data is None:
        raise FileNotFoundError(f"{package} has no {name}")
    return data
