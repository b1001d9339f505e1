"""Finds the interpreter to examine where the user names none.

`run` imports this module before its program starts, so it imports little.
"""

import os
import sys
from collections.abc import Iterator

from torchdoctor.probes.python_choice import (
    GIVEN,
    ChosenPython,
    Surroundings,
    choose_python,
    is_tool_environment,
)

_LAUNCHER, _LAUNCHER_SECONDS = "py -", 10.0


def find_python(given: str | None = None) -> ChosenPython:
    """Return the interpreter that a person names: a path, a name on PATH, or `py -3.12` for the launcher.

    Without one, it is that of the project; `choose_python` says in which order it is looked for.
    """
    if given is None:
        return choose_python(observe_surroundings())
    if not given.startswith(_LAUNCHER) or _is_file(given):
        return ChosenPython(given, GIVEN)
    found = parse_launcher_version(_list_launched() or "", given.removeprefix(_LAUNCHER))
    return ChosenPython(found or given, GIVEN)


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
    """Return the default interpreter of the `py` launcher, or None."""
    output = _list_launched()
    python = parse_launcher_default(output) if output is not None else None
    return python if python is not None and os.path.isfile(python) else None


def _list_launched() -> str | None:
    """Return what the `py` launcher lists, or None where there is none. It starts no interpreter."""
    candidates = (os.path.join(folder, "py.exe") for folder in os.get_exec_path() if os.path.isabs(folder))
    # isfile follows an alias of the Store, which cannot be opened.
    launcher = next(filter(os.path.lexists, candidates), None)
    if launcher is None:
        return None
    # Imported here: most machines have a python on PATH.
    from torchdoctor.processes.child import ChildError, run_child

    try:
        return run_child([launcher, "-0p"], time_limit_seconds=_LAUNCHER_SECONDS).stdout_tail
    except ChildError:
        return None


def parse_launcher_version(output: str, version: str) -> str | None:
    """Return the path that `py -0p` lists for a version such as "3.12" or "3.12-32", or None.

    Of two that differ in their architecture alone, "3.12" is the one with 64 bits.
    """
    import re

    line = r"^[ ]*-(?:V:)?(3\.[\w.-]{1,12})[ \t*]{1,40}([A-Za-z]:\\[^*\n]*\.exe)"
    listed = dict(re.findall(line, output, re.MULTILINE))
    names = (version, f"{version}-64", f"{version}-arm64", f"{version}-32")
    return next((listed[name] for name in names if name in listed), None)


def parse_launcher_default(output: str) -> str | None:
    """Return the path in the line of `py -0p` that an asterisk marks as the default, or None."""
    import re

    # Old launchers write the asterisk behind the path, newer ones before it.
    match = re.search(r"^(?=.*\*)[^\\]*?([A-Za-z]:\\[^*\n]*\.exe)", output, re.MULTILINE)
    return match[1] if match else None
