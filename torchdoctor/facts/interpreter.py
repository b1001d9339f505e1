"""Facts about the examined interpreter and the distributions installed for it."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.crash import Crash
from torchdoctor.facts.partial import Unobserved
from torchdoctor.facts.values import Absent


@record
class Interpreter:
    """The examined interpreter.

    `bits` is the pointer width (32 or 64). `machine` is what the interpreter was built for ("x64",
    "arm64", "x86"). `application_folder` is the folder of the program that Windows starts in the end: that
    of the base interpreter, also for a virtual environment. `user_base` is the per-user prefix.
    `chosen_because` says why this interpreter is examined, as in "the .venv of this folder". `start_crash`
    is how it ends before it runs any program, unless it is started without its startup files. `has_pip` is
    false in the environments that uv makes. `has_uv_lock` is whether a uv.lock lies beside the folder of a
    virtual environment: `uv run` then installs again what it names.
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
    chosen_because: str | Absent = Absent("not recorded")
    start_crash: Crash | None = None
    has_pip: bool | Absent = Absent("the interpreter was not asked")
    has_uv_lock: bool | Absent = Absent("not looked for")

    @property
    def is_virtual_environment(self) -> bool:
        """Whether the prefix is not the one of the base interpreter."""
        return self.prefix != self.base_prefix

    @property
    def is_for_windows(self) -> bool:
        """Whether this is a Python for Windows, on whatever system its facts are examined."""
        return self.platform_tag.startswith("win")


@record
class Distribution:
    """An installed distribution: name as in its metadata, version, folder that contains it."""

    name: str
    version: str
    folder: str


@record
class Distributions:
    """All installed distributions in the order of the import path; the first one of a name is imported.

    A text may state only some of them: then `is_complete` is false, and `complete_names` are those that
    it would have listed.
    """

    subject: ClassVar[str] = "distributions"
    installed: tuple[Distribution, ...]
    is_complete: bool = True
    complete_names: tuple[str, ...] = ()

    def find(self, name: str) -> Distribution | None:
        """Return the first distribution of a name, or None; case and the kind of separator do not matter.

        Raises:
            Unobserved: there is none in a list that is not complete.
        """
        return next(iter(self.find_all(name)), None)

    def find_all(self, name: str) -> tuple[Distribution, ...]:
        """Return every distribution of a name, in the order of the import path.

        Raises:
            Unobserved: there is none in a list that is not complete.
        """
        normalised = _normalise(name)
        found = tuple(each for each in self.installed if _normalise(each.name) == normalised)
        if not found and not self.is_complete and name not in self.complete_names:
            raise Unobserved(f"not stated: whether {name} is installed")
        return found


def _normalise(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
