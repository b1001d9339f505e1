"""Single lines in which a program says what it runs on: Ultralytics, ComfyUI, web UIs, trainers."""

from collections.abc import Callable, Iterator
from re import Match
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic
from torchdoctor.readers.values import Said


class _Form(NamedTuple):
    """A word that the line must hold, a pattern, and the function from a match to what it says."""

    word: str
    regex: str
    read: Callable[[Match[str]], Iterator[Said]]


def _read_ultralytics(match: Match[str]) -> Iterator[Said]:
    if match["python"]:
        yield Topic.PYTHON, match["python"], ""
    yield from values.read_torch(match["torch"])
    rest = match["rest"]
    for gpu in pattern(r"CUDA:(\d{1,2}) \(([^,)\n]{3,60}), (\d{3,6})(?:\.\d)?\s?Mi?B\)").finditer(rest):
        yield Topic.GPU, gpu[2], gpu[1]
        yield Topic.GPU_MEMORY, str(int(gpu[3]) << 20), gpu[1]
    # Older ones: "CUDA:0 (GeForce RTX 2080 Ti, 11264MB)", and "CUDA" alone for a CPU.
    if "CUDA:" in rest:
        yield Topic.CUDA_AVAILABLE, "yes", ""
    if "ultralytics" in match[0].lower():
        version = pattern(
            r"Ultralytics (?:YOLOv?\w{0,8} ?)?(?:\U0001f680 )?(\d{1,2}\.\d{1,3}\.\d{1,3})"
        ).search(match[0])
        if version:
            yield Topic.PACKAGE, version[1], "ultralytics"


def _read_yolo_device(match: Match[str]) -> Iterator[Said]:
    yield Topic.GPU, match["name"], match["number"]
    yield Topic.GPU_MEMORY, str(int(match["memory"]) << 20), match["number"]


def _read_device(match: Match[str]) -> Iterator[Said]:
    name = match["name"].strip()
    if values.is_nvidia(name):
        yield Topic.GPU, name, match["number"]
        yield Topic.CUDA_AVAILABLE, "yes", ""


def _read_total_memory(match: Match[str]) -> Iterator[Said]:
    yield Topic.MEMORY, str(int(match["ram"]) << 20), ""
    if int(match["vram"]) != int(match["ram"]):
        yield Topic.GPU_MEMORY, str(int(match["vram"]) << 20), "0"


def _read_venv(match: Match[str]) -> Iterator[Said]:
    yield Topic.PYTHON_EXECUTABLE, match["path"], ""
    yield Topic.SYSTEM, "windows", ""


def _read_kohya_gpu(match: Match[str]) -> Iterator[Said]:
    yield Topic.GPU, match["name"], "0"
    yield Topic.GPU_MEMORY, str(int(match["memory"]) << 20), "0"
    yield Topic.GPU_CAPABILITY, f"{match['major']}.{match['minor']}", "0"


def _read_kohya_torch(match: Match[str]) -> Iterator[Said]:
    yield from values.read_torch(match["torch"])


def _read_kohya_backend(match: Match[str]) -> Iterator[Said]:
    yield Topic.TORCH_CUDA, match["cuda"], ""


def _read_python_on(match: Match[str]) -> Iterator[Said]:
    yield Topic.PYTHON, match["version"], ""
    yield from values.read_system(match["system"])


def _read_sdnext_device(match: Match[str]) -> Iterator[Said]:
    yield Topic.GPU, match["name"], "0"
    capability = pattern(r"\bcap=\((\d{1,2}), (\d)\)").search(match["rest"])
    if capability:
        yield Topic.GPU_CAPABILITY, f"{capability[1]}.{capability[2]}", "0"
    cuda = pattern(r"\bcuda=(\d{1,2}\.\d)").search(match["rest"])
    if cuda:
        yield Topic.TORCH_CUDA, cuda[1], ""
    driver = pattern(r"\bdriver=(\d{3}\.\d{2,3})").search(match["rest"])
    if driver:
        yield Topic.DRIVER, driver[1], ""


def _read_sdnext_python(match: Match[str]) -> Iterator[Said]:
    yield Topic.PYTHON, match["version"], ""
    yield from values.read_system(match["system"])
    path = pattern(r"bin=\"([^\"]{5,250})\"").search(match["rest"])
    if path:
        yield Topic.PYTHON_EXECUTABLE, path[1], ""


def _read_incapable(match: Match[str]) -> Iterator[Said]:
    yield Topic.GPU, match["name"], "0"
    yield Topic.GPU_CAPABILITY, f"{match['major']}.{match['minor']}", "0"


def _read_architectures(match: Match[str]) -> Iterator[Said]:
    yield Topic.ARCHITECTURES, " ".join(match["list"].replace(".", "").split()), ""


