"""Recognise the Python of the Microsoft Store by its folders."""

from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import Absent, Interpreter
from torchdoctor.facts.partial import find_value

# The folder of the Store's apps, and the name of the Python app (docs.python.org/3/using/windows.html).
_FOLDERS = ("\\windowsapps\\", "\\pythonsoftwarefoundation.python.")
_SITE_PACKAGES = "\\site-packages"


def is_store_path(path: str) -> bool:
    """Return whether a path leads into the Python of the Store."""
    return any(folder in normalise(path) + "\\" for folder in _FOLDERS)


def find_user_packages(interpreter: Interpreter) -> str | None:
    """Return the folder of packages into which pip installs for a Python of the Store, None for others.

    Its own folder cannot be written to, so all packages go below `user_base`.
    """
    if not is_store_path(interpreter.prefix):
        return None
    base, folders = find_value(interpreter, "user_base"), find_value(interpreter, "import_path")
    if isinstance(base, Absent) or isinstance(folders, Absent):
        return None
    below = (each for each in folders if normalise(each).startswith(normalise(base) + "\\"))
    return next((each for each in below if normalise(each).endswith(_SITE_PACKAGES)), None)
