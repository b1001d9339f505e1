"""Import modules whose compiled copies are damaged, and write none where there is no room for them.

Python writes a compiled module without looking whether all of it was written: on a full disk it is cut, and
each later import of that module fails, also when there is room again (python/cpython#126606).
"""

import os
import sys
from importlib.machinery import SourceFileLoader
from types import CodeType

# All compiled modules of the doctor need less.
_LEAST_BYTES = 32 << 20


def read_around_damaged_caches(folder: str) -> None:
    """Compile modules anew whose copies are damaged; with little room below the folder, write no copies."""
    if not _has_room(folder):
        sys.dont_write_bytecode = True
    read = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        try:
            return read(loader, name)
        except (EOFError, ValueError, TypeError):
            path = loader.get_filename(name)
            return loader.source_to_code(loader.get_data(path), path)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def _has_room(folder: str) -> bool:
    try:
        if sys.platform == "win32":
            import shutil

            return shutil.disk_usage(folder).free >= _LEAST_BYTES
        import resource

        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        if limit != resource.RLIM_INFINITY and limit < _LEAST_BYTES:
            return False
        found = os.statvfs(folder)
        return found.f_bavail * found.f_frsize >= _LEAST_BYTES
    except (OSError, ImportError):
        return True
