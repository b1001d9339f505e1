"""Read values from a text: the DLL, versions, the GPU, the user's own frame."""

from collections.abc import Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.computer.cards import read_better_card, read_card
from torchdoctor.explain.computer.places import read_place
from torchdoctor.explain.text.split import Unit, join_units
from torchdoctor.explain.values.ages import read_ages
from torchdoctor.explain.values.conda_lists import read_conda_list
from torchdoctor.explain.values.conflicts import read_conflict
from torchdoctor.explain.values.console_python import read_console_python
from torchdoctor.explain.values.derived import (
    add_missing,
    derive_values,
    drop_address,
    find_held_by_others,
    is_full,
    is_larger,
    join_broken_path,
)
from torchdoctor.explain.values.finished_programs import is_sealed, read_frozen_file, read_frozen_package
from torchdoctor.explain.values.frames import read_own_frame, read_project_folder, read_script
from torchdoctor.explain.values.interpreter import (
    guess_interpreter,
    read_conda_environment,
    read_conda_name,
    read_interpreter,
    read_masked_interpreter,
    read_program_folder,
    read_scripts_folder,
    shows_running,
)
from torchdoctor.explain.values.launch_commands import read_plain_command
from torchdoctor.explain.values.packages import find_built_module
from torchdoctor.explain.values.patterns import READINGS
from torchdoctor.explain.values.pip_commands import (
    find_source,
    keep_index,
    may_be_shared,
    read_build_arguments,
    read_failed_requirement,
    read_pip_arguments,
    read_wanted_package,
)
from torchdoctor.explain.values.torch_pythons import separate_torch_python
from torchdoctor.readers.proposals import clear_proposals

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
# pip has installed this torch, and another pip then finds none of it: these are two Pythons.
_INSTALLED_ELSEWHERE = (
    r"Successfully installed [^\n]{0,2000}?\btorch-(\d[\w.+]{2,20})[ \n]"
    r"[\s\S]{0,6000}?torch==\1 \(from versions: none\)"
)
_WHEEL_FILE = r"[^\s\"']{1,300}\.whl"
# The folder of an installed toolkit.
_TOOLKIT = r"\\CUDA\\{1,2}v(\d{1,2}\.\d)(?!\.?\w)"
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
_REQUIREMENT = r"([A-Za-z][\w-]{0,60})(?:[=<>~!].*)?"
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
# The Python of a virtual environment; one of conda stands beside the folder Scripts.
_OF_VENV = "\\scripts\\python.exe"
# Python's own code that runs first in a worker process on Windows.
_SPAWN = r"multiprocessing[\\/]spawn\.py|multiprocessing\.spawn import spawn_main"


def read_values(units: Sequence[Unit]) -> dict[str, str]:
    """Return the values found anywhere in the units."""
    joined = join_units(units)
    # Words of the whole text tell what to look for in what counts of it.
    lowered = joined.lower()
    text = _clear_former(joined, lowered)
    values = _read_patterns(text, lowered)
    drop_address(values)
    derive_values(values)
    _add_installation(values, units, text, lowered)
    _add_pythons(values, text, lowered)
    add_missing(values, [*read_card(text).items(), ("script", read_script(units))])
    if "cuda" in lowered:
        add_missing(values, [("better_card", read_better_card(text))])
    if "spawn" in lowered and pattern(_SPAWN, True).search(text):
        values["process"] = "worker"
    _add_frames(values, units, text)
    add_missing(values, _judge_memory(text, values).items())
    if "out of memory" in lowered and pattern(_TRAINS, True).search(text):
        values["trains"] = "yes"
    if "zluda" in lowered:
        values["zluda"] = "yes"
    add_missing(values, read_place(text).items())
    _add_finished_program(values, units, text, lowered)
    if "env_value" in values:
        _drop_private_variable(values)
    return values


