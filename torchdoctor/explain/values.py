"""Read values from a text: the DLL, versions, the GPU, the user's own frame."""

from collections.abc import Iterable, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.torchcodec import find_torch_of, find_torchcodec, fits_torch
from torchdoctor.domain.versions import accepts
from torchdoctor.explain.ages import read_ages
from torchdoctor.explain.cards import read_card
from torchdoctor.explain.computer import (
    describe_choice,
    find_fitting_toolkit,
    name_same_release_set,
    name_toolkit_set,
)
from torchdoctor.explain.conda_lists import read_conda_list
from torchdoctor.explain.conflicts import read_conflict
from torchdoctor.explain.derived import (
    add_missing,
    derive_values,
    find_held_by_others,
    is_full,
    is_larger,
    read_sm,
)
from torchdoctor.explain.frames import read_own_frame, read_project_folder, read_script
from torchdoctor.explain.interpreter import (
    guess_interpreter,
    read_conda_environment,
    read_interpreter,
    read_masked_interpreter,
    read_program_folder,
    read_scripts_folder,
    split_torch_python,
)
from torchdoctor.explain.pip_commands import (
    read_build_arguments,
    read_pip_arguments,
    read_wanted_package,
)
from torchdoctor.explain.readings import READINGS
from torchdoctor.explain.split import Unit, join_units

# A version of torch with its build; a version that a text only wants is an argument of pip. torchvision and
# others have such versions as well, which begin with 0; that of torchaudio counts, unless pip says what it
# requires.
_BUILD = (
    r"(?<!torch==)(?<!uninstalled torch-)(?<!uninstalling torch-)(?:(?<![\w.+])|(?<=torch))"
    r"(?!(?<=torchaudio )\S{5,20} requires)"
    r"([1-9]\.\d{1,2}\.\d{1,2}\+(?:cpu|xpu|cu\d{2,3}))(?!\.?\w)"
)
# pip names a torch that it then removes.
_REMOVED = r"Found existing installation: torch \S{1,30}"
# The name of a wheel in the command and in the message of pip or uv.
_REFUSED_WHEEL = (
    r"[^\s\"']{1,300}\.whl(?= is not a supported)|pip3? install [^\n]{1,300}\.whl|Skipping link: [^\n]{1,600}"
    r"|incompatible with the current platform: \S{1,300}|wheel is compatible with [^\n]{1,80}, but"
)
# The folder of an installed toolkit.
_TOOLKIT = r"\\CUDA\\{1,2}v(\d{1,2}\.\d)(?![\w.])"
# Words of pip, or of a person, about a package that is built.
_BUILDS = (
    r"requirements to build|Building wheel|Failed to build|setup\.py|pip-build-env|\bninja\b|\bnvcc\b"
    r"|\bcl\.exe|CUDA_HOME|detected CUDA"
)
_OF_REFUSED_WHEELS = (
    "is not a supported wheel",
    "skipping link: none of the wheel",
    "incompatible with the current platform",
    "wheel is compatible with",
)
# Words of work whose size a person chooses, which the memory of a card may be full of.
_BATCHES = (
    r"train|batch|epoch|\bloss\b|backward|optimi[sz]er|diffusion|image|picture|video|frames|conv|resolution|steps"
    r"|File \"|训练|图|学習|обуч"
)
# Words of training or of code that evaluates a model, and a frame of any code.
_TRAINS = (
    r"train|epoch|\bloss\b|backward|optimi[sz]er|\beval|valid|\btest|infer|predict|fine-?tun|\.py\b"
    r"|File \"|训练|推理|学習|обуч"
)
# A frame in a finished program, whose path is relative or leads into its folder, and its package.
_FROZEN_FRAME = (
    r"(?:[a-z]:[\\/][^\n]{0,300}[\\/](?:_internal|_MEI\w{3,10})[\\/])?"
    r"((?!lib[\\/]|PyInstaller)\w{2,60})[\\/][^\n:]{1,300}"
)
# Python's own code that runs first in a worker process on Windows.
_SPAWN = r"multiprocessing[\\/]spawn\.py|multiprocessing\.spawn import spawn_main"


