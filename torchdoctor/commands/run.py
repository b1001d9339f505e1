"""The `run` command: run a program as it is, and explain its output if it fails.

The program starts after this module is imported, so the module imports little: values are named tuples
(`dataclasses` imports `inspect`, and `typing` imports `re`), paths are strings, and functions import what
only some runs need.
"""

import os
import sys
from collections import namedtuple
from collections.abc import Sequence

from torchdoctor.core.usage import UsageError
from torchdoctor.probes.project_python import find_python
from torchdoctor.processes.inside_folder import provide_inside_folder
from torchdoctor.processes.program import ProgramResult, run_program
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchdoctor.engine.stopwatch import Watcher
    from torchdoctor.explain.failure import Failure

_OPTIONS = ("--python", "--write-launcher")
_USAGE = (
    "torchdoctor run [--safe-loader] [--python PATH] [--write-launcher NAME.bat] "
    "SCRIPT | -m MODULE | -- COMMAND"
)


class RunRequest(
    namedtuple(
        "RunRequest",
        ("program", "is_command", "python", "safe_loader", "launcher"),
        defaults=(False, None, False, None),
    )
):
    """The arguments of `run`; `program` is the arguments of Python, or a whole command if `is_command`."""

    __slots__ = ()
    program: tuple[str, ...]
    is_command: bool
    python: str | None
    safe_loader: bool
    launcher: str | None


class Launcher(namedtuple("Launcher", ("path", "text", "program"))):
    """A file to double-click: the path to write it to, its text, and the program that it runs."""

    __slots__ = ()
    path: str
    text: str
    program: tuple[str, ...]


class RunResult(namedtuple("RunResult", ("exit_code", "failure", "launcher"), defaults=(None, None))):
    """The exit code of the program, as in `subprocess`, and its failure; or a launcher to write."""

    __slots__ = ()
    exit_code: int
    failure: "Failure | None"
    launcher: Launcher | None


def run(arguments: Sequence[str], watcher: "Watcher | None" = None) -> RunResult:
    """Run a program or make its launcher, as the arguments of `torchdoctor run` say.

    If checks confirm an explanation, the watcher is called with the name of each probe.

    Raises:
        UsageError: an argument is not usable, or the program cannot be started.
    """
    request = parse_arguments(arguments)
    if request.launcher is not None:
        text = _make_launcher_text(request, request.launcher)
        return RunResult(0, None, Launcher(request.launcher, text, request.program))
    finished = _run_requested(request)
    if not finished.exit_code or finished.interrupted:
        return RunResult(finished.exit_code)
    # Imported here: a program that succeeds needs no explanation.
    from torchdoctor.explain.failure import explain_failure
    from torchdoctor.terminal.last_failure import keep_failure

    keep_failure(finished.output_with_ending)
    return RunResult(finished.exit_code, explain_failure(finished, request.python, watcher))


def parse_arguments(arguments: Sequence[str]) -> RunRequest:
    """Parse the arguments; from the script, -m or -- on, they belong to the program.

    Raises:
        UsageError: an option is unknown, or there is no program.
    """
    rest = list(arguments)
    values: dict[str, str] = {}
    safe_loader = False
    while rest and rest[0].startswith("-") and rest[0] not in ("--", "-m", "-"):
        option, has_value, value = rest.pop(0).partition("=")
        if option == "--safe-loader" and not has_value:
            safe_loader = True
        elif option in _OPTIONS and (has_value or rest):
            values[option] = value if has_value else rest.pop(0)
        else:
            raise UsageError(f"{option}: no such option, or its value is missing; {_USAGE}")
    is_command = rest[:1] == ["--"]
    program = tuple(rest[1:] if is_command else rest)
    if not program or program == ("-m",):
        raise UsageError(f"there is nothing to run; {_USAGE}")
    return RunRequest(
        program, is_command, values.get("--python"), safe_loader, values.get("--write-launcher")
    )