def _clear_former(text: str, lowered: str) -> str:
    """Return a text without a torch that was removed and what is only proposed, and with builds as pip's."""
    if "successfully uninstalled torch-" in lowered:
        text = pattern(_REMOVED, True).sub("", text)
    if "+cuda" in lowered:
        # As people write it from memory: torch 2.7.0+cuda126.
        text = pattern(r"(?<=\d\.\d)\+cuda(?=\d{2,3}\b)", True).sub("+cu", text)
    return clear_proposals(text)


def _read_patterns(text: str, lowered: str) -> dict[str, str]:
    """Return the values of the patterns that are searched in every text."""
    values: dict[str, str] = {}
    is_refused = any(words in lowered for words in _OF_REFUSED_WHEELS)
    named = pattern(_REFUSED_WHEEL, True).sub("", text) if is_refused else text
    if "(from versions: none)" in lowered and pattern(_INSTALLED_ELSEWHERE, True).search(text):
        named = pattern(_WHEEL_FILE, True).sub("", named)
    for anchor, regex in READINGS:
        if anchor in lowered:
            # What a wheel that pip refuses is made for is not what the computer has.
            match = pattern(regex, True).search(named if anchor == "-cp3" else text)
            if match:
                add_missing(values, match.groupdict().items())
    return values


def _add_installation(values: dict[str, str], units: Sequence[Unit], text: str, lowered: str) -> None:
    """Add what pip was told to install or to build, and the command that starts the program."""
    if "pip" in lowered:
        add_missing(values, _read_pip(units, text, lowered).items())
    source = find_source(values.get("built_package", ""))
    add_missing(values, [("build_arguments", source), ("build_source", source)])
    add_missing(values, [("built_module", find_built_module(values))])
    # What the command printed can stand behind it in the same unit.
    lines = "\n".join(line.text for unit in units for line in unit.lines)
    add_missing(values, [("plain_command", read_plain_command(text) or read_plain_command(lines))])


def _add_pythons(values: dict[str, str], text: str, lowered: str) -> None:
    """Add the Pythons of a text, with the build of torch, the toolkits and the packages of conda there."""
    if ":\\" in text or ":/" in text:
        add_missing(values, _read_pythons(text, values).items())
    is_venv = values.get("python", "").lower().endswith(_OF_VENV)
    if is_venv and values.get("installer") == "conda" and "conda install" not in lowered:
        # conda is only what the console was opened with.
        del values["installer"]
    if "+" in text:
        add_missing(values, read_build(text).items())
    if "\\cuda\\v" in lowered:
        toolkits = (match[1] for match in pattern(_TOOLKIT, True).finditer(text))
        add_missing(values, [("toolkits_there", " ".join(dict.fromkeys(toolkits)))])
    if "conda" in lowered or "packagenotfound" in lowered or "nothing provides" in lowered:
        add_missing(values, read_conda_list(text).items())
        add_missing(values, [("conda_name", read_conda_name(text))])
    if "conflict" in lowered or "we can conclude that" in lowered:
        add_missing(values, read_conflict(text).items())
    python = values.get("python", "")
    add_missing(values, [("conda_environment", read_conda_environment(python))])
    add_missing(values, read_program_folder(python).items())
    add_missing(values, [("scripts_folder", read_scripts_folder(python))])


def _add_frames(values: dict[str, str], units: Sequence[Unit], text: str) -> None:
    """Add what the lines of tracebacks tell of the program, and of the age of torch and Python."""
    add_missing(values, read_own_frame(units).items())
    project = values.get("node_folder") or read_project_folder(units)
    add_missing(values, [("project_folder", project)])
    add_missing(values, [("cut_off", "yes" if _is_cut_off(units) else None)])
    join_broken_path(values)
    if ", line " in text or ".py" in text:
        add_missing(values, read_ages(units).items())


def _add_finished_program(values: dict[str, str], units: Sequence[Unit], text: str, lowered: str) -> None:
    """Add the package or the module of a finished program that failed, and whether no pip reaches it."""
    add_missing(values, read_frozen_file(values).items())
    if "could not get source" in lowered or "source access" in lowered or "can't get source" in lowered:
        add_missing(values, [("file_package", read_frozen_package(units))])
    if is_sealed(text, values):
        values["sealed"] = "frames"


