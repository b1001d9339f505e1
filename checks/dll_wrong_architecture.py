"""A DLL on the load path is for another processor architecture, or is no DLL at all."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check
from torchdoctor.facts import Absent, DllClosure, TorchInstall
from torchdoctor.requirement import find_requirement


@check
def dll_wrong_architecture(closure: DllClosure, torch: TorchInstall | Absent) -> Iterator[Finding | Passed]:
    """Windows answers both with error 193, so both are told here."""
    requirement = find_requirement(torch)
    for foreign in closure.foreign:
        yield Finding(
            f"{foreign.path} is built for {foreign.machine}, the interpreter needs {foreign.expected_machine}"
            f" (loaded as {' -> '.join(foreign.chain)})",
            evidence={
                "path": foreign.path,
                "machine": foreign.machine,
                "chain": list(foreign.chain),
                "requirement": requirement,
            },
            step="reinstall",
        )
    for damaged in closure.damaged:
        yield Finding(
            f"{damaged.path} is no usable DLL: {damaged.reason}",
            evidence={"path": damaged.path, "reason": damaged.reason, "requirement": requirement},
            step="reinstall",
        )
    if not closure.foreign and not closure.damaged:
        machines = " and ".join(sorted({image.machine for image in closure.images})) or "none"
        yield Passed(f"{len(closure.images)} DLLs are readable and of one architecture ({machines})")
