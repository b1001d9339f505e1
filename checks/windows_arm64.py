"""Windows runs on an ARM processor, for which pip's default index has no torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import Interpreter, OperatingSystem

# Pythons with windows-arm64 wheels on PyTorch's own index (pytorch/test-infra, generate_wheels_matrix).
PYTHONS_ON_TORCH_INDEX = ((3, 11), (3, 12), (3, 13))


@check
def windows_arm64(system: OperatingSystem, interpreter: Interpreter) -> Iterator[Finding | Passed]:
    """Check the processor, not the process: an x64 Python also runs on ARM, emulated."""
    machine = known(system.machine)
    if machine != "arm64":
        yield Passed(f"the processor is {machine}")
        return
    python = f"{interpreter.implementation} {interpreter.version}"
    evidence = {"machine": machine, "python_version": interpreter.version}
    if interpreter.machine != "arm64":
        message = (
            f"{python} is built for {interpreter.machine} and runs emulated on ARM: it works, but slowly"
        )
        yield Finding(message, evidence=evidence, severity=Severity.NOTE, step="environment")
    elif interpreter.finds_torch is True:
        yield Passed(f"{python} for ARM64 has a torch")
    elif _find_series(interpreter) in PYTHONS_ON_TORCH_INDEX:
        message = f"{python} is built for ARM64: torch for it is on PyTorch's own index only, without CUDA"
        yield Finding(message, evidence=evidence, severity=Severity.WARNING, step="index")
    else:
        yield Finding(
            f"{python} is built for ARM64: torch has wheels for 3.11 to 3.13, on PyTorch's own index",
            evidence=evidence,
            step="environment",
        )


def _find_series(interpreter: Interpreter) -> tuple[int, ...]:
    try:
        return parse_release(interpreter.version)[:2]
    except VersionError as error:
        raise Skip(f"the version of Python cannot be read: {error}") from error
