"""The paths of a traceback: the system, the version of Python, the folder of its packages, conda."""

import ntpath
from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "paths"
_FRAME = r"^\s*File \"?(?P<path>(?:[A-Za-z]:[\\/]|/)[^\"\n]{3,400}?\.(?:py|pyw|ipynb))\"?[,:]"
# What is installed, wherever a line names it.
_INSTALLED = (
    r"(?:(?<![\w/.])|(?<=-[IL]))(?P<path>(?:[A-Za-z]:[\\/]|/(?!/))[^\"'\n:*?<>|,;()]{2,250}"
    r"[\\/](?:site|dist)-packages(?:[\\/][\w.]{0,60}|(?=\s*$|\s?[()\"'`,;])))"
)
# What somebody wrote in place of a name in a path.
_PLACEHOLDER = r"(?<=[\\/])<[\w -]{1,20}>(?=[\\/])"
# The prompt of cmd in the folder of a Python.
_PROMPT = r"\s{0,4}(?:\([\w.-]{1,40}\) )?(?P<path>(?P<folder>[A-Za-z]:\\[^>\n\"*?<|:]{2,200}))>"
_PACKAGES = r"(?P<folder>.{2,250}[\\/](?:site|dist)-packages)(?:[\\/]|$)"
_PYTHON = (
    r"[\\/]python(?P<number>3\d{1,2}|3\.\d{1,2})(?:-(?P<bits>32)|-64|-arm64)?[\\/](?:lib"
    r"|scripts|site-packages)[\\/]|[\\/]python-(?P<portable>3\.\d{1,2})(?:\.\d{1,2})?(?:\.amd64)?[\\/]"
    r"|[\\/]lib[\\/]python(?P<dotted>3\.\d{1,2})[\\/]"
)
_CONDA = (
    r"(?P<prefix>.{0,200}[\\/](?:(?:ana|mini)(?:conda|forge)[\w.-]{0,10}|\.conda(?=[\\/]envs))"
    r"(?:[\\/]envs[\\/][^\\/]{1,60})?)[\\/](?:lib|scripts)[\\/]"
)
_VENV = r"[\\/]\.?venv[\\/](?:lib|scripts)[\\/]"
# Of which environment a Python is, by its own path.
_CONDA_PYTHON = (
    r"[\\/](?:(?:ana|mini)(?:conda|forge)[\w.-]{0,10}"
    r"|\.?conda)[\\/](?:[^\n]{1,80}[\\/])?python[\d.]{0,5}(?:\.exe)?$"
)
_VENV_PYTHON = r"[\\/]\.?venv[\\/](?:scripts|bin)[\\/]python[\d.]{0,5}(?:\.exe)?$"
# The compiler of a toolkit, as builds call it.
_NVCC = r"[\\/]CUDA[\\/]v(?P<version>\d{1,2}\.\d)[\\/]bin[\\/]{1,2}nvcc\b"
_STORE = (
    r"(?P<prefix>.{0,200}[\\/]PythonSoftwareFoundation\.Python\.(?P<version>3\.\d{1,2})_[^\\/]{1,80})[\\/]"
)


