"""The `checks` command: list the installed checks."""

from torchdoctor.core.record import record
from torchdoctor.engine.registry import Registry, load_registry
from torchdoctor.probes.machine import name_system


@record
class CheckList:
    """The installed checks, and the system on which they would run."""

    registry: Registry
    system: str

    @property
    def exit_code(self) -> int:
        """3 if a check or an entry could not be loaded, else 0."""
        return 3 if self.registry.broken else 0


def list_checks() -> CheckList:
    """Load the installed checks.

    Raises:
        RegistryError: no checks are installed.
    """
    return CheckList(load_registry(), name_system())
