"""Observes the packages that torch requires, from the metadata of torch and of each of them."""

import os
from collections.abc import Iterator
from importlib.machinery import PathFinder

from torchdoctor.domain.copies import find_copies, name_module
from torchdoctor.facts import Absent, Distribution, Requirement, TorchRequirements
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.metadata import find_metadata, read_required
from torchdoctor.probes.torch_install import observe_torch_install


def observe_torch_requirements(examined: Examined) -> TorchRequirements | Absent:
    """Read what torch requires, and what those packages require, for the examined interpreter."""
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return install
    folder = os.path.dirname(install.package_folder)
    torch = next(iter(find_copies(examined.distributions, "torch", folder)), None)
    if torch is None or not os.path.isfile(find_metadata(torch)):
        return Absent(f"the torch in {folder} has no metadata that names its requirements")
    required: list[Requirement] = []
    pending, visited = [torch], {torch.name.lower()}
    while pending:
        for requirement in _read_requirements(pending.pop(0), examined):
            required.append(requirement)
            copies = find_copies(examined.distributions, requirement.name, requirement.folder)
            if copies and requirement.name.lower() not in visited:
                visited.add(requirement.name.lower())
                pending.append(copies[0])
    return TorchRequirements(tuple(required))


def _read_requirements(distribution: Distribution, examined: Examined) -> Iterator[Requirement]:
    for name, versions in read_required(distribution, examined.interpreter):
        folder = _find_module_folder(name, examined.interpreter.import_path)
        yield Requirement(name, versions, f"{distribution.name} {distribution.version}", folder)


def _find_module_folder(name: str, import_path: tuple[str, ...]) -> str | None:
    """Find the folder of the import path from which the module of a package's name is imported."""
    spec = PathFinder.find_spec(name_module(name), [entry for entry in import_path if entry])
    # Without an origin it is a folder without __init__.py: what is left of a package.
    if spec is None or not spec.has_location or spec.origin is None:
        return None
    is_package = spec.submodule_search_locations is not None
    return os.path.dirname(os.path.dirname(spec.origin) if is_package else spec.origin)