def _read_found_gpu(match: Match[str]) -> Iterator[Said]:
    if values.is_nvidia(match["name"]):
        yield Topic.GPU, match["name"].strip(), match["number"] or "0"


def _read_you_have(match: Match[str]) -> Iterator[Said]:
    yield from values.read_torch(match["version"])


def _read_numpy(match: Match[str]) -> Iterator[Said]:
    yield Topic.PACKAGE, match["version"], "numpy"


def _read_sdnext_torch(match: Match[str]) -> Iterator[Said]:
    yield from values.read_torch(match["torch"])
    if match["vision"]:
        yield Topic.PACKAGE, match["vision"], "torchvision"


def _read_no_torch(match: Match[str]) -> Iterator[Said]:
    yield Topic.TORCH, "missing", ""


def _read_cpu_build(match: Match[str]) -> Iterator[Said]:
    yield Topic.TORCH_CUDA, "none", ""


def _read_unavailable(match: Match[str]) -> Iterator[Said]:
    yield Topic.CUDA_AVAILABLE, "no", ""


def _read_old_driver(match: Match[str]) -> Iterator[Said]:
    number = int(match["number"])
    yield Topic.DRIVER_CUDA, f"{number // 1000}.{number % 1000 // 10}", ""


def _read_no_driver(match: Match[str]) -> Iterator[Said]:
    yield Topic.DRIVER_STATE, "missing", ""


def _read_capability(match: Match[str]) -> Iterator[Said]:
    yield Topic.GPU_CAPABILITY, match["capability"], "0"


def _read_pip(match: Match[str]) -> Iterator[Said]:
    yield Topic.PACKAGE, match["version"], "pip"


def _read_package(match: Match[str]) -> Iterator[Said]:
    if match["name"].lower() == "torch":
        yield from values.read_torch(match["version"])
    elif match["name"].lower() != "python":
        yield Topic.PACKAGE, match["version"], match["name"]


def _read_mismatch(match: Match[str]) -> Iterator[Said]:
    yield Topic.TOOLKIT, match["toolkit"], ""
    yield Topic.TORCH_CUDA, match["cuda"], ""


def _read_own_python(match: Match[str]) -> Iterator[Said]:
    yield Topic.PYTHON, match["version"], ""


def _read_nvcc(match: Match[str]) -> Iterator[Said]:
    yield Topic.TOOLKIT, match["version"], ""


