"""Find the Python that a Windows text is about, by the paths in it."""

import ntpath

from torchdoctor.core.patterns import pattern
from torchdoctor.knowledge.uv import is_environment_of_a_tool

# The folder of an installation; other characters than these are not put into commands.
_FOLDER = r"(?<![\w\\/:])([a-z]:(?:[\\/][\w\u00c0-\uffff .+-]{1,80}){1,12})"
# Houdini has a second one, whose packages come first. pip names the folder before a version in brackets.
_SITE_PACKAGES = _FOLDER + r"[\\/]Lib[\\/]site-packages(?:-forced)?(?:[\\/]|(?= \(\d))"
# A torch that was installed beside the standard library.
_LIBRARY_TORCH = _FOLDER + r"[\\/]Lib[\\/]torch[\\/](?:__init__\.py|lib[\\/])"
# A frame in the standard library, by the modules that frames name.
_STANDARD_LIBRARY = (
    _FOLDER
    + r"[\\/]Lib[\\/](?:(?:asyncio|concurrent|ctypes|importlib|logging|multiprocessing|unittest|urllib)[\\/]"
    r"|(?:code|contextlib|pathlib|pickle|platform|queue|runpy|shutil|socket|ssl|subprocess|tempfile"
    r"|threading|zipfile)\.py)"
)
# The Store lets nobody start its Python by a path.
_OF_THE_STORE = r"\\WindowsApps\\"
# What the folders of conda and of Pythons are called, where only their name is known.
_LIKE_AN_INSTALLATION = r"\\envs\\[^\\]{1,80}$|\\py\w{0,10}[ _.-]{0,2}3[\d.]{0,6}$"
# A command with a python.exe in a folder below the one that the prompt shows.
_TYPED_BELOW = (
    r"(?<![\w\\/:])([a-z]:\\[\w\u00c0-\uffff .\\+-]{0,200})>[ ]?(?:& ?)?['\"]?"
    r"((?!-)[\w.-]{1,60}(?:[\\/][\w.-]{1,60}){0,6}[\\/]python\.exe(?!\.?\w)|\.[\\/]python(?=\s|$))"
)
# The Python that a portable program brings, typed or printed with its path from the folder of the program.
_RELATIVE = (
    r"(?<![\w\\/:.~<>-])(?:\.[\\/])?((?:[\w.-]{1,60}[\\/]){0,3}"
    r"(?:[\w.-]{0,30}embed(?:d?ed|dable)?|system[\\/]python|runtime)[\\/]python\.exe)(?!\.?\w)"
)
# What a shell says of a program that is not there.
_NOT_THERE = r"python\.exe['\"]? (?:is not|: ?the term)|cannot find the (?:path|file) specified|找不到指定的"
EXECUTABLE = r"(?<![\w\\/:])([a-z]:(?:[\\/][\w\u00c0-\uffff .+-]{1,80}){0,12}[\\/]python\.exe)(?!\.?\w)"
# QGIS, by the folder of its own code or its program, and a virtual environment of a plugin.
_QGIS = (
    r"(?<![\w\\/:])([a-z]:(?:[\\/][\w .()~+-]{1,80}){1,6}?)[\\/]"
    r"(?:apps[\\/]qgis(-ltr)?[\\/]|bin[\\/]qgis(-ltr)?-bin\.exe)"
)
_PLUGIN_VENV = r"[\\/](?:\.venv|venv[\w.-]{0,20}|env)[\\/](?:Lib|Scripts)[\\/]"
_PORTABLE = (
    r"(?<![\w\\/:])([a-z]:(?:[\\/][\w\u00c0-\uffff .+-]{1,80}){0,8}[\\/]ComfyUI_windows_portable)[\\/]"
)
# The packages of the Python of the Microsoft Store, which is started by its version.
_STORE_PACKAGES = (
    r"\\PythonSoftwareFoundation\.Python\.(3\.\d{1,2})_\w{1,20}[\\/]LocalCache[\\/]local-packages[\\/]"
)
# The packages of a user folder, which all Pythons of one version load.
_USER_PACKAGES = r"\\AppData\\Roaming\\Python\\Python(3)(\d{1,2})\\(?:site-packages|Scripts)\b"
_USER_FOLDER = r"\\AppData\\Roaming\\Python\\Python3\d{1,2}$"
# A program that pip has put beside a Python, which is no environment of its own: those have no user folder.
_PROGRAM = _FOLDER + r"[\\/]Scripts[\\/][\w.-]{1,60}\.exe[\\/]__main__\.py"
# The packages of two web UIs, which have a Python of their own beside the folder `webui`; they start with
# `run.bat`, whatever their folder is called.
_WEBUI_PACKAGE = r"(.+\\(?:webui_forge_cu\w{1,20}|sd\.webui))\\webui"
# Packages of one publisher, with a Python in their folder; a launcher starts them.
_AKI_PACKAGE = r".*\\[^\\]*webui[^\\]*-aki\b[^\\]*"
_RENAMED_PACKAGE = r"(.+)\\webui"
# An environment of conda, or its first one, by the folder of its Python.
# What a command makes or enters, and what stands before a prompt of Windows.
_NAMED_ENVIRONMENT = (
    r"(?:^|[>$#&`'\"] ?)(?:conda |call )?activate (?![\w.:-]*[\\/])([A-Za-z][\w.-]{0,40})\s*(?:$|[`'\"])"
    r"|\bconda create (?:-y |--yes )?(?:-n|--name)[ =]([A-Za-z][\w.-]{0,40})\b"
    r"|^\((?!\.?venv\b)([A-Za-z][\w.-]{0,40})\) (?:PS )?[A-Za-z]:\\"
)
_CONDA_ENVIRONMENT = r"(?:conda|mamba|miniforge)[\w.-]{0,20}(?:\\envs\\([\w.-]{1,60}))?\\python\.exe$"
# Where Pipenv and Poetry put the environments that they make.
_OF_A_MAKER = r"\\\.virtualenvs\\|\\pypoetry\\Cache\\virtualenvs\\"
# What pip and uv make for one build, and delete afterwards.
_BUILD_FOLDER = r"\\pip-build-env-\w{1,20}\\|\\uv\\cache\\"
# A Python that is no longer there.
_GONE = r"(?:Unable to create process using|No Python at) ['\"]{1,3}[^\n]{1,300}"
# What the start file of SD.Next prints.
_NAMED_VENV = r"Using VENV: " + _FOLDER
# Where pip says that torch is.
_PLACE_OF_TORCH = (
    r"(?:Name: torch\b[\s\S]{0,400}?\bLocation: |Requirement already satisfied: torch\b[^\n]{0,60}? in )"
    + _FOLDER
    + r"[\\/]site-packages(?![\w\\/-])"
)
# The folder in which conda puts the DLLs of an environment.
_CONDA_LIBRARY = _FOLDER + r"[\\/]Library[\\/]bin[\\/]"
# What people write in place of their name, and what stands for it here.
_MASKED_NAME = r"(?<=[\\/]Users[\\/])(?!\w)[^\\/\n\"']{1,30}(?=[\\/])"
_MASK = "masked-name"
_BLENDER = r"\\Blender [\d.]{3,6}\\[\d.]{3,6}\\python$"
# The python.exe of 3D Slicer does not find its DLLs by itself: a launcher in the folder `bin` sets the paths.
# https://slicer.readthedocs.io/en/latest/developer_guide/python_environment.html
_SLICER = r"(.*\\(?:3D[ -]?)?Slicer[ -]?\d?[^\\]{0,20})\\lib\\python$"
# A conda environment, or an installation by the name that its installer gives it; Envs alone may hold virtual
# environments.
_BROKEN_LAUNCHER = (
    r"error in launcher: Unable to create process using '?\"([^\"\n]{1,300})\"[ ]{1,4}"
    r"\"([a-z]:[\\/][^\"\n]{1,200})[\\/]Scripts[\\/]pip[\d.]{0,5}\.exe\""
)
_INSTALLATION = (
    r"(?:conda|mamba|miniforge)[\w.-]{0,20}(?:\\envs\\[^\\]{1,80})?$"
    # What installers of programs make: an environment of conda, and Pythons that were copied into the folder.
    r"|\\installer_files\\env$|\\(?:runtime|python|python_env|python_standalone)$"
    r"|\\python(?:[ _-]?3[\d._]{1,10}(?:-32|-arm64)?)?$"
    r"|\\[\w. -]{0,30}embed(?:d?ed|dable)?(?:-\w{1,10})?$"
    # The Pythons of machines that build and test: actions/setup-python, and the package of NuGet.
    r"|\\hostedtoolcache\\windows\\python\\3[\w.-]{1,20}\\(?:x64|x86|arm64)$"
    r"|\\python(?:x86|arm64)?\.3\.\d{1,2}[\w.-]{0,12}\\tools$"
)


