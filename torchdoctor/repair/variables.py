"""Read and set the variables of the user, which new programs get."""

import sys

# The value and the kind (REG_SZ, REG_EXPAND_SZ) of a variable of the user.
Value = tuple[str, int]

if sys.platform == "win32":
    import ctypes
    import winreg

    _KEY = "Environment"
    _HWND_BROADCAST, _WM_SETTINGCHANGE, _SMTO_ABORTIFHUNG = 0xFFFF, 0x1A, 2

    def read_variable(name: str) -> Value | None:
        """Return a variable that is set for the user, None if it is not."""
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _KEY) as key:
                value, kind = winreg.QueryValueEx(key, name)
        except OSError:
            return None
        return str(value), kind

    def write_variable(name: str, value: Value | None) -> None:
        """Set a variable of the user, or remove it; new programs get it, those that run do not.

        Raises:
            OSError: the registry refuses it.
        """
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _KEY, 0, winreg.KEY_SET_VALUE) as key:
            if value is not None:
                winreg.SetValueEx(key, name, 0, value[1], value[0])
            else:
                try:
                    winreg.DeleteValue(key, name)
                except FileNotFoundError:
                    pass
        # Explorer gives the new variables to the programs that it starts from now on.
        ctypes.WinDLL("user32").SendMessageTimeoutW(
            _HWND_BROADCAST, _WM_SETTINGCHANGE, 0, _KEY, _SMTO_ABORTIFHUNG, 2000, None
        )

    TEXT = winreg.REG_SZ

else:
    TEXT = 1

    def read_variable(name: str) -> Value | None:
        """Return None: only Windows keeps variables of the user outside of start-up files."""
        return None

    def write_variable(name: str, value: Value | None) -> None:
        """Refuse it.

        Raises:
            OSError: always.
        """
        raise OSError("only Windows has variables of the user")
