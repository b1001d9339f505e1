"""Run the commands of a step, with a snapshot of what they can change, and go back if one of them fails."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
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
from torchdoctor.repair.environment import KEPT_FOLDER, PythonEnvironment
from torchdoctor.repair.events import Event
from torchdoctor.repair.journal import Journal, JournalError
from torchdoctor.repair.pip import Listener, StepError, run_pip
from torchdoctor.repair.plan import RepairStep
from torchdoctor.repair.pulse import beating, begin
from torchdoctor.repair.snapshot import Look, Restored, Snapshot, SnapshotError, measure
from torchdoctor.repair.trees import read_state
from torchdoctor.repair.variables import TEXT, Value, read_variable, write_variable

# Free space besides twice that of the packages that pip replaces: downloads, and what is built from source.
_SPARE_BYTES = 300_000_000
# For a package that is not there yet; a CPU build of torch takes 1 GB.
_NEW_TORCH_BYTES = 2_000_000_000
_MOST_NAMED = 3


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
) -> tuple[tuple[Ran, ...], tuple[str, ...]]:
    """Run a step, with everything that it changes kept before; on failure and on Ctrl-C, all is put back.

    Returns what was run, and the files that no undo can bring back.

    Raises:
        StepError: it could not be run or failed, and everything is as it was; or it is not, and why.
        JournalError: the journal cannot be written.
    """
    folder = _find_snapshot_folder(journal, number, environment)
    variables = [command for command in step.commands if isinstance(command, VariableCommand)]
    journal.write(
        "step",
        number=number,
        name=step.name,
        commands=[describe_command(command, environment.executable) for command in step.commands],
        snapshot=str(folder),
        variables={command.name: read_variable(command.name) for command in variables},
        values={command.name: command.value for command in variables},
    )
    try:
        # It shows that the step has begun, also if the end of the journal is lost.
        journal.find_step_folder(number).mkdir(parents=True, exist_ok=True)
        _check_space(step, environment)
        _take_snapshot(step, environment, journal, number, folder)
        with beating(folder) if Snapshot(folder).is_complete else nullcontext():
            ran = tuple(_run_commands(step, environment, journal, number, listener))
            lost = _note_changes(folder)
    except BaseException as error:
        restored = undo_step(journal, number)
        if isinstance(error, (StepError, SnapshotError, JournalError, OSError)):
            message = f"{_describe(error)}; {describe_left(restored) or 'everything is as it was'}"
            raise StepError(message, is_undone=not restored.problems, lost=restored.lost) from error
        raise
    return ran, lost


def _describe(error: Exception) -> str:
    text = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return text.rstrip(".")


def _find_snapshot_folder(journal: Journal, number: int, environment: PythonEnvironment) -> Path:
    """Return the folder for a snapshot: on the disk of the packages, where a kept file takes no space."""
    own = journal.find_step_folder(number)
    try:
        if os.stat(journal.folder).st_dev == os.stat(environment.packages[0]).st_dev:
            return own
    except (OSError, IndexError):
        return own
    return Path(environment.prefix, KEPT_FOLDER, journal.name, str(number))


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


def _check_space(step: RepairStep, environment: PythonEnvironment) -> None:
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


def _take_snapshot(
    step: RepairStep, environment: PythonEnvironment, journal: Journal, number: int, folder: Path
) -> None:
    if roots := _list_roots(step, environment):
        # First, so that a complete snapshot without it is damaged.
        begin(folder)
        # A link that is in the way is moved itself; pip writes through links.
        Snapshot(folder).take(roots, follows_links=step.subject == PACKAGES)
        journal.write("kept", number=number)


def _note_changes(folder: Path) -> tuple[str, ...]:
    snapshot = Snapshot(folder)
    return snapshot.note_changes() if snapshot.is_complete else ()


def _run_commands(
    step: RepairStep, environment: PythonEnvironment, journal: Journal, number: int, listener: Listener
) -> Iterator[Ran]:
    for command in step.commands:
        text = describe_command(command, environment.executable)
        exit_code = None
        if isinstance(command, PipCommand):
            run_pip(command.arguments, environment, listener)
            exit_code = 0
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
        JournalError: the journal cannot be read.
    """
    events = [each for each in journal.read() if each.get("number") == number]
    event = next(each for each in events if each["event"] == "step")
    snapshot = Snapshot(Path(event["snapshot"]))
    # The line that says so can be lost.
    has_files = snapshot.is_complete or any(each["event"] == "kept" for each in events)
    try:
        if has_files:
            snapshot.verify()
        # On a full disk, nothing can be noted, and files come back all the same.
        with suppress(JournalError):
            journal.write("undoing", number=number)
        restored = snapshot.restore() if has_files else Restored(0, 0)
    except SnapshotError as error:
        return _note_problems(journal, number, Restored(0, 0, (str(error),)))
    problems = list(restored.problems)
    for name, value in event["variables"].items():
        before = None if value is None else (str(value[0]), int(value[1]))
        if read_variable(name) != before:
            try:
                _set_variable(name, before)
            except OSError as error:
                problems.append(f"{name}: {error.strerror or error}")
    if problems:
        return _note_problems(journal, number, replace(restored, problems=tuple(problems)))
    with suppress(JournalError):
        lost = {"lost": list(restored.lost)} if restored.lost else {}
        journal.write("undone", number=number, returned=restored.returned, removed=restored.removed, **lost)
    return restored


