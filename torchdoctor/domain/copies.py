"""Find the copies of a distribution that an interpreter sees, and where each of them lies."""

import re

from torchdoctor.domain.windows_paths import is_below, normalise
from torchdoctor.facts import Distribution, Distributions, Interpreter

# The archive of the standard library is on every import path, also where there is no such file.
_ARCHIVE = re.compile(r"(?:.*[\\/])?python3\d+t?\.zip", re.IGNORECASE)


def find_copies(distributions: Distributions, name: str, folder: str | None) -> tuple[Distribution, ...]:
    """Return the distributions of a name in a folder; without one, those in the first folder that has any."""
    copies = distributions.find_all(name)
    place = copies[0].folder if folder is None and copies else folder or ""
    return tuple(copy for copy in copies if normalise(copy.folder) == normalise(place))


def name_module(distribution: str) -> str:
    """Return the module that has the name of a distribution: Jinja2 is jinja2."""
    return distribution.lower().replace("-", "_").replace(".", "_")


def is_in_user_site(folder: str, interpreter: Interpreter) -> bool:
    """Return whether a folder belongs to the user's packages, and the interpreter itself does not."""
    base = interpreter.user_base
    return base is not None and is_below(folder, base) and not is_below(interpreter.prefix, base)


def is_on_pythonpath(folder: str, interpreter: Interpreter) -> bool:
    """Return whether a folder comes before the standard library, where only PYTHONPATH puts one."""
    path = interpreter.import_path
    end = next((index for index, entry in enumerate(path) if _ARCHIVE.fullmatch(entry)), 0)
    return normalise(folder) in map(normalise, path[:end])
