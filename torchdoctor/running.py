"""What `run` does: the program as in a plain run, and an explanation of its end if that was a failure.

The program waits for what is imported here. So values are named tuples (`dataclasses` loads `inspect`, and
`typing` loads `re`), paths are strings, and what only some runs need is imported there.
"""

import os
import sys
from collections import namedtuple
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from torchdoctor.probes.active import find_active_python
from torchdoctor.probes.program import Finished, ProgramError, end_as, run_program
from torchdoctor.usage import UsageError

_OPTIONS = ("--python", "--write-launcher")
_USAGE = (
    "torchdoctor run [--safe-loader] [--python PATH] [--write-launcher NAME.bat] "
    "SCRIPT | -m MODULE | -- COMMAND"
)
_STARTUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loader", "startup")


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


def run(arguments: Sequence[str]) -> int:
    """Run the program and give the exit code; a program that a signal ended ends us the same way.

    Raises:
        UsageError: an argument is not usable, or the program cannot be started.
    """
    request = parse_arguments(arguments)
    if request.launcher is not None:
        _write_launcher(request, request.launcher)
        return 0
    finished = _run(request)
    if finished.exit_code and not finished.interrupted:
        _explain(finished, request.python)
    return end_as(finished.exit_code)


def _explain(finished: Finished, python: str | None) -> None:
    try:
        from torchdoctor.aftermath import explain_failure

        explain_failure(finished, python)
    except Exception as error:
        # The exit code is the program's, whatever becomes of our words about it.
        print(f"torchdoctor: no explanation: {type(error).__name__}: {error}", file=sys.stderr)


def _run(request: RunRequest) -> Finished:
    if request.is_command:
        command = [_find_program(request.program[0]), *request.program[1:]]
    else:
        command = [request.python or find_active_python(), *request.program]
    terminal = os.isatty(2)
    try:
        if not terminal and not request.safe_loader:
            return run_program(command, os.environ)
        with _find_startup() as folder, _make_scratch() as scratch:
            return _run_prepared(command, folder, scratch, terminal, request.safe_loader)
    except ProgramError as error:
        raise UsageError(f"cannot start {error}") from error


def _find_program(name: str) -> str:
    if os.path.dirname(name) and os.path.isfile(name):
        return name
    import shutil

    return shutil.which(name) or name


def _run_prepared(
    command: Sequence[str], folder: str, scratch: str, terminal: bool, safe_loader: bool
) -> Finished:
    """Run with every Python that is started made ready as asked."""
    record, bounds = os.path.join(scratch, "stderr"), os.path.join(scratch, "bounds.json")
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, environment.get("PYTHONPATH"))))
    if terminal:
        environment["TORCHDOCTOR_RECORD"] = record
    if safe_loader:
        environment["TORCHDOCTOR_SAFE_LOADER"] = bounds
    finished = run_program(command, environment, (lambda: _tell_bounds(bounds)) if safe_loader else None)
    try:
        with open(record, "rb") as file:
            return finished._replace(output=finished.output + file.read())
    except FileNotFoundError:
        return finished


def _tell_bounds(file: str) -> None:
    """Write the bounds of the plan that can be known outside of the program; it finds the others itself."""
    import json

    from torchdoctor.commit import RESERVED_SHARE
    from torchdoctor.facts import Absent
    from torchdoctor.probes.machine import read_processor

    processor = read_processor()
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


@contextmanager
def _find_startup() -> Iterator[str]:
    """Give the folder for PYTHONPATH; one that lies in an archive is unpacked."""
    if os.path.isdir(_STARTUP):
        yield _STARTUP
        return
    from importlib import resources

    with _make_scratch() as unpacked:
        for file in resources.files("torchdoctor.loader.startup").iterdir():
            if file.name.endswith(".py"):
                with open(os.path.join(unpacked, file.name), "wb") as copy:
                    copy.write(file.read_bytes())
        yield unpacked


def _write_launcher(request: RunRequest, name: str) -> None:
    from pathlib import Path

    from torchdoctor import __version__
    from torchdoctor.launcher import MARK, Launch, render_launcher
    from torchdoctor.screen import write_output

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
    write_output(path, render_launcher(launch))
    print(f"{path} written: double-click it to run {' '.join(request.program)}", file=sys.stderr)
