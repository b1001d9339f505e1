"""Runs the probes that are wanted and gathers what they observed."""

import platform
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from torchdoctor.facts import (
    Absent,
    BuildTools,
    CudaTrial,
    DisplayAdapters,
    Distributions,
    DllClosure,
    EnvironmentVariables,
    Facts,
    GraphicsSettings,
    Interpreter,
    Memory,
    NvidiaDriver,
    OperatingSystem,
    Processor,
    SystemEvents,
    TorchImportTrial,
    TorchInstall,
    VcRuntime,
    subject_of,
)
from torchdoctor.plugins import Broken
from torchdoctor.probes import dlls, gpu, machine, torch
from torchdoctor.probes.active import find_active_python
from torchdoctor.probes.environment import find_environment_probes
from torchdoctor.probes.interpreter import Description, describe_interpreter
from torchdoctor.stopwatch import Examination, Stopwatch, Watcher

T = TypeVar("T")
Probe = Callable[[], object]


def examine(
    python: str | None,
    wanted: Iterable[type],
    *,
    trials: bool,
    watcher: Watcher | None = None,
    describe: Callable[[], Description] | None = None,
) -> Examination:
    """Observe the wanted facts of this machine and of an interpreter (default: the active one).

    `describe` gives the description of the interpreter where it was asked for ahead.

    Raises:
        InterpreterError: the interpreter cannot be examined.
    """
    types = set(wanted)
    executable = python or find_active_python()
    round_ = _Round(watcher)
    # Most probes wait for a child or a disk, so there may be more of them than cores.
    with ThreadPoolExecutor(max_workers=8) as pool:
        probes: dict[type, Probe] = {
            NvidiaDriver: gpu.read_nvidia_driver,
            SystemEvents: _read_system_events,
            OperatingSystem: machine.read_operating_system,
            Processor: machine.read_processor,
            Memory: machine.read_memory,
            EnvironmentVariables: machine.read_environment_variables,
            DisplayAdapters: gpu.read_display_adapters,
            GraphicsSettings: gpu.read_graphics_settings,
            BuildTools: _read_build_tools,
        }
        started = {fact: pool.submit(round_.run, fact, probes[fact]) for fact in probes if fact in types}
        if types - probes.keys():
            describe = describe or (lambda: describe_interpreter(executable))
            description = round_.time("describe_interpreter", describe)
            inner = _find_inner_probes(executable, description, trials=trials, wants_cuda=CudaTrial in types)
            started |= {fact: pool.submit(round_.run, fact, inner[fact]) for fact in inner if fact in types}
        facts = Facts({fact: future.result() for fact, future in started.items()})
    return Examination(facts, tuple(sorted(round_.broken, key=lambda item: item.name)), round_.seconds)


class _Round:
    """The probes of one examination: what failed, how long each took, and who watches."""

    def __init__(self, watcher: Watcher | None) -> None:
        self.broken: list[Broken] = []
        self._stopwatch = Stopwatch()
        self._watchers = [self._stopwatch.watch, *([watcher] if watcher else [])]

    @property
    def seconds(self) -> Mapping[str, float]:
        """How long each probe took."""
        return self._stopwatch.seconds

    def run(self, fact: type, probe: Probe) -> object:
        """Run a probe; one that raises is the doctor's defect, and costs one fact, not the report."""
        subject = subject_of(fact)
        try:
            return self.time(subject, probe)
        except Exception as error:
            reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
            self.broken.append(Broken(f"probe {subject}", reason))
            return Absent(f"the probe failed: {reason}")

    def time(self, subject: str, call: Callable[[], T]) -> T:
        """Run a call before the eyes of the watchers; what it raises passes through."""
        for watch in self._watchers:
            watch(subject, True)
        try:
            return call()
        finally:
            for watch in self._watchers:
                watch(subject, False)


def _read_system_events() -> object:
    if platform.system() != "Windows":
        return Absent("only Windows has an event log")
    from torchdoctor.probes import events

    return events.read_system_events()


def _read_build_tools() -> object:
    from torchdoctor.probes import build_tools

    return build_tools.read_build_tools()


def _once(call: Callable[[], T]) -> Callable[[], T]:
    """Give a call that is made once, by whoever asks first; the others wait for its answer."""
    lock, answers = threading.Lock(), list[T]()

    def ask() -> T:
        with lock:
            if not answers:
                answers.append(call())
            return answers[0]

    return ask


def _find_inner_probes(
    executable: str, description: Description, *, trials: bool, wants_cuda: bool
) -> dict[type, Probe]:
    """Give the probes that need to know the interpreter."""
    interpreter = description.interpreter
    install = torch.read_torch_install(description)

    @_once
    def try_torch() -> torch.Trials:
        if not trials:
            absent = Absent("trials were switched off with --no-trials")
            return torch.Trials(absent, absent)
        if isinstance(install, Absent):
            return torch.Trials(install, install)
        return torch.try_torch(executable, install, wants_cuda=wants_cuda)

    def read_closure() -> object:
        if isinstance(install, Absent):
            return install
        if not interpreter.is_for_windows:
            return Absent(f"this is a Python for {platform.system()}; its torch has no Windows DLLs")
        return dlls.read_torch_closure(interpreter, install, dlls.find_torch_search(interpreter, install))

    def read_runtime() -> object:
        if isinstance(install, Absent):
            return install
        if not interpreter.is_for_windows:
            return Absent("only Windows has a Visual C++ runtime")
        folder = Path(install.library_folder) if install.library_folder else None
        return dlls.read_vc_runtime(dlls.find_torch_search(interpreter, install), folder)

    return {
        # The trial first: it takes longest and needs no other probe.
        TorchImportTrial: lambda: try_torch().importing,
        CudaTrial: lambda: try_torch().cuda,
        Interpreter: lambda: interpreter,
        Distributions: lambda: description.distributions,
        TorchInstall: lambda: install,
        DllClosure: read_closure,
        VcRuntime: read_runtime,
        **find_environment_probes(description, install),
    }
