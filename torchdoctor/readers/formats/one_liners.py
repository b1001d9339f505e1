"""Single lines in which a program says what it runs on: Ultralytics, ComfyUI, web UIs, trainers, torch."""

from collections.abc import Iterator
from re import Match
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic
from torchdoctor.readers.values import Said

_NAME = "one-liners"


class _Form(NamedTuple):
    """A line: a word in lower case that it must hold, a pattern, and what the line says in any case.

    The names of the groups are what their values are; see `_read_groups`.
    """

    word: str
    regex: str
    says: tuple[Said, ...] = ()


_TORCH = r"\d\.\d{1,2}(?:\.\d{1,2})?(?:\.?(?:dev|a|rc)\d{0,10})?(?:\+\w{1,20})?"
_PYTHON = r"3\.\d{1,2}\.\d{1,2}"
_CUDA = r"\d{1,2}\.\d"
_VERSION = values.VERSION
_FLAG = r"-gencode;arch=compute_\d{2,3}a?,code=(?:sm|compute)_\d{2,3}a?"
_XFORMERS = r"0\.0\.\d{1,3}(?:\.post\d)?"
_HAS_CUDA: tuple[Said, ...] = ((Topic.CUDA_AVAILABLE, "yes", ""),)
_NO_CUDA: tuple[Said, ...] = ((Topic.CUDA_AVAILABLE, "no", ""),)
_LINUX: tuple[Said, ...] = ((Topic.SYSTEM, "linux", ""),)
_NO_TORCH: tuple[Said, ...] = ((Topic.TORCH, "missing", ""),)
_TRIED = (
    r"(?:cuda[\w ]{0,16}[:= ]{1,2})?(?:(?P<cuda>\d{2}\.\d)|None)?[ ,|;/()]{0,4}"
    r"(?:(?:torch\.)?(?:cuda|cuda[_ .]?)?(?:is[_ ])?(?:avail\w{0,6}|ok)?(?:\(\))?[:="
    r" ]{1,3})?\b(?P<available>True|False)\b"
    r"(?:[ ,|;/]{1,4}(?:device|gpu|name)?[\w ]{0,8}[:= ]{0,2}(?P<gpu>NVIDIA[\w .-]{3,50}))?"
)
_FORMS = (
    # Ultralytics, and YOLOv5; other cards follow on lines of their own.
    _Form(
        "torch",
        rf"(?:YOLO|Ultralytics)[^\n]{{0,80}}?Python-(?P<python>{_PYTHON})\storch[- ]"
        rf"(?P<torch>{_TORCH})",
    ),
    _Form("torch", rf"(?-i:YOLOv5)[^\n,]{{0,80}}? torch (?P<torch>{_TORCH}) \(?(?:CUDA|CPU|MPS)"),
    _Form(
        "ultralytics", r"Ultralytics (?:YOLOv?\w{0,8} ?)?(?:🚀 )?(?P<ultralytics>\d{1,2}\.\d{1,3}\.\d{1,3})"
    ),
    _Form(
        "cuda:",
        r"\bCUDA:(?P<number>\d{1,2}) \((?P<gpu>[^,)\n]{3,60}), (?P<mib>\d{3,6})(?:\.\d)?\s?Mi?B\)",
        _HAS_CUDA,
    ),
    _Form("✅", rf"^(?P<package>[\w.-]{{2,40}})\s{{1,30}}✅ (?P<version>{_VERSION}(?:-\d{{6,12}})?)"),
    _Form("setup complete", r"Setup complete [^\n]{0,20}\(\d{1,4} CPUs, (?P<ram_gib>\d{1,4}\.\d) GB RAM"),
    _Form("cuda   ", rf"^CUDA\s{{8,40}}(?P<cuda>{_CUDA})\s*$"),
    # ComfyUI and Forge.
    _Form(
        "device: cuda",
        r"\bDevice: cuda:(?P<number>\d{1,2}) (?P<gpu>[^:\n]{3,70}?)(?: : \S.{0,40})?\s*$",
        _HAS_CUDA,
    ),
    _Form("total vram", r"Total VRAM (?P<mib>\d{3,7}) MB, total RAM (?P<ram_mib>\d{3,8}) MB"),
    _Form("version of", rf"Current version of (?P<package>[\w.-]{{2,40}}): (?P<version>{_VERSION})"),
    _Form(
        "using python",
        r"^using python \"(?P<executable>[A-Za-z]:\\[^\"\n]{3,250}\.exe)\"",
        ((Topic.SYSTEM, "windows", ""),),
    ),
    _Form(
        "venv",
        r"^venv \"(?P<executable>[A-Za-z]:\\[^\"\n]{3,250}\.exe)\"",
        ((Topic.SYSTEM, "windows", ""), (Topic.PYTHON_ORIGIN, "venv", "")),
    ),
    _Form('"ram":', r"^\s*\"RAM\": \{ \"total\": \"(?P<ram_gib>\d{1,4}(?:\.\d{1,2})?)GB\""),
    _Form("not able to use gpu", r"Torch is not able to use GPU", _NO_CUDA),
    _Form("not able to access", r"\bPyTorch is not able to access (?:CUDA|GPU)\b", _NO_CUDA),
    # kohya and SD.Next.
    _Form(
        "torch detected gpu",
        r"Torch detected GPU: (?P<gpu>[^\n]{3,70}?) VRAM (?P<mib>\d{3,7})"
        r" Arch \((?P<capability>\d{1,2}, \d)\)",
    ),
    _Form(
        "implementation:",
        rf"\bVersion: (?P<python>{_PYTHON}), Implementation: CPython, Compiler: MSC v\.\d{{4}}"
        r" (?P<bits>32|64) bit",
        ((Topic.PYTHON_IMPLEMENTATION, "CPython", ""),),
    ),
    _Form("torch", rf"(?:^|\b(?:INFO|\]:?)\s{{1,6}})Torch (?P<torch>{_TORCH})\s*$"),
    _Form("torch backend", rf"Torch backend: nVidia CUDA (?P<cuda>{_CUDA})"),
    _Form("torch reports", r"Torch reports CUDA not available", _NO_CUDA),
    _Form("python", rf"\bPython (?P<python>{_PYTHON}) on (?P<system>Windows|Linux|Darwin)\b"),
    _Form("python", rf"\bPython:? version=(?P<python>{_PYTHON}) platform=(?P<system>\w{{3,10}})"),
    _Form("python", r"\bPython:? version=[^\n]{5,80} bin=\"(?P<executable>[^\"]{5,250})\""),
    _Form("device=", r"\bdevice=(?P<gpu>NVIDIA [\w -]{3,60}?) n=\d"),
    _Form("device=", rf"\bdevice=NVIDIA [^\n]{{3,160}} cuda=(?P<cuda>{_CUDA})"),
    _Form("device=", r"\bdevice=NVIDIA [^\n]{3,160} cap(?:ability)?=\((?P<capability>\d{1,2}, \d)\)"),
    _Form("device=", r"\bdevice=NVIDIA [^\n]{3,160} driver=(?P<driver>\d{3}\.\d{2,3})"),
    _Form("torch==", rf"\bTorch: torch==(?P<torch>{_TORCH})(?: torchvision==(?P<torchvision>{_VERSION}))?"),
    _Form(
        "current=", rf"package=\"(?P<package>[\w.-]{{2,40}})\"[^\n]{{0,80}} current=(?P<version>{_VERSION})"
    ),
    _Form("package not found: torch", r"Package not found: torch\s*$", _NO_TORCH),
    # RVC and bitsandbytes.
    _Form("found gpu", r"\bFound GPU(?P<number>\d{0,2}):? (?P<gpu>[A-Za-z](?:(?! which )[\w .-]){3,60})"),
    _Form("among gpus", rf"Highest compute capability among GPUs detected: (?P<capability>{_CUDA})"),
    _Form("is_available", r"is_available\(\) returned False", _NO_CUDA),
    # torch, and what is compiled for it.
    _Form(
        "cuda capability",
        r"(?P<gpu>(?:NVIDIA |GeForce |Quadro |Tesla |TITAN )[\w .-]{2,60}?) with CUDA capability"
        r" sm_(?P<sm>\d{2,3})",
    ),
    _Form(
        "not compatible with the",
        r"(?P<no_code>CUDA capability sm_\d{2,3}) is not compatible with the (?:current PyTorch"
        r"|(?:current|installed) (?:build|version) of PyTorch|installed (?:PyTorch )?(?:build|version))",
    ),
    _Form(
        "no longer supports this gpu", r"PyTorch (?P<dropped>no longer supports this GPU) because it is too"
    ),
    _Form(
        "if you want to use the",
        r"If you want to use the (?P<gpu>[^\n]{3,70}?) GPU with PyTorch, please check",
    ),
    # A kernel of torch, not one that was compiled for it.
    _Form("no kernel image", r"(?P<no_image>no kernel image is available)"),
    _Form(
        "capability",
        r"Found GPU\d{0,2} (?P<gpu>[\w .-]{4,60}?) which is of (?:cuda|compute) capability"
        r" (?:\(CC\) )?(?P<capability>\d{1,2}\.\d)",
    ),
    _Form(
        "supports cuda",
        r"supports CUDA capabilities:?\s{1,8}(?P<architectures>(?:(?:sm|compute)_\d{2,3}a? ?){1,20})",
    ),
    # What torch.__config__.show() prints, as MMCV and Detectron2 do.
    _Form(
        "nvcc architecture flags",
        # Whole ones only: each build has more than three, and a line that is cut ends in one.
        rf"NVCC architecture flags: (?P<flags>(?:{_FLAG};){{3,24}}{_FLAG})\s*$",
    ),
    # It is printed for a card outside of these two only.
    _Form(
        "minimum and maximum",
        r"Minimum and Maximum cuda capability supported by this version of PyTorch is"
        r"\s{1,20}\((?P<least>\d{1,2}\.\d)\) - \((?P<most>\d{1,2}\.\d)\)",
    ),
    _Form(
        "deviceproperties(",
        r"DeviceProperties\(name='(?P<gpu>[^'\n]{3,60})'(?:, major=(?P<major>\d{1,2}), minor=(?P<step>\d))?,"
        r" total_memory=(?P<mib>\d{3,7})MB",
    ),
    # The reports of CuPy and Numba.
    _Form("device ", r"^Device (?P<number>\d{1,2}) Name\s{1,40}: (?P<gpu>\S[^\n]{2,60}?)\s*$"),
    _Form("cuda driver version", r"^CUDA Driver Version\s{1,40}: (?P<driver_number>\d{5})\s*$"),
    _Form("cuda driver version", rf"^CUDA Driver Version\s{{1,40}}: (?P<driver_cuda>{_CUDA})\s*$"),
    _Form("python version", rf"^Python Version\s{{2,40}}: (?P<python>{_PYTHON})\s*$"),
    _Form("memory total", r"^Memory Total \(MB\)\s{1,40}: (?P<ram_mib>\d{3,8})\s*$"),
    _Form(
        "supported]", r"^id (?P<number>\d{1,2})\s{1,24}(?:b')?(?P<gpu>\w[^'\n]{2,60}?)'?\s{1,60}\[SUPPORTED\]"
    ),
    # What a line of a script prints of torch: its version, its CUDA, whether it can use it, the card.
    _Form(
        "torch",
        rf"^\W{{0,4}}(?:py)?torch(?: version)?(?:[:= ]{{1,3}}|==)'?(?P<torch>{_TORCH})'?[ ,"
        rf"|;/()]{{1,4}}{_TRIED}",
    ),
    _Form("+cu", rf"^\W{{0,4}}(?P<torch>{_TORCH})'?[ ,|;/]{{1,4}}{_TRIED}"),
    # Out of memory, in the words of several releases.
    _Form(
        "total capac",
        r"GPU (?P<number>\d{1,2})(?:; | has a total capaci?ty of )(?P<gib>\d{1,3}\.\d{1,2}) GiB",
    ),
    # A line of a log with names and values.
    _Form("torch=", r"(?<![\w.-])torch=(?P<torch>[12]\.\d{1,2}\.\d{1,2}\+(?:cu\d{2,3}|cpu)), \w{1,30}="),
    # What a web UI says of its torch.
    _Form("autocast", rf"(?<![\w.])(?P<torch>{_TORCH}) +autocast\b"),
    _Form(
        "not compiled with cuda", r"Torch not compiled with CUDA enabled", ((Topic.TORCH_CUDA, "none", ""),)
    ),
    _Form(
        "no module named",
        r"(?P<lacks>(?:ModuleNotFound|Import)Error: No module named ['\"`]?torch(?![\w.]\w)"
        r"[\s'\"`*.)\]。]{0,8})(?:$|(?<=\. ))",
    ),
    _Form(
        "too old",
        r"(?P<too_old>driver on your system is too old) \(found version (?P<driver_number>\d{4,5})\)",
    ),
    _Form(
        "no nvidia driver", r"Found no NVIDIA driver on your system", ((Topic.DRIVER_STATE, "missing", ""),)
    ),
    _Form("cuda runtime", rf"^\s*- CUDA Runtime (?P<cuda>{_CUDA})"),
    _Form(
        "mismatches the version",
        rf"detected CUDA version \((?P<toolkit>{_CUDA})\) mismatches the version that was used to"
        rf" compile\sPyTorch \((?P<cuda>{_CUDA})\)",
    ),
    # What a model was trained with is another torch.
    _Form("pytorch version", rf"\bPyTorch version (?P<torch>{_TORCH}) available\."),
    _Form("yours is", rf"was trained with torch [\w.+]{{3,30}}, yours is (?P<torch>{_TORCH})"),
    _Form("pytorch has cuda", rf"PyTorch has CUDA [Vv]ersion[= ](?P<cuda>{_CUDA})"),
    _Form("/compiler.", rf"\bcuda_(?P<toolkit>{_CUDA})\.r{_CUDA}/compiler\."),
    _Form("cuda compilation tools", rf"Cuda compilation tools, release (?P<toolkit>{_CUDA})"),
    # What Linux prints of itself, its card and the driver.
    _Form(
        "nvrm version",
        r"NVRM version: [^\n\d]{5,60}\d{0,2}_?\d{0,2}[^\n\d]{5,60}(?P<driver>\d{3}\.\d{1,3}(?:\.\d\d)?)\s",
        _LINUX,
    ),
    _Form("product: ", r"^\s*product: \w{2,8} \[(?P<gpu>[^\]\n]{5,60})\]", _LINUX),
    _Form(
        "nvidia corporation ",
        r"controller(?: \[\d{4}\])?: NVIDIA Corporation \w{2,8} \[(?P<gpu>[^\]\n]{5,60})\]",
        _LINUX,
    ),
    _Form("gnu/linux", r"^\s*Linux \S{1,60} \d\.\d[^\n]{5,160}GNU/Linux\s*$", _LINUX),
    _Form("gcc", r"\bgcc (?:version|\([^)\n]{0,20}\)) ?[\d.]{0,8} ?\((?:Ubuntu|Debian|Red Hat|GCC)", _LINUX),
    # The report of a launcher of ComfyUI and web UIs that is used in China.
    _Form("cuda driver:", r"^\s*CUDA Driver:\s{1,4}Version: (?P<driver_number>\d{5})\b"),
    _Form(
        ".0 ",
        r"^\s*[\dA-Fa-f]{8}:[\dA-Fa-f]{2}:[\dA-Fa-f]{2}\.\d (?P<number>\d{1,2}): (?P<gpu>[^\[\n]{3,60}?)"
        r" \[(?P<sm>\d{2,3})\] (?P<gib>\d{1,3}) GB\b",
    ),
    # The page of components in NVIDIA's control panel.
    _Form(
        "nvcuda",
        rf"\bNVCUDA\w{{0,4}}\.DLL\s[^\n]{{0,40}}NVIDIA CUDA (?P<driver_cuda>{_CUDA})\.\d{{1,3}} driver",
    ),
    _Form("driver supports up to", rf"\bdriver supports up to CUDA (?P<driver_cuda>{_CUDA})"),
    # Extensions of torch that are built when they are needed.
    _Form(
        "pytorch extensions root",
        r"_extensions[\\/](?:Cache[\\/])?py3(?P<minor>\d{1,2})_(?P<build>cpu"
        r"|cu\d{2,3})\b as PyTorch extensions root",
    ),
    _Form(
        "no cuda runtime is found",
        r"No CUDA runtime is found, using CUDA_HOME='(?P<home>[^'\n]{3,200})'",
        _NO_CUDA,
    ),
    # Warp.
    _Form("cuda toolkit", rf"^\s*CUDA Toolkit {_CUDA}, Driver (?P<driver_cuda>{_CUDA})\s*$"),
    _Form(
        '"cuda:',
        r"^\s*\"cuda:(?P<number>\d{1,2})\"\s{1,12}: \"(?P<gpu>[^\"\n]{3,60})\""
        r" \((?P<gib>\d{1,3}) GiB, sm_(?P<sm>\d{2,3})\b",
    ),
    # Unsloth: its CUDA is the compute capability, and its CUDA Toolkit the CUDA of torch.
    _Form("unsloth", r"\bUnsloth (?P<unsloth>\d{4}\.\d{1,2}\.\d{1,2}): "),
    _Form("transformers:", rf"\bTransformers: (?P<transformers>{_VERSION})\.\s*$"),
    _Form(
        "max memory:",
        r"(?P<gpu>NVIDIA [^.\n]{3,60})\. (?:Num GPUs = \d{1,3}\. )?Max memory: (?P<gib>\d{1,4}\.\d{1,3}) GB\."
        r" Platform: (?P<system>\w{3,10})\.",
    ),
    _Form(
        "cuda toolkit:",
        rf"\bTorch: (?P<torch>{_TORCH})\. CUDA: (?P<capability>\d{{1,2}}\.\d)\."
        rf" CUDA Toolkit: (?P<cuda>{_CUDA})\. Triton: (?P<triton>{_VERSION})",
    ),
    _Form("xformers =", rf"\bFA \[Xformers = (?P<xformers>{_XFORMERS})\."),
    # Why programs fall back on the processor.
    _Form("neither cuda", r"Neither CUDA nor \w{2,8} (?:is|are) available", _NO_CUDA),
    _Form("no cuda gpus are available", r"RuntimeError: No CUDA GPUs are available", _NO_CUDA),
    # uv, pipenv, poetry, pyenv and pip say which Python they use.
    _Form(
        "python", rf"\bUsing (?:C?Python|PyPy) (?P<python>{_PYTHON})(?: (?:environment|interpreter) at|$|\n)"
    ),
    _Form(
        ".python-version", r"\.python-version` from `[^`\n]{1,20}` -> `(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)`"
    ),
    _Form(".python-version", r"Pinned `\.python-version` to `(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)`"),
    _Form("using ", rf"^\s*Using \S{{0,80}}python[\d.]{{0,5}} \((?P<python>{_PYTHON})\)"),
    _Form("(set by", rf"^\s*(?:\* )?(?P<python>{_PYTHON}) \(set by "),
    _Form("(python ", r"\bpip \d[\d.]{1,10} from [^\n]{5,250} \(python (?P<python>3\.\d{1,2})\)"),
    # The head of nvidia-smi, without its frame and name.
    _Form(
        "driver version:",
        rf"\bDriver Version: (?P<driver>\d{{3}}\.\d{{2,3}}(?:\.\d\d)?)\s{{1,20}}CUDA Version:"
        rf" (?P<driver_cuda>{_CUDA})",
    ),
    # xformers, NumPy, pip and conda.
    _Form("you have", rf"you have (?:torch |pytorch )?(?P<torch>{_VERSION})\)"),
    _Form(
        "you have",
        r"^\s*PyTorch (?P<built>[12]\.\d{1,2}\.\d{1,2})\S{0,30}(?: with CUDA \d{3,5}\w{0,4})? \(you have ",
    ),
    _Form("you have", rf"Python {{1,4}}\d[\d.]{{2,8}} \(you have (?P<python>{_PYTHON})\)"),
    _Form("as it may crash", r"^\s*NumPy (?P<numpy>[12]\.\d{1,2}\.\d{1,2}) as it may crash"),
    _Form("release of pip", r"new release of pip(?: is)? available: (?P<pip>\d[\d.]{1,10}) ->"),
    _Form("but you have", rf"is tested with 3\.[\d.]{{1,6}} Python, but you have (?P<python>{_PYTHON})"),
    _Form("your python:", r"Your python: python==?(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)"),
)
# The groups whose value is that of a topic.
_TOPICS = {
    "python": Topic.PYTHON,
    "bits": Topic.PYTHON_BITS,
    "cuda": Topic.TORCH_CUDA,
    "toolkit": Topic.TOOLKIT,
    "driver": Topic.DRIVER,
    "driver_cuda": Topic.DRIVER_CUDA,
    "executable": Topic.PYTHON_EXECUTABLE,
}
# The groups with a size of memory, and the bytes of its unit.
_CARD_SIZES = {"mib": 1 << 20, "gib": 1 << 30}
_MACHINE_SIZES = {"ram_mib": 1 << 20, "ram_gib": 1 << 30}
# The groups with a warning of torch, and what it is about.
_WARNINGS = {"no_image": "kernel", "too_old": "driver", "dropped": "card"}
# pip and uv build a package in an environment of its own, which has no torch.
_BUILDING = (
    r"get_requires_for_build|Getting requirements to build|build_meta|pip-build-env|pip-install-|builds-v0"
    r"|subprocess-exited-with-error|egg_info|bdist_wheel|Preparing metadata|prepare_metadata|build backend"
    r"|\bsetup\.py\b|Building wheel|no-build-isolation"
)
_NEAR_BUILD = 30
_BROKEN = (
    "version of PyTorch is",
    "CUDA capabilities:",
    "CUDA capabilities",
    "used to compile",
    "of compute",
    "of cuda",
    "CUDA Driver:",
    '"RAM": {',
)
_BROKEN_DEVICE = r"Torch detected GPU: [^\n]{3,70} VRAM \d{3,7}\s{0,40}$"
_PACKAGES = ("ultralytics", "torchvision", "numpy", "pip", "unsloth", "transformers", "triton", "xformers")


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what such lines say."""
    text = "\n".join(line for _, line in lines).lower()
    forms = [form for form in _FORMS if form.word in text]
    for index, (number, line) in enumerate(lines):
        is_broken = line.endswith(_BROKEN) or pattern(_BROKEN_DEVICE).search(line)
        if is_broken and index + 1 < len(lines):
            # torch breaks its warnings there, and a narrow console others.
            line = f"{line.rstrip()} {lines[index + 1][1].lstrip()}"
        lowered = line.lower()
        for form in forms:
            match = pattern(form.regex, True).search(line) if form.word in lowered else None
            if match is None or ("lacks" in match.re.groupindex and _is_building(lines, index)):
                continue
            for topic, value, subject in (*_read_groups(match), *form.says):
                yield Statement(topic, value, number, _NAME, subject=subject)


def _is_building(lines: Lines, index: int) -> bool:
    """Return whether a line is near what pip prints where it builds a package."""
    near = lines[max(0, index - _NEAR_BUILD) : index + _NEAR_BUILD]
    return any(pattern(_BUILDING).search(line) for _, line in near)


def _read_groups(match: Match[str]) -> Iterator[Said]:
    """Yield what the groups of a form say."""
    groups = {name: value.strip() for name, value in match.groupdict().items() if value}
    card = groups.get("number", "0")
    if "gpu" in groups and not values.is_nvidia(groups["gpu"]):
        return
    for name, value in groups.items():
        if name in _TOPICS:
            yield _TOPICS[name], value, ""
        elif name in _PACKAGES:
            yield Topic.PACKAGE, value, name
        elif name == "torch":
            yield from values.read_torch(value)
        elif name == "system":
            yield from values.read_system(value)
        elif name == "gpu":
            yield Topic.GPU, value.strip("()"), card
        elif name in _CARD_SIZES:
            # Without a card, ComfyUI shows the memory of the machine as that of the card.
            if groups.get("ram_mib") != value:
                yield Topic.GPU_MEMORY, str(round(float(value) * _CARD_SIZES[name])), card
        elif name in _MACHINE_SIZES:
            yield Topic.MEMORY, str(round(float(value) * _MACHINE_SIZES[name])), ""
        elif name == "available":
            yield Topic.CUDA_AVAILABLE, "yes" if value.lower() == "true" else "no", ""
        elif name == "capability":
            yield Topic.GPU_CAPABILITY, value.replace(", ", "."), card
        elif name == "major":
            yield Topic.GPU_CAPABILITY, f"{value}.{groups['step']}", card
        elif name == "sm":
            yield Topic.GPU_CAPABILITY, f"{value[:-1]}.{value[-1]}", card
        elif name == "architectures":
            yield Topic.ARCHITECTURES, " ".join(value.split()), ""
        elif name == "flags":
            yield Topic.ARCHITECTURES, " ".join(pattern(r"(?<=code=)\w+").findall(value)), ""
        elif name == "most":
            ends = (groups["least"], value)
            yield Topic.ARCHITECTURES, " ".join(f"sm_{each.replace('.', '')}" for each in ends), ""
        elif name == "minor":
            yield Topic.PYTHON, f"3.{value}", ""
        elif name == "build":
            yield from values.read_build_tag(f"+{value}")
        elif name == "home":
            yield Topic.TOOLKIT_FOLDER, value, ""
            toolkit = pattern(r"[\\/]v(\d{1,2}\.\d)$").search(value)
            yield from [(Topic.TOOLKIT, toolkit[1], "")] if toolkit else []
        elif name == "built":
            yield Topic.REQUIRED_TORCH, f"=={value}", "xformers"
        elif name == "lacks":
            yield Topic.TORCH, "missing", ""
        elif name == "no_code":
            # The words of torch, however a console breaks them.
            yield Topic.TORCH_WARNING, f"{value} is not compatible with the current PyTorch", "code"
        elif name in _WARNINGS:
            yield Topic.TORCH_WARNING, value, _WARNINGS[name]
        elif name == "driver_number":
            yield Topic.DRIVER_CUDA, f"{int(value) // 1000}.{int(value) % 1000 // 10}", ""
    yield from _read_package(groups)


def _read_package(groups: dict[str, str]) -> Iterator[Said]:
    name = groups.get("package", "").lower()
    if name == "torch":
        yield from values.read_torch(groups["version"])
    elif name and name != "python":
        yield Topic.PACKAGE, groups["version"], groups["package"]
