"""The environment that a repair changes: its folders, whom it belongs to, and what uses it now."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.processes.child import ChildError
from torchdoctor.processes.guest import ask_guest
from torchdoctor.processes.programs import RunningProgram, find_own_family, list_programs

_SECONDS = 60.0
# Below the prefix, where wheels put files that are no modules. Those of a system are not pip's.
_DATA_FOLDERS = ("share", "etc", "include", "man", "Library")
# A wheel can put files beside these as well, where the user has folders of their own. One with more files is
# no folder of an environment.
_MOST_OWN_FILES = 20_000
# In the prefix, for what is kept.
KEPT_FOLDER = ".torchdoctor"
# Where Windows and Unix install a Python for all users.
_SYSTEM_VARIABLES = ("ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "SystemRoot")
_SYSTEM_FOLDERS = ("/usr", "/opt/homebrew", "/Library", "/System")


@record
class PythonEnvironment:
    """A Python whose packages can be changed.

    `packages` are its folders of packages, `roots` all folders that pip can change, `owner` says whose Python
    it is if it is not the user's own: "the base environment of conda".
    """

    executable: str
    prefix: str
    packages: tuple[str, ...]
    roots: tuple[str, ...]
    owner: str | None
    has_pip: bool


def describe_environment(executable: str) -> PythonEnvironment:
    """Ask an interpreter for its folders.

    Raises:
        UsageError: it cannot be started, or gives no answer.
    """
    try:
        ended, answer = ask_guest(executable, "package_folders", time_limit_seconds=_SECONDS)
    except ChildError as error:
        raise UsageError(f"cannot start the interpreter {error}") from error
    if answer is None:
        last = (ended.stderr_tail.strip().splitlines() or ["no answer"])[-1]
        raise UsageError(f"{executable} did not say where its packages are: {last}")
    try:
        return _read_environment(executable, answer)
    except (KeyError, TypeError) as error:
        raise UsageError(f"{executable} did not say where its packages are: {error!r}") from error


def _read_environment(executable: str, answer: Mapping[str, object]) -> PythonEnvironment:
    prefix, base_prefix = str(answer["prefix"]), str(answer["base_prefix"])
    packages = _list_texts(answer["packages"])
    user_packages = _list_texts(answer["user_packages"])
    is_own = prefix != base_prefix or _is_conda(prefix) or os.name == "nt"
    folders = [*packages, *user_packages, str(answer["scripts"])]
    if answer.get("user_scripts"):
        folders.append(str(answer["user_scripts"]))
    if is_own:
        folders += [os.path.join(str(answer["data"]), name) for name in _DATA_FOLDERS]
        folders += _list_others(str(answer["data"]), folders)
    owner = _find_owner(prefix, base_prefix, answer["externally_managed"] is True)
    return PythonEnvironment(
        executable, prefix, packages, tuple(_drop_inner(folders)), owner, answer["has_pip"] is True
    )


def _list_others(prefix: str, folders: Sequence[str]) -> Iterator[str]:
    """Yield the other files and small folders of a prefix, but for those that hold one of the folders."""
    known = [_with_separator(os.path.abspath(folder)) for folder in folders]
    try:
        entries = sorted(os.scandir(prefix), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink() or entry.name == KEPT_FOLDER:
            continue
        place = _with_separator(os.path.abspath(entry.path))
        is_related = any(place.startswith(folder) or folder.startswith(place) for folder in known)
        if not is_related and (entry.is_file() or _is_small(entry.path)):
            yield entry.path


def _is_small(folder: str) -> bool:
    """Return whether a folder has few files, and no link to another one, which pip would write through."""
    count = 0
    for parent, folders, files in os.walk(folder):
        count += len(files)
        if count > _MOST_OWN_FILES or any(os.path.islink(os.path.join(parent, name)) for name in folders):
            return False
    return True


def _list_texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("a list of folders is missing")
    return tuple(map(str, value))


def _is_conda(prefix: str) -> bool:
    return os.path.isdir(os.path.join(prefix, "conda-meta"))


def _find_owner(prefix: str, base_prefix: str, is_managed: bool) -> str | None:
    if prefix != base_prefix:
        return None
    if _is_conda(prefix):
        is_base = any(os.path.isdir(os.path.join(prefix, name)) for name in ("condabin", "pkgs"))
        return "the base environment of conda" if is_base else None
    if is_managed:
        return "managed by the system (EXTERNALLY-MANAGED)"
    folder = os.path.normcase(os.path.abspath(prefix))
    if "\\windowsapps\\" in f"{folder.lower()}\\":
        return "the Python of the Microsoft Store"
    system = [os.environ.get(name, "") for name in _SYSTEM_VARIABLES] if os.name == "nt" else _SYSTEM_FOLDERS
    for root in filter(None, system):
        if f"{folder}{os.sep}".startswith(f"{os.path.normcase(root).rstrip(os.sep)}{os.sep}"):
            return f"a Python for all users ({prefix})"
    return None


def _drop_inner(folders: list[str]) -> Iterator[str]:
    """Yield the folders that are not below another one, each once."""
    kept: list[str] = []
    for folder in sorted(map(os.path.abspath, folders), key=len):
        if not any(os.path.normcase(folder).startswith(_with_separator(other)) for other in kept):
            kept.append(folder)
            yield folder


def _with_separator(folder: str) -> str:
    return os.path.normcase(folder).rstrip(os.sep) + os.sep


def find_read_only(environment: PythonEnvironment) -> str | None:
    """Return why no packages can be put there, or None."""
    for folder in environment.packages:
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            return f"{folder} cannot be written to: {error.strerror or error}"
    return None


def find_using_programs(environment: PythonEnvironment) -> tuple[RunningProgram, ...]:
    """Return the programs that run with this Python, besides this process and those that started it.

    On Windows, files that a running program has loaded cannot be replaced. A program whose path the system
    does not tell is not one of the user's.
    """
    programs = tuple(list_programs())
    own = find_own_family(programs)
    folders = {_with_separator(path(environment.prefix)) for path in (os.path.abspath, os.path.realpath)}
    executable = os.path.normcase(os.path.abspath(environment.executable))

    def is_using(path: str) -> bool:
        path = os.path.normcase(path)
        is_python = os.path.basename(path).startswith("python")
        return is_python and (path == executable or path.startswith(tuple(folders)))

    return tuple(each for each in programs if each.number not in own and any(map(is_using, each.paths)))