# The folder of a toolkit, and words that make it one to come, or of a library's own build.
_TOOLKIT = r"[\\/]NVIDIA GPU Computing Toolkit[\\/]{1,2}CUDA[\\/]{1,2}v(?P<version>\d{1,2}\.\d)(?!\.?\d)"
_NOT_THERE = (
    r"\b(?:should|must|need|would|could|if|please|copy|put|set|add|paste|extract|download"
    r"|install(?!ed|ation)|e\.g|for example|try|default|delete|remove|uninstall|instead|not (?:exist|found)"
    r"|no such|missing|does(?:n['’]t| not) exist|old|previous)\w{0,6}\b"
    r"|如果|请|复制|下载|安装|删除|添加|不存在"
)
_IS_SET = r"\bCUDA_(?:PATH|HOME)\b"
# conda in the folder of a Python.
_OWN_CONDA = (
    r"\s{0,4}(?P<prefix>[A-Za-z]:\\[^\n\"*?<>|]{1,200}?)\\(?:Scripts\\conda\.exe|condabin\\conda\.bat)\s*$"
)
_OWN_PYTHON = r"\s{0,4}(?P<prefix>[A-Za-z]:\\[^\n\"*?<>|]{1,200}?)\\python\.exe\s*$"
# Any path of a system, outside of addresses; those of C++ sources are of the machine that built torch.
_WINDOWS_PATH = (
    r"(?<![\w/.])[A-Za-z]:[\\/]{1,2}(?![/\\])[\w\u00c0-\uffff ()@.+-]{1,60}[\\/>]|\bwin_amd64\b"
    r"|\\Scripts\\python\.exe\b"
    # The warning of a module below the folder that a program is in.
    r"|(?<![\w/\\.])[A-Za-z_][\w-]{1,40}(?:\\[\w-]{1,40}){1,6}\.py:\d{1,5}: \w{4,40}Warning\b"
)
_UNIX_PATH = (
    r"(?<![\w.:~/])/(?:home|root|usr/l|opt/conda|mnt/[c-z]|workspace|content"
    r"|kaggle)/?[\w.-]{1,60}/|(?<![\w.:~/])/(?:app|srv|data\d?|scratch|storage|nfs|gpfs|venv"
    r"|root)/[^\s:*?\"'<>|\\]{0,160}/(?:site|dist)-packages/"
    # Only Python for Unix has its version in this path; macOS and MSYS2 have folders of their own.
    r"|(?<![\w.:~/])/(?!(?:Users|Applications|Library|System|Volumes|private|opt/homebrew|mingw|ucrt|clang)"
    r"\w{0,12}/)"
    r"[^\s:*?\"'<>|\\]{0,160}/lib/python3\.\d{1,2}/(?:site|dist)-packages/"
    r"|^\s*File \"/(?!Users/|Applications/|Library/)"
)
_MAC_PATH = r"(?<![\w.:~/])/(?:Users/[\w.-]{1,60}|Applications|opt/homebrew|Library/Frameworks)/"
_BUILD_MACHINE = r"\.(?:cpp|cu|h|cuh|hpp|cc|c):\d"


