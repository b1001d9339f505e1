"""Read from a text what was given to pip."""

from collections.abc import Sequence
from urllib.parse import unquote

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit
from torchdoctor.redaction.secrets.random_words import looks_generated
from torchdoctor.redaction.words.odd_words import leave_out_paths_of_addresses

# A command of pip, to the end of its line; other characters than these are not put into commands. What stands
# before it: a prompt, the Python, a quotation mark.
_PIP_COMMAND = (
    r"(?P<before>^|[>$!%&|\"'`:\\/]|-m|\.exe\"?|\buv|\bsudo)? ?"
    r"\bpip3?(?:\.exe\"?)? install (?P<pip_arguments>[\w=.+:/@~\[\] -]{3,300})[\"'`]?\s*$"
)
# A command that a person marks as one.
_QUOTED_COMMAND = r"`(?:python -m )?pip3? install (?P<pip_arguments>[\w=.+:/@~\[\] -]{3,300})`"
# A command as a list, which a program has started.
_LISTED_COMMAND = r"'-m', 'pip', 'install'(?P<words>(?:, '[\w=.+:/@~\[\]-]{1,120}'){1,12})\]"
# Words of a sentence that goes on behind a command, and are no names of packages.
_SENTENCE = (
    r"(?: |^)(?:and|but|can ?not|causes?|does|doesn|errors?|fails?|failed|for|gives|has|hangs|in|is|issue|not"
    r"|on|or|out|problem|returns|so|stuck|takes|the|then|throws|to|when|with|won|works?)(?= |$)"
)
# A command, also within a sentence, with its first argument that is no option, and a sign that it is one.
_WANTED = (
    r"(?:^|[>$%&`'\"]|-m|\b(?:do|did|ran|run|running|tried|try|trying|typed|use|used|using|with|then)) {0,2}"
    r"['\"`]?"
    r"pip3? install (?:(?:-[vUI]|--(?:no-|pre\b|upgrade|verbose|force-reinstall|user)[\w-]{0,30}) ){0,6}"
    r"(?P<wanted>(?:-[er] )?(?:git\+https://[\w./-]{5,120}|\.|[a-z.](?:[\w./\[\]=-]{0,80}[\w\]])?))"
    r"(?=\s*$|[`'\"),]|\.(?: |$)"
    r"| (?:-|and|but|it\b|i |then|gives|fails|ends|stops|pulls|installs|builds|downloads|with the|in ))"
)
# Words behind such a command that are no packages, and packages that are there before others are built.
_NOT_WANTED = (
    " a again all and any but command commands do does error errors everything fail failed fails for gives"
    " in is it of on out package packages process returns run same step still stuck that the them these this"
    " to was with work worked works"
    " build cmake ninja packaging pip setuptools torch torchaudio torchvision uv wheel "
)
# One argument of pip, also a folder of Windows and what stands in quotation marks.
_ARGUMENT = r"(?:\"[\w .:\\/+~=\[\],-]{1,300}\"|'[\w .:\\/+~=\[\],-]{1,300}'|[\w.:\\/+~=\[\],@#-]{1,300})"
# A command with all its arguments to the end of its line, at its start or behind a prompt.
_BUILD_COMMAND = (
    r"(?:^|[>$%&]|-m|\.exe\"?|\buv) {0,2}"
    rf"\bpip3? install (?P<arguments>{_ARGUMENT}(?: {_ARGUMENT}){{0,12}})[`'\"]?\s*$"
)
# What pip prints before it builds a folder.
_BUILT_FOLDER = (
    r"^\s{0,8}(?P<verb>Obtaining file:///|Processing )(?P<folder>[A-Za-z]:[\w .:\\/%+~-]{1,300}?)\s*$"
)
# What it or uv prints where a build has failed.
_FAILED_BUILD = (
    r"Getting requirements to build (?:wheel|editable)\b[^\n]{0,20}(?:error|did not run)"
    r"|error: subprocess-exited-with-error|Preparing (?:editable )?metadata \([\w. ]{1,20}\) \.\.\. error"
    r"|[Ff]ailed to build [`']|No module named"
)
# What pip prints of the requirement that it works on, and of the one that it cannot build.
_COLLECTED = (
    r"^\s{0,4}Collecting (?P<requirement>[A-Za-z][\w.-]{0,60}(?:\[[\w,-]{1,60}\])?(?:==[\w.]{1,20})?)(?= |$)"
)
_REFUSED = (
    r"\bFailed (?:building wheel for|to build) ['`]?(?P<requirement>[A-Za-z][\w.-]{0,60})['`]?\s*$"
    r"|[\\/]pip-install-\w{4,12}[\\/]{1,4}(?P<folder>[A-Za-z][\w-]{1,40})_[0-9a-f]{32}[\\/]"
)
_STOPPED = r"error: subprocess-exited-with-error|metadata-generation-failed|did not run successfully"
# Options of pip whose value is the next word, but for those of what it builds.
_OPTIONS_WITH_VALUES = (
    *("-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-c", "--constraint", "--proxy"),
    *("--trusted-host", "--timeout", "--default-timeout", "--retries", "--cache-dir", "--log", "--python"),
)
_NOT_REPEATED = ("--no-build-isolation", "-v", "-vv", "-vvv", "--verbose")
_OF_TORCH = ("torch", "torchvision", "torchaudio")
# Beside PyPI, pip takes the highest version, which is a CPU build of PyPI. The indexes of earlier CUDAs lack
# packages that torch needs.
_EXTRA_INDEX = r"--extra-index-url[ =](?P<index>https://download\.pytorch\.org/whl/cu(?:118|12\d|13\d))\b"
# pip itself proposes this command.
_OF_PIP_ITSELF = r"(?:(?:-U|--upgrade) )+pip\s*|pip (?:-U|--upgrade)\s*"