_TORCH = r"(?P<torch>\d\.\d{1,2}(?:\.\d{1,2})?(?:\.?(?:dev|a|rc)\d{0,10})?(?:\+\w{1,20})?)"
_FORMS = (
    _Form(
        "torch",
        rf"(?:YOLO|Ultralytics)[^\n]{{0,80}}?(?:Python-(?P<python>\d\.\d{{1,2}}\.\d{{1,2}})\s)?t"
        rf"orch[- ]{_TORCH}(?P<rest>[^\n]{{0,400}})",
        _read_ultralytics,
    ),
    _Form(
        "cuda:",
        r"\bCUDA:(?P<number>\d{1,2}) \((?P<name>[^,)\n]{3,60}), (?P<memory>\d{3,6})(?:\.\d)?\s?Mi?B\)",
        _read_yolo_device,
    ),
    _Form(
        "device: cuda",
        r"\bDevice: cuda:(?P<number>\d{1,2}) (?P<name>[^:\n]{3,70}?)(?: : \S.{0,40})?\s*$",
        _read_device,
    ),
    _Form(
        "total vram", r"Total VRAM (?P<vram>\d{3,7}) MB, total RAM (?P<ram>\d{3,8}) MB", _read_total_memory
    ),
    _Form("venv", r"^venv \"(?P<path>[A-Za-z]:\\[^\"\n]{3,250}\.exe)\"", _read_venv),
    _Form(
        "torch detected gpu",
        r"Torch detected GPU: (?P<name>[^\n]{3,70}?) VRAM (?P<memory>\d{3,7}) Arch"
        r" \((?P<major>\d{1,2}), (?P<minor>\d)\)",
        _read_kohya_gpu,
    ),
    _Form("torch", rf"\b(?:INFO|\]:?)\s{{1,6}}Torch {_TORCH}", _read_kohya_torch),
    _Form("torch backend", r"Torch backend: nVidia CUDA (?P<cuda>\d{1,2}\.\d)", _read_kohya_backend),
    _Form(
        "python",
        r"\bPython (?P<version>3\.\d{1,2}\.\d{1,2}) on (?P<system>Windows|Linux|Darwin)\b",
        _read_python_on,
    ),
    _Form(
        "device=", r"\bdevice=(?P<name>NVIDIA [\w -]{3,60}?) n=\d(?P<rest>[^\n]{0,200})", _read_sdnext_device
    ),
    _Form(
        "python",
        r"\bPython:? version=(?P<version>3\.\d{1,2}\.\d{1,2})"
        r" platform=(?P<system>\w{3,10})(?P<rest>[^\n]{0,300})",
        _read_sdnext_python,
    ),
    _Form(
        "cuda capability",
        r"(?:^|\s|: )(?:Found GPU\d{0,2} )?(?P<name>(?:NVIDIA |GeForce |Quadro |Tesla |TITAN"
        r" )[\w .-]{2,60}?) "
        r"(?:with CUDA capability sm_|which is of (?:cuda|compute) capability"
        r" )(?P<major>\d{1,2}?)\.?(?P<minor>\d)(?!\d)",
        _read_incapable,
    ),
    _Form(
        "supports cuda capabilities",
        r"supports CUDA capabilities (?P<list>(?:(?:sm|compute)_\d{2,3}a? ?){1,20})",
        _read_architectures,
    ),
    _Form("found gpu", r"\bFound GPU(?P<number>\d{0,2}):? (?P<name>[A-Za-z][\w .-]{3,60})", _read_found_gpu),
    _Form(
        "mismatches the version",
        r"detected CUDA version \((?P<toolkit>\d{1,2}\.\d)\) mismatches the version that was used to"
        r" compile\sPyTorch \((?P<cuda>\d{1,2}\.\d)\)",
        _read_mismatch,
    ),
    _Form("pytorch has cuda", r"PyTorch has CUDA Version=(?P<cuda>\d{1,2}\.\d)", _read_kohya_backend),
    _Form(
        "you have",
        r"Python {1,4}\d[\d.]{2,8} \(you have (?P<version>\d\.\d{1,2}\.\d{1,2})\)",
        _read_own_python,
    ),
    _Form("your python:", r"Your python: python==?(?P<version>3\.\d{1,2}(?:\.\d{1,2})?)", _read_own_python),
    _Form("cuda runtime", r"^\s*- CUDA Runtime (?P<cuda>\d{1,2}\.\d)", _read_kohya_backend),
    _Form("you have", rf"you have (?:torch |pytorch )?(?P<version>{values.VERSION})\)", _read_you_have),
    _Form("as it may crash", r"^\s*NumPy (?P<version>[12]\.\d{1,2}\.\d{1,2}) as it may crash", _read_numpy),
    _Form(
        "torch==",
        rf"\bTorch: torch=={_TORCH}(?: torchvision==(?P<vision>{values.VERSION}))?",
        _read_sdnext_torch,
    ),
    _Form("package not found: torch", r"Package not found: torch\s*$", _read_no_torch),
    _Form("no module named", r"ModuleNotFoundError: No module named '?torch'?\s*$", _read_no_torch),
    _Form("not compiled with cuda", r"Torch not compiled with CUDA enabled", _read_cpu_build),
    _Form(
        "cuda",
        r"Torch reports CUDA not available|Torch is not able to use GPU|is_available\(\) returned False",
        _read_unavailable,
    ),
    _Form(
        "driver", r"driver on your system is too old \(found version (?P<number>\d{4,5})\)", _read_old_driver
    ),
    _Form("no nvidia driver", r"Found no NVIDIA driver on your system", _read_no_driver),
    _Form(
        "compute capability among",
        r"Highest compute capability among GPUs detected: (?P<capability>\d{1,2}\.\d)",
        _read_capability,
    ),
    _Form(
        "release of pip", r"new release of pip(?: is)? available: (?P<version>\d[\d.]{1,10}) ->", _read_pip
    ),
    _Form(
        "current=",
        rf"package=\"(?P<name>[\w.-]{{2,40}})\"[^\n]{{0,80}} current=(?P<version>{values.VERSION})",
        _read_package,
    ),
    _Form(
        "version of",
        rf"Current version of (?P<name>[\w.-]{{2,40}}): (?P<version>{values.VERSION})",
        _read_package,
    ),
    _Form(
        "✅",
        rf"^(?P<name>[\w.-]{{2,40}})\s{{1,30}}✅ (?P<version>{values.VERSION}(?:-\d{{6,12}})?)",
        _read_package,
    ),
    _Form("cuda compilation tools", r"Cuda compilation tools, release (?P<version>\d{1,2}\.\d)", _read_nvcc),
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what such lines say."""
    text = "\n".join(line for _, line in lines).lower()
    forms = [form for form in _FORMS if form.word in text]
    for number, line in lines:
        lowered = line.lower()
        for form in forms:
            match = pattern(form.regex, True).search(line) if form.word in lowered else None
            for topic, value, subject in form.read(match) if match else ():
                yield Statement(topic, value, number, "one-liners", subject=subject)
