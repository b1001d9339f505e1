"""A key that only this user has: what is made with it confirms no guess of a text to anybody else."""

import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.core.user_folders import find_cache_folder
from torchdoctor.core.writing import write_whole

_BYTES = 32
_MODE = 0o600


@cache
def read_own_key() -> str:
    """Return the key in hexadecimal digits; where it cannot be kept, one that only this run has."""
    key = secrets.token_bytes(_BYTES)
    try:
        file = find_cache_folder() / "key"
        return (_read(file) or _keep(file, key)).hex()
    except (OSError, RuntimeError):
        return key.hex()


def _read(file: Path) -> bytes | None:
    try:
        found = read_bytes(file)
    except FileNotFoundError:
        return None
    # One that was damaged is made again.
    return found if len(found) == _BYTES else None


def _keep(file: Path, key: bytes) -> bytes:
    """Keep a key, and return the one that is kept: that of another process, if it was faster."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    write_whole(part, key, mode=_MODE)
    try:
        # A link takes no file's place. Some file systems have none.
        with suppress(OSError):
            os.link(part, file)
    finally:
        part.unlink()
    found = _read(file)
    if found is None:
        write_whole(file, key, mode=_MODE)
        found = _read(file)
    return found or key
