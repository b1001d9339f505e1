"""Make pip arguments that reinstall torch, or a companion, with the same build."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchdoctor.facts import Absent, TorchInstall

# Each index below this address is named like the local part of the versions on it.
_INDEX = "https://download.pytorch.org/whl"
_NUMBERS = re.compile(r"\d+\.\d+(?:\.\d+)?(?P<nightly>\.dev\d+)?")


def name_requirement(version: str, cuda: str | None = None) -> str | None:
    """Return pip's arguments for a release: `torch==2.8.0 --index-url .../whl/cu128` for `2.8.0+cu128`.

    `cuda` is the CUDA version of the build, where it is known from elsewhere. The answer is None for a build
    that no index of PyTorch has, such as one for AMD cards or one from source.
    """
    return name_companion("torch", version.partition("+")[0], version, cuda)


def name_companion(package: str, release: str, torch_version: str, cuda: str | None = None) -> str | None:
    """Return pip's arguments for a release of a package with the build of a torch, or None."""
    option = name_index_option(torch_version, cuda)
    return f"{package}=={release}{option}" if option is not None else None


def name_index_option(torch_version: str, cuda: str | None = None) -> str | None:
    """Return pip's option for the index of a build, with a space before it; None if no index has the build.

    On Windows the package index has CPU builds, so a version without a local part needs no option, unless it
    is known to be a CUDA build.
    """
    release, _, local = torch_version.partition("+")
    numbers = _NUMBERS.fullmatch(release)
    if numbers is None:
        return None
    index = local or (f"cu{cuda.replace('.', '')}" if cuda else "cpu")
    if not re.fullmatch(r"cpu|xpu|cu\d{2,3}", index):
        return None
    if numbers["nightly"]:
        return f" --index-url {_INDEX}/nightly/{index}"
    return f" --index-url {_INDEX}/{index}" if index != "cpu" else ""


def describe_build(version: str, cuda: str | None = None) -> Mapping[str, str]:
    """Return the values that keep the build of torch in commands: `requirement` and `index_option`.

    Both are missing if no index has the build.
    """
    requirement = name_requirement(version, cuda)
    if requirement is None:
        return {}
    option = name_index_option(version, cuda) or f" --index-url {_INDEX}/cpu"
    return {"requirement": requirement, "index_option": option}


def find_requirement(torch: "TorchInstall | Absent") -> str | None:
    """Return pip's arguments for an installed torch, or None if its build is not known."""
    # Imported here: `explain` needs no facts, and importing them takes longer than reading a text.
    from torchdoctor.facts import Absent

    if isinstance(torch, Absent) or isinstance(torch.version, Absent):
        return None
    return name_requirement(torch.version, torch.cuda)
