"""Facts about the examined interpreter and the distributions installed for it."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class Interpreter:
    """The examined interpreter.

    `bits` is the pointer width (32 or 64). `machine` is what the interpreter was built for ("x64",
    "arm64", "x86"). `application_folder` is the folder of the program that Windows really starts:
    the base interpreter's, also for a virtual environment. `user_base` is the per-user prefix.
    """

    subject: ClassVar[str] = "interpreter"
    executable: str
    version: str
    implementation: str
    bits: int
    machine: str
    platform_tag: str
    prefix: str
    base_prefix: str
    application_folder: str
    user_base: str | None = None
    free_threaded: bool = False
    finds_torch: bool | Absent = Absent("the interpreter was not asked")
    import_path: tuple[str, ...] = ()

    @property
    def is_virtual_environment(self) -> bool:
        """Tell whether the prefix is not the base interpreter's."""
        return self.prefix != self.base_prefix

    @property
    def is_for_windows(self) -> bool:
        """Tell whether this is a Python for Windows, wherever its facts are examined."""
        return self.platform_tag.startswith("win")


@record
class Distribution:
    """An installed distribution: name as its metadata spells it, version, folder that holds it."""

    name: str
    version: str
    folder: str


@record
class Distributions:
    """All installed distributions, in the order of the import path; the first of a name is imported."""

    subject: ClassVar[str] = "distributions"
    installed: tuple[Distribution, ...]

    def find(self, name: str) -> Distribution | None:
        """Give the first distribution of this name, however it spells hyphens and case."""
        wanted = name.lower().replace("_", "-").replace(".", "-")
        for distribution in self.installed:
            if distribution.name.lower().replace("_", "-").replace(".", "-") == wanted:
                return distribution
        return None
