"""Observes the Pythons of this machine from their files, without starting any."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from torchdoctor.core.files import find_current_folder, read_text
from torchdoctor.facts import Absent, FoundInterpreter, PythonCommand, PythonInstallations
from torchdoctor.probes.dlls import read_machine
from torchdoctor.probes.project_python import has_store_python, is_windows_apps

if sys.platform == "win32":
    import winreg

COMMANDS = ("python", "python3")
_IS_WINDOWS = os.name == "nt"
_MAX_INTERPRETERS = 60
# PEP 514: Pythons are registered below Software\Python, for the machine or for the user.
_REGISTRY_KEY = r"Software\Python"


def observe_python_installations() -> PythonInstallations:
    """List the Pythons in the registry, on PATH, of conda, and in environments in the current folder."""
    folders = [Path(folder.strip('"')) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    found: dict[str, FoundInterpreter] = {}
    for path, source in _find_executables(folders):
        key = os.path.normcase(os.path.realpath(path.parent) + os.sep + path.name)
        if key not in found and len(found) < _MAX_INTERPRETERS and os.path.isfile(path):
            found[key] = _read_interpreter(path, source)
    commands = tuple(command for name in COMMANDS if (command := _find_command(name, folders)))
    return PythonInstallations(commands, tuple(found.values()))


def _find_executables(folders: list[Path]) -> Iterator[tuple[Path, str]]:
    name = "python.exe" if _IS_WINDOWS else "python3"
    for path in _find_registered_pythons():
        yield path, "registry"
    for folder in folders:
        # WindowsApps has aliases: empty files that cannot be read.
        if not is_windows_apps(str(folder)):
            yield folder / name, "PATH"
    for prefix in _read_conda_prefixes():
        yield (prefix / name if _IS_WINDOWS else prefix / "bin" / name), "conda"
    scripts = "Scripts" if _IS_WINDOWS else "bin"
    current = find_current_folder()
    if current is not None:
        for environment in ("venv", ".venv", "env"):
            yield current / environment / scripts / name, "folder"


def _read_conda_prefixes() -> list[Path]:
    # conda keeps a list of all environments that it has created.
    try:
        text = read_text(Path("~/.conda/environments.txt").expanduser())
    except (OSError, RuntimeError):
        return []
    return [Path(line.strip()) for line in text.splitlines() if line.strip()]


def _read_interpreter(path: Path, source: str) -> FoundInterpreter:
    prefix = path.parent.parent if path.parent.name.lower() in ("scripts", "bin") else path.parent
    site_packages = _find_site_packages(prefix)
    return FoundInterpreter(
        executable=str(path),
        source=source,
        version=_read_version(prefix, path.parent),
        machine=_read_machine(path),
        torch=next((torch for folder in site_packages if (torch := _read_torch_version(folder))), None),
    )


def _find_site_packages(prefix: Path) -> list[Path]:
    if _IS_WINDOWS:
        return [prefix / "Lib" / "site-packages"]
    return sorted(prefix.glob("lib/python3*/site-packages"))


def _read_torch_version(folder: Path) -> str | None:
    try:
        names = [name for name in os.listdir(folder) if name.startswith("torch-")]
    except OSError:
        return None
    versions = (
        name.removeprefix("torch-").removesuffix(".dist-info")
        for name in sorted(names)
        if name.endswith(".dist-info")
    )
    return next(versions, None)


def _read_version(prefix: Path, folder: Path) -> str | None:
    try:
        lines = read_text(prefix / "pyvenv.cfg").splitlines()
        pairs = (line.partition("=") for line in lines)
        versions = (value.strip() for key, _, value in pairs if key.strip() in ("version", "version_info"))
        return next(versions, None)
    except OSError:
        pass
    # The file name of Python's DLL contains the version: python311.dll, python314t.dll.
    try:
        names = [name.lower() for name in os.listdir(folder)]
    except OSError:
        return None
    for name in names:
        digits = name.removeprefix("python3").removesuffix(".dll").removesuffix("t")
        if name.startswith("python3") and name.endswith(".dll") and digits.isdecimal():
            return f"3.{digits}"
    return None


def _read_machine(path: Path) -> str | None:
    machine = read_machine(path) if _IS_WINDOWS else None
    return None if isinstance(machine, Absent) else machine


def _find_command(name: str, folders: list[Path]) -> PythonCommand | None:
    for folder in folders:
        path = folder / (f"{name}.exe" if _IS_WINDOWS else name)
        try:
            os.lstat(path)
        except OSError:
            continue
        is_alias = is_windows_apps(str(folder)) and not has_store_python(str(folder))
        return PythonCommand(name, str(path), is_alias)
    return None


if sys.platform == "win32":

    def _find_registered_pythons() -> Iterator[Path]:
        for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
            for view in (winreg.KEY_WOW64_64KEY, winreg.KEY_WOW64_32KEY):
                access = winreg.KEY_READ | view
                for company in _list_keys(root, _REGISTRY_KEY, access):
                    if company == "PyLauncher":
                        continue
                    for tag in _list_keys(root, rf"{_REGISTRY_KEY}\{company}", access):
                        key = rf"{_REGISTRY_KEY}\{company}\{tag}\InstallPath"
                        path = _read_executable(root, key, access)
                        if path is not None:
                            yield path

    def _list_keys(root: int, key: str, access: int) -> list[str]:
        try:
            with winreg.OpenKey(root, key, 0, access) as handle:
                return [winreg.EnumKey(handle, index) for index in range(winreg.QueryInfoKey(handle)[0])]
        except OSError:
            return []

    def _read_executable(root: int, key: str, access: int) -> Path | None:
        try:
            with winreg.OpenKey(root, key, 0, access) as handle:
                try:
                    value = winreg.QueryValueEx(handle, "ExecutablePath")[0]
                except OSError:
                    value = os.path.join(winreg.QueryValueEx(handle, "")[0], "python.exe")
        except (OSError, TypeError):
            return None
        return Path(value) if isinstance(value, str) and value else None

else:

    def _find_registered_pythons() -> Iterator[Path]:
        return iter(())
