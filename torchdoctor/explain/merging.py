"""Merge the values of a diagnosis, and derive those that its steps need from them."""

from collections.abc import Iterable, Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.torchcodec import find_torchcodec, fits_torch
from torchdoctor.explain.computer.choice import (
    describe_choice,
    find_fitting_toolkit,
    name_same_release_set,
    name_toolkit_set,
)
from torchdoctor.explain.values.derived import (
    add_missing,
    derive_values,
    drop_address,
    join_broken_path,
    read_sm,
)

# Lines that stand in more minor releases of torch than these say nothing.
_FEW_MINORS = 4
_NEED_MMCV = ("mmcv", "mmdet3d")
# Where NVIDIA's installer puts a toolkit, up to its number.
_TOOLKITS = r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v"


def merge_values(
    evidence_values: Iterable[Mapping[str, str]], text_values: Mapping[str, str]
) -> dict[str, str]:
    """Return the values of a diagnosis; those of its evidence win over those found elsewhere in the text."""
    values: dict[str, str] = {}
    for found in evidence_values:
        add_missing(values, found.items())
    _add_build(values, is_known="+" in values.get("torch_version", ""))
    derive_values(values)
    add_missing(values, text_values.items())
    drop_address(values)
    join_broken_path(values)
    is_told = "cpu_build" in values and "torch_version" in values
    _add_build(values, is_known=is_told or _is_shown_by_frames(values))
    if "pytorch_cuda" in values:
        add_missing(values, [("build_index", f"cu{values['pytorch_cuda'].replace('.', '')}")])
    if "sm" in values:
        add_missing(values, [("card_capability", read_sm(values["sm"]))])
    _add_python_of_wheel(values)
    _add_name_release(values)
    if "conda_torch" in values:
        add_missing(values, [("conda_set", _name_conda_set(values))])
    if "companion_version" in values:
        add_missing(values, [("needed_version", _name_torch_of_companion(values))])
    if "wheel_torch" in values:
        # Imported here, as above.
        from torchdoctor.domain.requirements import describe_wheel

        add_missing(values, describe_wheel(values["wheel_torch"], values.get("python_version")).items())
    add_missing(values, [("again_arguments", values.get("wheel_set") or values.get("pip_arguments"))])
    if "torch_version" in values:
        _add_torchcodec(values, values["torch_version"])
        _add_mmcv(values, values["torch_version"])
    # A program that only names the Python that it is for has not looked for a torch yet.
    if "needed_version" in values or ("searched_index" in values and "tested_with" not in values):
        # Imported here, as above.
        from torchdoctor.domain.requirements import describe_wanted

        names = (
            "needed_version",
            "python_version",
            "searched_index",
            "offered_release",
            "first_release",
            "sm",
        )
        # What an interpreter prints needs no list that tells it.
        known = {**values, "first_release": ""} if "printed_python" in values else values
        add_missing(values, describe_wanted(*map(known.get, names)).items())
    add_missing(values, [("listed_set", _name_listed_set(values))])
    add_missing(values, describe_choice(values).items())
    add_missing(values, [("driver_fits", _compare_driver(values))])
    _add_mended_lines(values)
    _add_toolkits(values)
    return values


def _add_name_release(values: dict[str, str]) -> None:
    """Add the torch in which a missing name came, or which has it though the text names a newer one."""
    name = values.get("later_module") or f"{values.get('module', '')}.{values.get('attribute', '')}"
    if not name.startswith("torch."):
        return
    # Imported here: few texts miss a name of torch.
    from torchdoctor.domain.torch_names import find_first_torch
    from torchdoctor.domain.versions import VersionError, parse_range

    came = find_first_torch(name)
    if came:
        try:
            has_name = values.get("torch_version", "0") in parse_range(f">={came}")
        except VersionError:
            has_name = False
        add_missing(values, [("name_is_in_torch" if has_name else "torch_name_came", came)])


