"""Choose how a machine gets a torch that uses its NVIDIA card, by its facts."""

import re
from collections.abc import Mapping
from dataclasses import replace

from torchdoctor.core.record import record
from torchdoctor.domain.cuda_builds import FLOORS, describe_computer
from torchdoctor.domain.releases import FIRST_WITH_ALL_DLLS, find_unshipped_dlls
from torchdoctor.domain.torch_choice import (
    NEW_PYTHON,
    USUAL_CUDA,
    Computer,
    choose_torch,
    find_fitting_variant,
    name_newest,
    name_set,
)
from torchdoctor.facts import Absent, CondaEnvironment, DllClosure, Interpreter, NvidiaDriver
from torchdoctor.facts.partial import Unobserved, find_value

# Names of packages in conda that are torch.
_CONDA_NAMES = ("pytorch", "pytorch-cpu", "pytorch-gpu", "libtorch")
# Where pixi makes the environments of a workspace (https://pixi.prefix.dev/latest/workspace/environment), and
# micromamba its own (https://mamba.readthedocs.io/en/latest/user_guide/concepts.html).
_PIXI = re.compile(r"(?P<folder>.+)[\\/]\.pixi[\\/]envs[\\/][^\\/]+")
_MICROMAMBA = re.compile(r"[\\/]micromamba[\\/]envs[\\/]", re.IGNORECASE)
# NVIDIA's branch for CUDA 13 is the last one for cards older than these; older branches run CUDA 12 as well.
_OLDEST_FOR_NEW_DRIVERS = (5, 0)
_NEWEST_CUDA = 13
# The index with the newest releases, for cards and drivers that it has code for.
_NEWEST_VARIANT, _OLDEST_FOR_NEWEST_VARIANT = "cu130", (7, 5)


@record
class Remedy:
    """A step, by its tag, and the values for its commands.

    The steps are "same-now" (the CUDA build of the installed release), "other-now" (of another release),
    "driver-now" (the same release, after an update of the driver), "conda-now" (a new environment, because
    conda has installed this torch), "micromamba-now" (the same, where micromamba has), "pixi-now" (in the
    workspace of pixi) and "anew-now" (another Python, in a new environment).
    """

    step: str
    values: Mapping[str, str]


def choose_remedy(
    driver: NvidiaDriver | Absent,
    interpreter: Interpreter | Absent,
    release: str | None = None,
    conda: CondaEnvironment | Absent | None = None,
    closure: DllClosure | Absent | None = None,
) -> Remedy | None:
    """Return the step that gives the cards of a driver a torch with code for them; None if none is known.

    `release` is the torch that is installed, None without one. If it lacks DLLs that its wheel does not
    bring, another release takes its place.
    """
    computer = describe_computer(driver)
    if computer is None or isinstance(driver, Absent):
        return None
    computer = replace(computer, python=_read_python(interpreter), torch=release)
    anew = choose_torch(replace(computer, python=NEW_PYTHON))
    choice = choose_torch(replace(computer, torch=None))
    if anew is not None and choice is None:
        return Remedy("anew-now", {"new_set": anew.arguments, "python_without_build": computer.python or ""})
    if anew is not None and isinstance(conda, CondaEnvironment) and is_from_conda(conda):
        return _choose_for_conda(find_value(conda, "prefix"), anew.arguments)
    if release is not None and lacks_unshipped_dll(release, closure):
        mended = name_set(FIRST_WITH_ALL_DLLS, find_fitting_variant(FIRST_WITH_ALL_DLLS, computer))
        if mended is not None:
            reason = f"{FIRST_WITH_ALL_DLLS}, because {release} lacks a DLL"
            return Remedy("other-now", {"machine_set": mended, "machine_reason": reason})
        release = None
    if release is not None and (same := name_set(release, find_fitting_variant(release, computer))):
        return Remedy("same-now", {"machine_set": same})
    if release is not None and (updated := _find_after_update(release, computer)):
        return Remedy("driver-now", {**updated, "torch_release": release})
    if choice is None:
        return None
    arguments, reason = choice.arguments, choice.reason
    if (computer.cuda or USUAL_CUDA) < USUAL_CUDA and min(computer.capabilities) >= _OLDEST_FOR_NEW_DRIVERS:
        reason = (
            f"{choice.release}, the newest one for driver {driver.version}; newer ones need a newer driver"
        )
    if choice.is_newest and _runs_newest_variant(computer):
        arguments = name_newest(_NEWEST_VARIANT) or arguments
    return Remedy("other-now", {"machine_set": arguments, "machine_reason": reason})


def lacks_unshipped_dll(release: str, closure: DllClosure | Absent | None) -> bool:
    """Return whether a machine lacks a DLL that a release needs and its wheel does not bring.

    Without a list of what is missing, it is supposed to.
    """
    needed = find_unshipped_dlls(release)
    if not isinstance(closure, DllClosure):
        return bool(needed)
    return any(dll.name in needed and not dll.delayed for dll in closure.missing)


def choose_new_set(driver: NvidiaDriver | Absent) -> str | None:
    """Return pip's arguments for the torch of a new environment with NEW_PYTHON; None if no card is known."""
    computer = describe_computer(driver)
    choice = choose_torch(replace(computer, python=NEW_PYTHON)) if computer is not None else None
    return None if choice is None else choice.arguments


def is_from_conda(conda: CondaEnvironment | Absent | None) -> bool:
    """Return whether conda has installed torch in an environment."""
    if not isinstance(conda, CondaEnvironment):
        return False
    try:
        return any(conda.find(name) is not None for name in _CONDA_NAMES)
    except Unobserved:
        return False


def _choose_for_conda(prefix: str | Absent, arguments: str) -> Remedy:
    """Return the step for the program that made an environment of conda packages, by its place."""
    if isinstance(prefix, Absent):
        return Remedy("conda-now", {"new_set": arguments})
    workspace = _PIXI.fullmatch(prefix)
    if workspace is not None:
        return Remedy("pixi-now", {"pixi_folder": workspace["folder"], "new_set": arguments})
    step = "micromamba-now" if is_of_micromamba(prefix) else "conda-now"
    return Remedy(step, {"new_set": arguments})


def is_of_micromamba(prefix: str) -> bool:
    """Return whether micromamba made an environment, by the place where it makes them."""
    return bool(_MICROMAMBA.search(prefix))


def _find_after_update(release: str, computer: Computer) -> Mapping[str, str]:
    """Return what a newer driver makes possible: the build of a release, and the oldest driver for it."""
    if min(computer.capabilities) < _OLDEST_FOR_NEW_DRIVERS:
        return {}
    variant = find_fitting_variant(release, replace(computer, cuda=_NEWEST_CUDA))
    same = name_set(release, variant)
    if variant is None or same is None:
        return {}
    needed = FLOORS["windows"][int(variant.removeprefix("cu")) // 10].advised
    return {"machine_set": same, "needed_driver": ".".join(map(str, needed))}


def _runs_newest_variant(computer: Computer) -> bool:
    return (computer.cuda or 0) >= _NEWEST_CUDA and min(computer.capabilities) >= _OLDEST_FOR_NEWEST_VARIANT


def _read_python(interpreter: Interpreter | Absent) -> str | None:
    if isinstance(interpreter, Absent):
        return None
    version = find_value(interpreter, "version")
    return None if isinstance(version, Absent) else version
