"""Why a step is not run: whose the Python is, what uses it, and what else would spoil the step."""

import os

from torchdoctor.knowledge.commands import (
    FILES,
    PACKAGES,
    VARIABLES,
    RemoveCommand,
    RenameCommand,
    VariableCommand,
)
from torchdoctor.repair.environment import PythonEnvironment, find_read_only, find_using_programs
from torchdoctor.repair.pip import find_misplacing_setting
from torchdoctor.repair.plan import RepairStep
from torchdoctor.repair.trees import is_below
from torchdoctor.repair.variables import read_variable


def find_refusal(step: RepairStep, environment: PythonEnvironment, *, allows_system: bool) -> str | None:
    """Return why a step must not be run on this Python now, or None."""
    if step.subject == FILES and not _is_in(step, environment):
        return None
    if step.subject == VARIABLES:
        return None
    if refused := find_reason_to_leave_alone(environment, allows_system=allows_system):
        return refused
    if step.subject != PACKAGES:
        return None
    if not environment.has_pip:
        return f"{environment.executable} has no pip; this gets it: {environment.executable} -m ensurepip"
    if reason := find_read_only(environment):
        return reason
    if setting := find_misplacing_setting(environment):
        return (
            f"the settings of pip have {setting}, by which it would change another folder than that of "
            f"{environment.executable}; this shows them: {environment.executable} -m pip config list -v"
        )
    return None


def find_reason_to_leave_alone(environment: PythonEnvironment, *, allows_system: bool) -> str | None:
    """Return whose this Python is, or what uses it now, if its files must not be changed for that."""
    if environment.owner is not None and not allows_system:
        return (
            f"{environment.executable} is {environment.owner}: other programs need it. Make an environment "
            "of your own, or add --yes-to-system"
        )
    using = find_using_programs(environment)
    if using:
        names = ", ".join(f"{each.command or 'a program'} (process {each.number})" for each in using[:3])
        return f"programs that use this Python are running; close them first: {names}"
    return None


def _is_in(step: RepairStep, environment: PythonEnvironment) -> bool:
    """Return whether a step changes files of an environment, and not only some of the person."""
    paths: list[str] = []
    for command in step.commands:
        if isinstance(command, RenameCommand):
            paths.append(command.path)
        elif isinstance(command, RemoveCommand):
            paths += command.paths
    folders = (environment.prefix, *environment.roots)
    return any(is_below(os.path.abspath(path), folder) for path in paths for folder in folders)


def find_reason_not_to_run(step: RepairStep) -> str | None:
    """Return why a step of the plan would change nothing, or None."""
    for command in step.commands:
        if (
            isinstance(command, VariableCommand)
            and command.value is None
            and read_variable(command.name) is None
        ):
            return f"{command.name} is not a variable of your account: whatever starts this program sets it"
    return None
