"""Observes how Windows handles long paths and characters outside ASCII."""

import ctypes
import sys

from torchdoctor.facts import Absent, PathSettings

# learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation
_FILE_SYSTEM_KEY = r"SYSTEM\CurrentControlSet\Control\FileSystem"

if sys.platform == "win32":
    import winreg

    def observe_path_settings() -> PathSettings | Absent:
        """Read whether long paths are enabled, and the ANSI code page."""
        return PathSettings(_read_long_paths(), int(ctypes.WinDLL("kernel32").GetACP()))

    def _read_long_paths() -> bool | Absent:
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _FILE_SYSTEM_KEY) as key:
                value, kind = winreg.QueryValueEx(key, "LongPathsEnabled")
                return kind == winreg.REG_DWORD and value != 0
        except FileNotFoundError:
            # Windows treats a missing value as 0.
            return False
        except OSError as error:
            return Absent(f"LongPathsEnabled could not be read: {error.strerror or error}")

else:

    def observe_path_settings() -> PathSettings | Absent:
        """Return Absent: other systems do not have these settings."""
        return Absent("only Windows has these settings")