def read_values(units: Sequence[Unit]) -> dict[str, str]:
    """Return the values found anywhere in the units."""
    text = join_units(units)
    lowered = text.lower()
    if "successfully uninstalled torch-" in lowered:
        text = pattern(_REMOVED, True).sub("", text)
    values: dict[str, str] = {}
    is_refused = any(words in lowered for words in _OF_REFUSED_WHEELS)
    named = pattern(_REFUSED_WHEEL, True).sub("", text) if is_refused else text
    for anchor, regex in READINGS:
        if anchor in lowered:
            # What a wheel that pip refuses is made for is not what the computer has.
            match = pattern(regex, True).search(named if anchor == "-cp3" else text)
            if match:
                add_missing(values, match.groupdict().items())
    derive_values(values)
    if "pip" in lowered:
        add_missing(values, [("pip_arguments", read_pip_arguments(units))])
        add_missing(values, [("wanted_package", read_wanted_package(units))])
        if pattern(_BUILDS, True).search(text):
            add_missing(values, [("build_arguments", read_build_arguments(units))])
    if ":\\" in text or ":/" in text:
        other = None
        rest = text
        if "no module named" in lowered and values.get("module", "").partition(".")[0] == "torch":
            rest, other = split_torch_python(text)
        python = read_interpreter(rest, values.get("webui"))
        add_missing(values, [("python", python), ("torch_python", other)])
        if python is None and not other:
            add_missing(values, read_masked_interpreter(rest).items())
        if "python" not in values and "environment" not in values and not other:
            add_missing(values, guess_interpreter(rest).items())
    if "+" in text:
        add_missing(values, read_build(text).items())
    if "\\cuda\\v" in lowered:
        toolkits = (match[1] for match in pattern(_TOOLKIT, True).finditer(text))
        add_missing(values, [("toolkits_there", " ".join(dict.fromkeys(toolkits)))])
    if "conda" in lowered or "packagenotfound" in lowered:
        add_missing(values, read_conda_list(text).items())
    if "conflict" in lowered or "we can conclude that" in lowered:
        add_missing(values, read_conflict(text).items())
    add_missing(values, [("conda_environment", read_conda_environment(values.get("python", "")))])
    add_missing(values, read_program_folder(values.get("python", "")).items())
    add_missing(values, [("scripts_folder", read_scripts_folder(values.get("python", "")))])
    add_missing(values, [*read_card(text).items(), ("script", read_script(units))])
    if "spawn" in lowered and pattern(_SPAWN, True).search(text):
        values["process"] = "worker"
    add_missing(values, read_own_frame(units).items())
    project = values.get("node_folder") or read_project_folder(units)
    add_missing(values, [("project_folder", project)])
    add_missing(values, [("cut_off", "yes" if _is_cut_off(units) else None)])
    if ", line " in text or ".py" in text:
        add_missing(values, read_ages(units).items())
    full = is_full(values.get("card_gib", ""), values.get("card_used", ""))
    is_small = values.get("bytes", "").endswith("MiB")
    if full and is_small and not pattern(_BATCHES, True).search(text):
        values["weights_fill"] = "yes"
    add_missing(values, [("held_by_others", find_held_by_others(values))])
    if is_larger(values.get("bytes", ""), values.get("card_gib", "")):
        values["larger_than_card"] = "yes"
    if "out of memory" in lowered and pattern(_TRAINS, True).search(text):
        values["trains"] = "yes"
    package = pattern(_FROZEN_FRAME, True).fullmatch(values.get("file", ""))
    add_missing(values, [("file_package", package and package[1])])
    return values


def _is_cut_off(units: Sequence[Unit]) -> bool:
    """Return whether the first traceback follows another one, which was not pasted: it belongs to no chain.

    One that is indented is quoted, and belongs to none either.
    """
    first = next((unit for unit in units if unit.frame is not None and unit.traceback == 1), None)
    return first is not None and not first.chain and first.lines[0].text.startswith('  File "')


