"""Observes torch by its files: which one would be imported, and what it was built for."""

import ast
import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path

from torchdoctor.core.files import parse_python
from torchdoctor.facts import (
    Absent,
    Distributions,
    TorchInstall,
)
from torchdoctor.probes.examined import Description, Examined

# Far more than the few lines that torch, torchvision and others write into it.
_MOST_BYTES = 100_000


def observe_torch_install(examined: Examined) -> TorchInstall | Absent:
    """Read the version and the folders of the torch that the interpreter would import."""
    return examined.call_once(_read_install)


def _read_install(examined: Examined) -> TorchInstall | Absent:
    description = examined.description
    folder = description.torch_folder
    if isinstance(folder, Absent):
        return folder
    if folder is None:
        return Absent(f"torch is not installed for {examined.interpreter.executable}")
    if find_shadowing_file(description):
        return Absent(f"{description.torch_origin} is imported in place of torch")
    install = read_torch_folder(Path(folder), description.distributions)
    return dataclasses.replace(install, has_init=description.torch_origin is not None)


def find_shadowing_file(description: Description) -> str | None:
    """Find the torch.py that is imported in place of torch. It is the user's file, so it is never run."""
    origin = description.torch_origin
    return origin if origin and not os.path.basename(origin).startswith("__init__.") else None


def read_torch_folder(folder: Path, distributions: Distributions | None = None) -> TorchInstall:
    """Read the version and the build of torch from its package folder."""
    values = read_version_file(folder / "version.py")
    cuda = values.get("cuda") if not isinstance(values, Absent) else None
    library = folder / "lib"
    return TorchInstall(
        version=_find_version(values, distributions),
        package_folder=str(folder),
        library_folder=str(library) if os.path.isdir(library) else None,
        cuda=cuda if isinstance(cuda, str) else None,
        extension_tags=_read_extension_tags(folder),
    )


def _find_version(values: Mapping[str, object] | Absent, distributions: Distributions | None) -> str | Absent:
    version = values.get("__version__") if not isinstance(values, Absent) else None
    if isinstance(version, str):
        return version
    distribution = distributions.find("torch") if distributions else None
    if distribution is not None and distribution.version:
        return distribution.version
    return values if isinstance(values, Absent) else Absent("torch/version.py names no version")


def _read_extension_tags(folder: Path) -> tuple[str, ...] | Absent:
    """Read what `_C` was built for from its names: `_C.cp311-win_amd64.pyd`; `_C.pyd` fits any Python."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith("_C."))
    except OSError as error:
        return Absent(f"{folder} cannot be listed: {error.strerror or error}")
    tags = [name.split(".")[1] for name in names if name.endswith((".pyd", ".so"))]
    return tuple(tags) if tags else Absent(f"{folder} has no extension module _C")


def read_version_file(path: Path) -> Mapping[str, object] | Absent:
    """Read the constants that torch/version.py assigns, without running it."""
    try:
        tree = parse_python(path, max_bytes=_MOST_BYTES)
    except OSError as error:
        return Absent(f"torch/version.py cannot be read: {error.strerror or error}")
    except ValueError as error:
        return Absent(f"torch/version.py is damaged: {error}")
    values: dict[str, object] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                values[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)):
                values[name] = value
    return values
