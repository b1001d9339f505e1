"""The configuration of a project: `torchdoctor.toml`, or `[tool.torchdoctor]` in `pyproject.toml`."""

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from torchdoctor.check import Severity
from torchdoctor.core.files import find_current_folder, read_bytes
from torchdoctor.core.record import record
from torchdoctor.core.time_limit import TimeLimitExceeded, time_limit
from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.policy.path_ignores import PathIgnore, make_path_ignore
from torchdoctor.policy.requirements import REQUIREMENTS, Requirement, read_requirement

_OWN_FILE = "torchdoctor.toml"
_SHARED_FILE = "pyproject.toml"
_MOST_JOBS = 64
# More than people write; the time to read a key grows with the square of its parts.
_MOST_BYTES = 1 << 20
# A pyproject.toml has other tables as well.
_MOST_SHARED_BYTES = 1 << 24
_MOST_DOTS = 1000
_SECONDS = 5.0
_MOST_SHOWN = 60
# What a message may take that names a value.
_MOST_TOLD = 500
# Options of the command line that say what one run does, or that a file of somebody else must not decide.
_NOT_HERE = frozenset(
    {
        "config", "diff", "facts", "fix", "format", "from", "no-redact", "output", "verbose",
        "write-baseline",
    }
)  # fmt: skip


@record
class Configuration:
    """The options of `scan` that a file sets; None is an option that it does not set.

    `file` is None without a file. `folder` is that of the file; its paths are relative to it.
    """

    file: Path | None = None
    folder: Path = Path()
    python: str | None = None
    trials: bool | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: Severity | None = None
    jobs: int | None = None
    cache: bool | None = None
    baseline: Path | None = None
    per_path_ignores: tuple[PathIgnore, ...] = ()
    require: tuple[Requirement, ...] = ()


class _ValueProblem(Exception):
    """A value that an option cannot have; the message says what belongs there."""


def find_configuration(paths: Sequence[Path], file: Path | None = None) -> Configuration:
    """Read the named file, or the nearest one: from the folder of the first path, or this one, upwards.

    In a folder `torchdoctor.toml` comes before `pyproject.toml`, which counts only with the table
    `[tool.torchdoctor]`.

    Raises:
        UsageError: the file cannot be read, has an unknown key, or a value that its key cannot have.
    """
    if file is not None:
        table = _read_file(file)
        return _make_configuration(file, table or {})
    try:
        start = Path(os.path.abspath(paths[0] if paths else Path()))
    except OSError:
        # The current folder was deleted.
        return Configuration()
    for folder in (start, *start.parents):
        for name in (_OWN_FILE, _SHARED_FILE):
            candidate = _shorten(folder / name)
            # A link that leads nowhere, or a folder, of this name was meant to be the configuration.
            if os.path.lexists(candidate):
                table = _read_file(candidate)
                if table is not None:
                    return _make_configuration(candidate, table)
    return Configuration()


def _read_file(file: Path) -> Mapping[str, Any] | None:
    """Return the options in a file, None if it is a `pyproject.toml` without any.

    Raises:
        UsageError: it cannot be read. What it asks for is then not known, and a gate must not pass for that.
    """
    is_shared = file.name == _SHARED_FILE
    try:
        raw = read_bytes(file, _MOST_SHARED_BYTES if is_shared else _MOST_BYTES)
    except OSError as error:
        another = "; --config names another configuration" if is_shared else ""
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}{another}") from error
    # `>` of Windows PowerShell 5 writes UTF-16.
    if is_shared and b"torchdoctor" not in raw.replace(b"\0", b""):
        return None
    document = _parse(file, raw)
    tool = document.get("tool")
    if not is_shared and not (isinstance(tool, dict) and "torchdoctor" in tool):
        return document
    table = tool.get("torchdoctor") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{file}: tool.torchdoctor is no table")
    return table


