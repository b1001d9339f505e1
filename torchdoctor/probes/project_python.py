"""Finds the interpreter to examine where the user names none.

`run` imports this module before its program starts, so it imports little.
"""

import os
import sys
from collections.abc import Iterator

from torchdoctor.probes.python_choice import ChosenPython, Surroundings, choose_python, is_tool_environment

_LAUNCHER_SECONDS = 10.0


def find_project_python() -> ChosenPython:
    """Return the interpreter of the project; `choose_python` says in which order it is looked for."""
    return choose_python(observe_surroundings())


def observe_surroundings() -> Surroundings:
    """Return what the choice depends on, for this process."""
    return Surroundings(
        is_windows=os.name == "nt",
        variables=os.environ,
        folders=tuple(_list_project_folders()),
        executable=sys.executable,
        has_torch=_has_torch(),
        is_file=_is_file,
        ask_launcher=_ask_launcher,
    )


def _list_project_folders() -> Iterator[str]:
    """Yield the current folder and its parents up to the root of the repository; only it without one."""
    try:
        current = os.getcwd()
    except OSError:
        return  # It was deleted.
    folders = [current]
    while not os.path.exists(os.path.join(folders[-1], ".git")):
        parent = os.path.dirname(folders[-1])
        if parent == folders[-1]:
            folders = [current]
            break
        folders.append(parent)
    yield from folders


def _has_torch() -> bool:
    """Return whether torch, or what is left of it, is in the doctor's environment; nothing is imported."""
    folders = [entry for entry in sys.path if os.path.basename(entry) in ("site-packages", "dist-packages")]
    if is_tool_environment(sys.prefix, _is_file, os.path):
        # `uv run --with` puts the packages of the project on the import path of the tool.
        folders = [folder for folder in folders if folder.startswith(sys.prefix)]
    return any(
        name == "torch" or (name.startswith("torch-") and name.endswith(".dist-info"))
        for folder in folders
        for name in _list_names(folder)
    )


def _is_file(path: str) -> bool:
    folder = os.path.dirname(path)
    if is_windows_apps(folder):
        return os.path.lexists(path) and has_store_python(folder)
    return os.path.isfile(path)


def is_windows_apps(folder: str) -> bool:
    """Return whether this is the folder of the aliases that the Microsoft Store sets up."""
    return os.path.basename(folder).lower() == "windowsapps"


def has_store_python(folder: str) -> bool:
    """Return whether a Python from the Store is behind the aliases; without one they only open the Store."""
    # A Python from the Store has a folder next to the aliases.
    names = _list_names(folder)
    return not names or any(name.lower().startswith("pythonsoftwarefoundation.python.") for name in names)


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _ask_launcher() -> str | None:
    """Return the default interpreter of the `py` launcher, or None. It lists them and starts none."""
    candidates = (os.path.join(folder, "py.exe") for folder in os.get_exec_path() if os.path.isabs(folder))
    # isfile follows an alias of the Store, which cannot be opened.
    launcher = next(filter(os.path.lexists, candidates), None)
    if launcher is None:
        return None
    # Imported here: most machines have a python on PATH.
    from torchdoctor.processes.child import ChildError, run_child

    try:
        result = run_child([launcher, "-0p"], time_limit_seconds=_LAUNCHER_SECONDS)
    except ChildError:
        return None
    python = parse_launcher_default(result.stdout_tail)
    return python if python is not None and os.path.isfile(python) else None


def parse_launcher_default(output: str) -> str | None:
    """Return the path in the line of `py -0p` that an asterisk marks as the default, or None."""
    import re

    # Old launchers write the asterisk behind the path, newer ones before it.
    match = re.search(r"^(?=.*\*)[^\\]*?([A-Za-z]:\\[^*\n]*\.exe)", output, re.MULTILINE)
    return match[1] if match else None