def _read_pip(units: Sequence[Unit], text: str, lowered: str) -> dict[str, str]:
    """Return what pip was told to install, and what of that it builds."""
    found: dict[str, str] = {}
    arguments = read_pip_arguments(units) or read_failed_requirement(units)
    if arguments and may_be_shared(arguments):
        add_missing(found, [("pip_arguments", keep_index(arguments))])
    wanted = read_wanted_package(units)
    add_missing(found, [("wanted_package", wanted)])
    if wanted and "visual c++ 14.0 or greater is required" in lowered:
        # Only building needs the compiler, and pip was given nothing else to build.
        name = pattern(_REQUIREMENT).fullmatch(wanted)
        add_missing(found, [("built_package", name and name[1])])
    if pattern(_BUILDS, True).search(text):
        add_missing(found, [("build_arguments", read_build_arguments(units))])
    return found


def _drop_private_variable(values: dict[str, str]) -> None:
    """Take away what no step may repeat of a variable before a command: its value, or all of it.

    Where no program stands behind it, the value has blanks in it, and the rest of it was read as a command.
    """
    # Imported here: few texts have such a variable, and the patterns take long to compile.
    from torchdoctor.redaction.people.hosts import hide_hosts
    from torchdoctor.redaction.secrets.hide import hide_secrets
    from torchdoctor.redaction.words.vocabulary import has_known_words

    setting = f"{values['env_name']}={values['env_value']}"
    if not has_known_words(values["env_command"].partition(" ")[0]):
        for name in ("env_name", "env_value", "env_command"):
            del values[name]
    elif hide_hosts(hide_secrets(setting)) != setting or not has_known_words(values["env_value"]):
        del values["env_value"]


def _read_pythons(text: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the Python of the paths in a text, what is known of it otherwise, and the one that has torch."""
    found: dict[str, str] = {}
    other, rest = None, text
    if "no module named" in text.lower() and values.get("module", "").partition(".")[0] == "torch":
        rest, other = separate_torch_python(text)
        of_console = read_console_python(text)
        add_missing(found, of_console.items())
    # The import fails in that of the notebook.
    python = found.get("notebook_python") or read_interpreter(rest, values.get("webui"))
    if other and python and not shows_running(rest):
        # A path alone does not say that this Python runs the program.
        python = None
    add_missing(found, [("python", python), ("torch_python", other)])
    if python is None and not other:
        add_missing(found, read_masked_interpreter(rest).items())
    if "python" not in found and "environment" not in values and not other:
        add_missing(found, guess_interpreter(rest).items())
    return found


def _judge_memory(text: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return what the numbers of a message say of the card's memory."""
    judged: dict[str, str] = {}
    full = is_full(values.get("card_gib", ""), values.get("card_used", ""))
    is_small = values.get("bytes", "").endswith("MiB")
    if full and is_small and not pattern(_BATCHES, True).search(text):
        judged["weights_fill"] = "yes"
    add_missing(judged, [("held_by_others", find_held_by_others(values))])
    if is_larger(values.get("bytes", ""), values.get("card_gib", "")):
        judged["larger_than_card"] = "yes"
    return judged


def _is_cut_off(units: Sequence[Unit]) -> bool:
    """Return whether the first traceback follows another one, which was not pasted: it belongs to no chain.

    One that is indented is quoted, and belongs to none either.
    """
    first = next((unit for unit in units if unit.frame is not None and unit.traceback == 1), None)
    return first is not None and not first.chain and first.lines[0].text.startswith('  File "')


def read_build(text: str) -> Mapping[str, str]:
    """Return what keeps the build of torch in commands, if the text names exactly one build."""
    builds = {match[1].lower() for match in pattern(_BUILD, True).finditer(text)}
    if len(builds) != 1:
        return {}
    # Imported here: most texts name no build, and the tables of releases take long to import.
    from torchdoctor.domain.requirements import describe_build

    return describe_build(builds.pop())
