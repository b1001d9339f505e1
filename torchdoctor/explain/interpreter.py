"""Find the Python that a Windows text is about, by the paths in it."""

import ntpath

from torchdoctor.core.patterns import pattern

# The folder of an installation; other characters than these are not put into commands.
_FOLDER = r"(?<![\w\\/:])([a-z]:(?:[\\/][\w\u00c0-\uffff .+-]{1,80}){1,12})"
_SITE_PACKAGES = _FOLDER + r"[\\/]Lib[\\/]site-packages[\\/]"
# A torch that was installed beside the standard library.
_LIBRARY_TORCH = _FOLDER + r"[\\/]Lib[\\/]torch[\\/](?:__init__\.py|lib[\\/])"
# A frame in the standard library, by the modules that frames name.
_STANDARD_LIBRARY = (
    _FOLDER
    + r"[\\/]Lib[\\/](?:(?:asyncio|concurrent|ctypes|importlib|logging|multiprocessing|unittest|urllib)[\\/]"
    r"|(?:code|contextlib|pathlib|pickle|platform|queue|runpy|shutil|socket|ssl|subprocess|tempfile"
    r"|threading|zipfile)\.py)"
)
_EXECUTABLE = r"(?<![\w\\/:])([a-z]:(?:[\\/][\w\u00c0-\uffff .+-]{1,80}){0,12}[\\/]python\.exe)(?![\w.])"
_PORTABLE = (
    r"(?<![\w\\/:])([a-z]:(?:[\\/][\w\u00c0-\uffff .+-]{1,80}){0,8}[\\/]ComfyUI_windows_portable)[\\/]"
)
# The packages of the Python of the Microsoft Store, which is started by its version.
_STORE_PACKAGES = (
    r"\\PythonSoftwareFoundation\.Python\.(3\.\d{1,2})_\w{1,20}[\\/]LocalCache[\\/]local-packages[\\/]"
)
# The packages of two web UIs, which have a Python of their own beside the folder `webui`.
_WEBUI_PACKAGE = r"(.+\\(?:webui_forge_cu\w{1,20}|sd\.webui))\\webui"
# An environment of conda, or its first one, by the folder of its Python.
_CONDA_ENVIRONMENT = r"(?:conda|mamba|miniforge)[\w.-]{0,20}(?:\\envs\\([\w.-]{1,60}))?\\python\.exe$"
_BLENDER = r"\\Blender [\d.]{3,6}\\[\d.]{3,6}\\python$"
# A conda environment, or an installation by the name that its installer gives it; Envs alone may hold virtual
# environments.
_INSTALLATION = (
    r"(?:conda|mamba|miniforge)[\w.-]{0,20}(?:\\envs\\[^\\]{1,80})?$"
    # What installers of programs make: an environment of conda, and Pythons that were copied into the folder.
    r"|\\installer_files\\env$|\\(?:runtime|python|python_env)$"
    r"|\\python(?:[ _-]?embed\w{0,20}|[ _-]?3[\d.]{1,10}(?:-32|-arm64|-embed-\w{1,10})?)?$"
)


def read_interpreter(text: str, webui: str | None = None) -> str | None:
    """Return the path of the Python whose packages a Windows text names, or None if it is not certain.

    The Python of the Microsoft Store has no path that can be typed, but a name with its version.
    A virtual environment has it in Scripts, other installations have it beside Lib: the name of the folder
    or the place of the standard library tells which one it is. Without a folder of packages, the only
    python.exe with a path counts, or that of a portable ComfyUI, which lies beside its folder. `webui` is the
    folder of a web UI whose start script makes the environment `venv` in it.
    """
    folders = [ntpath.normpath(match[1]) for match in pattern(_SITE_PACKAGES, True).finditer(text)]
    package = pattern(_WEBUI_PACKAGE, True).fullmatch(ntpath.normpath(webui)) if webui is not None else None
    folders = folders or [ntpath.normpath(match[1]) for match in pattern(_LIBRARY_TORCH, True).finditer(text)]
    if not folders and package is not None:
        return ntpath.join(package[1], "system", "python", "python.exe")
    if not folders and webui is not None:
        return ntpath.join(ntpath.normpath(webui), "venv", "Scripts", "python.exe")
    if not folders:
        return _read_executable(text) or _read_store_python(text)
    if len({folder.lower() for folder in folders}) != 1:
        return None
    folder = folders[0]
    if pattern(_BLENDER, True).search(folder):
        return ntpath.join(folder, "bin", "python.exe")
    if pattern(_INSTALLATION, True).search(folder):
        return ntpath.join(folder, "python.exe")
    name = ntpath.basename(folder).lower()
    # What installers call `env` may be an environment of conda.
    is_own_name = name.endswith("env") and name != "env" and "conda" not in text.lower()
    is_activated = f"{folder}\\scripts\\activate".lower() in text.lower().replace("/", "\\")
    if "venv" in name or is_own_name or is_activated:
        return ntpath.join(folder, "Scripts", "python.exe")
    libraries = {
        ntpath.normpath(match[1]).lower() for match in pattern(_STANDARD_LIBRARY, True).finditer(text)
    }
    if len(libraries) != 1:
        return None
    has_own_library = folder.lower() in libraries
    return ntpath.join(folder, *(() if has_own_library else ("Scripts",)), "python.exe")


def _read_executable(text: str) -> str | None:
    """Return the only python.exe that a text names with its path, or that of the only portable ComfyUI."""
    found = [ntpath.normpath(match[1]) for match in pattern(_EXECUTABLE, True).finditer(text)]
    found = found or [
        ntpath.join(ntpath.normpath(match[1]), "python_embeded", "python.exe")
        for match in pattern(_PORTABLE, True).finditer(text)
    ]
    return found[0] if len({path.lower() for path in found}) == 1 else None


def _read_store_python(text: str) -> str | None:
    """Return the name of the only Python of the Microsoft Store whose packages a text names."""
    versions = {match[1] for match in pattern(_STORE_PACKAGES, True).finditer(text)}
    return f"python{versions.pop()}" if len(versions) == 1 else None


def read_conda_environment(python: str) -> str | None:
    """Return the name of the conda environment that a Python belongs to, "base" for the first one."""
    found = pattern(_CONDA_ENVIRONMENT, True).search(python)
    return (found[1] or "base") if found is not None else None
