"""Choose the torch that fits the computer which a text describes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.domain.capabilities import parse_sm
from torchdoctor.explain.computer.driver_cuda import read_cuda
from torchdoctor.explain.computer.hardware import UNUSABLE

if TYPE_CHECKING:
    from torchdoctor.domain.torch_choice import Choice, Computer

# The packages that `torch_limits.csv` names.
LIMITED = "basicsr|pytorchvideo|torchtext|fairseq|tts"
# One of these has to be known: from nothing, nothing is chosen.
_KNOWN = ("python_version", "sm", "driver_cuda", "driver_version", "torch_release", "limited")
# What is said of a computer without a card.
_EXAMPLES = ("example_release", "kept_index", "traceback_torch", "python_too_old")
# More minor releases of Python than these say nothing.
_FEW = 4
# An old torch tells what its Python can be: today's releases have no wheels for most of these Pythons.
_OLD_TORCH = 2
# The releases that have a build for Intel cards on the index `xpu` for Windows
# (https://github.com/pytorch/test-infra, tools/scripts/generate_binary_build_matrix.py).
_FIRST_WITH_XPU, _LAST_WITH_XPU = (2, 5), (2, 14)
# The oldest CUDA that has builds in `domain/cuda_builds.csv`, by its major number.
_FIRST_IN_TABLE = 11
# The Pythons of the Windows wheels before torch 1.7, which are not on PyPI:
# https://download.pytorch.org/whl/torch_stable.html
_OLDEST_PYTHONS = ((3, 6), (3, 8))


def describe_choice(values: Mapping[str, str], *, may_update: bool = True) -> Mapping[str, str]:
    """Return the values that name the torch which fits the other values.

    `cuda_set` are pip's arguments for a CUDA build with its companions, `set_reason` says why it is that one,
    and `card_set` is the same where the card is known. `newest_set` and `newest_reason` leave out which torch
    is installed, and `new_set` is for a new environment with Python 3.12. `keeps_release` is the release that
    is installed, if `cuda_set` is a build of it; else `updated_set` are pip's arguments for one that runs
    after an update of the driver (`may_update`), which the step with its command asks for. Where the driver
    runs no build at all, `cuda_set` is such a build.
    `newest_set` is a CPU build where that is installed, and `upgrade_index` is the build that is there.
    `example_release` and `example_index` are for a Python that only older releases have wheels for, or those
    of the torch whose frames the text shows; `traceback_torch` names these releases. `kept_index` takes the
    place of `example_index` where a torch that the text names is to be kept.
    `python_too_old` is a version of Python for which there is none, where there is for a newer one, and
    `python_too_new` one for which there is none, where there is for Python 3.12. Of
    computers with a card of another maker nothing is said, and of those without a usable one only
    the examples.
    """
    maker = values.get("maker", "nvidia")
    if maker in ("none", UNUSABLE):
        version = f"{values.get('torch_version', '').partition('+')[0]}+cpu"
        choices = describe_choice({**values, "maker": "nvidia", "torch_version": version})
        kept = {name: value for name, value in choices.items() if name in _EXAMPLES}
        return {**kept, **_describe_other_builds(values)}
    if maker != "nvidia":
        return _describe_other_builds(values)
    torch = values.get("torch_release") or _name_minor_release(values)
    pythons = _read_pythons(values)
    if not pythons[0] and not torch and not any(values.get(name) for name in _KNOWN):
        return {}
    # Imported here: the tables of releases take long to import, and few texts name what they are asked for.
    from torchdoctor.domain.torch_choice import NEW_PYTHON, choose_torch, is_python_too_old

    known = _read_computer(values, pythons, torch)
    choice = choose_torch(known)
    if choice is None and known.newest_python is not None:
        known = replace(known, python=None, newest_python=None)
        choice = choose_torch(known)
    updated = _choose_for_new_driver(known) if may_update else None
    if choice is None and updated is not None:
        choice, known = updated, replace(known, cuda=None)
    free = replace(known, cuda=None) if may_update and choice is None else known
    anew = choose_torch(replace(free, python=NEW_PYTHON, newest_python=None, torch=None))
    is_too_old = is_python_too_old(free)
    found = {
        **_describe_examples(values, known, choice),
        **_describe_set(values, known, choice, updated),
        **_describe_newest(values, known),
        "new_set": anew and anew.arguments,
        "python_too_old": known.python if is_too_old else None,
        "python_too_new": known.python if choice is None and anew and not is_too_old else None,
    }
    return {name: value for name, value in found.items() if value}


def _choose_for_new_driver(known: "Computer") -> "Choice | None":
    """Return the torch that runs after an update of a driver that is known; None if no driver runs it."""
    from torchdoctor.domain.torch_choice import choose_torch

    if known.cuda is None:
        return None
    choice = choose_torch(replace(known, cuda=None))
    return choice if choice is not None and _may_update(known, choice.variant) else None


def _describe_examples(
    values: Mapping[str, str], known: "Computer", choice: "Choice | None"
) -> Mapping[str, str | None]:
    """Return the release and its index that a command shows where neither is known for sure."""
    # What a person names says more than the lines of a traceback, which releases of other years may share.
    named = values.get("torch_release") or _read_named(values)
    release, index = named or known.torch, None
    if release:
        index = _find_index(release, known)
    elif choice is not None and choice.is_last_for_python:
        release, index = choice.release, choice.variant
    return {
        "example_release": release,
        "example_index": index,
        "kept_index": "cpu" if values.get("torch_version", "").endswith("+cpu") else None,
        "traceback_torch": _name_releases(values) if known.torch and not named else None,
    }


def _describe_set(
    values: Mapping[str, str],
    known: "Computer",
    choice: "Choice | None",
    updated: "Choice | None",
) -> Mapping[str, str | None]:
    """Return what is said of the CUDA build that is chosen, and of that which a new driver runs."""
    if choice is None:
        return {}
    installed = (known.torch or "").partition("+")[0]
    return {
        "cuda_set": choice.arguments,
        "cuda_index": choice.variant,
        "cuda_release": choice.release,
        "card_set": choice.arguments if known.capabilities else None,
        "keeps_release": installed if choice.release == installed else None,
        "updated_set": updated.arguments if updated is not None and updated.release == installed else None,
        "set_reason": _name_reason(choice.reason, values),
    }


def _describe_newest(values: Mapping[str, str], known: "Computer") -> Mapping[str, str | None]:
    """Return what is said of the newest torch, whatever is installed, and the build that is there."""
    from torchdoctor.domain.torch_choice import choose_torch, name_set

    build = values.get("torch_version", "").partition("+")[2]
    newest = choose_torch(replace(known, torch=None))
    if newest is None:
        return {"upgrade_index": build}
    return {
        "newest_set": name_set(newest.release, "cpu") if build == "cpu" else newest.arguments,
        "upgrade_index": build,
        "newest_reason": newest.reason,
    }


def _may_update(known: "Computer", variant: str) -> bool:
    """Return whether there is a driver for the cards of a computer which runs the builds of a variant."""
    from torchdoctor.domain.cuda_builds import FLOORS
    from torchdoctor.domain.cuda_variants import read_variant_number
    from torchdoctor.domain.gpu_names import has_driver

    needed = FLOORS["windows"][read_variant_number(variant) // 10].advised[0]
    return all(has_driver(capability, needed) for capability in known.capabilities)


def _describe_other_builds(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return pip's arguments for the CPU build of the release that a text names, and for Intel cards."""
    release = values.get("torch_release") or _read_named(values)
    if release is None:
        return {}
    from torchdoctor.domain.torch_choice import name_set
    from torchdoctor.domain.versions import VersionError, parse_release

    try:
        has_xpu = _FIRST_WITH_XPU <= parse_release(release)[:2] <= _LAST_WITH_XPU
    except VersionError:
        return {}
    xpu_set = name_set(release, "xpu") if has_xpu and values.get("maker") == "intel" else None
    found = {"cpu_set": name_set(release, "cpu"), "xpu_set": xpu_set}
    return {name: value for name, value in found.items() if value}


