"""Make pip arguments that reinstall torch, or a companion, with the same build."""

from torchdoctor.facts import Absent, TorchInstall

# Each index below this address is named like the local part of the versions on it.
_INDEX = "https://download.pytorch.org/whl"


def name_requirement(version: str) -> str:
    """Return pip's arguments for a release: `torch==2.8.0 --index-url .../whl/cu128` for `2.8.0+cu128`.

    On Windows the package index has CPU builds, so a version without a local part needs no other index.
    """
    return name_companion("torch", version.partition("+")[0], version)


def name_companion(package: str, release: str, torch_version: str) -> str:
    """Return pip's arguments for a release of a package with the same build as a version of torch."""
    return f"{package}=={release}{name_index_option(torch_version)}"


def name_index_option(torch_version: str) -> str:
    """Return pip's option for the index of a build, with a space before it; "" where pip needs none."""
    local = torch_version.partition("+")[2]
    has_index = local.startswith(("cu", "xpu", "rocm")) and local.isalnum()
    return f" --index-url {_INDEX}/{local}" if has_index else ""


def find_requirement(torch: TorchInstall | Absent) -> str | None:
    """Return pip's arguments for an installed torch, or None if its version is not known."""
    if isinstance(torch, Absent) or isinstance(torch.version, Absent):
        return None
    return name_requirement(torch.version)
