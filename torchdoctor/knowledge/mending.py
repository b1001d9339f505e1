"""Find whether the commands of a step for one problem mend another one as well."""

import re
from collections.abc import Callable, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.domain.releases import find_newest_release
from torchdoctor.domain.versions import accepts, parse_range
from torchdoctor.knowledge.commands import PipCommand

_KEYS = frozenset({"packages", "steps"})
# Of pip, and of uv in its place.
_INSTALLATION = re.compile(
    r"^[^\n`]*?(?:-m pip install|\buv pip install|\buv add) (?P<arguments>[^\n]+)$", re.MULTILINE
)
_OPTION_OF_UV = re.compile(r"--(?:python|index) (?:\"[^\"]*\"|\S+)")
_PACKAGE = re.compile(r"(?P<name>[^<>=!~]+)(?P<versions>.*)")


@record
class Mending:
    """What an installation has to bring to mend a problem: packages ("torch>=2.4.1"), with fields.

    `steps` are the tags of the steps that it makes needless, () for all.
    """

    packages: tuple[str, ...]
    steps: tuple[str, ...] = ()

    def is_done_by(self, step: str | None, installed: Mapping[str, str], fill: Callable[[str], str]) -> bool:
        """Return whether what is installed makes a step needless; `fill` fills the fields of a text."""
        if self.steps and step not in self.steps:
            return False
        return all(_brings(installed, fill(package)) for package in self.packages)


def read_mendings(data: Sequence[object]) -> tuple[Mending, ...]:
    """Read the tables `mended_by` of a head.

    Raises:
        ValueError: one has another key, or names no package.
        VersionError: a range of versions cannot be parsed.
    """
    return tuple(map(_read_mending, data))


def _read_mending(data: object) -> Mending:
    if not isinstance(data, dict) or not data.get("packages") or not data.keys() <= _KEYS:
        raise ValueError("mended_by has packages, and may have steps")
    packages, steps = (tuple(str(item) for item in data.get(key, ())) for key in ("packages", "steps"))
    for package in packages:
        parse_range(_split(package)[1])
    return Mending(packages, steps)


def list_installed(step: str) -> Mapping[str, str]:
    """Return the packages that the commands of a step install, with their versions ("==2.8.0", or "")."""
    installed: dict[str, str] = {}
    for match in _INSTALLATION.finditer(step):
        arguments = _OPTION_OF_UV.sub("", match["arguments"]).split()
        installed.update(PipCommand(("install", *arguments)).wanted)
    return installed


def _brings(installed: Mapping[str, str], package: str) -> bool:
    name, versions = _split(package)
    if name not in installed:
        return False
    # Without a number, pip takes the newest release.
    version = installed[name].removeprefix("==") or find_newest_release()
    return accepts(versions, version)


def _split(package: str) -> tuple[str, str]:
    match = _PACKAGE.fullmatch(package)
    return (match["name"].strip(), match["versions"]) if match else (package, "")
