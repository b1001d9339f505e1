"""The examined interpreter has no torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Skip, check, known
from torchdoctor.domain.cuda_builds import are_too_old
from torchdoctor.domain.gpus import find_nvidia_gpus
from torchdoctor.domain.remedies import Remedy, choose_remedy
from torchdoctor.domain.requirements import describe_build
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import (
    Absent,
    DisplayAdapters,
    Distributions,
    FoundInterpreter,
    Interpreter,
    NvidiaDriver,
    OperatingSystem,
    PythonInstallations,
    TorchInstall,
)
from torchdoctor.facts.partial import Unobserved, find_value

# What pip calls torch while it replaces it; probes/packages.py knows the same names.
_RENAMED = ("~orch", "-orch")
# Ends a sentence of the step.
NOT_THIS = "; activating the examined environment does not help, as it has no torch"


@check
def torch_not_installed(
    interpreter: Interpreter,
    torch: TorchInstall | Absent,
    pythons: PythonInstallations | Absent,
    distributions: Distributions | Absent,
    driver: NvidiaDriver | Absent,
    adapters: DisplayAdapters | Absent,
    system: OperatingSystem | Absent,
) -> Iterator[Finding | Passed]:
    """Check the examined interpreter: torchdoctor may run in another one, and torch may be in a third."""
    if not known(interpreter.finds_torch):
        if (remnant := _find_remnant(distributions)) is not None:
            yield remnant
            return
        others = _find_others(interpreter, pythons)
        locations = ", ".join(f"torch {other.torch} is in {_describe(other)}" for other in others[:3])
        executable = find_value(interpreter, "executable")
        place = "this Python" if isinstance(executable, Absent) else executable
        remedy = None if others else _find_remedy(interpreter, driver, adapters, system)
        yield Finding(
            f"torch is not installed for {place}" + (f"; {locations}" if locations else ""),
            evidence={
                "others": [other.executable for other in others],
                **({"other_python": others[0].executable} if others else {}),
                **({"not_this": NOT_THIS} if others and _is_virtual(interpreter) else {}),
                **(remedy.values if remedy else {}),
            },
            step="other-python" if others else remedy.step if remedy else "install",
        )
        return
    if isinstance(torch, Absent):
        raise Skip(torch.reason)
    version = "unknown version" if isinstance(torch.version, Absent) else torch.version
    build = f"CUDA {torch.cuda}" if torch.cuda else "no CUDA"
    yield Passed(f"torch {version} ({build}) in {torch.package_folder}")


def _is_virtual(interpreter: Interpreter) -> bool:
    prefix, base = find_value(interpreter, "prefix"), find_value(interpreter, "base_prefix")
    return not isinstance(prefix, Absent) and not isinstance(base, Absent) and prefix != base


def _find_remedy(
    interpreter: Interpreter,
    driver: NvidiaDriver | Absent,
    adapters: DisplayAdapters | Absent,
    system: OperatingSystem | Absent,
) -> Remedy | None:
    """Return the step that installs the torch for the cards of a Windows machine, None if it is not known."""
    if isinstance(system, Absent) or system.system != "windows" or system.machine == "arm64":
        return None
    if find_nvidia_gpus(driver, adapters) == () or are_too_old(driver):
        return Remedy("cpu-now", {})
    return choose_remedy(driver, interpreter)


def _find_remnant(distributions: Distributions | Absent) -> Finding | None:
    """Return a finding for what an installation of torch left: its record, or the folder that pip renamed."""
    if isinstance(distributions, Absent):
        return None
    for name in ("torch", *_RENAMED):
        try:
            left = distributions.find(name)
        except Unobserved:
            # Lists of a text are seldom complete.
            continue
        if left is None:
            continue
        message = (
            f"torch {left.version} is recorded in {left.folder}, and its files are gone"
            if name == "torch"
            else f"torch {left.version} is gone: pip was interrupted while it replaced it, and left"
            f" {left.name} in {left.folder}"
        )
        return Finding(message, evidence=describe_build(left.version), step="recorded")
    return None


def _find_others(interpreter: Interpreter, pythons: PythonInstallations | Absent) -> list[FoundInterpreter]:
    if isinstance(pythons, Absent):
        return []
    own = normalise(interpreter.executable)
    return [other for other in pythons.interpreters if other.torch and normalise(other.executable) != own]


def _describe(other: FoundInterpreter) -> str:
    parts = [f"Python {other.version}"] if other.version else []
    parts += ["32-bit"] if other.machine == "x86" else []
    return f"{other.executable} ({', '.join(parts)})" if parts else other.executable
