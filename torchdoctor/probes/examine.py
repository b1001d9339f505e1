"""Runs the probes that are wanted and gathers what they observed."""

import os
import platform
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from torchdoctor.facts import (
    Absent,
    Distributions,
    DllClosure,
    EnvironmentVariables,
    Facts,
    Interpreter,
    Memory,
    OperatingSystem,
    Processor,
    TorchImportTrial,
    TorchInstall,
    VcRuntime,
    subject_of,
)
from torchdoctor.probes import dlls, machine, torch
from torchdoctor.probes.interpreter import Description, describe_interpreter
from torchdoctor.registry import Broken

Probe = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Examination:
    """What was observed, and the probes of the doctor that failed."""

    facts: Facts
    broken: tuple[Broken, ...]


def examine(python: str | None, wanted: Iterable[type], *, trials: bool) -> Examination:
    """Observe the wanted facts of this machine and of an interpreter (default: the active one).

    Raises:
        InterpreterError: the interpreter cannot be examined.
    """
    types = set(wanted)
    executable = python or find_active_python()
    with ThreadPoolExecutor(max_workers=4) as pool:
        broken: list[Broken] = []
        probes: dict[type, Probe] = {
            OperatingSystem: machine.read_operating_system,
            Processor: machine.read_processor,
            Memory: machine.read_memory,
            EnvironmentVariables: machine.read_environment_variables,
        }
        started = {
            fact: pool.submit(_contain, fact, probes[fact], broken) for fact in probes if fact in types
        }
        if types - probes.keys():
            description = describe_interpreter(executable)
            inner = _find_inner_probes(executable, description, trials=trials)
            started |= {
                fact: pool.submit(_contain, fact, inner[fact], broken) for fact in inner if fact in types
            }
        facts = Facts({fact: future.result() for fact, future in started.items()})
    return Examination(facts, tuple(sorted(broken, key=lambda item: item.name)))


def find_active_python() -> str:
    """Give the interpreter to examine by default: the activated environment's, else the doctor's own."""
    for variable, folders in (("VIRTUAL_ENV", ("Scripts", "bin")), ("CONDA_PREFIX", ("", "bin"))):
        root = os.environ.get(variable)
        for folder in folders if root else ():
            candidate = Path(str(root), folder, "python.exe" if os.name == "nt" else "python")
            if candidate.is_file():
                return str(candidate)
    return sys.executable


def _find_inner_probes(executable: str, description: Description, *, trials: bool) -> dict[type, Probe]:
    """Give the probes that need to know the interpreter."""
    interpreter = description.interpreter
    install = torch.read_torch_install(description)

    def try_import() -> object:
        if not trials:
            return Absent("trials were switched off with --no-trials")
        return install if isinstance(install, Absent) else torch.try_import(executable)

    def read_closure() -> object:
        if isinstance(install, Absent):
            return install
        if not _is_for_windows(interpreter):
            return Absent(f"this is a Python for {platform.system()}; its torch has no Windows DLLs")
        return dlls.read_torch_closure(interpreter, install, dlls.find_torch_search(interpreter, install))

    def read_runtime() -> object:
        if isinstance(install, Absent):
            return install
        if not _is_for_windows(interpreter):
            return Absent("only Windows has a Visual C++ runtime")
        folder = Path(install.library_folder) if install.library_folder else None
        return dlls.read_vc_runtime(dlls.find_torch_search(interpreter, install), folder)

    return {
        # The trial first: it takes longest and needs no other probe.
        TorchImportTrial: try_import,
        Interpreter: lambda: interpreter,
        Distributions: lambda: description.distributions,
        TorchInstall: lambda: install,
        DllClosure: read_closure,
        VcRuntime: read_runtime,
    }


def _is_for_windows(interpreter: Interpreter) -> bool:
    return interpreter.platform_tag.startswith("win")


def _contain(fact: type, probe: Probe, broken: list[Broken]) -> object:
    # A probe must not raise; one that does is the doctor's defect, and costs one fact, not the report.
    try:
        return probe()
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        broken.append(Broken(f"probe {subject_of(fact)}", reason))
        return Absent(f"the probe failed: {reason}")