def _read_computer(
    values: Mapping[str, str], pythons: tuple[str | None, str | None], torch: str | None
) -> "Computer":
    """Return the computer of a text, its Python between the oldest and the newest that it can be."""
    from torchdoctor.domain.torch_choice import Computer

    capability = parse_sm(values.get("sm"))
    oldest, newest = pythons
    return Computer(
        python=oldest,
        newest_python=newest,
        capabilities=(capability,) if capability is not None else (),
        cuda=read_cuda(values),
        torch=torch,
        packages=tuple(filter(None, [values.get("limited")])),
    )


def _find_index(release: str, known: "Computer") -> str | None:
    """Return the index with a build of a release; old releases are only on that of the CPU builds."""
    from torchdoctor.domain.cuda_variants import find_variants
    from torchdoctor.domain.torch_choice import find_fitting_variant

    is_before_indexes = release.startswith("1.") and not find_variants(release)
    return "cpu" if is_before_indexes else find_fitting_variant(release, known)


def _read_named(values: Mapping[str, str]) -> str | None:
    """Return the release of torch that a text names, None if there is no such release."""
    from torchdoctor.domain.releases import list_releases

    release = values.get("torch_version", "").partition("+")[0]
    return release if release in list_releases() else None


def _read_pythons(values: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return the oldest and the newest Python that a text can be about; None where that is not known."""
    python = values.get("python_version")
    if python is not None:
        return python, None
    oldest, _, newest = values.get("frames_python", "").partition("-")
    if oldest and int(newest.partition(".")[2]) - int(oldest.partition(".")[2]) < _FEW:
        return oldest, newest
    release = values.get("torch_release") or values.get("frames_torch", "").partition("-")[2]
    if not release or int(release.partition(".")[0]) >= _OLD_TORCH:
        return None, None
    from torchdoctor.domain.releases import find_pythons

    pythons = find_pythons(release) or _OLDEST_PYTHONS
    first, last = (".".join(map(str, version)) for version in (pythons[0], pythons[-1]))
    return first, last


def _name_reason(reason: str, values: Mapping[str, str]) -> str:
    """Return why a torch is chosen; what the traceback tells is not called what is installed."""
    return reason if "torch_release" in values else reason.replace("that is installed", "of the traceback")


def _name_releases(values: Mapping[str, str]) -> str:
    oldest, _, newest = values.get("frames_torch", "").partition("-")
    return oldest if oldest == newest else f"{oldest} to {newest}"


def _name_minor_release(values: Mapping[str, str]) -> str | None:
    """Return the newest release in which the frames of torch stand, where all are of one minor release."""
    oldest, _, newest = values.get("frames_torch", "").partition("-")
    return newest if oldest.split(".")[:2] == newest.split(".")[:2] and newest else None


def describe_earlier(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the values that name a torch for an earlier CUDA than the one of a text, which its driver runs.

    `earlier_set` are pip's arguments for it with its companions, and `earlier_reason` says why it is that
    one. `no_earlier` is "yes" where no such build is known: a driver that is too old for CUDA 11, for
    instance. Nothing is said where neither the driver nor the CUDA of torch is known.
    """
    torch_cuda = values.get("cuda_version", "").partition(".")[0]
    bounds = [read_cuda(values), int(torch_cuda) - 1 if torch_cuda.isdecimal() else None]
    newest = min((bound for bound in bounds if bound is not None), default=None)
    if newest is None:
        return {}
    if newest < _FIRST_IN_TABLE:
        return {"no_earlier": "yes"}
    # Any name of a driver stands for its CUDA.
    known = {name: value for name, value in values.items() if name != "driver_version"}
    choices = describe_choice({**known, "maker": "nvidia", "driver_cuda": str(newest)}, may_update=False)
    if "cuda_set" not in choices:
        return {"no_earlier": "yes"}
    return {"earlier_set": choices["cuda_set"], "earlier_reason": choices["set_reason"]}


def name_toolkit_set(values: Mapping[str, str], toolkit: str) -> str | None:
    """Return pip's arguments for a torch for which a toolkit can compile extensions, or None."""
    from torchdoctor.domain.cuda_variants import find_variant_of_toolkit
    from torchdoctor.domain.torch_choice import Computer, name_set_for_variant

    computer = Computer(python=values.get("python_version"), torch=values.get("torch_release"))
    variant = find_variant_of_toolkit(toolkit)
    return name_set_for_variant(variant, computer) if variant else None


def name_same_release_set(values: Mapping[str, str], wanted: str) -> str | None:
    """Return pip's arguments for the release of torch that a text names, built for a CUDA ("cu128"), or None.

    The number before the point is enough: a toolkit 12.0 or 13.2 is that of no release, and compiles for one
    of 12.1 or 13.0. None if the release has no such build, or none that has code for the card.
    """
    from torchdoctor.domain.cuda_variants import find_nearest_variant, find_variants
    from torchdoctor.domain.torch_choice import name_set

    release = values.get("torch_release") or _read_named(values)
    if release is None or not any(each[:-1] == wanted[:-1] for each in find_variants(release)):
        return None
    variant = find_nearest_variant(release, wanted)
    card = values.get("sm", "")
    return name_set(release, variant) if variant and _has_code(release, variant, card) else None


def _has_code(release: str, variant: str, card: str) -> bool:
    """Return whether a build has code for the card "sm_120"; where the card is not known, it is taken to."""
    from torchdoctor.domain.cuda_variants import read_builds

    capability = parse_sm(card)
    builds = (build for build in read_builds() if build.variant == variant and release in build.torch)
    architectures = next((build.architectures for build in builds), None)
    if capability is None or architectures is None:
        return True
    return architectures.covers(capability) or architectures.can_compile(capability)


def find_fitting_toolkit(toolkits: Sequence[str], cuda: str) -> str | None:
    """Return the toolkit among those that a text names which can compile for torch's CUDA, or None.

    The number before the point has to be the same; of several, the one of the same number is the best, else
    the newest.
    """
    major = cuda.partition(".")[0]
    fitting = [each for each in toolkits if each.partition(".")[0] == major]
    return cuda if cuda in fitting else max(fitting, key=_read_numbers, default=None)


def _read_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