def _note_problems(journal: Journal, number: int, restored: Restored) -> Restored:
    with suppress(JournalError):
        journal.write("left", number=number, problems=list(restored.problems))
    return restored


def describe_left(restored: Restored) -> str | None:
    """Return what is not as it was before a step that was taken back, in one line, or None."""
    problems, more = restored.problems, len(restored.problems) - 1
    parts = [f"{problems[0]} (and {more} more)" if more > 0 else problems[0]] if problems else []
    parts += [describe_lost(restored.lost)] if restored.lost else []
    return f"not everything is as it was: {'; '.join(parts)}" if parts else None


def describe_moved(folder: str) -> str:
    """Return where the files are that were taken away and may be somebody's work."""
    return f"files that may be yours were in the way, and are kept in {folder}: copy back what you need"


def describe_lost(lost: Sequence[str]) -> str:
    """Return why files do not come back; they are not empty."""
    more = len(lost) - _MOST_NAMED
    names = ", ".join(lost[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    verb, their = ("was", "its") if len(lost) == 1 else ("were", "their")
    return f"{names} {verb} changed in place, and {their} old content is not kept"


def describe_later_changes(changed: Sequence[str]) -> str:
    """Return why a step is not taken back: what changed after it."""
    more = f" and {len(changed) - 1} more files" if len(changed) > 1 else ""
    return (
        f"{changed[0]}{more} changed after this repair: nothing was undone, because old and new files "
        "would be mixed. torchdoctor scan says whether anything is wrong now"
    )


def find_later_changes(steps: Sequence[Event]) -> list[str]:
    """Return the files and variables that changed after steps that are taken back in this order.

    Raises:
        SnapshotError: what was kept of one of them cannot be read, or is not there.
    """
    changed: list[str] = []
    look: Look = read_state
    values: dict[str, Sequence[object] | None] = {}
    for event in steps:
        snapshot = Snapshot(Path(event["snapshot"]))
        if snapshot.is_complete:
            changed += snapshot.list_changed_since(look)
            snapshot.verify(look)
            look = snapshot.foresee(look)
        for name, before in event["variables"].items():
            now = values[name] if name in values else read_variable(name)
            is_before = (None if now is None else list(now)) == before
            if not is_before and (None if now is None else now[0]) != event["values"].get(name):
                changed.append(f"the variable {name}")
            values[name] = before
    return changed
