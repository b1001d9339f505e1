"""The command python leads to a placeholder that only opens the Microsoft Store."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.facts import PythonInstallations


@check
def python_not_found_store_alias(pythons: PythonInstallations) -> Iterator[Finding | Passed]:
    """Look at what comes first on PATH; a placeholder behind a real Python does no harm."""
    if not pythons.commands:
        raise Skip("PATH leads to no python at all")
    aliases = [command for command in pythons.commands if command.is_store_alias]
    names = {command.name for command in aliases}
    for command in aliases:
        # python3 is no usual command on Windows: only scripts from other systems call it.
        if command.name == "python" or "python" not in names:
            is_usual = command.name == "python"
            yield Finding(
                f"{command.name} on PATH is {command.path}, which is no Python but opens the Microsoft Store",
                evidence={"command": command.name, "path": command.path},
                severity=Severity.WARNING if is_usual else Severity.NOTE,
                step="switch",
            )
    if not aliases:
        shown = ", ".join(f"{command.name} is {command.path}" for command in pythons.commands)
        yield Passed(f"on PATH, {shown}")
