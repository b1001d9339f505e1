"""The interpreter is 32-bit, and torch has no build for it."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check
from torchdoctor.domain.gpus import find_nvidia_gpus
from torchdoctor.domain.remedies import choose_new_set
from torchdoctor.facts import Absent, DisplayAdapters, Interpreter, NvidiaDriver
from torchdoctor.facts.partial import find_value


@check
def python_32bit(
    interpreter: Interpreter, driver: NvidiaDriver | Absent, adapters: DisplayAdapters | Absent
) -> Iterator[Finding | Passed]:
    """Check the pointer width of the interpreter: 64-bit Windows runs 32-bit Pythons without a warning."""
    if interpreter.bits == 64:
        yield Passed(f"64-bit {interpreter.implementation} {interpreter.version} ({interpreter.machine})")
        return
    executable, tag = find_value(interpreter, "executable"), find_value(interpreter, "platform_tag")
    kind, version = find_value(interpreter, "implementation"), find_value(interpreter, "version")
    name = "Python" if isinstance(kind, Absent) else kind
    release = "" if isinstance(version, Absent) else f" {version}"
    place = "" if isinstance(executable, Absent) else f" at {executable}"
    new_set = "torch" if find_nvidia_gpus(driver, adapters) == () else choose_new_set(driver)
    yield Finding(
        f"{name}{release}{place} is a 32-bit program",
        evidence={
            "bits": interpreter.bits,
            **({} if isinstance(tag, Absent) else {"platform_tag": tag}),
            **({} if new_set is None else {"new_set": new_set}),
        },
        step="install" if new_set is None else "whole",
    )