def read_pip_arguments(units: Sequence[Unit]) -> str | None:
    """Return the arguments of the first `pip install` that stands at the end of a line, or None.

    Words of a sentence are none: "pip install flair causes an error", nor is an update of pip. In the middle
    of a line, only one argument is taken for a package.
    """
    lines = [line.text for unit in units for line in unit.lines]
    for line in lines:
        quoted = pattern(_QUOTED_COMMAND, True).search(line)
        if quoted is not None and not pattern(_OF_PIP_ITSELF, True).fullmatch(quoted["pip_arguments"]):
            return quoted["pip_arguments"]
        match = pattern(_PIP_COMMAND, True).search(line)
        if match is None or pattern(_SENTENCE, True).search(match["pip_arguments"]):
            continue
        if pattern(_OF_PIP_ITSELF, True).fullmatch(match["pip_arguments"]):
            continue
        if match["before"] is not None or " " not in match["pip_arguments"].strip():
            return match["pip_arguments"]
    for line in lines:
        listed = pattern(_LISTED_COMMAND).search(line)
        if listed is not None:
            return listed["words"].replace("', '", " ").strip(", '")
    return None


# A key among the folders of an index.
_MIXED = r"(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z0-9]{10,}"


def may_be_shared(arguments: str) -> bool:
    """Return whether the addresses among arguments of pip hold no password, and no key in their path."""
    for address in pattern(r"\w{2,10}://\S+").findall(arguments):
        host, _, path = address.partition("://")[2].partition("/")
        if not pattern(r"[\w.-]+(?::\d{2,5})?").fullmatch(host):
            return False
        # Of public places, the path can be a commit.
        is_public = leave_out_paths_of_addresses(address) == address
        pieces = [] if is_public else pattern(r"[A-Za-z0-9]+").findall(path)
        if any(looks_generated(each) or pattern(_MIXED).fullmatch(each) for each in pieces):
            return False
    return "--global-option" not in arguments


def keep_index(arguments: str) -> str:
    """Return arguments of pip with torch from the index that they name, and not from PyPI as well."""
    extra = pattern(_EXTRA_INDEX).search(arguments)
    if extra is None or "+" in arguments or "index-url" in arguments.replace(extra[0], ""):
        return arguments
    packages = [word for word in arguments.replace(extra[0], "").split() if not word.startswith("-")]
    if not all(pattern(r"[=\[]").split(word, 1)[0].lower() in _OF_TORCH for word in packages):
        return arguments
    return arguments.replace(extra[0], f"--index-url {extra['index']}")


