"""Find the installed packages that are for certain releases of torch, and the range of torch of each."""

from collections.abc import Iterator

from torchdoctor.core.record import record
from torchdoctor.domain.releases import find_named_torch, find_required_torch, list_companions
from torchdoctor.domain.torchcodec import find_torch_of
from torchdoctor.domain.versions import VersionError, parse_range
from torchdoctor.facts import Absent, Companions, Distributions
from torchdoctor.facts.partial import find_value


@record
class BoundPackage:
    """A package with the range of torch that it is for; `is_compiled` is false for one without DLLs.

    `version` is empty if it is not known.
    """

    name: str
    version: str
    torch: str
    is_compiled: bool = True

    @property
    def label(self) -> str:
        """The name, and the version where it is known."""
        return f"{self.name} {self.version}".strip()

    def fits(self, torch: str) -> bool | None:
        """Return whether a version of torch is in the range; None if the range cannot be read."""
        try:
            return torch in parse_range(self.torch)
        except VersionError:
            return None


def list_bound_packages(
    companions: Companions | Absent, distributions: Distributions | Absent
) -> Iterator[BoundPackage]:
    """Yield each installed package whose version, metadata or release tells the torch that it is for."""
    listed = () if isinstance(companions, Absent) else companions.installed
    installed = () if isinstance(distributions, Absent) else distributions.installed
    known = {
        each.name: (
            version if isinstance(version := find_value(each, "version"), str) else "",
            find_value(each, "required_torch"),
            find_value(each, "is_compiled") is not False,
        )
        for each in listed
    }
    for each in installed:
        known.setdefault(each.name.lower().replace("_", "-"), (each.version, None, True))
    for name, (version, stated, is_compiled) in known.items():
        torch = _choose_range(name, version, stated if isinstance(stated, str) else None)
        if torch:
            yield BoundPackage(name, version, torch, is_compiled)


def _choose_range(name: str, version: str, stated: str | None) -> str | None:
    """Return what the version names, the pin of the metadata, the row of the table, or the metadata's range.

    The metadata of torchtext 0.18.0 has no upper limit, and the table has one.
    """
    named = find_named_torch(version)
    if named or (stated and "==" in stated):
        return named or stated
    if name == "torchcodec":
        return find_torch_of(version)
    try:
        listed = find_required_torch(name, version) if name in list_companions() else None
    except VersionError:
        listed = None
    return listed or stated
