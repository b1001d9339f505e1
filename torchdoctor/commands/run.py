"""What `run` does: the program as in a plain run, and an explanation of its end if that was a failure.

The program waits for what is imported here. So values are named tuples (`dataclasses` loads `inspect`, and
`typing` loads `re`), paths are strings, and what only some runs need is imported there.
"""

import os
import sys
from collections import namedtuple
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from torchdoctor.core.usage import UsageError
from torchdoctor.probes.active import find_active_python
from torchdoctor.processes.inside_folder import provide_inside_folder
from torchdoctor.processes.program import Finished, run_program

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    """What `run` was asked to do; `program` is Python's arguments, or a whole command."""

    __slots__ = ()
    program: tuple[str, ...]
    is_command: bool
    python: str | None
    safe_loader: bool
    launcher: str | None


class Launcher(namedtuple("Launcher", ("path", "text", "program"))):
    """A file to double-click: where it is to be written, what it holds, and the program that it runs."""

    __slots__ = ()
    path: str
    text: str
    program: tuple[str, ...]


class RunResult(namedtuple("RunResult", ("exit_code", "failure", "launcher"), defaults=(None, None))):
    """The program's exit code as `subprocess` gives it, and its failure; or a launcher to be written."""

    __slots__ = ()
    exit_code: int
    failure: "Failure | None"
    launcher: Launcher | None


def run(arguments: Sequence[str], watcher: "Watcher | None" = None) -> RunResult:
    """Run the program, or make its launcher, as the arguments of `torchdoctor run` say.

    The watcher is called with the name of each probe that confirms an explanation.

    Raises:
        UsageError: an argument is not usable, or the program cannot be started.
    """
    request = parse_arguments(arguments)
    if request.launcher is not None:
        text = _write_launcher(request, request.launcher)
        return RunResult(0, None, Launcher(request.launcher, text, request.program))
    finished = _run(request)
    if not finished.exit_code or finished.interrupted:
        return RunResult(finished.exit_code)
    # Imported here: a program that ends well needs no explanation.
    from torchdoctor.explain.failure import explain_failure

    return RunResult(finished.exit_code, explain_failure(finished, request.python, watcher))


def parse_arguments(arguments: Sequence[str]) -> RunRequest:
    """Read the arguments; from the script, -m or -- on they belong to the program.

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


def _run(request: RunRequest) -> Finished:
    if request.is_command:
        command = [_find_program(request.program[0]), *request.program[1:]]
    else:
        command = [request.python or find_active_python(), *request.program]
    is_terminal = os.isatty(2)
    if not is_terminal and not request.safe_loader:
        return run_program(command, os.environ)
    with provide_inside_folder() as folder, _make_scratch() as scratch:
        return _run_prepared(command, folder, scratch, is_terminal, request.safe_loader)


def _find_program(name: str) -> str:
    if os.path.dirname(name) and os.path.isfile(name):
        return name
    import shutil

    return shutil.which(name) or name


def _run_prepared(
    command: Sequence[str], inside: str, scratch: str, is_terminal: bool, safe_loader: bool
) -> Finished:
    """Run so that every Python that is started loads what was asked for, from `inside/program`."""
    transcript, bounds = os.path.join(scratch, "stderr"), os.path.join(scratch, "bounds.json")
    environment = dict(os.environ)
    folders = (os.path.join(inside, "program"), environment.get("PYTHONPATH"))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    if is_terminal:
        environment["TORCHDOCTOR_TRANSCRIPT"] = transcript
    if safe_loader:
        environment["TORCHDOCTOR_SAFE_LOADER"] = bounds
    finished = run_program(command, environment, (lambda: _write_bounds(bounds)) if safe_loader else None)
    try:
        with open(transcript, "rb") as file:
            return finished._replace(output=finished.output + file.read())
    except FileNotFoundError:
        return finished


def _write_bounds(file: str) -> None:
    """Write the bounds of the plan that can be known outside of the program; it finds the others itself."""
    import json

    from torchdoctor.domain.commit import RESERVED_SHARE
    from torchdoctor.facts import Absent
    from torchdoctor.probes.machine import observe_processor

    processor = observe_processor()
    cores = processor.physical_cores
    if isinstance(cores, Absent):
        cores = max(1, processor.logical_cores // 2)
    try:
        with open(f"{file}.new", "w", encoding="utf-8") as written:
            json.dump({"cores": cores, "reserved_share": RESERVED_SHARE}, written)
        os.replace(f"{file}.new", file)
    except OSError:
        pass  # The program was faster, and its scratch folder has gone.


@contextmanager
def _make_scratch() -> Iterator[str]:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="torchdoctor-", ignore_cleanup_errors=True) as folder:
        yield folder


def _write_launcher(request: RunRequest, name: str) -> str:
    from pathlib import Path

    from torchdoctor import __version__
    from torchdoctor.renderers.launcher import MARK, Launch, render_launcher

    path = Path(name)
    if path.suffix.lower() not in (".bat", ".cmd"):
        raise UsageError(f"{path}: a launcher's name ends with .bat or .cmd")
    if path.exists() and MARK not in path.read_text(encoding="utf-8", errors="replace"):
        raise UsageError(f"{path}: is there already and was not written by torchdoctor")
    python = request.python or find_active_python()
    program = ("--", *request.program) if request.is_command else request.program
    options = ("--safe-loader",) if request.safe_loader else ()
    prefix = Path(python).parent
    launch = Launch(
        doctor=sys.executable,
        arguments=(*options, "--python", python, *program),
        folder=os.getcwd(),
        environment=os.environ,
        version=__version__,
        conda_prefix=str(prefix) if (prefix / "conda-meta").is_dir() else None,
    )
    return render_launcher(launch)
