"""Comparing Windows paths on any system: case and the kind of slash do not matter."""


def normalise(path: str) -> str:
    """Give the one spelling of a path that is compared."""
    return path.replace("/", "\\").rstrip("\\").lower()


def is_below(path: str, folder: str) -> bool:
    """Tell whether a path is a folder, or lies in it."""
    path, folder = normalise(path), normalise(folder)
    return path == folder or path.startswith(folder + "\\")