def merge_values(
    evidence_values: Iterable[Mapping[str, str]], text_values: Mapping[str, str]
) -> dict[str, str]:
    """Return the values of a diagnosis; those of its evidence win over those found elsewhere in the text."""
    values: dict[str, str] = {}
    for found in evidence_values:
        add_missing(values, found.items())
    if "+" in values.get("torch_version", ""):
        add_missing(values, _describe_build(values["torch_version"]).items())
    derive_values(values)
    add_missing(values, text_values.items())
    if "pytorch_cuda" in values:
        add_missing(values, [("build_index", f"cu{values['pytorch_cuda'].replace('.', '')}")])
    if "sm" in values:
        add_missing(values, [("card_capability", read_sm(values["sm"]))])
    named = values.get("python_version", "")
    if "wheel_python" in values and not f"{named}.".startswith(f"{values['wheel_python']}."):
        tag = "cp" + "".join(named.split(".")[:2]) if named else None
        add_missing(values, [("named_python", named), ("named_tag", tag)])
        if tag:
            add_missing(values, [("other_wheel", _name_other_wheel(values, tag))])
            values.update({"flash_python": tag} if "flash_python" in values else {})
    elif "wheel_python" in values and named:
        values["named_fits_wheel"] = "yes"
    if "conda_torch" in values:
        add_missing(values, [("conda_set", _name_conda_set(values))])
    if "companion_version" in values:
        add_missing(values, [("needed_version", _name_torch_of_companion(values))])
    if "wheel_torch" in values:
        # Imported here, as in `_describe_build`.
        from torchdoctor.domain.requirements import describe_wheel

        add_missing(values, describe_wheel(values["wheel_torch"], values.get("python_version")).items())
    add_missing(values, [("again_arguments", values.get("wheel_set") or values.get("pip_arguments"))])
    if "torch_version" in values:
        add_missing(values, [("fitting_torchcodec", find_torchcodec(values["torch_version"]))])
        torchcodec = values.get("torchcodec_version", "")
        if torchcodec and fits_torch(torchcodec, values["torch_version"]):
            add_missing(values, [("torchcodec_fits", torchcodec)])
        elif (made_for := find_torch_of(torchcodec)) and not accepts(made_for, values["torch_version"]):
            add_missing(values, [("torchcodec_misfit", torchcodec)])
    # A program that only names the Python that it is for has not looked for a torch yet.
    if "needed_version" in values or ("searched_index" in values and "tested_with" not in values):
        # Imported here, as in `_describe_build`.
        from torchdoctor.domain.requirements import describe_wanted

        names = ("needed_version", "python_version", "searched_index", "offered_release", "first_release")
        # What an interpreter prints needs no list that tells it.
        known = {**values, "first_release": ""} if "printed_python" in values else values
        add_missing(values, describe_wanted(*map(known.get, names)).items())
    add_missing(values, [("listed_set", _name_listed_set(values))])
    add_missing(values, describe_choice(values).items())
    if "split_call" in values:
        fixed = f'{values["split_value"]}.replace("\\\\", "/").{values["split_call"]}'
        add_missing(values, [("split_fixed", fixed)])
    if "below_value" in values:
        fixed = f'os.path.relpath({values["below_value"]}, {values["below_folder"]}).replace("\\\\", "/")'
        add_missing(values, [("below_fixed", fixed)])
    if "toolkit" in values:
        add_missing(values, [("toolkit_set", name_toolkit_set(values, values["toolkit"]))])
    if "text_cuda" in values:
        add_missing(values, [("text_cuda_set", name_toolkit_set(values, values["text_cuda"]))])
    if "detected_cuda" in values:
        cuda = values.get("cuda_version", "")
        there = values.get("toolkits_there", "").split()
        add_missing(values, [("same_release_set", name_same_release_set(values))])
        add_missing(values, [("fitting_toolkit", find_fitting_toolkit(there, cuda))])
        add_missing(values, [("cuda_major", cuda.partition(".")[0])])
    return values


def _name_other_wheel(values: Mapping[str, str], tag: str) -> str | None:
    """Return the address of the refused wheel with the tag of the Python that the text names, or None."""
    address = values.get("refused_address") or values.get("pip_arguments", "").partition("#")[0]
    if not address.startswith("https://") or " " in address:
        return None
    other, count = pattern(r"-cp3\d{1,2}-cp3\d{1,2}(?=-win)").subn(f"-{tag}-{tag}", address)
    return other if count == 1 else None


def _name_listed_set(values: Mapping[str, str]) -> str | None:
    """Return pip's arguments for the CUDA build of pip's list that is nearest to the absent one, or None."""
    # Imported here, as in `_describe_build`.
    from torchdoctor.domain.torch_choice import name_set

    builds = pattern(r"\+cu(\d{2,3})\b").findall(values.get("listed_builds", ""))
    if not builds:
        return None
    wanted = int(values["absent_build"].removeprefix("cu"))
    nearest = max(map(int, builds), key=lambda number: (number <= wanted, -abs(number - wanted)))
    return name_set(values["listed_release"], f"cu{nearest}")


def _name_conda_set(values: Mapping[str, str]) -> str | None:
    """Return pip's arguments for the release that conda was asked for, with its CUDA if that has a build."""
    # Imported here, as in `_describe_build`.
    from torchdoctor.domain.cuda_variants import find_variant, find_variants
    from torchdoctor.domain.torch_choice import name_set

    release, variant = values["conda_torch"], f"cu{values.get('conda_cuda', '').replace('.', '')}"
    return name_set(release, variant if variant in find_variants(release) else find_variant(release))


def _name_torch_of_companion(values: Mapping[str, str]) -> str | None:
    """Return the requirement of the torch that a companion pins: "==2.0.1+cu118" of torchvision 0.15.2."""
    # Imported here, as in `_describe_build`.
    from torchdoctor.domain.releases import find_required_torch

    release, _, build = values["companion_version"].lstrip("=").partition("+")
    torch = find_required_torch(values.get("companion", ""), release)
    if torch is None or not torch.startswith("=="):
        return None
    return f"{torch}+{build}" if build else torch


def read_build(text: str) -> Mapping[str, str]:
    """Return what keeps the build of torch in commands, if the text names exactly one build."""
    builds = {match[1].lower() for match in pattern(_BUILD, True).finditer(text)}
    return _describe_build(builds.pop()) if len(builds) == 1 else {}


def _describe_build(version: str) -> Mapping[str, str]:
    # Imported here: most texts name no build, and the tables of releases take long to import.
    from torchdoctor.domain.requirements import describe_build

    return describe_build(version)
