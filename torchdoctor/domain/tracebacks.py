"""Find the files in which the import of torch failed."""

import re
from collections.abc import Iterator

from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import TorchImportTrial

_FILE = re.compile(r'^ {2}File "([^"\n]{1,600})", line \d', re.MULTILINE)
# The files of the standard library are not in site-packages: those below lib\python3.12, Lib or a zip file.
_LIBRARY = re.compile(r"[\\/]lib(?:[\\/]python\d\.\d+)?[\\/](?!(?:site|dist)-packages[\\/])", re.IGNORECASE)


def list_files(traceback: str) -> Iterator[str]:
    """Yield the files of the frames, outermost first; frozen modules have none."""
    return (match[1] for match in _FILE.finditer(traceback) if not match[1].startswith("<"))


def find_origin(traceback: str, package: str) -> str | None:
    """Return the innermost file of a package, if the exception was raised in it or in what it called.

    Modules of the standard library that the package calls are looked through.
    """
    files = [file for file in list_files(traceback) if not _LIBRARY.search(file)]
    if files and re.search(rf"[\\/]{re.escape(package)}[\\/]", files[-1]):
        return files[-1]
    return None


def find_failed_file(trial: TorchImportTrial, folder: str) -> str | None:
    """Return the innermost file below a folder in which the import of torch failed, or None."""
    if trial.crash is not None:
        files = [frame.rpartition(":")[0] for frame in trial.crash.stack]
    else:
        files = [*list_files(trial.traceback or "")][::-1]
    # The exception of a name that is missing has the file that lacks it: "from 'random' (C:\p\random.py)".
    named = re.findall(r"\(([^()\n]{1,600}\.\w{1,4})\)", trial.exception_message or "")
    return next((file for file in (*named, *files) if is_below(file, folder)), None)