# A command that somebody gave to the Python of a path.
_COMMAND = (
    r"[\"'](?P<quoted>[A-Za-z]:[\\/][^\"'*?<>"
    r"|\n]{1,240}[\\/]python(?:3(?:\.\d{1,2})?)?\.exe)[\"']\s(?:-[mcsVuIE]\b|[^\s-]\S{0,100}\.py\b)"
    r"|(?:^|[\"'`>$#&;(]\s?|\s)[\"'`]?(?P<path>(?:[A-Za-z]:[\\/]|/)[^\"'`*?<>|\n\s]{1,200}?"
    r"[\\/]python(?:3(?:\.\d{1,2})?)?(?:\.exe)?)[\"'`]?\s(?:-[mcsVuIE]\b|[^\s-]\S{0,100}\.py\b)"
    # A launcher that shows its settings, and Windows of a program that failed.
    r"|^\s{0,8}(?:PYTHON=|Faulting application path: |Pfad der fehlerhaften Anwendung: "
    r"|错误应用程序路径[:：] ?|Путь сбойного приложения: "
    r"|Chemin d[’']accès de l[’']application défaillante : ?)"
    r"\"?(?P<shown>[A-Za-z]:[\\/][^\"*?<>|\n]{1,240}[\\/]python\.exe)\"?\s*$"
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what the paths say, each once."""
    yield from _read_system(lines)
    yield from _read_commands(lines)
    yield from _read_compiler(lines)
    yield from _read_toolkit(lines)
    yield from _read_own_conda(lines)
    seen: set[tuple[Topic, str]] = set()
    # The Python of the Store is in WindowsApps, and what is installed into it below Packages.
    has_apps = any("\\WindowsApps\\" in line for _, line in lines)
    for number, line in lines:
        line = pattern(_PLACEHOLDER).sub("user", line) if "<" in line else line
        match = (
            pattern(_FRAME).match(line) or pattern(_INSTALLED).search(line) or pattern(_PROMPT).match(line)
        )
        if match is None:
            continue
        # The folder of a prompt ends without a separator.
        end = "\\" if "folder" in match.re.groupindex else ""
        for topic, value in _read_path(match["path"].replace("\\\\", "\\") + end):
            if has_apps and topic is Topic.BASE_PREFIX and "\\WindowsApps\\" not in value:
                continue
            if (topic, value) not in seen:
                seen.add((topic, value))
                yield Statement(topic, value, number, _NAME)


def _read_path(path: str) -> Iterator[tuple[Topic, str]]:
    packages = pattern(_PACKAGES, True).match(path)
    if packages:
        yield Topic.SITE_PACKAGES, packages["folder"]
    store = pattern(_STORE).match(path)
    if store:
        yield Topic.PYTHON, store["version"]
        yield Topic.BASE_PREFIX, store["prefix"]
    python = pattern(_PYTHON, True).search(path)
    if python:
        number = python["dotted"] or python["portable"] or python["number"]
        yield Topic.PYTHON, number if "." in number else f"3.{number[1:]}"
        if python["bits"]:
            yield Topic.PYTHON_BITS, "32"
    conda = pattern(_CONDA, True).match(path)
    if conda:
        yield Topic.PYTHON_ORIGIN, "conda"
    elif pattern(_VENV, True).search(path):
        yield Topic.PYTHON_ORIGIN, "venv"
    if conda:
        yield Topic.CONDA_PREFIX, ntpath.normpath(conda["prefix"]) if path[1:2] == ":" else conda["prefix"]


def _read_commands(lines: Lines) -> Iterator[Statement]:
    """Yield the only Python that commands name by its path; another one is that of another environment."""
    found = [
        (number, (match["quoted"] or match["path"] or match["shown"]).replace("\\\\", "\\"))
        for number, line in lines
        if "python" in line
        for match in pattern(_COMMAND).finditer(line)
    ]
    if len({path.lower() for _, path in found}) == 1 and not found[0][1].startswith("/usr/bin/"):
        number, path = found[0]
        yield Statement(Topic.PYTHON_EXECUTABLE, path, number, _NAME, is_printed=False)
        if pattern(_CONDA_PYTHON, True).search(path):
            yield Statement(Topic.PYTHON_ORIGIN, "conda", number, _NAME, is_printed=False)
        elif pattern(_VENV_PYTHON, True).search(path):
            yield Statement(Topic.PYTHON_ORIGIN, "venv", number, _NAME, is_printed=False)


def _read_compiler(lines: Lines) -> Iterator[Statement]:
    """Yield the only CUDA toolkit whose compiler the lines call by its path."""
    found = [
        (number, match["version"])
        for number, line in lines
        if "nvcc" in line
        for match in pattern(_NVCC, True).finditer(line)
    ]
    if len({version for _, version in found}) == 1:
        yield Statement(Topic.TOOLKIT, found[0][1], found[0][0], _NAME)


def _read_toolkit(lines: Lines) -> Iterator[Statement]:
    """Yield the only CUDA toolkit whose folder the lines name, or the only one that CUDA_PATH names."""
    found = [
        (number, match["version"], pattern(_IS_SET).search(line) is not None)
        for number, line in lines
        if "GPU Computing Toolkit" in line and not pattern(_NOT_THERE, True).search(line)
        for match in pattern(_TOOLKIT, True).finditer(line)
    ]
    found = [each for each in found if each[2]] or found
    if len({version for _, version, _ in found}) == 1:
        number, version, _ = found[0]
        yield Statement(Topic.TOOLKIT, version, number, _NAME, is_printed=False)


def _read_own_conda(lines: Lines) -> Iterator[Statement]:
    """Yield that a Python is conda's where `where` finds both in one folder."""
    folders = {
        match["prefix"].lower()
        for _, line in lines
        if "conda." in line and (match := pattern(_OWN_CONDA, True).match(line))
    }
    for number, line in lines if folders else ():
        python = pattern(_OWN_PYTHON, True).match(line)
        if python and python["prefix"].lower() in folders:
            yield Statement(Topic.PYTHON_ORIGIN, "conda", number, _NAME)
            return


def _read_system(lines: Lines) -> Iterator[Statement]:
    """Yield the system of the first path; a text with one of Windows may show others as well."""
    for system, regex in (("windows", _WINDOWS_PATH), ("darwin", _MAC_PATH), ("linux", _UNIX_PATH)):
        for number, line in lines:
            if pattern(regex).search(line) and not pattern(_BUILD_MACHINE).search(line):
                yield Statement(Topic.SYSTEM, system, number, _NAME)
                return