def read_interpreter(text: str, webui: str | None = None) -> str | None:
    """Return the path of the Python whose packages a Windows text names, or None if it is not certain.

    The Python of the Microsoft Store has no path that can be typed, but a name with its version. The one of
    which only the user folder is known is what the launcher starts, `py -3.12`.
    A virtual environment has it in Scripts, other installations have it beside Lib: the name of the folder
    or the place of the standard library tells which one it is. Without a folder of packages, the only
    python.exe with a path counts, or that of a portable ComfyUI, which lies beside its folder. `webui` is the
    folder of a web UI whose start script makes the environment `venv` in it.
    """
    qgis = _read_qgis_python(text)
    if qgis is not None:
        return qgis
    folders = _find_package_folders(text)
    folders = folders or [ntpath.normpath(match[1]) for match in pattern(_LIBRARY_TORCH, True).finditer(text)]
    if not folders:
        return _read_webui_python(text, webui) if webui is not None else _read_named_python(text)
    if len({folder.lower() for folder in folders}) != 1:
        return None
    return _find_python_of_packages(folders[0], text)


def _read_webui_python(text: str, webui: str) -> str:
    """Return the Python of a web UI: that of its package, or that of the environment in its folder."""
    folder = ntpath.normpath(webui)
    starts_with_run = pattern(r"\brun\.bat\b", True).search(text) is not None
    package = pattern(_RENAMED_PACKAGE if starts_with_run else _WEBUI_PACKAGE, True).fullmatch(folder)
    if package is not None:
        return ntpath.join(package[1], "system", "python", "python.exe")
    if pattern(_AKI_PACKAGE, True).fullmatch(folder):
        return ntpath.join(folder, "python", "python.exe")
    return ntpath.join(folder, "venv", "Scripts", "python.exe")


