"""Read values from a text: the DLL, versions, the GPU, the user's own frame."""

import ntpath
from collections.abc import Iterable, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.sizes import GIB
from torchdoctor.domain.torchcodec import find_torchcodec
from torchdoctor.explain.cards import read_card
from torchdoctor.explain.computer import LIMITED, describe_choice
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
    ("backend", r"backend[='\" ]{1,3}(?P<backend>nccl|gloo|mpi|ucc)\b"),
    ("init_process_group", r"init_process_group\( ?['\"](?P<backend>\w{3,5})"),
    ("pid", r"\bpid(?:\(s\))?[:= ]{1,2}(?P<pid>\d{1,7})"),
    ("error", r"\[(?:WinError|Errno) \d{1,5}\][^'\n]{0,300}: '(?P<path>[^'\n]{1,600})'"),
    ("winerror", r"\[WinError (?P<winerror>\d{1,5})\]"),
    ("0xc0000", r"\b(?P<exit_code>0xC0000[0-9A-F]{3})\b"),
    # The tool that makes the environment, and changes its packages.
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
    # The environment that a console shows in front of its folder.
    (">", r"(?:^|\s)\((?P<environment>[\w.-]{1,40})\) ?(?:PS )?[a-z]:\\[^\n>]{0,200}>"),
    # Programs and libraries that load a C++ runtime of their own before torch is imported.
    ("", r"\b(?P<host>PyQt[56]|PySide[26]|QGIS|Krita|Streamlit|spaCy|sphinx)\b"),
    ("rtx", r"\b(?:rtx|geforce)[ _-]{0,2}(?:rtx )?(?P<gpu_number>\d{4})(?!\d)"),
    ("gtx", r"\bgtx[ _-]{0,2}(?P<gpu_number>\d{3,4})(?!\d)"),
    ("nvidia", r"\bnvidia[ _-]{1,2}(?P<gpu_number>[2345]0[5-9]0)(?!\d)"),
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
# A command of pip, to the end of its line; other characters than these are not put into commands.
_PIP_COMMAND = r"\bpip3? install (?P<pip_arguments>[\w=.+:/@~\[\] -]{3,300})[\"'`]?\s*$"
# A version of torch with its build; a version that a text only wants is an argument of pip. torchvision and
# others have such versions as well, which begin with 0.
_BUILD = r"(?<!torch==)(?<![\w.+])([1-9]\.\d{1,2}\.\d{1,2}\+(?:cpu|xpu|cu\d{2,3}))(?![\w.])"
# The folder of a finished program that has torch in it, without the site-packages of an installed Python.
_BUNDLE = (
    r"([a-z]:[\\/](?:(?!site-packages|\\lib\\)[^\n])*?)[\\/](?:_internal[\\/]|_xxl_data[\\/])?"
    r"torch[\\/]lib[\\/]"
)
# A frame in a finished program, whose path is relative or leads into its folder, and its package.
_FROZEN_FRAME = r"(?:[a-z]:[\\/][^\n]{0,300}[\\/](?:_internal|_MEI\w{3,10})[\\/])?((?!lib[\\/]|PyInstaller)\w{2,60})[\\/][^\n:]{1,300}"
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
    if "pip" in lowered:
        _add_missing(values, [("pip_arguments", read_pip_arguments(units))])
    if ":\\" in text or ":/" in text:
        _add_missing(values, [("python", read_interpreter(text, values.get("webui")))])
    if "+" in text:
        _add_missing(values, read_build(text).items())
    _add_missing(values, [("conda_environment", read_conda_environment(values.get("python", "")))])
    _add_missing(values, [*read_card(text).items(), ("script", read_script(units))])
    if "spawn" in lowered and pattern(_SPAWN, True).search(text):
        values["process"] = "worker"
    _add_missing(values, read_own_frame(units).items())
    package = pattern(_FROZEN_FRAME, True).fullmatch(values.get("file", ""))
    _add_missing(values, [("file_package", package and package[1])])
    return values


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
    if "torch_version" in values:
        _add_missing(values, [("fitting_torchcodec", find_torchcodec(values["torch_version"]))])
    if "needed_version" in values or "searched_index" in values:
        # Imported here, as in `_describe_build`.
        from torchdoctor.domain.requirements import describe_wanted

        names = ("needed_version", "python_version", "searched_index", "offered_release")
        _add_missing(values, describe_wanted(*map(values.get, names)).items())
    _add_missing(values, describe_choice(values).items())
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
    if build.isdigit():
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


def _judge_allocation(reading: str) -> str | None:
    """Return whether a number of bytes is "small" or "huge", or None for one in between or another unit."""
    number = reading.removesuffix(" bytes")
    if not number.isdigit():
        return None
    return "small" if int(number) < GIB else "huge" if int(number) > 4 * GIB else None


_DERIVED = (
    ("driver_number", "driver_cuda", _read_driver_number),
    ("cuda_tag", "cuda_version", _read_cuda_tag),
    ("python_tag", "python_version", _read_python_tag),
    ("wheel_tag", "wheel_python", _read_wheel_tag),
    ("capability", "sm", _read_capability),
    ("gpu_number", "sm", _read_gpu_number),
)


def read_pip_arguments(units: Sequence[Unit]) -> str | None:
    """Return the arguments of the first `pip install` that stands at the end of a line, or None."""
    lines = (line.text for unit in units for line in unit.lines)
    found = (pattern(_PIP_COMMAND, True).search(line) for line in lines)
    return next((match["pip_arguments"] for match in found if match), None)


def read_build(text: str) -> Mapping[str, str]:
    """Return what keeps the build of torch in commands, if the text names exactly one build."""
    builds = {match[1].lower() for match in pattern(_BUILD, True).finditer(text)}
    return _describe_build(builds.pop()) if len(builds) == 1 else {}


def _describe_build(version: str) -> Mapping[str, str]:
    # Imported here: most texts name no build, and the tables of releases take long to import.
    from torchdoctor.domain.requirements import describe_build

    return describe_build(version)
