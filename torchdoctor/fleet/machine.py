"""One machine of a fleet: its configuration and what is wrong with it, or why it could not be examined."""

from collections.abc import Sequence

from torchdoctor.check import Severity
from torchdoctor.core.record import record
from torchdoctor.facts import (
    Absent,
    DisplayAdapters,
    Distributions,
    Facts,
    Interpreter,
    Memory,
    NvidiaDriver,
    OperatingSystem,
    TorchImportTrial,
    TorchInstall,
    VcRuntime,
)
from torchdoctor.facts.partial import Unobserved, find_value

# What stands for a package or a device that is not there, which is an observation, unlike `Absent`.
NONE = "none"


@record
class Configuration:
    """What two machines can differ in, each as text; `Absent` where it could not be observed.

    `cuda` is the version that torch is built with, "none" for a build without CUDA. `runtime` is the version
    of the msvcp140.dll that torch's DLLs get, which only Windows has.
    """

    torch: str | Absent
    cuda: str | Absent
    python: str | Absent
    numpy: str | Absent
    driver: str | Absent
    gpus: str | Absent
    runtime: str | Absent
    system: str | Absent
    commit_limit_bytes: int | Absent


# The names of the fields for people. The commit limit, of which no two are the same, is compared apart.
LABELS = {
    "torch": "torch",
    "cuda": "CUDA",
    "python": "Python",
    "numpy": "NumPy",
    "driver": "NVIDIA driver",
    "gpus": "GPU",
    "runtime": "VC runtime",
    "system": "system",
}


@record
class MachineFinding:
    """A finding on one machine, with the title of its problem, and the step that mends it there.

    `severity` is "error", "warning" or "note". `step` is the same for the same step with other values in it.
    `causes` are the checks whose findings there cause it.
    """

    name: str
    severity: str
    message: str
    title: str = ""
    fix: str | None = None
    step: str = ""
    causes: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        """The rank of the severity; the worst has the highest."""
        return Severity(self.severity).rank


@record
class Machine:
    """What is known of one machine.

    `problem` says why it could not be examined; without one, `configuration` is there. `torchdoctor` is the
    version that observed its facts, at the ISO 8601 time `taken_at`. `has_imported_torch` is whether torch
    was imported there, `Absent` where that was not tried. `findings` are worst first. `failures`
    are what the doctor itself could not do. `points_to` names the entries that explain what a failed import
    of torch printed. `digest` is the same only for the same facts, settings and version of the doctor.
    """

    name: str
    problem: str | None = None
    torchdoctor: str = ""
    taken_at: str = ""
    configuration: Configuration | None = None
    has_imported_torch: bool | Absent = Absent("not recorded")
    findings: tuple[MachineFinding, ...] = ()
    failures: tuple[str, ...] = ()
    points_to: tuple[str, ...] = ()
    digest: str = ""

    @property
    def worst(self) -> MachineFinding | None:
        """The worst finding, the first of several; None without findings."""
        return max(self.findings, key=lambda finding: finding.rank, default=None)

    @property
    def rank(self) -> int:
        """How bad it is: one that could not be examined comes first, one without findings last."""
        if self.problem is not None:
            return max(severity.rank for severity in Severity) + 1
        return -1 if self.worst is None else self.worst.rank


def describe_configuration(facts: Facts) -> Configuration:
    """Return what two machines can differ in, of the facts of one."""
    torch = facts.get(TorchInstall)
    return Configuration(
        torch=_find(facts, TorchInstall, "version"),
        cuda=torch if isinstance(torch, Absent) else _say(find_value(torch, "cuda")),
        python=_find(facts, Interpreter, "version"),
        numpy=_find_numpy(facts),
        driver=_describe_driver(facts),
        gpus=_describe_gpus(facts),
        runtime=_find_runtime(facts),
        system=_describe_system(facts),
        commit_limit_bytes=_find_commit_limit(facts),
    )


def find_import(facts: Facts) -> bool | Absent:
    """Return whether torch was imported; `Absent` where that was not tried."""
    trial = facts.get(TorchImportTrial)
    return trial if isinstance(trial, Absent) else trial.imports_torch


def _say(value: object) -> str | Absent:
    if isinstance(value, Absent):
        return value
    return NONE if value is None else str(value)


def _find(facts: Facts, fact: type, name: str) -> str | Absent:
    found = facts.get(fact)
    return found if isinstance(found, Absent) else _say(find_value(found, name))


def _find_numpy(facts: Facts) -> str | Absent:
    distributions = facts.get(Distributions)
    if isinstance(distributions, Absent):
        return distributions
    try:
        found = distributions.find("numpy")
    except Unobserved as unobserved:
        return Absent(str(unobserved))
    return NONE if found is None else found.version


def _describe_driver(facts: Facts) -> str | Absent:
    driver = facts.get(NvidiaDriver)
    if isinstance(driver, Absent):
        return driver
    state, version = find_value(driver, "state"), find_value(driver, "version")
    if isinstance(state, Absent) or state == "working":
        return _say(version)
    if state == "missing":
        return NONE
    return str(state) if isinstance(version, Absent) else f"{version} ({state})"


def _describe_gpus(facts: Facts) -> str | Absent:
    driver = facts.get(NvidiaDriver)
    if isinstance(driver, Absent):
        return driver
    gpus = find_value(driver, "gpus")
    if isinstance(gpus, Absent):
        return _list_adapters(facts) if find_value(driver, "state") == "missing" else gpus
    names = [str(_say(find_value(gpu, "name"))) for gpu in gpus]
    return _count_names(names) or NONE


def _list_adapters(facts: Facts) -> str | Absent:
    """Return the adapters that the system lists: without a driver, NVIDIA's cards are there all the same."""
    display = facts.get(DisplayAdapters)
    if isinstance(display, Absent):
        return display
    names = [
        str(_say(find_value(adapter, "name")))
        for adapter in display.adapters
        if find_value(adapter, "is_present") is not False
    ]
    return _count_names(names) or NONE


def _count_names(names: Sequence[str]) -> str:
    counted = {name: names.count(name) for name in sorted(names)}
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in counted.items())


def _find_runtime(facts: Facts) -> str | Absent:
    runtime = facts.get(VcRuntime)
    if isinstance(runtime, Absent):
        return runtime
    file = runtime.find("msvcp140.dll")
    return NONE if file is None else _say(file.version)


def _describe_system(facts: Facts) -> str | Absent:
    system = facts.get(OperatingSystem)
    if isinstance(system, Absent):
        return system
    parts = (_say(find_value(system, name)) for name in ("system", "version", "machine"))
    return " ".join(part for part in parts if isinstance(part, str)) or Absent("the system is not known")


def _find_commit_limit(facts: Facts) -> int | Absent:
    memory = facts.get(Memory)
    if isinstance(memory, Absent):
        return memory
    limit: int | Absent = find_value(memory, "commit_limit_bytes")
    is_enforced = find_value(memory, "commit_limit_enforced")
    return limit if is_enforced else Absent("this system does not enforce its commit limit")
