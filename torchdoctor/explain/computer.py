"""Choose the torch that fits the computer which a text describes."""

from collections.abc import Mapping
from dataclasses import replace

# The packages that `torch_limits.csv` names.
LIMITED = "basicsr|pytorchvideo|torchtext|fairseq|tts"
# That of the new environments in fixes.
_NEW_PYTHON = "3.12"
# One of these has to be known: from nothing, nothing is chosen.
_KNOWN = ("python_version", "sm", "driver_cuda", "torch_release", "limited")


def describe_choice(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the values that name the torch which fits the other values.

    `cuda_set` are pip's arguments for a CUDA build with its companions, `set_reason` says why it is that one,
    and `card_set` is the same where the card is known. `newest_set` and `newest_reason` leave out which torch
    is installed, and `new_set` is for a new environment with Python 3.12.
    `example_release` and `example_index` are for a Python that only older releases have wheels for, and
    `python_too_old` is a version of Python for which there is none, where there is for a newer one. Of
    computers with no NVIDIA card, nothing is said.
    """
    if values.get("maker", "nvidia") != "nvidia" or not any(values.get(name) for name in _KNOWN):
        return {}
    # Imported here: the tables of releases take long to import, and few texts name what they are asked for.
    from torchdoctor.domain.torch_choice import Computer, choose_torch, is_python_too_old

    digits = values.get("sm", "").removeprefix("sm_")
    cuda = values.get("driver_cuda", "").partition(".")[0]
    known = Computer(
        python=values.get("python_version"),
        capabilities=((int(digits[:-1]), int(digits[-1])),) if digits.isdecimal() and len(digits) > 1 else (),
        cuda=int(cuda) if cuda.isdecimal() else None,
        torch=values.get("torch_release"),
        packages=tuple(filter(None, [values.get("limited")])),
    )
    choice, newest = choose_torch(known), choose_torch(replace(known, torch=None))
    anew = choose_torch(replace(known, python=_NEW_PYTHON, torch=None))
    example = choice if choice is not None and choice.is_last_for_python else None
    found = {
        "example_release": example and example.release,
        "example_index": example and example.variant,
        "cuda_set": choice and choice.arguments,
        "card_set": choice and known.capabilities and choice.arguments,
        "set_reason": choice and choice.reason,
        "newest_set": newest and newest.arguments,
        "newest_reason": newest and newest.reason,
        "new_set": anew and anew.arguments,
        "python_too_old": known.python if is_python_too_old(known) else None,
    }
    return {name: value for name, value in found.items() if value}


def name_toolkit_set(values: Mapping[str, str]) -> str | None:
    """Return pip's arguments for a torch that is built for the CUDA of the installed toolkit, or None.

    Extensions are compiled with the toolkit, and torch refuses one of another CUDA. The release that is
    installed is kept if it has such a build; else it is the last one for the Python.
    """
    from torchdoctor.domain.cuda_variants import find_variants
    from torchdoctor.domain.releases import find_pythons, list_releases
    from torchdoctor.domain.torch_choice import name_set
    from torchdoctor.domain.versions import parse_release

    variant = f"cu{values['toolkit'].replace('.', '')}"
    python = parse_release(values["python_version"])[:2] if "python_version" in values else None
    releases = [
        release
        for release in list_releases()
        if variant in find_variants(release) and (python is None or python in find_pythons(release))
    ]
    installed = values.get("torch_release", "")
    release = installed if installed in releases else releases[-1] if releases else ""
    return name_set(release, variant) if release else None
