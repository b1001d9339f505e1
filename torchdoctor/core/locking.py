"""Lock an open file, so that a second process sees that the first one works on it."""

import os
import sys

# Far behind what most files hold, because Windows lets nobody else read a locked byte. The C library of
# Windows takes its place as a number of 32 bits.
_LOCKED_BYTE = (1 << 31) - (1 << 12)

if sys.platform == "win32":
    import msvcrt

    def lock_file(descriptor: int) -> None:
        """Lock a file until it is closed; the position in it stays.

        Raises:
            OSError: another process has locked it.
        """
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, position, os.SEEK_SET)

else:
    import fcntl

    def lock_file(descriptor: int) -> None:
        """Lock a file until it is closed.

        Raises:
            OSError: another process has locked it.
        """
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
