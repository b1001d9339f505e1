"""Compare Windows paths on any system: case and the kind of slash do not matter."""


def normalise(path: str) -> str:
    """Return a path in the form for comparisons: backslashes, lower case, no slash at the end."""
    return path.replace("/", "\\").rstrip("\\").lower()


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is the folder itself or below it."""
    path, folder = normalise(path), normalise(folder)
    return path == folder or path.startswith(folder + "\\")