def read_failed_requirement(units: Sequence[Unit]) -> str | None:
    """Return the requirement that pip could not build, as it can be given to pip again, or None.

    It is the last one that pip collected before the failure, which is the only one with its version, if pip
    names no other one; else the one whose wheel or whose folder the text names.
    """
    collected = None
    has_stopped = False
    named: set[str] = set()
    for line in (line.text for unit in units for line in unit.lines):
        if not has_stopped and (match := pattern(_COLLECTED).match(line)):
            collected = match["requirement"]
        has_stopped = has_stopped or pattern(_STOPPED).search(line) is not None
        for match in pattern(_REFUSED).finditer(line):
            named.add((match["requirement"] or match["folder"]).lower().replace("_", "-"))
    if not has_stopped or len(named) > 1:
        return None
    if collected is not None:
        name = pattern(r"[=\[]").split(collected, 1)[0].lower().replace("_", "-")
        if not named or name in named:
            return collected
    return next(iter(named), None)


def read_wanted_package(units: Sequence[Unit]) -> str | None:
    """Return the only package, file or folder that the text gives to pip, or None.

    torch, and the tools that other packages are built with, are not counted.
    """
    found: set[str] = set()
    for line in (line.text for unit in units for line in unit.lines):
        for match in pattern(_WANTED, True).finditer(line):
            wanted = match["wanted"]
            name = pattern(r"[=\[]").split(wanted, 1)[0].lower()
            if f" {name} " not in _NOT_WANTED:
                found.add(wanted)
    return found.pop() if len(found) == 1 else None


def read_build_arguments(units: Sequence[Unit]) -> str | None:
    """Return the arguments of the `pip install` whose build failed, as they can be typed again, or None.

    It is the last command before the failure that is given more than torch and the tools for building;
    without one, the folder that pip says it builds, or the only package that the text gives to pip.
    """
    command = folder = None
    for line in (line.text for unit in units for line in unit.lines):
        match = pattern(_BUILD_COMMAND, True).search(line)
        if match is not None and (arguments := _list_build_arguments(match["arguments"])):
            command, folder = arguments, None
            continue
        built = pattern(_BUILT_FOLDER).match(line)
        if built is not None:
            option = "-e " if built["verb"].startswith("O") else ""
            folder = f'{option}"{unquote(built["folder"])}"'
        if pattern(_FAILED_BUILD).search(line) and (command or folder):
            break
    return command or read_wanted_package(units) or folder


# Packages that PyPI does not have as pip prints their names, and where their source is.
_SOURCES = {
    "detectron2": "git+https://github.com/facebookresearch/detectron2",
    "nvdiffrast": "git+https://github.com/NVlabs/nvdiffrast",
    "pytorch3d": "git+https://github.com/facebookresearch/pytorch3d",
    "tinycudann": "git+https://github.com/NVlabs/tiny-cuda-nn#subdirectory=bindings/torch",
    "torchmcubes": "git+https://github.com/tatsy/torchmcubes",
}


# Those that PyPI has the source of.
_ON_PYPI = frozenset(
    (
        "auto-gptq", "causal-conv1d", "deepspeed", "dlib", "fairseq", "flash-attn", "gsplat", "insightface",
        "llama-cpp-python", "mamba-ssm", "mmcv", "mmcv-full", "natten", "pycocotools", "torch-cluster",
        "torch-scatter", "torch-sparse", "torch-spline-conv", "xformers",
    )
)  # fmt: skip


def find_source(package: str) -> str | None:
    """Return what pip is given to build a package: its address, or its name if PyPI has it.

    None where the name alone leads to another package, or to none.
    """
    name = package.lower().replace("_", "-")
    return name if name in _ON_PYPI else _SOURCES.get(name)


def _list_build_arguments(arguments: str) -> str | None:
    """Return the arguments without what a new attempt has by itself; None if nothing is built."""
    if pattern(_SENTENCE, True).search(arguments) or "satisfied" in arguments:
        return None
    words = [word.replace("'", '"') for word in pattern(_ARGUMENT).findall(arguments)]
    kept = [word for word in words if word not in _NOT_REPEATED]
    built, is_value = [], False
    for word in kept:
        name = pattern(r"[=<>~!\[]").split(word.strip('"'), 1)[0].lower()
        if not is_value and not word.startswith("-") and f" {name} " not in _NOT_WANTED:
            built.append(word)
        is_value = word in _OPTIONS_WITH_VALUES
        if name in _OF_TORCH:
            return None
    return " ".join(kept) if built else None