def _compare_driver(values: Mapping[str, str]) -> str | None:
    """Return "yes" if the driver that a text names is new enough for the CUDA of its torch.

    Where that is not known, a driver for a newer CUDA than the one that torch has met is another one.
    """
    if "driver_version" not in values or not values.keys() & {"cuda_version", "driver_cuda"}:
        return None
    # Imported here, as below.
    from torchdoctor.domain.cuda_builds import find_cuda_of_driver, find_major
    from torchdoctor.facts import Absent

    newest = find_cuda_of_driver(values["driver_version"])
    if "cuda_version" not in values:
        met = find_major(values["driver_cuda"])
        return "yes" if newest is not None and not isinstance(met, Absent) and newest > met else None
    wanted = find_major(values["cuda_version"])
    return "yes" if newest is not None and not isinstance(wanted, Absent) and newest >= wanted else None


def _add_build(values: dict[str, str], *, is_known: bool) -> None:
    """Add the values that keep the build of torch, where that is known."""
    if is_known:
        # Imported here: most texts name no build, and the tables of releases take long to import.
        from torchdoctor.domain.requirements import describe_build

        add_missing(values, describe_build(values["torch_version"]).items())


def _is_shown_by_frames(values: Mapping[str, str]) -> bool:
    """Return whether the lines of a traceback are those of the build that a text names somewhere.

    Such a name alone may be of another try: "then I installed 2.1.0+cu118". Lines that stand in more than
    four minor releases are taken for none of them.
    """
    release, _, build = values.get("torch_version", "").partition("+")
    oldest, _, newest = values.get("frames_torch", "").partition("-")
    if not (build and newest and pattern(r"\d{1,3}\.\d{1,3}\.\d{1,3}").fullmatch(release)):
        return False
    # Imported here, as above.
    from torchdoctor.domain.cuda_variants import find_variants

    # Of older releases the indexes have not every build.
    variants = find_variants(release)
    if not variants or build not in (*variants, "cpu"):
        return False
    first, named, last = (tuple(map(int, name.split("."))) for name in (oldest, release, newest))
    return first <= named <= last and first[0] == last[0] and last[1] - first[1] < _FEW_MINORS


def _add_python_of_wheel(values: dict[str, str]) -> None:
    """Add the Python that a text names, if the wheel that pip refuses is for another one."""
    named = values.get("python_version", "")
    if "wheel_python" in values and not f"{named}.".startswith(f"{values['wheel_python']}."):
        tag = "cp" + "".join(named.split(".")[:2]) if named else None
        add_missing(values, [("named_python", named), ("named_tag", tag)])
        if tag:
            add_missing(values, [("other_wheel", _name_other_wheel(values, tag))])
            add_missing(values, [("own_file", _name_with_tag(values.get("file", ""), tag))])
            values.update({"flash_python": tag} if "flash_python" in values else {})
    elif "wheel_python" in values and named:
        values["named_fits_wheel"] = "yes"


def _add_torchcodec(values: dict[str, str], torch: str) -> None:
    """Add the torchcodec for a torch, and whether the one of the text is for it, where that is known."""
    torchcodec = values.get("torchcodec_version", "")
    add_missing(values, [("fitting_torchcodec", find_torchcodec(torch))])
    fits = fits_torch(torchcodec, torch) if torchcodec else None
    if fits is not None:
        add_missing(values, [("torchcodec_fits" if fits else "torchcodec_misfit", torchcodec)])


def _add_mmcv(values: dict[str, str], torch: str) -> None:
    """Add the list that has the mmcv for a torch, where mmcv or a package that needs it does not load."""
    if values.get("package") in _NEED_MMCV:
        # Imported here: few texts are about it.
        from torchdoctor.domain.mmcv_wheels import describe_mmcv

        add_missing(values, describe_mmcv(torch, values.get("mmcv_release", "")).items())


