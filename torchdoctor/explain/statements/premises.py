"""Compare the premise of an answer with the versions that a text states.

What supposes another release of a package than the one in the text is of another Python, mostly: nothing has
to be installed before that is known.
"""

from collections.abc import Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.domain.versions import VersionRange, accepts
from torchdoctor.explain.statements.said import Said
from torchdoctor.knowledge.commands import PipCommand
from torchdoctor.knowledge.interpreter import BLOCK, enters_environment

# The end of a line with a command that installs.
_INSTALLS = r"^[^\n`]*?(?<![\w-])(?:pip install|uv add) (?P<arguments>[^\n]+)$"
_TOKEN = r"\"([^\"\n]*)\"|(\S+)"
_INDEX = r"/whl/(?P<build>cu\d{2,3}|cpu|xpu)\b"
# What is installed once more on purpose, because its files are damaged.
_REPAIRS = r"\b(?:again|anew|the same|over its|damaged|over the)\b"
# A path, an address, or a name to fill in.
_UNKNOWN = r"[\\/{]|\.whl\b|^[A-Z_]{4,}|^\.|^-r$|^-e$"
# What is named beside torch, to come with it.
_COMPANIONS = ("torchvision", "torchaudio")
_ADDRESSES = ("https://download.pytorch.org/", "https://pypi.org/")
_UPGRADES = frozenset({"--upgrade", "-U"})
# What puts the same files there once more.
_WRITES_AGAIN = frozenset({"--force-reinstall", "--ignore-installed", "--no-cache-dir"})
# Of a version, what no person has made up.
_PUBLIC = r"\d{1,4}(?:\.\d{1,4}){0,3}(?:\.?(?:post|dev|rc|a|b)\d{1,8})?(?:\+(?:cu\d{2,3}|cpu|xpu))?"


@record
class Contradiction:
    """A package that is not as an answer supposes: its version in the text, and what is supposed or wanted.

    `wanted` are the versions that a step would install, "" for any; `supposed` those with which the message
    comes, "" if that is not known.
    """

    package: str
    version: str
    wanted: str = ""
    supposed: str = ""

    @property
    def title(self) -> str:
        """What is wrong then."""
        return f"The program may run in another Python than the one that has {self.package} {self.version}"

    @property
    def lead(self) -> str:
        """The short answer."""
        what = (
            f"The message comes with {self.package} {_describe(self.supposed)}, and the text has"
            f" {self.version}: mostly the program runs in another Python than the one with that."
            if self.supposed
            else f"To install `{self.package}{self.wanted}`, the usual cure, changes nothing where"
            f" {self.package} {self.version} is, as the text says: mostly the program runs in another Python."
        )
        return f"{what} Ask the program's Python first; nothing has to be installed for that."

    @property
    def question(self) -> str:
        """The step that asks the Python of the program, in Markdown."""
        command = (
            "python -c \"import importlib.metadata as m; d = m.distribution('"
            f"{self.package}'); print(d.version, d.locate_file(''))\""
        )
        return (
            f"Ask the Python that runs the program which {self.package} it has. Nothing is changed:\n\n"
            f"```powershell\n{command}\n```\n\nIf it prints another number than {self.version}, or"
            " `PackageNotFoundError`, this Python is another one than the one of the text: what follows is"
            f" for this one. If it prints {self.version}, see whether the program runs in this Python at all"
            " (`where.exe python`, the interpreter of the editor, the environment of the program); if it"
            " does, what follows and is not done yet may still help."
        )


def find_contradiction(
    supposes: Sequence[tuple[str, VersionRange]], steps: Sequence[str], said: Said
) -> Contradiction | None:
    """Return what a text says against the premise of a case, or of the first step, None if nothing.

    `supposes` are packages with the versions that the case is about (NumPy from 1.24 on).
    """
    for name, versions in supposes:
        version = said.find_version(name)
        if version and not accepts(versions.text, version):
            return Contradiction(name, _show(version), supposed=versions.text)
    return _find_installed(steps[0], said) if steps else None


def leave_out_installed(steps: Sequence[str], said: Said) -> tuple[str, ...]:
    """Return the steps without those that install what a text has already, unless all of them do."""
    found = [_find_installed(step, said) for step in steps]
    kept = [step for step, each in zip(steps, found, strict=True) if each is None or not each.wanted]
    return tuple(kept or steps)


def _find_installed(step: str, said: Said) -> Contradiction | None:
    """Return what a step would install although the text has it already, None if it does anything else."""
    if enters_environment(step) or pattern(_REPAIRS, True).search(BLOCK.sub("", step)):
        return None
    commands = list(_list_installations(step))
    if not commands:
        return None
    wanted: dict[str, str] = {}
    for arguments in commands:
        names = [each for each in arguments if not each.startswith(_ADDRESSES)]
        if any(map(pattern(_UNKNOWN).search, names)) or not _WRITES_AGAIN.isdisjoint(arguments):
            return None
        wanted.update(PipCommand(("install", *arguments)).wanted)
    asked = {name: versions for name, versions in wanted.items() if versions or name not in _COMPANIONS}
    is_upgraded = any(not _UPGRADES.isdisjoint(arguments) for arguments in commands)
    if is_upgraded and not all(asked.values()):
        return None
    found = {name: said.find_version(name) for name in asked}
    build = pattern(_INDEX).search(step)
    for name, version in found.items():
        if version is None or not accepts(wanted[name].partition("+")[0], version):
            return None
        if name == "torch" and build and version.partition("+")[2] != build["build"]:
            return None
    name = next(iter(found), "")
    return Contradiction(name, _show(found[name] or ""), wanted=wanted[name]) if name else None


def _list_installations(step: str) -> Iterator[tuple[str, ...]]:
    for block in BLOCK.finditer(step):
        for match in pattern(rf"(?m){_INSTALLS}").finditer(block["code"]):
            yield tuple(quoted or plain for quoted, plain in pattern(_TOKEN).findall(match["arguments"]))


def _describe(versions: str) -> str:
    """Return a range in words: "before 2.5" of "<2.5"."""
    bound = versions.lstrip("<>=!")
    if versions.startswith(">="):
        return f"from {bound} on"
    return f"before {bound}" if versions.startswith("<") and "," not in versions else versions


def _show(version: str) -> str:
    match = pattern(_PUBLIC).match(version)
    return match[0] if match else ""
