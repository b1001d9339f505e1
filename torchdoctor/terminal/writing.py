"""Write files completely or not at all."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file in one step, by default with the mode of the file that it replaces; a link stays a link.

    Raises:
        OSError: the file cannot be written.
    """
    # Imported here: most runs write no file.
    import tempfile

    if path.exists() and not path.is_file():
        # A device or a pipe is written to, not replaced.
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is None:
            mode = target.stat().st_mode if target.exists() else _find_default_mode()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except OSError:
        os.unlink(temporary)
        raise


def _find_default_mode() -> int:
    # The mode that `open` uses; mkstemp creates files that only their owner may read.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