def _parse(file: Path, raw: bytes) -> Mapping[str, Any]:
    if any(line.count(b".") > _MOST_DOTS for line in raw.split(b"\n")):
        raise UsageError(f"{file}: a line has more than {_MOST_DOTS:,} dots, which takes too long to read")
    toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with time_limit(_SECONDS):
            document: Mapping[str, Any] = toml.loads(raw.decode("utf-8-sig"))
    except TimeLimitExceeded:
        raise UsageError(f"{file}: it was not read to the end within {_SECONDS:.0f} s") from None
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"{file}: not valid TOML: {reason}") from error
    return document


def _make_configuration(file: Path, table: Mapping[str, Any]) -> Configuration:
    values: dict[str, Any] = {}
    folder = Path(os.path.abspath(file)).parent
    for key, value in table.items():
        if key in _NOT_HERE:
            raise UsageError(f"{file}: {key} belongs on the command line, not into a configuration")
        if key not in _READERS:
            key = _cut(key, _MOST_SHOWN)
            known = suggest(key, _READERS) or f"; the keys are {', '.join(sorted(_READERS))}"
            raise UsageError(f"{file}: {key} is no key of torchdoctor{known}")
        try:
            values[key.replace("-", "_")] = _READERS[key](value, folder)
        except _ValueProblem as problem:
            raise UsageError(f"{file}: {key}: {_cut(str(problem), _MOST_TOLD)}") from None
        except UsageError as error:
            raise UsageError(f"{file}: {key}: {_cut(str(error), _MOST_TOLD)}") from None
    return Configuration(file, folder, **values)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _shorten(file: Path) -> Path:
    """Return the path of a file from the current folder, if it lies below it."""
    current = find_current_folder()
    if current is None or not file.is_absolute() or not file.is_relative_to(current):
        return file
    return file.relative_to(current)


def _read_bool(value: object, folder: Path) -> bool:
    if not isinstance(value, bool):
        raise _ValueProblem("true or false belongs here")
    return value


def _read_names(value: object, folder: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _ValueProblem('a list of checks or families belongs here, as in ["source", "tdr-delay"]')
    return tuple(value)


def _read_severity(value: object, folder: Path) -> Severity:
    names = [severity.value for severity in Severity]
    if value not in names:
        raise _ValueProblem(f"one of {', '.join(names)} belongs here{suggest(str(value), names)}")
    return Severity(value)


def _read_jobs(value: object, folder: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_JOBS:
        raise _ValueProblem(f"a number from 0 to {_MOST_JOBS} belongs here")
    return value


def _read_python(value: object, folder: Path) -> str:
    if not isinstance(value, str) or not value:
        raise _ValueProblem("the path of an interpreter belongs here")
    has_folder = "/" in value or "\\" in value
    return str(folder / value) if has_folder else value


def _read_path(value: object, folder: Path) -> Path:
    if not isinstance(value, str) or not value:
        raise _ValueProblem("the path of a file belongs here")
    return folder / value


def _read_path_ignores(value: object, folder: Path) -> tuple[PathIgnore, ...]:
    if not isinstance(value, dict):
        raise _ValueProblem('a table belongs here, as in { "examples/**" = ["missing-main-guard"] }')
    return tuple(make_path_ignore(folder, glob, _read_names(names, folder)) for glob, names in value.items())


def _read_requirements(value: object, folder: Path) -> tuple[Requirement, ...]:
    if not isinstance(value, dict):
        raise _ValueProblem('a table belongs here, as in { torch = ">=2.9", cuda = true }')
    for key in value:
        if key not in REQUIREMENTS:
            known = suggest(key, REQUIREMENTS) or f"; the keys are {', '.join(sorted(REQUIREMENTS))}"
            raise _ValueProblem(f"{_cut(key, _MOST_SHOWN)} is nothing that can be required{known}")
    return tuple(
        requirement for key, wanted in value.items() for requirement in read_requirement(key, wanted)
    )


_READERS: Mapping[str, Callable[[object, Path], object]] = {
    "python": _read_python,
    "trials": _read_bool,
    "select": _read_names,
    "ignore": _read_names,
    "fail-on": _read_severity,
    "jobs": _read_jobs,
    "cache": _read_bool,
    "baseline": _read_path,
    "per-path-ignores": _read_path_ignores,
    "require": _read_requirements,
}
