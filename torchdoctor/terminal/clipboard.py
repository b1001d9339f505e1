"""Reads text from the clipboard: by calls of Windows, or by programs that other systems have for it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from torchdoctor.core.usage import UsageError

Command = tuple[str, ...]

_CF_UNICODETEXT = 13
# Another program may have the clipboard open for a moment.
_ATTEMPTS = 20
_PAUSE_SECONDS = 0.05
_COMMAND_SECONDS = 20.0
_INSTEAD = "run torchdoctor explain alone and paste the text, or save it and use --file"
_POWERSHELL = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw"


def read_clipboard() -> bytes:
    """Return the text in the clipboard.

    Raises:
        UsageError: there is no clipboard, or it holds no text.
    """
    text = _read_windows() if os.name == "nt" else _read_by_command()
    if not text.strip():
        raise UsageError("the clipboard holds no text: copy the error text first")
    return text


def list_clipboard_commands(system: str, variables: Mapping[str, str]) -> tuple[Command, ...]:
    """Return the commands that print the clipboard on a system (as in sys.platform), the best one first."""
    if system == "darwin":
        return (("pbpaste",),)
    commands: list[Command] = []
    if variables.get("WAYLAND_DISPLAY"):
        commands.append(("wl-paste", "--no-newline", "--type", "text"))
    if variables.get("DISPLAY"):
        commands.append(("xclip", "-selection", "clipboard", "-out"))
        commands.append(("xsel", "--clipboard", "--output"))
    if variables.get("WSL_DISTRO_NAME"):
        # The clipboard of Windows; WSLg copies it to that of Linux, but not every WSL has WSLg.
        commands.insert(0, ("powershell.exe", "-NoProfile", "-NonInteractive", "-Command", _POWERSHELL))
    return tuple(commands)


def _read_by_command() -> bytes:
    commands = list_clipboard_commands(sys.platform, os.environ)
    command = next((command for command in commands if shutil.which(command[0])), None)
    if command is None:
        names = "wl-paste, xclip or xsel, and a desktop session"
        raise UsageError(f"the clipboard cannot be read here, which takes {names}: {_INSTEAD}")
    # pbpaste writes the encoding of its locale.
    environment = {**os.environ, "LC_CTYPE": "UTF-8"} if sys.platform == "darwin" else None
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_COMMAND_SECONDS, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"the clipboard cannot be read: {error}; {_INSTEAD}") from error
    if result.returncode:
        lines = result.stderr.decode(errors="replace").strip().splitlines() or ["it failed"]
        raise UsageError(f"the clipboard cannot be read: {command[0]}: {lines[-1]}; {_INSTEAD}")
    return result.stdout


if sys.platform == "win32":

    def _read_windows() -> bytes:
        import ctypes
        from ctypes import wintypes

        user32, kernel32 = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")
        # Without these types, ctypes cuts handles and pointers to 32 bits.
        user32.OpenClipboard.argtypes = (wintypes.HWND,)
        user32.GetClipboardData.argtypes = (wintypes.UINT,)
        user32.GetClipboardData.restype = wintypes.HANDLE
        kernel32.GlobalLock.argtypes = kernel32.GlobalUnlock.argtypes = (wintypes.HGLOBAL,)
        kernel32.GlobalLock.restype = wintypes.LPVOID
        kernel32.GlobalSize.argtypes = (wintypes.HGLOBAL,)
        kernel32.GlobalSize.restype = ctypes.c_size_t
        _wait_for(lambda: bool(user32.OpenClipboard(None)))
        try:
            handle = user32.GetClipboardData(_CF_UNICODETEXT)
            address = kernel32.GlobalLock(handle) if handle else None
            if not address:
                return b""
            text = ctypes.wstring_at(address, kernel32.GlobalSize(handle) // ctypes.sizeof(ctypes.c_wchar))
            kernel32.GlobalUnlock(handle)
        finally:
            user32.CloseClipboard()
        return text.partition("\0")[0].encode("utf-8", errors="replace")

    def _wait_for(open_clipboard: Callable[[], bool]) -> None:
        for _ in range(_ATTEMPTS):
            if open_clipboard():
                return
            time.sleep(_PAUSE_SECONDS)
        raise UsageError(f"another program keeps the clipboard open: try again, or {_INSTEAD}")

else:

    def _read_windows() -> bytes:
        raise NotImplementedError