def _add_mended_lines(values: dict[str, str]) -> None:
    """Add what takes the place of an expression that splits a path at the separator of Linux."""
    if "split_call" in values:
        fixed = f'{values["split_value"]}.replace("\\\\", "/").{values["split_call"]}'
        add_missing(values, [("split_fixed", fixed)])
    if "below_value" in values:
        fixed = f'os.path.relpath({values["below_value"]}, {values["below_folder"]}).replace("\\\\", "/")'
        add_missing(values, [("below_fixed", fixed)])


def _add_toolkits(values: dict[str, str]) -> None:
    """Add the builds of torch for the toolkits of a text, and the toolkit that fits its torch."""
    folder = f"{_TOOLKITS}{values['cuda_version']}" if "cuda_version" in values else None
    add_missing(values, [("toolkit_folder", values.get("cuda_folder") or folder)])
    if "toolkit" in values:
        add_missing(values, [("toolkit_set", name_toolkit_set(values, values["toolkit"]))])
    if "text_cuda" in values:
        add_missing(values, [("text_cuda_set", name_toolkit_set(values, values["text_cuda"]))])
    if "wheel_cuda" in values:
        add_missing(values, [("wheel_cuda_set", name_same_release_set(values, values["wheel_cuda"]))])
    if "detected_cuda" in values:
        cuda = values.get("cuda_version", "")
        there = values.get("toolkits_there", "").split()
        detected = f"cu{values['detected_cuda'].replace('.', '')}"
        add_missing(values, [("same_release_set", name_same_release_set(values, detected))])
        add_missing(values, [("fitting_toolkit", find_fitting_toolkit(there, cuda))])
        add_missing(values, [("cuda_major", cuda.partition(".")[0])])


def _name_other_wheel(values: Mapping[str, str], tag: str) -> str | None:
    """Return the address of the refused wheel with the tag of the Python that the text names, or None."""
    address = values.get("refused_address") or values.get("pip_arguments", "").partition("#")[0]
    if not address.startswith("https://") or " " in address:
        return None
    return _name_with_tag(address, tag)


def _name_with_tag(wheel: str, tag: str) -> str | None:
    """Return the name of a wheel for Windows with the tag of another Python, or None."""
    other, count = pattern(r"-cp3\d{1,2}-cp3\d{1,2}(?=-win)").subn(f"-{tag}-{tag}", wheel)
    return other if count == 1 else None


def _name_listed_set(values: Mapping[str, str]) -> str | None:
    """Return pip's arguments for the CUDA build of pip's list that is nearest to the absent one, or None."""
    # Imported here, as above.
    from torchdoctor.domain.torch_choice import name_set

    builds = pattern(r"\+cu(\d{2,3})\b").findall(values.get("listed_builds", ""))
    if not builds:
        return None
    wanted = int(values["absent_build"].removeprefix("cu"))
    nearest = max(map(int, builds), key=lambda number: (number <= wanted, -abs(number - wanted)))
    return name_set(values["listed_release"], f"cu{nearest}")


def _name_conda_set(values: Mapping[str, str]) -> str | None:
    """Return pip's arguments for the release that conda was asked for, with its CUDA if that has a build."""
    # Imported here, as above.
    from torchdoctor.domain.cuda_variants import find_variant, find_variants
    from torchdoctor.domain.releases import list_releases
    from torchdoctor.domain.torch_choice import name_set

    # "2.6" is its newest release.
    named = values["conda_torch"]
    release = next((each for each in reversed(list_releases()) if f"{each}.".startswith(f"{named}.")), named)
    variant = f"cu{values.get('conda_cuda', '').replace('.', '')}"
    return name_set(release, variant if variant in find_variants(release) else find_variant(release))


def _name_torch_of_companion(values: Mapping[str, str]) -> str | None:
    """Return the requirement of the torch that a companion pins: "==2.0.1+cu118" of torchvision 0.15.2."""
    # Imported here, as above.
    from torchdoctor.domain.releases import find_required_torch

    release, _, build = values["companion_version"].lstrip("=").partition("+")
    torch = find_required_torch(values.get("companion", ""), release)
    if torch is None or not torch.startswith("=="):
        return None
    return f"{torch}+{build}" if build else torch
