"""Chooses the interpreter to examine where the user names none, and says why.

`run` imports this module before its program starts, so it imports little.
"""

import ntpath
import posixpath
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType

GIVEN = "given with --python"
# How the reasons for an activated environment begin.
ACTIVATED = "the activated "
ENVIRONMENT_FOLDERS = (".venv", "venv", "env")
# What `uv tool install`, `pipx install` and `pipx run` write into the environment that they make for a tool.
_TOOL_FILES = ("uv-receipt.toml", "pipx_metadata.json")
# Where the environments of `uvx` and of `uv run --with` are: archive-v0 and its like, in uv's cache.
_TOOL_FOLDERS = ("archive", "builds", "environments")


class ChosenPython(namedtuple("ChosenPython", ("executable", "reason"))):
    """An interpreter to examine, and why it was chosen, as in "the .venv of this folder"."""

    __slots__ = ()
    executable: str
    reason: str


class Surroundings(
    namedtuple(
        "Surroundings",
        ("is_windows", "variables", "folders", "executable", "has_torch", "is_file", "ask_launcher"),
    )
):
    """What the choice depends on.

    `folders` are the current folder and its parents up to the root of the repository. `executable` and
    `has_torch` describe the environment of the doctor. `is_file` says whether a path is a file that can
    be started or read, and `ask_launcher` returns the default interpreter of the `py` launcher.
    """

    __slots__ = ()
    is_windows: bool
    variables: Mapping[str, str]
    folders: tuple[str, ...]
    executable: str
    has_torch: bool
    is_file: Callable[[str], bool]
    ask_launcher: Callable[[], str | None]

    @property
    def paths(self) -> ModuleType:
        """The module for the paths of this system."""
        return ntpath if self.is_windows else posixpath


def choose_python(surroundings: Surroundings) -> ChosenPython:
    """Return the first interpreter that is there.

    1. The activated environment, unless it is the base environment of conda, which every prompt of conda
       activates by itself.
    2. The environment that the doctor is installed in, if that has torch.
    3. `.venv`, `venv` or `env` in the current folder, or in one above it in the repository.
    4. The base environment of conda, if it is activated.
    5. The first `python` on PATH, and on Windows the default of the `py` launcher.
    6. The environment of the doctor.

    An environment that uv or pipx made for a tool is chosen only by 2 and 6.
    """
    own = ChosenPython(
        surroundings.executable, "torchdoctor's own environment, because no other Python was found"
    )
    return next(_list_candidates(surroundings), own)


def _list_candidates(surroundings: Surroundings) -> Iterator[ChosenPython]:
    yield from _find_activated(surroundings)
    if surroundings.has_torch:
        yield ChosenPython(surroundings.executable, "the environment that torchdoctor is installed in")
    yield from _find_in_folders(surroundings)
    yield from _find_conda(surroundings)
    yield from _find_on_path(surroundings)
    yield from _find_by_launcher(surroundings)


def is_tool_environment(prefix: str, is_file: Callable[[str], bool], paths: ModuleType) -> bool:
    """Return whether uv or pipx made this environment for a tool, not for a project."""
    cache, _, version = paths.basename(paths.dirname(prefix)).rpartition("-v")
    if cache in _TOOL_FOLDERS and version.isdecimal():
        return True
    return any(is_file(paths.join(prefix, name)) for name in _TOOL_FILES)


def _find_activated(surroundings: Surroundings) -> Iterator[ChosenPython]:
    root = surroundings.variables.get("VIRTUAL_ENV", "")
    if root and not is_tool_environment(root, surroundings.is_file, surroundings.paths):
        for python in _list_pythons(root, surroundings):
            yield ChosenPython(python, f"{ACTIVATED}virtual environment")
    if not _is_conda_base(surroundings.variables):
        yield from _find_conda(surroundings)


def _is_conda_base(variables: Mapping[str, str]) -> bool:
    return variables.get("CONDA_DEFAULT_ENV") == "base"


def _find_conda(surroundings: Surroundings) -> Iterator[ChosenPython]:
    root = surroundings.variables.get("CONDA_PREFIX", "")
    name = surroundings.variables.get("CONDA_DEFAULT_ENV") or root
    for python in _list_pythons(root, surroundings, is_conda=True):
        yield ChosenPython(python, f"{ACTIVATED}conda environment {name}")


def _find_in_folders(surroundings: Surroundings) -> Iterator[ChosenPython]:
    paths = surroundings.paths
    for number, folder in enumerate(surroundings.folders):
        for name in ENVIRONMENT_FOLDERS:
            root = paths.join(folder, name)
            is_conda = surroundings.is_file(paths.join(root, "conda-meta", "history"))
            if is_conda or surroundings.is_file(paths.join(root, "pyvenv.cfg")):
                for python in _list_pythons(root, surroundings, is_conda=is_conda):
                    yield ChosenPython(python, f"the {name} of {folder if number else 'this folder'}")


def _list_pythons(root: str, surroundings: Surroundings, *, is_conda: bool = False) -> Iterator[str]:
    """Yield the interpreter of an environment, if it is there."""
    # A virtual environment that a Python of MSYS2 made on Windows has a folder bin.
    folders = ("", "bin") if is_conda else ("Scripts", "bin")
    name = "python.exe" if surroundings.is_windows else "python"
    for folder in folders if root else ():
        python = surroundings.paths.join(root, folder, name)
        if surroundings.is_file(python):
            yield python


def _find_on_path(surroundings: Surroundings) -> Iterator[ChosenPython]:
    paths = surroundings.paths
    own_folder = paths.normcase(paths.dirname(surroundings.executable))
    for command in ("python",) if surroundings.is_windows else ("python", "python3"):
        for python in _list_on_path(f"{command}.exe" if surroundings.is_windows else command, surroundings):
            folder = paths.dirname(python)
            if is_tool_environment(paths.dirname(folder), surroundings.is_file, paths):
                continue
            is_own = paths.normcase(folder) == own_folder
            yield ChosenPython(
                python, f"the first {command} on PATH{', which also runs torchdoctor' if is_own else ''}"
            )


def _list_on_path(name: str, surroundings: Surroundings) -> Iterator[str]:
    separator = ";" if surroundings.is_windows else ":"
    for folder in surroundings.variables.get("PATH", "").split(separator):
        folder = folder.strip('"').rstrip("\\/" if surroundings.is_windows else "/")
        python = surroundings.paths.join(folder, name)
        # A relative folder depends on where the doctor is started.
        if surroundings.paths.isabs(python) and surroundings.is_file(python):
            yield python


def _find_by_launcher(surroundings: Surroundings) -> Iterator[ChosenPython]:
    python = surroundings.ask_launcher() if surroundings.is_windows else None
    if python is not None:
        yield ChosenPython(python, "the default of the py launcher")
