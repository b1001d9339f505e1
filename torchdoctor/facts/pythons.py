"""Facts about the Pythons of the machine and the commands that start one."""

from typing import ClassVar

from torchdoctor.core.record import record


@record
class PythonCommand:
    """What a command ("python", "python3") leads to on PATH; `is_store_alias`: only to Microsoft's Store."""

    name: str
    path: str
    is_store_alias: bool


@record
class FoundInterpreter:
    """A Python of this machine, judged by its files; `torch` is the version that lies in its site-packages.

    `source` says where it was found: registry, PATH, conda, folder.
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