def _run_requested(request: RunRequest) -> ProgramResult:
    if request.is_command:
        command = [_find_program(request.program[0]), *request.program[1:]]
    else:
        command = [find_python(request.python).executable, *request.program]
    try:
        scratch_folder = make_scratch_folder()
    except OSError:
        if request.safe_loader:
            raise UsageError("--safe-loader needs a folder for temporary files; none can be made") from None
        return run_program(command, os.environ)
    with provide_inside_folder() as folder, remove_at_end(scratch_folder) as scratch:
        return _run_with_inside_folder(command, folder, scratch, request.safe_loader)


def _find_program(name: str) -> str:
    if os.path.dirname(name) and os.path.isfile(name):
        return name
    import shutil

    return shutil.which(name) or name


def _run_with_inside_folder(
    command: Sequence[str], inside: str, scratch: str, safe_loader: bool
) -> ProgramResult:
    """Run a command with `inside/program` on PYTHONPATH, so that every Python it starts runs the code there.

    That code notes with which codes worker processes end. If stderr is a terminal, it keeps a copy of it.
    With `safe_loader`, it makes DataLoaders safe.
    """
    transcript, bounds_file = os.path.join(scratch, "stderr"), os.path.join(scratch, "bounds.json")
    exits_file = os.path.join(scratch, "exits")
    environment = dict(os.environ)
    folders = (os.path.join(inside, "program"), environment.get("PYTHONPATH"))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    environment["TORCHDOCTOR_WORKER_EXITS"] = exits_file
    if os.isatty(2):
        environment["TORCHDOCTOR_TRANSCRIPT"] = transcript
    if safe_loader:
        environment["TORCHDOCTOR_SAFE_LOADER"] = bounds_file
    write_bounds = (lambda: _write_bounds(bounds_file)) if safe_loader else None
    finished = run_program(command, environment, write_bounds)
    return finished._replace(
        output=finished.output + _read(transcript), worker_exits=tuple(_parse_exits(_read(exits_file)))
    )


def _parse_exits(lines: bytes) -> "Iterator[tuple[int, int]]":
    """Yield the process ID and exit code of each line; processes that write at once can damage one."""
    for line in lines.splitlines():
        process_id, _, exit_code = line.decode("ascii", errors="replace").partition(" ")
        if process_id.isdecimal() and exit_code.removeprefix("-").isdecimal():
            yield int(process_id), int(exit_code)


def _read(file: str) -> bytes:
    """Return the content of a file, none if the program did not write it."""
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return b""


def _write_bounds(file: str) -> None:
    """Write the bounds of the plan that can be found outside the program, which finds the others itself."""
    import json

    from torchdoctor.domain.commit import RESERVED_SHARE
    from torchdoctor.facts import Absent
    from torchdoctor.probes.machine import observe_processor

    processor = observe_processor()
    cores = processor.physical_cores
    if isinstance(cores, Absent):
        cores = max(1, processor.logical_cores // 2)
    try:
        with open(f"{file}.new", "w", encoding="utf-8") as new_file:
            json.dump({"cores": cores, "reserved_share": RESERVED_SHARE}, new_file)
        os.replace(f"{file}.new", file)
    except OSError:
        pass  # The program ended first, and the scratch folder is gone.


def _make_launcher_text(request: RunRequest, name: str) -> str:
    from pathlib import Path

    from torchdoctor.core.version import __version__
    from torchdoctor.renderers.launcher import MARK, Launch, render_launcher

    path = Path(name)
    if path.suffix.lower() not in (".bat", ".cmd"):
        raise UsageError(f"{path}: the name of a launcher must end with .bat or .cmd")
    if os.path.exists(path) and MARK not in path.read_text(encoding="utf-8", errors="replace"):
        raise UsageError(f"{path}: already exists and was not written by torchdoctor")
    if any(each in part for part in request.program for each in "\r\n\0"):
        raise UsageError("an argument with a line end cannot be written into a launcher")
    python = find_python(request.python).executable
    program = ("--", *request.program) if request.is_command else request.program
    options = ("--safe-loader",) if request.safe_loader else ()
    prefix = Path(python).parent
    launch = Launch(
        doctor=sys.executable,
        arguments=(*options, "--python", python, *program),
        folder=os.getcwd(),
        environment=os.environ,
        version=__version__,
        conda_prefix=str(prefix) if os.path.isdir(prefix / "conda-meta") else None,
    )
    return render_launcher(launch)
