"""The command python runs a placeholder that only opens the Microsoft Store."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.facts import PythonInstallations


@check
def python_not_found_store_alias(pythons: PythonInstallations) -> Iterator[Finding | Passed]:
    """Check the first match on PATH; a placeholder that comes after a real Python does no harm."""
    if not pythons.commands:
        raise Skip("no python was found on PATH")
    aliases = [command for command in pythons.commands if command.is_store_alias]
    names = {command.name for command in aliases}
    for command in aliases:
        # python3 is not a usual command on Windows: only scripts from other systems run it.
        is_usual = command.name == "python"
        if is_usual or "python" not in names:
            yield Finding(
                f"{command.name} on PATH is {command.path}, which is no Python but opens the Microsoft Store",
                evidence={"command": command.name, "path": command.path},
                severity=Severity.WARNING if is_usual else Severity.NOTE,
                step="switch",
            )
    if not aliases:
        matches = ", ".join(f"{command.name} is {command.path}" for command in pythons.commands)
        yield Passed(f"on PATH, {matches}")