def _read_named_python(text: str) -> str | None:
    """Return the Python that a text without package folders names."""
    named = pattern(_NAMED_VENV, True).search(text)
    if named is not None:
        return ntpath.join(ntpath.normpath(named[1]), "Scripts", "python.exe")
    return (
        _read_broken_launcher(text)
        or _read_executable(text)
        or _read_conda_python(text)
        or _read_store_python(text)
        or _read_place_of_torch(text)
        or _read_user_python(text)
    )


def _find_python_of_packages(folder: str, text: str) -> str | None:
    """Return the python.exe of the folder whose packages a text names; None if it may be in two places."""
    if pattern(_BLENDER, True).search(folder):
        return ntpath.join(folder, "bin", "python.exe")
    slicer = pattern(_SLICER, True).fullmatch(folder)
    if slicer is not None:
        return ntpath.join(slicer[1], "bin", "PythonSlicer.exe")
    in_folder = ntpath.join(folder, "python.exe")
    in_scripts = ntpath.join(folder, "Scripts", "python.exe")
    if pattern(_INSTALLATION, True).search(folder):
        return in_folder
    spelled = text.lower().replace("/", "\\")
    for python in (in_folder, in_scripts):
        if python.lower() in spelled:
            return python
    if _is_virtual_environment(folder, text) or f"{folder}\\scripts\\activate".lower() in spelled:
        return in_scripts
    libraries = {
        ntpath.normpath(match[1]).lower() for match in pattern(_STANDARD_LIBRARY, True).finditer(text)
    }
    if len(libraries) != 1:
        return None
    return in_folder if folder.lower() in libraries else in_scripts


def _is_virtual_environment(folder: str, text: str) -> bool:
    """Return whether a folder is by its name, or by who made it, a virtual environment."""
    name = ntpath.basename(folder).lower()
    # What installers call `env` may be an environment of conda.
    is_own_name = name.endswith("env") and name != "env" and "conda" not in text.lower()
    is_of_a_maker = pattern(_OF_A_MAKER, True).search(folder) is not None or is_environment_of_a_tool(folder)
    return "venv" in name or name.startswith(".") or is_own_name or is_of_a_maker


def read_masked_interpreter(text: str) -> dict[str, str]:
    """Return the Python of a path whose user name was taken out, from the folder that has its folder in it.

    `python` begins with ".", and `python_folder` says where that is. An environment of conda is found by its
    name.
    """
    python = read_interpreter(pattern(_MASKED_NAME, True).sub(_MASK, text))
    if python is None or _MASK not in python:
        return {}
    environment = read_conda_environment(python)
    if environment is not None:
        return {"conda_environment": environment}
    folder, name = ntpath.split(python)
    tail = [name]
    if ntpath.basename(folder).lower() == "scripts":
        folder, scripts = ntpath.split(folder)
        tail.insert(0, scripts)
    parent = ntpath.dirname(folder)
    place = ntpath.basename(parent)
    if _MASK in ntpath.basename(folder):
        return {}
    return {
        "python": ntpath.join(".", ntpath.basename(folder), *tail),
        "python_folder": "your user folder" if place == _MASK else f"the folder `{place}`",
    }


