"""Facts about the Pythons of the machine and the commands that start one."""

from typing import ClassVar

from torchdoctor.core.record import record


@record
class PythonCommand:
    """The file that a command ("python") starts; `is_store_alias` if it only opens the Microsoft Store."""

    name: str
    path: str
    is_store_alias: bool


@record
class FoundInterpreter:
    """A Python of this machine, described by its files.

    `source` is where it was found: registry, PATH, conda or folder. `torch` is the version in its
    site-packages.
    """

    executable: str
    source: str
    version: str | None = None
    machine: str | None = None
    torch: str | None = None


@record
class PythonInstallations:
    """The Pythons of this machine and the commands that start one; none of them was started."""

    subject: ClassVar[str] = "python_installations"
    commands: tuple[PythonCommand, ...]
    interpreters: tuple[FoundInterpreter, ...]
