"""Run the commands of a step, with a snapshot of what they can change, and go back if one of them fails."""

import codecs
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.knowledge.commands import (
    PACKAGES,
    Command,
    PipCommand,
    RemoveCommand,
    RenameCommand,
    VariableCommand,
)
from torchdoctor.processes.child import ChildError, run_child
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end
from torchdoctor.repair.environment import PythonEnvironment
from torchdoctor.repair.journal import Event, Journal
from torchdoctor.repair.plan import RepairStep
from torchdoctor.repair.snapshot import Restored, Snapshot, SnapshotError, measure
from torchdoctor.repair.variables import TEXT, Value, read_variable, write_variable

# Whoever waits too long presses Ctrl-C: a download of some GB can take hours.
_SECONDS = 86_400.0
_SNAPSHOTS = "snapshots"
# Free space besides twice that of the packages that pip replaces: downloads, and what is built from source.
_SPARE_BYTES = 300_000_000
# For a package that is not there yet; a CPU build of torch takes 1 GB.
_NEW_TORCH_BYTES = 2_000_000_000
_PIP_VARIABLES = {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

# With these, pip would put packages into another folder, of which nothing is kept.
_PLACES_OF_PIP = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")

Listener = Callable[[str], None]


class StepError(Exception):
    """A step could not be run, or one of its commands failed; the message is one line."""


@record
class Ran:
    """A command that was run, and its exit code; None if it is none of a program."""

    command: str
    exit_code: int | None


def run_step(
    step: RepairStep,
    number: int,
    environment: PythonEnvironment,
    journal: Journal,
    listener: Listener,
) -> tuple[Ran, ...]:
    """Run a step, with everything that it changes kept before; on failure and on Ctrl-C, all is put back.

    Raises:
        StepError: it could not be run or failed, and everything is as it was; or it is not, and why.
        UsageError: the journal cannot be written.
    """
    folder = _find_snapshot_folder(journal, number, environment)
    journal.write(
        "step",
        number=number,
        name=step.name,
        commands=[describe_command(command, environment.executable) for command in step.commands],
        snapshot=str(folder),
        variables={
            command.name: read_variable(command.name)
            for command in step.commands
            if isinstance(command, VariableCommand)
        },
    )
    try:
        _check_space(step, environment, folder)
        _take_snapshot(step, environment, folder)
        ran = tuple(_run_commands(step, environment, journal, number, listener))
        _note_changes(folder)
    except BaseException as error:
        restored = undo_step(journal, number)
        problem = f"; not everything is as it was: {restored.problems[0]}" if restored.problems else ""
        if isinstance(error, (StepError, SnapshotError, OSError)):
            raise StepError(f"{_describe(error)}{problem or '; everything is as it was'}") from error
        raise
    return ran


def _describe(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _find_snapshot_folder(journal: Journal, number: int, environment: PythonEnvironment) -> Path:
    """Return the folder for a snapshot: on the disk of the packages, where a kept file takes no space."""
    own = journal.folder / _SNAPSHOTS / str(number)
    try:
        if os.stat(journal.folder).st_dev == os.stat(environment.packages[0]).st_dev:
            return own
    except (OSError, IndexError):
        return own
    return Path(environment.prefix, ".torchdoctor", journal.name, str(number))


def _list_roots(step: RepairStep, environment: PythonEnvironment) -> list[str]:
    if step.subject == PACKAGES:
        return list(environment.roots)
    roots: list[str] = []
    for command in step.commands:
        if isinstance(command, RenameCommand):
            roots += [command.path, os.path.join(os.path.dirname(command.path), command.name)]
        elif isinstance(command, RemoveCommand):
            roots += command.paths
    return [os.path.abspath(root) for root in roots]


def _check_space(step: RepairStep, environment: PythonEnvironment, folder: Path) -> None:
    """Refuse a step of pip without the space for new files beside the old ones.

    Raises:
        StepError: the disk is too full.
    """
    if step.subject != PACKAGES:
        return
    names = {name for command in step.commands if isinstance(command, PipCommand) for name in command.wanted}
    installed = [os.path.join(packages, "torch") for packages in environment.packages]
    needed = _SPARE_BYTES
    if "torch" in names:
        needed += 2 * measure(installed) or _NEW_TORCH_BYTES
    free = shutil.disk_usage(environment.packages[0]).free
    if free < needed:
        raise StepError(
            f"the disk of {environment.packages[0]} has {free / 1e9:.1f} GB free, and this step needs "
            f"{needed / 1e9:.1f} GB: free some space"
        )


def _take_snapshot(step: RepairStep, environment: PythonEnvironment, folder: Path) -> None:
    if roots := _list_roots(step, environment):
        Snapshot(folder).take(roots)


def _note_changes(folder: Path) -> None:
    if Snapshot(folder).is_complete:
        Snapshot(folder).note_changes()


def _run_commands(
    step: RepairStep, environment: PythonEnvironment, journal: Journal, number: int, listener: Listener
) -> Iterator[Ran]:
    for command in step.commands:
        text = describe_command(command, environment.executable)
        exit_code = None
        if isinstance(command, PipCommand):
            exit_code = _run_pip(command, environment, listener)
        else:
            _change(command)
        journal.write("ran", number=number, command=text, exit_code=exit_code)
        yield Ran(text, exit_code)


def describe_command(command: Command, python: str) -> str:
    """Return a command as it is run, in one line."""
    if isinstance(command, PipCommand):
        words = (python, "-m", "pip", *command.arguments)
        return " ".join(f'"{word}"' if set(word) & set(" <>") else word for word in words)
    if isinstance(command, RenameCommand):
        return f"rename {command.path} to {command.name}"
    if isinstance(command, RemoveCommand):
        return f"take away {', '.join(command.paths)}"
    action = "remove" if command.value is None else f"set to {command.value}"
    return f"{action} the variable {command.name} of your account"


def _run_pip(command: PipCommand, environment: PythonEnvironment, listener: Listener) -> int:
    """Run pip in an empty folder: files of the current one would be imported in place of its modules.

    Raises:
        StepError: it cannot be started, or ends with another code than 0.
    """
    variables = {name: value for name, value in os.environ.items() if name.upper() not in _PLACES_OF_PIP}
    variables |= _PIP_VARIABLES
    if environment.owner is not None:
        variables["PIP_BREAK_SYSTEM_PACKAGES"] = "1"
    lines = _Lines(listener)
    try:
        with remove_at_end(make_scratch_folder()) as folder:
            ended = run_child(
                (environment.executable, "-m", "pip", *command.arguments),
                time_limit_seconds=_SECONDS,
                environment=variables,
                folder=folder,
                listener=lines.add,
            )
    except ChildError as error:
        raise StepError(f"pip cannot be started: {error}") from error
    if ended.exit_code != 0:
        raise StepError(
            f"pip ended with {ended.exit_code}: {_find_reason(ended.stderr_tail, ended.stdout_tail)}"
        )
    return 0


def _find_reason(stderr: str, stdout: str) -> str:
    """Return the line in which pip says what went wrong."""
    lines = [line.strip(" \t×╰─>") for line in f"{stdout}\n{stderr}".splitlines()]
    lines = [line for line in lines if line]
    last = next(
        (place for place in reversed(range(len(lines))) if lines[place][:6].lower() == "error:"), None
    )
    if last is None:
        return (lines or ["it said nothing"])[-1][:300]
    # An error with a name, as in "error: uninstall-no-record-file", is explained by the next line.
    reason = lines[last][6:].strip()
    more = lines[last + 1 : last + 2] if " " not in reason else []
    return ": ".join([reason, *more])[:300]


class _Lines:
    """Passes on what a program prints, line by line; two threads read it."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._lock = threading.Lock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def add(self, data: bytes) -> None:
        with self._lock:
            *lines, self._rest = (self._rest + self._decoder.decode(data)).replace("\r", "\n").split("\n")
            for line in lines:
                if line.strip():
                    self._listener(line.rstrip())


def _change(command: Command) -> None:
    """Change a variable of the user, or a file.

    Raises:
        StepError: there is nothing to change, or the new name is taken.
        OSError: the system refuses it.
    """
    match command:
        case VariableCommand(name, None):
            if read_variable(name) is None:
                raise StepError(
                    f"{name} is not set for your account: a program, a script or the whole machine sets it"
                )
            _set_variable(name, None)
        case VariableCommand(name, value):
            _set_variable(name, (str(value), TEXT))
        case RenameCommand(path, name):
            target = os.path.join(os.path.dirname(path), name)
            if os.path.lexists(target):
                raise StepError(f"{target} is there already")
            os.rename(path, target)
        case RemoveCommand(paths):
            for path in paths:
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)


def _set_variable(name: str, value: Value | None) -> None:
    """Set or remove a variable of the user, also for what this process starts from now on."""
    write_variable(name, value)
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value[0]


def undo_step(journal: Journal, number: int) -> Restored:
    """Bring back what a step changed; what cannot be brought back is among the problems.

    Raises:
        OSError: the journal cannot be written.
    """
    event = next(each for each in journal.read() if each["event"] == "step" and each.get("number") == number)
    problems: list[str] = []
    for name, value in event["variables"].items():
        before = None if value is None else (str(value[0]), int(value[1]))
        if read_variable(name) != before:
            try:
                _set_variable(name, before)
            except OSError as error:
                problems.append(f"{name}: {error.strerror or error}")
    snapshot = Snapshot(Path(event["snapshot"]))
    restored = Restored(0, 0)
    if snapshot.is_complete:
        try:
            restored = snapshot.restore()
        except SnapshotError as error:
            problems.append(str(error))
    problems += restored.problems
    if not problems:
        journal.write("undone", number=number, returned=restored.returned, removed=restored.removed)
    return Restored(restored.returned, restored.removed, tuple(problems))


def find_later_changes(journal: Journal, event: Event) -> list[str]:
    """Return the files that changed after a step.

    Raises:
        SnapshotError: what was kept cannot be read.
    """
    snapshot = Snapshot(Path(event["snapshot"]))
    return snapshot.list_changed_since() if snapshot.is_complete else []