def read_relative_interpreter(text: str) -> dict[str, str]:
    """Return the only Python of a portable program that a text names by a path from the program's folder.

    `python` begins with ".", and `python_folder` says from where.
    """
    found = {ntpath.normpath(match[1]) for match in pattern(_RELATIVE, True).finditer(text)}
    if len({path.lower() for path in found}) != 1 or pattern(_NOT_THERE, True).search(text):
        return {}
    path = found.pop()
    top = path.partition("\\")[0]
    return {"python": ntpath.join(".", path), "python_folder": f"the folder that has `{top}` in it"}


def _find_package_folders(text: str) -> list[str]:
    """Return the folders whose packages a text names, without those that pip makes to build in."""
    folders = [ntpath.normpath(match[1]) for match in pattern(_SITE_PACKAGES, True).finditer(text)]
    return [folder for folder in folders if not pattern(_BUILD_FOLDER, True).search(f"{folder}\\")]


def shows_running(text: str) -> bool:
    """Return whether a text shows the packages or the library of a Python, or that its path was typed."""
    shapes = (_STANDARD_LIBRARY, _TYPED_BELOW, rf">[ ]?(?:& ?)?['\"]?{EXECUTABLE}")
    return bool(_find_package_folders(text)) or any(pattern(each, True).search(text) for each in shapes)


def guess_interpreter(text: str) -> dict[str, str]:
    """Return the probable Python of the only folder whose packages a text names, and the other place for it.

    Where `read_interpreter` is not certain, it lies in the folder itself or in its folder Scripts.
    """
    folders = {folder.lower(): folder for folder in _find_package_folders(text)}
    if len(folders) != 1 or pattern(_OF_THE_STORE, True).search(text):
        return {}
    folder = next(iter(folders.values()))
    places = [ntpath.join(folder, "Scripts", "python.exe"), ntpath.join(folder, "python.exe")]
    if "conda" in text.lower() or pattern(_LIKE_AN_INSTALLATION, True).search(folder):
        places.reverse()
    return {"likely_python": places[0], "python_elsewhere": places[1]}


def split_torch_python(text: str) -> tuple[str, str | None]:
    """Return a text without the lines in which pip says where torch is, and the Python of that place.

    The Python that finds no torch is another one; that of the place is None where it is not known.
    """
    places = list(pattern(_PLACE_OF_TORCH, True).finditer(text))
    if len({place[1].lower() for place in places}) != 1:
        return text, None
    folder = places[0][1] + "\\site-packages\\torch\\"
    rest = text
    for place in places:
        rest = rest.replace(place[0], "")
    return rest, read_interpreter(folder)


def _read_qgis_python(text: str) -> str | None:
    """Return the file that starts the Python of the only QGIS of a text, or None.

    Its python.exe does not find its DLLs by itself. A plugin that has a virtual environment uses that one.
    """
    if "qgis" not in text.lower() or pattern(_PLUGIN_VENV, True).search(text):
        return None
    found = {
        (ntpath.normpath(match[1]).lower(), bool(match[2] or match[3])): ntpath.normpath(match[1])
        for match in pattern(_QGIS, True).finditer(text)
    }
    if len(found) != 1:
        return None
    ((_, is_ltr), folder) = next(iter(found.items()))
    return ntpath.join(folder, "bin", f"python-qgis{'-ltr' if is_ltr else ''}.bat")


def _read_broken_launcher(text: str) -> str | None:
    """Return the Python of the folder in which a pip.exe lies that names a Python which is gone, or None."""
    found = pattern(_BROKEN_LAUNCHER, True).search(text)
    if found is None:
        return None
    gone, folder = ntpath.dirname(ntpath.normpath(found[1])), ntpath.normpath(found[2])
    is_there = gone.lower() != folder.lower() and pattern(_INSTALLATION, True).search(folder) is not None
    return ntpath.join(folder, "python.exe") if is_there else None


def _read_place_of_torch(text: str) -> str | None:
    """Return the Python of the only place in which pip says that torch is, or None."""
    places = {match[1].lower(): match[1] for match in pattern(_PLACE_OF_TORCH, True).finditer(text)}
    if len(places) != 1:
        return None
    return read_interpreter(f"{next(iter(places.values()))}\\site-packages\\torch\\")


