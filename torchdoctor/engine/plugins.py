"""Find the entry points of checks and knowledge bases, built-in and third-party.

The metadata folders are read directly, because importlib.metadata takes a third of the time budget of
`explain`. It is used only for zip files.
"""

import codecs
import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType

from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.core.third_parties import hanging_modules, imported_modules
from torchdoctor.engine.apart import call_apart, divert_output
from torchdoctor.inside.answers import read_message
from torchdoctor.inside.cutting import cut_end

# What importing a module of a third party may take.
_SECONDS = 20.0
# More than metadata have, with a long README.
_MOST_BYTES = 4 << 20
# What a message of a third party may take of the screen.
_MOST_CHARACTERS = 500


class RegistryError(Exception):
    """The installation has no checks or no entries at all."""


@record
class Broken:
    """A plugin, check module, entry or probe that failed, and the reason in one line."""

    name: str
    reason: str


@record
class Plugin:
    """An entry point: its name and the package that it refers to; or why those of a package are unknown."""

    name: str
    package: str
    problem: str | None = None

    @property
    def is_builtin(self) -> bool:
        """Whether this is a part of the doctor, which its own tests have tried."""
        return self.package.startswith("torchdoctor.")

    def load(self) -> ModuleType:
        """Import the package, which is third-party code and may raise any exception."""
        if self.problem is not None:
            raise ImportError(self.problem)
        return import_part(self.package)


def import_part(name: str) -> ModuleType:
    """Import a module; one of a third party has a time limit, and prints to standard error.

    Raises:
        TimeoutError: it was not imported in time.
        BaseException: whatever the module raises. A KeyboardInterrupt is one of the person at the keyboard.
    """
    is_own = name.partition(".")[0] == "torchdoctor"
    # One that hangs is among the modules of Python, and whoever imports it again waits for its end.
    if is_own or (name in sys.modules and name not in hanging_modules):
        return importlib.import_module(name)
    answer = None
    if name not in hanging_modules:
        imported_modules.append(name)
        with divert_output():
            answer = call_apart(lambda: importlib.import_module(name), _SECONDS)
    if answer is None:
        hanging_modules.add(name)
        raise TimeoutError(f"it was not imported within {_SECONDS:.0f} s")
    if isinstance(answer, KeyboardInterrupt):
        raise RuntimeError("it raises KeyboardInterrupt")
    if isinstance(answer, BaseException):
        raise answer
    return answer


def find_plugins(group: str) -> tuple[Plugin, ...]:
    """Return the entry points of a group, the built-in one first, so that no other can take its names."""
    folders = [folder or os.curdir for folder in sys.path if isinstance(folder, str)]
    found = {plugin for folder in folders for plugin in _find_in_folder(folder, group)}
    return tuple(sorted(found, key=lambda plugin: (not plugin.is_builtin, plugin.name, plugin.package)))


def _find_in_folder(folder: str, group: str) -> Iterator[Plugin]:
    try:
        names = os.listdir(folder)
    except OSError:
        # Which error a file is depends on the system.
        if os.path.isfile(folder):
            yield from _find_in_zip(folder, group)
        return
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            file = os.path.join(folder, name, "entry_points.txt")
            try:
                data = read_bytes(file, _MOST_BYTES)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                if _is_about_torchdoctor(os.path.join(folder, name)):
                    yield Plugin(name, file, f"it cannot be read: {error.strerror or error}")
                continue
            is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            text = data.decode("utf-16" if is_wide else "utf-8-sig", errors="replace")
            if group in text:
                yield from _read_group(text, group)


def _is_about_torchdoctor(folder: str) -> bool:
    """Return whether a package may be a plugin: those of others are not the doctor's business."""
    for name in ("METADATA", "PKG-INFO"):
        with contextlib.suppress(OSError):
            return b"torchdoctor" in read_bytes(os.path.join(folder, name), _MOST_BYTES).lower()
    return False


def _read_group(text: str, group: str) -> Iterator[Plugin]:
    is_in_group = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            is_in_group = line == f"[{group}]"
        elif is_in_group and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield Plugin(name.strip(), value.partition("[")[0].strip())


def _find_in_zip(path: str, group: str) -> Iterator[Plugin]:
    from importlib.metadata import distributions

    for distribution in distributions(path=[path]):
        yield from _read_group(distribution.read_text("entry_points.txt") or "", group)


def describe_exception(error: BaseException) -> str:
    """Return type and message of an exception in one line; a third party's may fail to say it."""
    message = " ".join(read_message(error).split())
    return f"{type(error).__name__}: {cut_end(message, _MOST_CHARACTERS) or 'no message'}"
