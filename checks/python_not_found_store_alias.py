"""The command python runs a placeholder that only opens the Microsoft Store."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.facts import PythonInstallations


@check
def python_not_found_store_alias(pythons: PythonInstallations) -> Iterator[Finding | Passed]:
    """Check the first match on PATH; a placeholder that comes after a real Python does no harm."""
    if not pythons.commands:
        raise Skip("no python was found on PATH")
    # python3 is no usual command on Windows: where python starts one, only scripts of other systems need it.
    names = {command.name for command in pythons.commands}
    aliases = [
        command
        for command in pythons.commands
        if command.is_store_alias and (command.name == "python" or "python" not in names)
    ]
    for command in aliases:
        yield Finding(
            f"{command.name} on PATH is {command.path}, which is no Python but opens the Microsoft Store",
            evidence={"command": command.name, "path": command.path},
            severity=Severity.WARNING if command.name == "python" else Severity.NOTE,
            step="switch",
        )
    if not aliases:
        matches = ", ".join(
            f"{command.name} {'opens the Store' if command.is_store_alias else f'is {command.path}'}"
            for command in pythons.commands
        )
        yield Passed(f"on PATH, {matches}")
