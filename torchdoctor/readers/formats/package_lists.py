"""Lists of packages: `pip list`, `pip freeze`, `conda list` and `conda info`."""

from collections.abc import Iterable, Iterator, Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.formats.collect_env import read_conda_torch
from torchdoctor.readers.statements import Lines, Statement, Topic

_PIP_HEAD = r"\s*Package\s{1,60}Version(?:\s{1,20}\S.{0,40})?\s*$"
_PIP_RULE = r"\s*-{3,80}\s{1,4}-{3,40}"
_PIP_ROW = (
    rf"\s{{0,8}}(?P<name>[A-Za-z][\w.-]{{0,60}})\s{{1,60}}(?P<version>{values.VERSION}"
    rf"|\d{{4,10}})(?:\s{{1,20}}(?P<more>\S.{{0,200}})?)?$"
)
_FREEZE = (
    rf"\s{{0,8}}(?P<name>[A-Za-z][\w.-]{{0,60}})(?:==(?P<version>{values.VERSION}"
    rf"|\d{{1,8}})| @ (?P<place>file:\S{{1,300}}|https?:\S{{1,300}}))\s*$"
)
_FREEZE_COMMAND = r"\bpip3? freeze\b|\bpip3? list\b|\buv pip (?:list|freeze)\b"
_INSTALL_COMMAND = r"\b(?:pip3?|uv) install\b|requirements\S{0,20}\.txt"
_LEAST_FREEZE_LINES = 8
# Nobody pins by hand what so many packages need; who installs such a file has what it lists.
_WHOLE_ENVIRONMENT = 25
# What introduces the pins of what somebody has.
_OWN_LIST = (
    r"(?:^\W{0,6}(?:(?:package|library|module|dependency|relevant|key|main) ){1,3}versions\W{0,4}$)|"
    r"(?:\bi(?:['’]m| am) using|\bi (?:have|use)|\bmy (?:versions?|env\w{0,9}|setup|packages"
    r"|libraries)(?: is| are)?"
    r"|\bi (?:still |also |already |now )?have (?:\w{2,12} ){0,4}(?:packages|libraries|modules)"
    r"(?: installed)?(?: already)?(?: in [\w .]{2,24})?"
    r"|\b(?:installed|current) (?:versions?|packages|env\w{0,9})|(?:我的|当前|本机|现在的?)(?:环境"
    r"|版本))\s{0,2}[:：]?\s*$"
)
_INSTALL_FAILED = (
    r"No matching distribution|Could not find a version|ResolutionImpossible|conflicting"
    r" dependencies|Failed building"
    r"|Failed to build|subprocess-exited-with-error|No solution found"
)
_CONDA_HEAD = r"# packages in environment at (?P<prefix>[^\n]{2,250}?):?\s*$"
_CONDA_TITLE = r"[#|\s]{0,6}Name[\s|]{1,40}Version[\s|]{1,40}Build(?:[\s|]{1,40}Channel)?[\s|]*$"
# The Python that a build of conda is for.
_PYTHON_TAG = r"(?:^|_)py([23])\.?(\d{1,2})(?=[h_]|$)"
_CONDA_ROW = (
    r"\s{0,8}(?P<name>[a-z_][\w.-]{0,60})\s{1,40}(?P<version>[\w.!+]{1,40})\s{1,40}"
    r"(?P<build>[\w.]{1,60}|<pip>)(?:\s{1,40}(?P<channel>\S{1,60}))?\s*$"
)
_CONDA_INFO = (
    r"\s*(?P<label>active env location|python version|platform|base environment|user-agent) :"
    r" (?P<value>\S.{0,200})"
)
# What conda's Python calls its own version, the remark behind a folder, and the system of the user-agent.
_CONDA_PYTHON = r"(\d\.\d{1,2}\.\d{1,2})\.[a-z]{4,9}\.\d\s*$"
_REMARK = r"\s{1,4}\((?:writable|read only)\)\s*$"
_AGENT = r"\bWindows/10\.0\.(\d{5})\b"
# Conda's virtual package for the CUDA version of the driver.
_CONDA_CUDA = r"(?:^\s*|: )__cuda=(?P<cuda>\d{1,2}\.\d)=\w{1,20}\s*$"
# A row of `conda env export`: of conda with one "=", of pip with two.
_EXPORTED = (
    rf"\s{{1,8}}- (?P<name>[A-Za-z_][\w.-]{{0,60}})=(?P<pip>=)?(?P<version>{values.VERSION}|\d{{1,8}})"
    r"(?:=(?P<build>[\w.]{1,60}))?\s*$"
)
# What introduces some lines of such a file.
_OWN_FILE = (
    r"^(?![^\n]{0,200}\b(?:requir|need|recommend|should|must|want|try|tried|old|previous))"
    r"[^\n]{0,80}\b(?:my|here is|here are|these are|relevant|current|our|installed)\b[^\n]{0,50}"
    r"\b(?:conda|env\w{0,9}|versions?|packages|setup|libraries)\b[^\n]{0,60}[:：.]?\s*$"
)
_EXPORT_PREFIX = r"\s{0,8}prefix: (\S[^\n]{2,250}?)\s*$"
_LEAST_BUILDS = 3
# The version in the address of a wheel.
_WHEEL = r"/(?P<name>[\w.]{1,60})-(?P<version>\d[\w.%+]{0,40})-(?:cp|py)\d"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the packages of each list."""
    yield from _read_pip_tables(lines)
    yield from _read_frozen(lines)
    yield from _read_conda(lines)
    yield from _read_exported(lines)


def _read_pip_tables(lines: Lines) -> Iterator[Statement]:
    inside = False
    for number, line in lines:
        if pattern(_PIP_HEAD).match(line):
            inside = True
            yield Statement(Topic.COMPLETE_LIST, "pip", number, "pip-list", subject="pip")
        elif inside and not pattern(_PIP_RULE).match(line):
            row = pattern(_PIP_ROW).match(line)
            if row:
                yield from _read_package(row["name"], row["version"], number, "pip-list")
            elif line.strip():
                inside = False


def _read_frozen(lines: Lines) -> Iterator[Statement]:
    """Yield the lines of `pip freeze`: a run of many that are all pinned, or what follows its command.

    The lines of a file with requirements look the same; people do not sort them, and leave some open.
    """
    run: list[tuple[int, str, str]] = []
    is_asked = is_wanted = is_complete = False
    has_failed = any(pattern(_INSTALL_FAILED, True).search(line) for _, line in lines)
    for number, line in [*lines, (0, "end")]:
        # A pin behind a dash is one of what is there only in a list that says so.
        is_item = is_asked and line.lstrip()[:2] in ("- ", "* ")
        match = pattern(_FREEZE).match(line.lstrip()[2:] if is_item else line)
        if match:
            version = match["version"] or _read_wheel(match["place"] or "")
            run.append((number, match["name"], version))
            continue
        if run:
            names = [name.lower() for _, name, _ in run]
            is_sorted = names == sorted(names) and len(run) >= _LEAST_FREEZE_LINES
            is_whole = is_sorted and len(run) >= _WHOLE_ENVIRONMENT and not has_failed
            if is_asked or is_whole or (is_sorted and not is_wanted):
                if is_asked and is_complete:
                    yield Statement(Topic.COMPLETE_LIST, "pip", run[0][0], "pip-freeze", subject="pip")
                for run_number, name, version in run:
                    if version:
                        yield from _read_package(name, version, run_number, "pip-freeze")
            run = []
            is_asked = is_wanted = False
        if pattern(_FREEZE_COMMAND, True).search(line):
            pipe = pattern(r"\|\s{0,3}(?:findstr|grep|select-string|sls)\b", True).search(line)
            is_asked = (pipe is not None or "|" not in line) and ">" not in line.partition("pip")[2]
            is_complete = pipe is None and "freeze" in line
        elif pattern(_INSTALL_COMMAND, True).search(line):
            is_wanted = True
        elif pattern(_OWN_LIST, True).search(line):
            is_asked, is_complete = True, False
        elif line.strip() and not line.strip().startswith(("```", "#", "<", "-")):
            is_asked = False


def _read_wheel(place: str) -> str:
    wheel = pattern(_WHEEL).search(place)
    return wheel["version"].replace("%2B", "+").replace("%2b", "+") if wheel else ""


def _read_exported(lines: Lines) -> Iterator[Statement]:
    """Yield what `conda env export` lists; a file that somebody wrote has no builds and no folder."""
    rows = [(number, match) for number, line in lines if (match := pattern(_EXPORTED).match(line))]
    prefix = next(
        ((number, match[1]) for number, line in lines if (match := pattern(_EXPORT_PREFIX).match(line))), None
    )
    builds = sum(match["build"] is not None for _, match in rows)
    yield from _read_introduced(lines)
    if not rows or (builds < _LEAST_BUILDS and (prefix is None or len(rows) < _LEAST_FREEZE_LINES)):
        return
    yield Statement(Topic.PYTHON_ORIGIN, "conda", rows[0][0], "conda-export")
    for number, match in rows:
        name, version = match["name"], match["version"]
        if match["pip"]:
            yield from _read_package(name, version, number, "conda-export")
        else:
            yield from _read_conda_row(name, version, match["build"] or "", None, number, "conda-export")
    if prefix:
        yield Statement(Topic.CONDA_PREFIX, prefix[1], prefix[0], "conda-export")
        if pattern(r"[A-Za-z]:[\\/]").match(prefix[1]):
            yield Statement(Topic.SYSTEM, "windows", prefix[0], "conda-export")


def _read_introduced(lines: Lines) -> Iterator[Statement]:
    """Yield the lines of the file of an environment that somebody introduces as those of the own one."""
    is_own = False
    for number, line in lines:
        row = pattern(_EXPORTED).match(f" - {line.strip().removeprefix('- ')}") if is_own else None
        if row and not row["build"]:
            name, version = row["name"], row["version"]
            said: Iterable[values.Said] = values.read_installed(
                "torch" if name == "pytorch" else name, version
            )
            if name == "python":
                said = values.read_python(version)
            for topic, value, subject in said:
                yield Statement(topic, value, number, "conda-export", is_printed=False, subject=subject)
        elif line.strip() and not line.lstrip().startswith(("```", "- ")):
            is_own = pattern(_OWN_FILE, True).search(line) is not None


def _read_conda(lines: Lines) -> Iterator[Statement]:
    inside = False
    pythons: dict[str, int] = {}
    informed: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        head = pattern(_CONDA_HEAD).match(line)
        if head:
            inside = True
            yield Statement(Topic.CONDA_PREFIX, head["prefix"], number, "conda-list")
            yield Statement(Topic.PYTHON_ORIGIN, "conda", number, "conda-list")
            yield Statement(Topic.COMPLETE_LIST, "conda", number, "conda-list", subject="conda")
            if pattern(r"[A-Za-z]:[\\/]").match(head["prefix"]):
                yield Statement(Topic.SYSTEM, "windows", number, "conda-list")
            continue
        if pattern(_CONDA_TITLE).match(line):
            inside = True
        elif not line.lstrip().startswith("#") and not pattern(r"[\s|:-]+").fullmatch(line):
            # A table of Markdown has bars between the columns.
            line = pattern(r"\s{0,30}\|\s{0,30}").sub("  ", line) if "|" in line else line
            row = pattern(_CONDA_ROW).match(line)
            if row and (inside or pattern(values.CONDA_BUILD).fullmatch(row["build"])):
                yield from _read_conda_row(row["name"], row["version"], row["build"], row["channel"], number)
                pythons.update(
                    (f"{tag[1]}.{tag[2]}", number) for tag in pattern(_PYTHON_TAG).finditer(row["build"])
                )
            elif line.strip():
                inside = False
        virtual = pattern(_CONDA_CUDA).search(line) if "__cuda=" in line else None
        if virtual:
            yield Statement(Topic.DRIVER_CUDA, virtual["cuda"], number, "conda-info")
        info = pattern(_CONDA_INFO).match(line)
        if info:
            yield from _read_conda_info(info["label"], info["value"].strip(), number)
            informed[info["label"]] = (number, pattern(_REMARK).sub("", info["value"]).strip())
    yield from _read_conda_python(informed)
    # The packages of one environment are built for its Python.
    if len(pythons) == 1:
        version, number = pythons.popitem()
        yield Statement(Topic.PYTHON, version, number, "conda-list")


def _read_conda_row(
    name: str, version: str, build: str, channel: str | None, number: int, reader: str = "conda-list"
) -> Iterator[Statement]:
    if channel == "pypi" or build.startswith(("pypi", "<pip>")):
        yield from _read_package(name, version, number, reader)
        return
    yield Statement(Topic.CONDA_PACKAGE, f"{version} {build}".strip(), number, reader, subject=name)
    if name == "python":
        yield Statement(Topic.PYTHON, version, number, reader)
    yield from read_conda_torch(name, version, build, number, reader)


def _read_conda_info(label: str, value: str, number: int) -> Iterator[Statement]:
    if label == "active env location":
        yield Statement(Topic.CONDA_PREFIX, value, number, "conda-info")
        yield Statement(Topic.PYTHON_ORIGIN, "conda", number, "conda-info")
    elif label == "platform":
        system = {"win": "windows", "linux": "linux", "osx": "darwin"}.get(value.partition("-")[0])
        if system:
            yield Statement(Topic.SYSTEM, system, number, "conda-info")
    elif label == "user-agent":
        build = pattern(_AGENT).search(value)
        if build:
            yield Statement(Topic.WINDOWS_BUILD, build[1], number, "conda-info")


def _read_conda_python(informed: Mapping[str, tuple[int, str]]) -> Iterator[Statement]:
    """Yield the Python that conda runs in, if that is the active environment."""
    number, value = informed.get("python version", (0, ""))
    version = pattern(_CONDA_PYTHON).match(value)
    places = {
        informed[label][1] for label in ("active env location", "base environment") if label in informed
    }
    if version and "active env location" in informed and "base environment" in informed and len(places) == 1:
        yield Statement(Topic.PYTHON, version[1], number, "conda-info")


def _read_package(name: str, version: str, number: int, reader: str) -> Iterator[Statement]:
    for topic, value, subject in values.read_installed(name, version):
        yield Statement(topic, value, number, reader, subject=subject)
