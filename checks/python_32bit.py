"""The interpreter is 32-bit, and torch has no build for it."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check
from torchdoctor.facts import Interpreter


@check
def python_32bit(interpreter: Interpreter) -> Iterator[Finding | Passed]:
    """Check the pointer width of the interpreter: 64-bit Windows runs 32-bit Pythons without a warning."""
    if interpreter.bits == 64:
        yield Passed(f"64-bit {interpreter.implementation} {interpreter.version} ({interpreter.machine})")
        return
    yield Finding(
        f"{interpreter.implementation} {interpreter.version} at {interpreter.executable} is a 32-bit program",
        evidence={"bits": interpreter.bits, "platform_tag": interpreter.platform_tag},
        step="install",
    )