def _read_executable(text: str) -> str | None:
    """Return the only python.exe that a text names with its path, or that of the only portable ComfyUI."""
    text = pattern(_GONE).sub("", text)
    found = [ntpath.normpath(match[1]) for match in pattern(EXECUTABLE, True).finditer(text)]
    typed = () if pattern(_NOT_THERE, True).search(text) else pattern(_TYPED_BELOW, True).finditer(text)
    found = found or [
        ntpath.normpath(ntpath.join(match[1].rstrip(), f"{match[2].removesuffix('.exe')}.exe"))
        for match in typed
    ]
    found = found or [
        ntpath.join(ntpath.normpath(match[1]), "python_embeded", "python.exe")
        for match in pattern(_PORTABLE, True).finditer(text)
    ]
    return found[0] if len({path.lower() for path in found}) == 1 else None


def _read_conda_python(text: str) -> str | None:
    """Return the Python of the only conda environment whose DLLs or standard library a text names.

    A virtual environment has the standard library of another Python, which may be the first one of conda.
    """
    folders = {ntpath.normpath(match[1]) for match in pattern(_CONDA_LIBRARY, True).finditer(text)}
    library = {ntpath.normpath(match[1]) for match in pattern(_STANDARD_LIBRARY, True).finditer(text)}
    folders |= {folder for folder in library if "\\envs\\" in folder.lower()}
    found = {ntpath.join(folder, "python.exe") for folder in folders}
    conda = [path for path in sorted(found) if pattern(_CONDA_ENVIRONMENT, True).search(path)]
    return conda[0] if len(conda) == 1 else None


def _read_store_python(text: str) -> str | None:
    """Return the name of the only Python of the Microsoft Store whose packages a text names."""
    versions = {match[1] for match in pattern(_STORE_PACKAGES, True).finditer(text)}
    return f"python{versions.pop()}" if len(versions) == 1 else None


def _read_user_python(text: str) -> str | None:
    """Return what starts the only Python of whose user folder a text shows packages.

    That folder belongs to no installation: the folder of the standard library or of the programs names it,
    and otherwise the launcher finds it by its version. Pythons of conda are not known to the launcher.
    """
    versions = {f"{match[1]}.{match[2]}" for match in pattern(_USER_PACKAGES, True).finditer(text)}
    if len(versions) != 1 or "conda" in text.lower():
        return None
    places = [*pattern(_STANDARD_LIBRARY, True).finditer(text), *pattern(_PROGRAM, True).finditer(text)]
    named = (ntpath.normpath(match[1]) for match in places)
    # Programs of the user folder lie in it, too.
    folders = {each.lower(): each for each in named if not pattern(_USER_FOLDER, True).search(each)}
    if len(folders) == 1:
        return ntpath.join(next(iter(folders.values())), "python.exe")
    return f"py -{versions.pop()}" if not folders else None


def read_scripts_folder(python: str) -> str | None:
    """Return the folder into which pip puts the programs of a Python with a whole path."""
    folder, name = ntpath.split(python)
    if name.lower() != "python.exe" or not ntpath.isabs(folder):
        return None
    return folder if ntpath.basename(folder).lower() == "scripts" else ntpath.join(folder, "Scripts")


def read_program_folder(python: str) -> dict[str, str]:
    """Return the folder of the program that a Python with a whole path belongs to, by where that lies in it.

    `portable_folder` has the Python in `python_embeded`, and `venv_folder` in `venv`.
    """
    names = {
        "portable_folder": "\\python_embeded\\python.exe",
        "venv_folder": "\\venv\\scripts\\python.exe",
    }
    folders = {name: python[: -len(tail)] for name, tail in names.items() if python.lower().endswith(tail)}
    # The drive alone is the folder in which a console is on it.
    return {name: folder if folder[3:] else f"{folder}\\" for name, folder in folders.items()}


def read_conda_name(text: str) -> str | None:
    """Return the name of the conda environment that the commands and prompts of a text name, if it is one."""
    names = {name for match in pattern(_NAMED_ENVIRONMENT).finditer(text) for name in match.groups() if name}
    return next(iter(names)) if len(names) == 1 else None


def read_conda_environment(python: str) -> str | None:
    """Return the name of the conda environment that a Python belongs to, "base" for the first one."""
    found = pattern(_CONDA_ENVIRONMENT, True).search(python)
    return (found[1] or "base") if found is not None else None
