"""A key that only this user has: what is made with it confirms no guess of a text to anybody else."""

import secrets
from functools import cache
from pathlib import Path

from torchdoctor.core.files import read_bytes
from torchdoctor.core.user_folders import find_cache_folder
from torchdoctor.core.writing import write_whole

_BYTES = 32


@cache
def read_own_key() -> str:
    """Return the key in hexadecimal digits; where it cannot be kept, one that only this run has."""
    key = secrets.token_bytes(_BYTES)
    try:
        file = find_cache_folder() / "key"
        return (_read(file) or _write(file, key)).hex()
    except (OSError, RuntimeError):
        return key.hex()


def _read(file: Path) -> bytes | None:
    try:
        found = read_bytes(file)
    except FileNotFoundError:
        return None
    # One that was damaged is made again.
    return found if len(found) == _BYTES else None


def _write(file: Path, key: bytes) -> bytes:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, key, mode=0o600)
    return key
