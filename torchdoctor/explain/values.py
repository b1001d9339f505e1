"""Read values from a text: the DLL, versions, the GPU, the user's own frame."""

import ntpath
from collections.abc import Iterable, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.sizes import GIB
from torchdoctor.domain.torchcodec import find_torchcodec
from torchdoctor.explain.ages import read_ages
from torchdoctor.explain.cards import read_card
from torchdoctor.explain.computer import LIMITED, describe_choice, name_toolkit_set
from torchdoctor.explain.conda_lists import read_conda_list
from torchdoctor.explain.frames import read_own_frame, read_script
from torchdoctor.explain.interpreter import read_conda_environment, read_interpreter
from torchdoctor.explain.split import Unit, join_units

_VERSION = r"\d\.\d{1,2}(?:\.\d{1,2})?(?:[.+]?(?:dev|a|rc)\d{1,8})?(?:\+\w{1,20})?"
# What the text must hold before the pattern is tried, and the pattern; the first match of a group wins.
_READERS: tuple[tuple[str, str], ...] = (
    ('error loading "', r'Error loading "(?P<path>[^"\n{}]{1,500})"'),
    (
        ".dll",
        r"(?:could not|cannot|can't|failed to) (?:load|locate|find|open)[^\n.]{0,60}?"
        r"\b(?P<missing_dll>[\w.-]{1,100}\.dll)",
    ),
    ("could not find module", r"Could not find module '(?P<path>[^'\n]{1,400})'"),
    ("no module named", r"No module named '?(?P<module>[\w.]{1,100})"),
    ("load failed while importing", r"load failed while importing (?P<module>\w{1,100})"),
    ("partially initialized", r"partially initialized module '(?P<module>[\w.]{1,100})'"),
    ("no attribute", r"has no attribute '(?P<attribute>\w{1,100})'"),
    ("cuda capability sm_", r"CUDA capability (?P<sm>sm_\d{2,3})\b"),
    ("cuda capability ", r"which is of cuda capability (?P<capability>\d{1,2}\.\d)\b"),
    (
        "cuda capabilities",
        r"supports CUDA capabilities (?P<supported_sm>(?:(?:sm|compute)_\d{2,3}[a-z]? ?){1,20})",
    ),
    ("pytorch version:", rf"PyTorch version: (?P<torch_version>{_VERSION})"),
    ("__version__", rf"torch\.__version__\W{{1,6}}(?P<torch_version>{_VERSION})"),
    ("(you have", rf"\(you have (?P<torch_version>{_VERSION})\)"),
    ("torch", rf"\b(?:py)?torch(?: version)?\s?(?:==|:|=|\s)\s?'?v?(?P<torch_version>{_VERSION})\b"),
    ("version of torch", rf"\bversion of torch (?:installed )?is v?(?P<torch_version>{_VERSION})(?![\w.]\w)"),
    ("torch-", rf"\btorch-(?P<torch_version>{_VERSION})(?=-cp|\.dist-info|$|[:\s])"),
    (
        "python version",
        r"Python version:? (?:is )?(?P<python_version>[23]\.\d{1,2}(?:\.\d{1,2})?)(?![\w.]| Requires)",
    ),
    ("python", r"\bPython[: ]{1,2}v?(?P<python_version>[23]\.\d{1,2}(?:\.\d{1,2})?)(?![\w+])"),
    ("python3", r"[\\/]python(?P<python_tag>3\d{1,2})(?:-\w{1,6})?[\\/]"),
    ("-cp3", r"-cp(?P<python_tag>3\d{1,2})-(?!abi3)"),
    ("python3", r"\bpython(?P<python_tag>3\d{1,2})\b(?![\w.\\/-])"),
    ("python 3", r"[\\/]python(?P<python_version>3\.\d{1,2})[\\/]"),
    ("download.pytorch.org/whl/", r"download\.pytorch\.org/whl/(?P<searched_index>cu\d{2,3})\b"),
    ("whl/", r"indexes: https?://\S{1,60}/whl/(?P<searched_index>cu\d{2,3})\b"),
    ("from versions: ", r"requirement torch\b[^\n]{0,600}\+(?P<searched_index>cu\d{2,3})\)"),
    (
        "from versions: ",
        r"requirement torch\b[^\n(]{0,40}\(from versions: [^\n)]{0,600}?(?P<offered_release>\d[\d.]{2,8})"
        r"(?:\+\w{1,8})?\)",
    ),
    (
        "from versions: ",
        r"requirement torch\b[^\n(]{0,40}\(from versions: (?P<first_release>\d[\d.]{2,8})[,)]",
    ),
    ("requirement torch==", r"requirement torch(?P<needed_version>==[\w.+]{1,30})"),
    ("building '", r"building '(?P<built_package>[A-Za-z]\w{0,60})\.[\w.]{1,100}' extension"),
    (
        "wheel",
        r"(?:failed building|building) wheel for (?P<built_package>[A-Za-z][\w-]{0,60})(?![\w-])",
    ),
    (
        "trying to install package",
        r"trying to install package\.\s{1,8}(?:╰─> ?)?(?P<built_package>[A-Za-z][\w-]{0,60})(?![\w-])",
    ),
    ("used to build pytorch", r"CUDA used to build PyTorch: (?P<cuda_version>\d[\d.]{1,8})"),
    ("to compile pytorch", r"compile PyTorch \((?P<cuda_version>\d{1,2}\.\d)\)"),
    ("+cu", r"\+cu(?P<cuda_tag>\d{2,3})\b"),
    ("found version", r"too old \(found version (?P<driver_number>\d{4,6})\)"),
    ("cuda version:", r"CUDA Version: (?P<driver_cuda>\d{1,2}\.\d)"),
    ("allocate", r"tried to allocate (?P<bytes>[\d.]{1,24}(?: (?:bytes|[KMGT]i?B))?)"),
    (
        "total capac",
        r"total capaci?ty(?: of (?P<card_gib>[\d.]{1,6}) GiB [^\n]{0,200}?(?P<card_used>[\d.]{1,6} [MG]iB)"
        r" is allocated by PyTorch)",
    ),
    (
        "total capacity;",
        r"(?P<card_gib>[\d.]{1,6}) GiB total capacity; (?P<card_used>[\d.]{1,6} [MG]iB) already allocated",
    ),
    ("ram", r"(?<![\d.])(?P<main_memory>\d{1,3}) ?GB (?:of )?(?:system |DDR\d )?RAM\b"),
    ("backend", r"backend[='\" ]{1,3}(?P<backend>nccl|gloo|mpi|ucc)\b"),
    ("init_process_group", r"init_process_group\( ?['\"](?P<backend>\w{3,5})"),
    ("pid", r"\bpid(?:\(s\))?[:= ]{1,2}(?P<pid>\d{1,7})"),
    ("error", r"\[(?:WinError|Errno) \d{1,5}\][^'\n]{0,300}: '(?P<path>[^'\n]{1,600})'"),
    ("winerror", r"\[WinError (?P<winerror>\d{1,5})\]"),
    ("0xc0000", r"\b(?P<exit_code>0xC0000[0-9A-F]{3})\b"),
    ("gfx1", r"\bgfx(?P<amd_family>1[0-2]\d\w)\b"),
    # The tool that makes the environment, and changes its packages.
    ("uv", r"\buses? `?(?P<installer>uv)`? instead of `?pip\b"),
    ("uv ", r"(?<![\w.-])(?P<installer>uv) (?:sync|add|pip|run|lock|venv|tool)\b"),
    ("poetry ", r"(?<![\w.-])(?P<installer>poetry) (?:install|add|run|lock|update|env)\b"),
    ("conda ", r"(?<![\w.-])(?P<installer>conda) (?:install|create|update|env|activate)\b"),
    # The folder of a web UI, whose start script makes the environment.
    ("venv", r"\bvenv \"(?P<webui>[a-z]:[^\"\n<>|*?]{1,200})[\\/]venv[\\/]scripts[\\/]python\.exe"),
    ("creating venv in", r"creating venv in (?:directory )?(?P<webui>[a-z]:[^\"\n<>|*?]{1,200})[\\/]venv\b"),
    (
        "launch.py",
        r"(?P<webui>[a-z]:[^\"\n<>|*?]{1,160}(?:webui|diffusion|forge)[^\"\n<>|*?]{0,60})[\\/]launch\.py",
    ),
    # The file that installs a program, and makes its environment.
    (
        "install",
        r"(?<![\w.-])(?P<own_installer>(?:\d-)?(?:easy[-_])?install(?:er)?(?:[-_]\w{1,20}){0,3}"
        r"\.(?:bat|cmd|py))\b",
    ),
    # The environment that a console shows in front of its folder.
    (">", r"(?:^|[\s`])\((?P<environment>[\w.-]{1,40})\) ?(?:PS )?[a-z]:\\[^\n>]{0,200}>"),
    # Programs and libraries that load a C++ runtime of their own before torch is imported.
    ("", r"\b(?P<host>PyQt[56]|PySide[26]|QGIS|Krita|Streamlit|spaCy|sphinx)\b"),
    ("rtx", r"\b(?:rtx|geforce)[ _-]{0,2}(?:rtx )?(?P<gpu_number>\d{4})(?!\d)"),
    ("gtx", r"\bgtx[ _-]{0,2}(?P<gpu_number>\d{3,4})(?!\d)"),
    ("nvidia", r"\bnvidia[ _-]{1,2}(?P<gpu_number>[2345]0[5-9]0)(?!\d)"),
    (
        "import torch",
        r"\bimport (?:tensorflow|numpy|cv2|matplotlib|sklearn|scipy)\b[\s\S]{0,600}?\s"
        r"(?P<torch_last>import torch|from torch)\b",
    ),
    # A command of a package, with an option or a file.
    (
        " -",
        r"(?<![\w./\\:-])(?P<console_command>[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){1,3}) --?[a-z]",
    ),
    # The toolkit that extensions are compiled with.
    ("cuda_home", r"CUDA_HOME[ ='\"]{1,3}[^'\"\n]{1,120}[\\/]CUDA[\\/]v(?P<toolkit>\d{2}\.\d)\b"),
    # The line of a traceback that uses a signal of Linux.
    (
        "signal.sig",
        r"File \"(?P<signal_file>[^\"\n]{1,300}\.py)\", line (?P<signal_line>\d{1,6}), in [^\n ]{1,80}"
        r" signal\.signal\(signal\.SIG\w{2,8}, (?P<signal_handler>[\w.]{1,60})\)",
    ),
    # What a finished package with a launcher is called in Chinese.
    ("", r"(?P<packaged>整合包|启动器|一键包)"),
    ("stabilitymatrix", r"(?P<launcher>Stability ?Matrix)[\\/]"),
    # The folder of an environment or of an installation.
    ("site-packages", r"[\\/](?P<packages_in>[\w .+-]{1,60})[\\/]lib[\\/]site-packages[\\/]"),
    ("50", r"(?<![\w.-])(?P<gpu_number>[2345]0[5-9]0) ?(?:ti|super)\b"),
    ("50", r"\b(?:an?|my|using|with|on) (?P<gpu_number>50[5-9]0)\b"),
    # A package that does not work with every torch: its folder, or its line in a list of pip's.
    ("site-packages", rf"site-packages[\\/](?P<limited>{LIMITED})[\\/]"),
    ("", rf"(?:^|\n)(?P<limited>{LIMITED})(?: {{2,}}|==)\d"),
    # A redistributable that is there, and did not help.
    (
        "redist",
        r"(?:install|reinstall|tried|安装|重装)[^\n]{0,40}(?P<redist_tried>vc_?redist|redistributable)[^\n]{0,60}"
        r"(?:没有解决|没用|没有用|无效|(?:not|n't) (?:help|fix|solve|work)|no (?:luck|effect|change))",
    ),
    # The script of a finished program: in the command that froze it, or in what PyInstaller's loader says.
    ("pyinstaller", r"\bpyinstaller (?:[^\s|&;]{1,80} ){0,12}(?P<frozen_script>[\w-]{1,60})\.py\b"),
    ("failed to execute", r"failed to execute script '?(?P<frozen_script>(?!__main__|pyi_)[\w-]{1,60})"),
    # The folder of an edition of Visual Studio.
    (
        "microsoft visual studio",
        r"(?P<vs_folder>[a-z]:[\\/]{1,2}Program Files(?: \(x86\))?[\\/]{1,2}Microsoft Visual Studio[\\/]{1,2}"
        r"\d{2,4}[\\/]{1,2}\w{5,15})[\\/]",
    ),
    # Packages that allow certain releases of NumPy only.
    ("cellpose", r"\b(?P<cellpose>cellpose)\b"),
    ("numba", r"\b(?P<numba>numba)\b"),
    # Letters that a console could not show.
    ("?????", r"(?P<lost_letters>\?{5,}(?: ?[?,.，。]{2,}){0,20})"),
    ("file path:", r"file path: (?P<path>[^\n]{1,300})"),
    (".dll", r"(?P<dll>[\w.-]{1,100}\.dll)\b"),
)
# A command of pip, to the end of its line; other characters than these are not put into commands. What stands
# before it: a prompt, the Python, a quotation mark.
_PIP_COMMAND = (
    r"(?P<before>^|[>$!%&|\"'`:]|-m|\.exe\"?|\buv|\bsudo)? ?"
    r"\bpip3? install (?P<pip_arguments>[\w=.+:/@~\[\] -]{3,300})[\"'`]?\s*$"
)
# Words of a sentence that goes on behind a command, and are no names of packages.
_SENTENCE = (
    r"(?: |^)(?:and|but|can ?not|causes?|does|doesn|errors?|fails?|failed|for|gives|has|hangs|in|is|issue|not"
    r"|on|or|out|problem|returns|so|stuck|takes|the|then|throws|to|when|with|won|works?)(?= |$)"
)
# A version of torch with its build; a version that a text only wants is an argument of pip. torchvision and
# others have such versions as well, which begin with 0.
_BUILD = r"(?<!torch==)(?<![\w.+])([1-9]\.\d{1,2}\.\d{1,2}\+(?:cpu|xpu|cu\d{2,3}))(?![\w.])"
# The folder of a finished program that has torch in it, without the site-packages of an installed Python.
_BUNDLE = (
    r"([a-z]:[\\/](?:(?!site-packages|\\lib\\)[^\n])*?)[\\/](?:_internal[\\/]|_xxl_data[\\/])?"
    r"torch[\\/]lib[\\/]"
)
# Words of work whose size a person chooses, which the memory of a card may be full of.
_BATCHES = (
    r"train|batch|epoch|\bloss\b|backward|optimi[sz]er|image|picture|video|frames|conv|resolution|steps"
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
    values: dict[str, str] = {}
    for anchor, regex in _READERS:
        if anchor in lowered:
            match = pattern(regex, True).search(text)
            if match:
                _add_missing(values, match.groupdict().items())
    _derive_values(values)
    if "forge-classic" in values.get("webui", "").lower():
        # https://github.com/Haoming02/sd-webui-forge-classic; other web UIs of this family ask for 3.10.
        values.update({"webui_python": "3.11", "webui_python_folder": "Python311"})
    if "pip" in lowered:
        _add_missing(values, [("pip_arguments", read_pip_arguments(units))])
    if ":\\" in text or ":/" in text:
        _add_missing(values, [("python", read_interpreter(text, values.get("webui")))])
    if "+" in text:
        _add_missing(values, read_build(text).items())
    if "conda" in lowered or "packagenotfound" in lowered:
        _add_missing(values, read_conda_list(text).items())
    _add_missing(values, [("conda_environment", read_conda_environment(values.get("python", "")))])
    _add_missing(values, [*read_card(text).items(), ("script", read_script(units))])
    if "spawn" in lowered and pattern(_SPAWN, True).search(text):
        values["process"] = "worker"
    _add_missing(values, read_own_frame(units).items())
    _add_missing(values, [("cut_off", "yes" if _is_cut_off(units) else None)])
    if ", line " in text or ".py" in text:
        _add_missing(values, read_ages(units).items())
    full = _is_full(values.get("card_gib", ""), values.get("card_used", ""))
    is_small = values.get("bytes", "").endswith("MiB")
    if full and is_small and not pattern(_BATCHES, True).search(text):
        values["weights_fill"] = "yes"
    if "out of memory" in lowered and pattern(_TRAINS, True).search(text):
        values["trains"] = "yes"
    package = pattern(_FROZEN_FRAME, True).fullmatch(values.get("file", ""))
    _add_missing(values, [("file_package", package and package[1])])
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
        _add_missing(values, found.items())
    if "+" in values.get("torch_version", ""):
        _add_missing(values, _describe_build(values["torch_version"]).items())
    _derive_values(values)
    _add_missing(values, text_values.items())
    if "sm" in values:
        _add_missing(values, [("card_capability", _read_sm(values["sm"]))])
    named = values.get("python_version", "")
    if "wheel_python" in values and not f"{named}.".startswith(f"{values['wheel_python']}."):
        tag = "cp" + "".join(named.split(".")[:2]) if named else None
        _add_missing(values, [("named_python", named), ("named_tag", tag)])
    if "torch_version" in values:
        _add_missing(values, [("fitting_torchcodec", find_torchcodec(values["torch_version"]))])
    if "needed_version" in values or "searched_index" in values:
        # Imported here, as in `_describe_build`.
        from torchdoctor.domain.requirements import describe_wanted

        names = ("needed_version", "python_version", "searched_index", "offered_release", "first_release")
        _add_missing(values, describe_wanted(*map(values.get, names)).items())
    _add_missing(values, describe_choice(values).items())
    if "toolkit" in values:
        _add_missing(values, [("toolkit_set", name_toolkit_set(values))])
    return values


def _add_missing(values: dict[str, str], found: Iterable[tuple[str, str | None]]) -> None:
    for name, value in found:
        if value and value.strip() and name not in values:
            values[name] = value.strip()


def _derive_values(values: dict[str, str]) -> None:
    """Replace raw readings (`found version 12080`, `cu128`, `python310`) by the values they stand for."""
    for raw_name, name, convert in _DERIVED:
        reading = values.pop(raw_name, None)
        _add_missing(values, [(name, convert(reading))] if reading else [])
    build = values.get("torch_version", "").partition("+cu")[2]
    if build.isdecimal():
        values["cuda_version"] = _read_cuda_tag(build)
    if "bytes" in values:
        _add_missing(values, [("allocation", _judge_allocation(values["bytes"]))])
    if "." in values.get("global", ""):
        module, _, name = values["global"].rpartition(".")
        _add_missing(values, [("global_module", module), ("global_class", name)])
    if "collected" in values:
        values["collected"] = values["collected"].replace(", ", " ")
    path = values.get("path", "")
    if path.lower().endswith((".dll", ".pyd")):
        values.setdefault("dll", ntpath.basename(path))
    bundle = pattern(_BUNDLE, True).match(path)
    if bundle is not None:
        values.setdefault("bundle", bundle[1])
    if "vs_folder" in values:
        values["vs_folder"] = ntpath.normpath(values["vs_folder"])
    if "missing_dll" in values:
        values.setdefault("dll", values["missing_dll"])


def _read_driver_number(reading: str) -> str:
    return f"{int(reading) // 1000}.{int(reading) % 1000 // 10}"


def _read_cuda_tag(reading: str) -> str:
    return f"{reading[:-1]}.{reading[-1]}"


def _read_python_tag(reading: str) -> str:
    """Return the version of `310`; the folder of an old installer has the micro release as well: `368`."""
    minor = reading[1:]
    return f"3.{minor}" if len(minor) < 2 or minor.startswith(("1", "2")) else f"3.{minor[0]}"


def _read_wheel_tag(reading: str) -> str:
    return f"3.{reading[3:]}"


def _read_capability(reading: str) -> str:
    return "sm_" + reading.replace(".", "")


def _read_sm(reading: str) -> str | None:
    digits = reading.removeprefix("sm_")
    return f"{digits[:-1]}.{digits[-1]}" if digits.isdecimal() and len(digits) > 1 else None


def _read_gpu_number(reading: str) -> str | None:
    """Return the compute capability of a GeForce by its number: https://developer.nvidia.com/cuda-gpus."""
    if reading.endswith("00"):
        return None  # a workstation card: RTX 5000 is older than RTX 5090
    return {
        "9": "sm_52",
        "10": "sm_61",
        "16": "sm_75",
        "20": "sm_75",
        "30": "sm_86",
        "40": "sm_89",
        "50": "sm_120",
    }.get(reading[:-2])


def _read_amd_index(reading: str) -> str | None:
    """Return the name of AMD's index for cards with a gfx number, below rocm.nightlies.amd.com/v2.

    https://github.com/ROCm/TheRock/blob/main/RELEASES.md.
    """
    return {"110": "gfx110X-all", "120": "gfx120X-all"}.get(reading[:3])


def _judge_allocation(reading: str) -> str | None:
    """Return whether a number of bytes is "small" or "huge", or None for one in between or another unit."""
    number = reading.removesuffix(" bytes")
    if not number.isdecimal():
        return None
    return "small" if int(number) < GIB else "huge" if int(number) > 4 * GIB else None


def _is_full(total_gib: str, used: str) -> bool:
    """Return whether torch holds more than four fifths of a card, and no main memory: "6.00", "5.27 GiB"."""
    number, _, unit = used.partition(" ")
    try:
        return unit == "GiB" and 0.8 * float(total_gib) < float(number) <= float(total_gib)
    except ValueError:
        return False


_DERIVED = (
    ("driver_number", "driver_cuda", _read_driver_number),
    ("cuda_tag", "cuda_version", _read_cuda_tag),
    ("python_tag", "python_version", _read_python_tag),
    ("wheel_tag", "wheel_python", _read_wheel_tag),
    ("capability", "sm", _read_capability),
    ("gpu_number", "sm", _read_gpu_number),
    ("amd_family", "amd_index", _read_amd_index),
)


def read_pip_arguments(units: Sequence[Unit]) -> str | None:
    """Return the arguments of the first `pip install` that stands at the end of a line, or None.

    Words of a sentence are none: "pip install flair causes an error". In the middle of a line, only one
    argument is taken for a package.
    """
    lines = (line.text for unit in units for line in unit.lines)
    for line in lines:
        match = pattern(_PIP_COMMAND, True).search(line)
        if match is None or pattern(_SENTENCE, True).search(match["pip_arguments"]):
            continue
        if match["before"] is not None or " " not in match["pip_arguments"].strip():
            return match["pip_arguments"]
    return None


def read_build(text: str) -> Mapping[str, str]:
    """Return what keeps the build of torch in commands, if the text names exactly one build."""
    builds = {match[1].lower() for match in pattern(_BUILD, True).finditer(text)}
    return _describe_build(builds.pop()) if len(builds) == 1 else {}


def _describe_build(version: str) -> Mapping[str, str]:
    # Imported here: most texts name no build, and the tables of releases take long to import.
    from torchdoctor.domain.requirements import describe_build

    return describe_build(version)
