"""Observes the examined interpreter from inside, in a child process."""

import os
from collections.abc import Mapping
from dataclasses import replace

from torchdoctor.core.usage import UsageError
from torchdoctor.facts import Absent, Distribution, Distributions, Interpreter
from torchdoctor.inside.cutting import cut_end
from torchdoctor.probes.crash import find_crash
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.machine import name_machine
from torchdoctor.probes.python_choice import ChosenPython
from torchdoctor.processes.child import ChildError, ChildResult
from torchdoctor.processes.fault_stack import find_fault_stack
from torchdoctor.processes.guest import FAULT_HANDLER, NO_STARTUP_CODE, ask_guest

DESCRIBE_SECONDS = 60.0


class InterpreterError(UsageError):
    """The given program cannot be examined as an interpreter; the message is one line."""


def observe_interpreter(examined: Examined) -> Interpreter:
    """Return the interpreter in the description."""
    return examined.interpreter


def observe_distributions(examined: Examined) -> Distributions:
    """Return the distributions in the description."""
    return examined.distributions


def describe_interpreter(python: ChosenPython) -> Description:
    """Run an interpreter in a child and return its description.

    Raises:
        InterpreterError: it cannot be started, ends without an answer or is older than 3.8.
    """
    try:
        child, answer = _ask(python.executable, FAULT_HANDLER)
        has_crashed = answer is None and find_fault_stack(child.stderr_tail) is not None
        if has_crashed:
            # A startup file may have crashed, before Python runs any program.
            _, answer = _ask(python.executable, NO_STARTUP_CODE)
    except ChildError as error:
        raise InterpreterError(f"cannot start the interpreter {error}; it is {python.reason}") from error
    if answer is None:
        raise InterpreterError(
            f"{python.executable}, {python.reason}, did not answer as a Python 3.8 or later does: "
            f"{_describe_end(child)}"
        )
    try:
        description = read_description(answer, python.reason)
    except (KeyError, TypeError, ValueError) as error:
        raise InterpreterError(f"{python.executable} gave an answer that cannot be read: {error}") from error
    if not has_crashed:
        return description
    crash = find_crash(child.stderr_tail, description.interpreter.import_path)
    return replace(description, interpreter=replace(description.interpreter, start_crash=crash))


def _ask(executable: str, options: tuple[str, ...]) -> tuple[ChildResult, Mapping[str, object] | None]:
    return ask_guest(executable, "describe", time_limit_seconds=DESCRIBE_SECONDS, options=options)


def _describe_end(child: ChildResult) -> str:
    if child.exit_code is None:
        return f"no answer within {DESCRIBE_SECONDS:.0f} s"
    lines = (child.stderr_tail.strip() or child.stdout_tail.strip()).splitlines()
    return cut_end(lines[-1], 200) if lines else f"exit code {child.exit_code}"


def read_description(answer: Mapping[str, object], reason: str) -> Description:
    """Return the description in the answer of `inside.describe`; `reason` says why this Python is examined.

    Raises:
        KeyError, TypeError, ValueError: the answer is not one of `inside.describe`.
    """
    torch_folder, torch_origin = _read_torch(answer["torch"])
    tag = str(answer["platform_tag"])
    import_path, user_base = answer["import_path"], answer["user_base"]
    interpreter = Interpreter(
        executable=str(answer["executable"]),
        version=str(answer["version"]),
        implementation=str(answer["implementation"]),
        bits=32 if answer["bits"] == 32 else 64,
        machine="x86" if tag == "win32" else name_machine(tag.rpartition("-")[2]),
        platform_tag=tag,
        prefix=str(answer["prefix"]),
        base_prefix=str(answer["base_prefix"]),
        application_folder=str(answer["application_folder"]),
        user_base=str(user_base) if user_base else None,
        free_threaded=bool(answer["free_threaded"]),
        finds_torch=torch_folder if isinstance(torch_folder, Absent) else torch_folder is not None,
        import_path=tuple(str(entry) for entry in import_path) if isinstance(import_path, list) else (),
        chosen_because=reason,
        has_pip=bool(answer["has_pip"]),
        has_uv_lock=_has_uv_lock(str(answer["prefix"])),
    )
    distributions = Distributions(tuple(_read_distributions(answer["distributions"])))
    return Description(interpreter, distributions, torch_folder, torch_origin)


def _has_uv_lock(prefix: str) -> bool:
    """Return whether an environment lies in the folder of a project that uv has locked."""
    return os.path.isfile(os.path.join(os.path.dirname(prefix), "uv.lock"))


def _read_torch(answer: object) -> tuple[str | Absent | None, str | None]:
    """Return the folder and the file of the torch that would be imported, None where there is none."""
    if not isinstance(answer, dict):
        return None, None
    if "error" in answer:
        return Absent(f"looking for torch raised {answer['error']}"), None
    return str(answer["folder"]), str(answer["origin"]) if answer.get("origin") else None


def _read_distributions(answer: object) -> list[Distribution]:
    rows = answer if isinstance(answer, list) else []
    return [Distribution(str(name), str(version), str(folder)) for name, version, folder in rows]
