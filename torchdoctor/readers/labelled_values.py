"""What a value says, by what its label names: torch, a driver, a GPU, memory and others.

Each function takes a label in lower case and its value.
"""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.card_names import find_cards, spell
from torchdoctor.readers.known_packages import is_package, name_distribution
from torchdoctor.readers.label_words import normalise, strip_label
from torchdoctor.readers.statements import Topic
from torchdoctor.readers.values import Said

_DEVICE_SUFFIX = (
    r"\s{0,2}(?::\s{0,2}(?:cudaMallocAsync|native)\b.{0,40}|\(arch=.{0,20}"
    r"|,\s?\d{3,6}\s?Mi?B.{0,40}|VRAM \d.{0,80}|\(\d{1,2}(?:\.\d)?\s?GB\).{0,20})$"
)
_DRIVER_BESIDE = (
    r"(?:\b(?:driver|драйвер|treiber|pilote|controlador)|驱动|驅動|ドライバー?|드라이버)"
    r"(?: ?version| ?版本| ?バージョン| ?버전)?[ :：=v]{0,4}"
    r"(?P<version>[3-6]\d\d\.\d\d)\b"
    # Behind a card, no other number looks like this.
    r"|[(（,/|] ?v?(?P<bare>[3-6]\d\d\.\d\d)(?:\.\d\d)?\s{0,2}(?:[)）,/|]|$)"
)
# What people write before the version of torch or Python where the label names it already.
_TORCH_NAME = r"(?:(?:py)?torch(?: version)?(?: ?==? ?|[ -]v?)|(?:stable|nightly|release|version) (?=v?\d))"
_PYTHON_NAME = (
    r"(?:(?:c?python|anaconda3?|miniconda3?|miniforge3?|conda|embedded|portable|official|microsoft store"
    r"|standalone"
    r"|64[- ]bit|version)[ ,-]{1,2}(?:version )?|python(?=3\.)){1,3}(?=v?\d\.)"
)
_WHEEL = (
    r"torch-(?P<version>[12]\.[\w.]{1,20}(?:(?:\+"
    r"|%2B)\w{1,12})?)-cp3(?P<minor>\d{1,2})?[\w-]{0,40}(?:\.whl)?$"
)
_CONDA = r"\b(?:ana|mini)?conda3?\b|\bconda-forge\b|\bmini(?:forge|mamba)\b|\bmambaforge\b|\bmicromamba\b"
_VENV = r"(?:[\w.]{1,10} \(?)?\b(?:(?:python )?\.?venv|virtual ?env(?:ironment)?)\b(?![\\/])"
_NO_CONDA = r"\b(?:no|not|without|non|or|nor|vs)\b|n't\b|\?|/ ?conda|conda ?/"
# Who answers so, beside Windows, has a Linux in it.
_IN_WSL = (
    r"\bwin(?:dows)?\b[^,;/&\n]{0,30}?(?:[ ,;(+:-]{1,3}|/ ?(?=wsl ?2?\)? ?\(?(?:ubuntu|debian|fedora|arch"
    r"|kali|opensuse)))"
    r"(?:with |via |under |using |in |through |inside |running |on )?\(?wsl ?[12]?\b(?! ?(?:and|or|/|&|also"
    r"|too)\b)"
)
# Modules of memory: "2x16GB".
_MODULES = r"(?P<count>[1248]) ?[x×*] ?(?P<size>\d{1,3}) ?(?:GB?|GiB|Go)\b"
# What people write before the version of a driver, and behind it.
_DRIVER_NAME = (
    r"(?:(?:nvidia|geforce|game[- ]ready|studio|grd|sd|whql|driver|version|latest|newest"
    r"|current)[ ,:(]{1,2}){1,5}(?=v?\d{3}\.)"
)
_REPORTED_CUDA = (
    r"[\s,;(/-]{1,4}(?:which )?(?:reports?|reporting|shows|supports?|supporting|up to|max\w{0,4}|with max"
    r"|says)"
    r" (?:up to )?(?:cuda(?: version)?)[ :=]{1,2}(\d{1,2}\.\d)\b"
    # In brackets behind a driver stands what it supports; a toolkit is called one.
    r"|\s?[(（]\s?cuda(?: version)?[ :=]{0,2}v?(\d{1,2}\.\d)\s?[)）]"
)
# What a number behind "CUDA" is the version of, by the words beside it.
_OF_TORCH = r"torch\b|\bbuild\b|compiled"
_OF_DRIVER = r"\bdriver|\bsmi\b|nvidia-smi|驱动|驅動|ドライバ|드라이버|treiber|pilote|драйвер|controlador"
_OF_TOOLKIT = r"nvcc|toolkit"
_SOURCED = r"(?:^|[,;/ ])v?(?P<version>\d{1,2}\.\d)(?:\.\d{1,3})? ?[(（](?P<source>[^()（）\d]{2,40})[)）]"
_BESIDE = r"[(（](?P<inside>[^()（）]{2,40})[)）]|\b(?:via|from|by|of|per) (?P<behind>[\w-]{2,20})"
# What is no part of the name of a card.
_NO_NAME = (
    r"windows|linux|ubuntu|python|torch|cuda|driver|[,;(/|]|\bvram\b|\b(?:and|with|so|but|which|because"
    r"|if|it|i)\b|\d ?(?:gb?|go|гб)\b"
    r"|\bx ?\d\b"
)
_ARCHITECTURE = (
    r"(?:arch=|capability[^\d\n]{0,30}|arch )\(?(?P<major>\d{1,2})(?:\.|, )(?P<minor>\d)\)?"
    r"|\bsm[_ ]?(?P<sm>\d{1,2})\.?(?P<step>\d)\b"
)
# "4080 RTX"
_REVERSED_CARD = r"\b([1-5]0[5-9]0(?: ?ti| ?super)?) (rtx|gtx)\b(?! ?\d)"
_LEAST = (
    r"\bor (?:better|newer|higher|above|later|equivalent|similar|more|faster)\b|\bat least\b"
    r"|\bminimum\b|以上|及以上"
    r"|\bo superior\b|\bou (?:mieux|superior|plus)\b|\boder (?:besser|neuer|höher)|или (?:лучше|выше|новее)"
)
_NO_NVIDIA = r"[,;(/]?\s?\b(?:no|not|without|non)(?: an?| any)?[ -]nvidia\b[^,;()\n]{0,30}\)?"
# What joins two cards of one machine.
_BESIDE_CARD = r"\s{0,2}\+\s{0,2}|\s{1,2}(?:&|and)\s{1,2}"
_MOST_CARDS = 4
_GPU_NUMBER = r"gpu ?(?P<number>\d{1,2})\b|cuda:(?P<device>\d{1,2})"
_GPU_ITEM = r"\b(?:GPU |\[?)(?P<first>\d)(?:,\d)*\]?: (?P<name>[^,\n]{3,60})"


def read_torch(label: str, value: str) -> Iterator[Said]:
    """Yield the version of torch, also from the name of a wheel, with the Python that this is for."""
    wheel = pattern(_WHEEL).match(value)
    if wheel:
        yield from values.read_torch(wheel["version"].replace("%2B", "+"))
        if wheel["minor"]:
            yield Topic.PYTHON, f"3.{wheel['minor']}", ""
        return
    yield from values.read_build(pattern(_TORCH_NAME, True).sub("", value, count=1))
    truth = pattern(r"\((True|False)\)\s*$").search(value)
    if truth and "gpu" in label:
        yield Topic.CUDA_AVAILABLE, "yes" if truth[1] == "True" else "no", ""


def read_python(label: str, value: str) -> Iterator[Said]:
    """Yield the version of Python, where it is, and whether it is of conda or of a venv."""
    yield from read_executable(label, value)
    said = list(values.read_python(pattern(_PYTHON_NAME, True).sub("", value, count=1)))
    yield from said
    if said:
        yield from read_origin(label, value)


def read_origin(label: str, value: str) -> Iterator[Said]:
    """Yield that a Python is conda's or that of a venv, if a value says so."""
    conda = pattern(_CONDA, True).search(value) if len(value) < 80 else None
    if conda and not pattern(_NO_CONDA, True).search(value):
        yield Topic.PYTHON_ORIGIN, "conda", ""
    elif pattern(_VENV, True).match(value):
        yield Topic.PYTHON_ORIGIN, "venv", ""


def read_surroundings(label: str, value: str) -> Iterator[Said]:
    """Yield what the value of a label for the environment says: conda, and the Python in it."""
    yield from read_origin(label, value)
    python = pattern(r"\bpython[ =:(]{0,3}v?(?=3\.\d)", True).search(value) if len(value) < 80 else None
    if python:
        yield from values.read_python(value[python.end() :])


def read_system(label: str, value: str) -> Iterator[Said]:
    """Yield the operating system, or the build of Windows; Windows with WSL in use is Linux."""
    # The tag of a wheel is no system: uv prints those that there are, "platform: `manylinux_2_28_x86_64`".
    if "manylinux" in value:
        return
    if "windows" in label and pattern(r"(?:1[01]|[78])\b").match(value):
        value = f"Windows {value}"
    said = list(values.read_system(value)) or list(values.read_windows_build(value))
    if not said and pattern(_IN_WSL, True).search(value):
        said = [(Topic.SYSTEM, "linux", "")]
    yield from said


def read_windows(label: str, value: str) -> Iterator[Said]:
    """Yield that the system is Windows, and its build."""
    yield Topic.SYSTEM, "windows", ""
    yield from values.read_windows_build(value)


def read_truth(label: str, value: str) -> Iterator[Said]:
    """Yield whether torch can use CUDA."""
    truth = "yes" if values.is_nvidia(value[:60]) else values.read_truth(value)
    if truth is not None:
        yield Topic.CUDA_AVAILABLE, truth, ""


def read_torch_cuda(label: str, value: str) -> Iterator[Said]:
    """Yield the CUDA version that torch was built with; "is available" says that torch can use it."""
    if value.lower() in ("none", "n/a", "cpu"):
        return
    version = pattern(r"v?(\d{1,2}\.\d)(?:\.\d{1,3})?(?!\.?\w)").match(value)
    if version:
        yield Topic.TORCH_CUDA, version[1], ""
    # fastai: "10.0 / is **Not available**"
    answer = pattern(r"\bis (?P<no>not )?available[ /]{0,4}$", True).search(value.replace("*", ""))
    if answer:
        yield Topic.CUDA_AVAILABLE, "no" if answer["no"] else "yes", ""


def read_cuda(label: str, value: str) -> Iterator[Said]:
    """Yield what the words beside a CUDA version say that it is of; without them, it is not known."""
    if pattern(r"[\W_]{0,4}(?:true|false|(?:not |un)?available|不?可用)\b", True).match(value):
        yield from read_truth(label, value)
        return
    sourced = list(pattern(_SOURCED).finditer(value)) if len(value) < 120 else []
    if len(sourced) > 1:
        for each in sourced:
            yield from read_cuda(f"cuda ({each['source']})", each["version"])
        return
    beside = " ".join(
        match["inside"] or match["behind"]
        for text in (label, value)
        for match in pattern(_BESIDE, True).finditer(text)
    )
    if pattern(r"\d").search(beside):
        return
    readers = ((_OF_TORCH, read_torch_cuda), (_OF_DRIVER, read_driver_cuda), (_OF_TOOLKIT, read_toolkit))
    found = [read_value for words, read_value in readers if pattern(words, True).search(beside)]
    if len(found) == 1:
        yield from found[0](label, value)


def read_toolkit(label: str, value: str) -> Iterator[Said]:
    """Yield the version of the CUDA toolkit, also from what nvcc prints."""
    version = pattern(r"(?:.{0,60}\bV|.{0,60}release |v|CUDA )?(\d{1,2}\.\d)\b").match(value)
    if version:
        yield Topic.TOOLKIT, version[1], ""


def read_toolkit_folder(label: str, value: str) -> Iterator[Said]:
    """Yield the folder of the CUDA toolkit, and its version if the folder has it in its name."""
    if pattern(r"[A-Za-z]:[\\/]|/").match(value):
        yield Topic.TOOLKIT_FOLDER, value, ""
        version = pattern(r"[\\/]v(\d{1,2}\.\d)\b").search(value)
        if version:
            yield Topic.TOOLKIT, version[1], ""


def read_driver(label: str, value: str) -> Iterator[Said]:
    """Yield the version of the NVIDIA driver, and what CUDA it supports if the value says so."""
    # Versions of Intel's drivers can look the same.
    windows_version = values.read_windows_driver(value) if "nvidia" in label else None
    if windows_version:
        yield Topic.DRIVER, windows_version, ""
    name = pattern(_DRIVER_NAME, True).match(value)
    value = value[name.end() :] if name else value
    version = pattern(r"v?(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b").match(value)
    if version:
        yield Topic.DRIVER, version[1], ""
        yield from read_driver_model(label, value)
        cuda = pattern(_REPORTED_CUDA, True).match(value[version.end() :])
        yield from [(Topic.DRIVER_CUDA, cuda[1] or cuda[2], "")] if cuda else []
    elif "cuda" in label:
        yield from read_driver_cuda(label, value)


def read_driver_cuda(label: str, value: str) -> Iterator[Said]:
    """Yield the newest CUDA version that the driver supports."""
    version = pattern(r"v?(\d{1,2}\.\d)\b").match(value)
    if version:
        yield Topic.DRIVER_CUDA, version[1], ""


def read_capability(label: str, value: str) -> Iterator[Said]:
    """Yield the compute capability of GPU 0, as "8.6"."""
    version = pattern(r"(?:sm[_ ]?|\()?(\d{1,2})(?:[.]|, )(\d)\b|sm[_ ]?(\d{1,2})(\d)\b", True).match(value)
    if version:
        yield Topic.GPU_CAPABILITY, f"{version[1] or version[3]}.{version[2] or version[4]}", "0"


def read_gpu_memory(label: str, value: str) -> Iterator[Said]:
    """Yield the memory of GPU 0 in bytes."""
    # "22.5 GB / 24 GB" is what is used of it.
    used = pattern(r"[\d.]{1,8} ?(?:[GM]i?B?)? ?(?:/|of|out of) ?(?=\d)", True).match(value)
    total = value[used.end() :] if used else value
    yield from ((Topic.GPU_MEMORY, size, "0") for _, size, _ in read_memory(label, total))


def read_driver_model(label: str, value: str) -> Iterator[Said]:
    """Yield the driver model of GPU 0: WDDM, TCC or MCDM."""
    model = pattern(r"\b(?:WDDM|TCC|MCDM)\b").search(value)
    if model:
        yield Topic.GPU_MODEL, model[0], "0"


def read_architectures(label: str, value: str) -> Iterator[Said]:
    """Yield the architectures that torch has code for, as "sm_80 sm_86"."""
    listed = pattern(r"(?:sm|compute)_\d{2,3}a?").findall(value)
    if listed:
        yield Topic.ARCHITECTURES, " ".join(listed), ""


def read_gpu(label: str, value: str) -> Iterator[Said]:
    """Yield each GPU with its number, and what stands beside it: capability, driver, memory in bytes."""
    # "RTX 3060 or better" is what a program needs.
    if pattern(_LEAST, True).search(value):
        return
    value = pattern(_NO_NVIDIA, True).sub("", value)
    items = list(pattern(_GPU_ITEM).finditer(value))
    if items and "GPU" in value[:6]:
        for item in items:
            yield Topic.GPU, item["name"].strip(), item["first"]
        return
    value = pattern(r"(?<=\w)\.$").sub("", value.rstrip())
    cards = pattern(_BESIDE_CARD, True).split(value) if len(value) < 160 else []
    if 1 < len(cards) <= _MOST_CARDS and all(values.is_gpu(card) for card in cards):
        for place, card in enumerate(cards):
            for topic, said, subject in read_gpu("gpu", card):
                yield topic, said, str(place) if subject else ""
        return
    value = pattern(_REVERSED_CARD, True).sub(r"\2 \1", value, count=1)
    number = pattern(_GPU_NUMBER).search(f"{label} {value}")
    subject = (number["number"] or number["device"]) if number else "0"
    capability = pattern(_ARCHITECTURE, True).search(value)
    if "capability" in label:
        plain = pattern(r"(\d{1,2})\.(\d)").match(value)
        if plain:
            yield Topic.GPU_CAPABILITY, plain[0], subject
        return
    name = pattern(r"cuda(?::\d{1,2})? ").sub("", pattern(_DEVICE_SUFFIX).sub("", value), count=1)
    name = pattern(r"^[1-9] ?[x×*] ?(?=[A-Za-z(])", True).sub("", name.strip(" `*'\""), count=1)
    if not values.is_gpu(name) or len(name) > 70 or "nvidia-smi" in name.lower():
        found = [each.name for each in find_cards(value)]
        name = values.find_gpu(value) or (found[0] if len(found) == 1 else "")
        if not name:
            return
    elif pattern(_NO_NAME, True).search(name):
        name = values.find_gpu(name) or name.strip()
    yield Topic.GPU, spell(name), subject
    if capability:
        major, minor = capability["major"] or capability["sm"], capability["minor"] or capability["step"]
        yield Topic.GPU_CAPABILITY, f"{major}.{minor}", subject
    driver = pattern(_DRIVER_BESIDE, True).search(value)
    if driver:
        yield Topic.DRIVER, driver["version"] or driver["bare"], ""
    memory = pattern(r"(?:,\s?|VRAM )(\d{3,6})\s?(?:MiB|MB)?").search(value)
    beside = values.read_card_memory(value)
    if memory and int(memory[1]) >= 1000:
        yield Topic.GPU_MEMORY, str(int(memory[1]) << 20), subject
    elif beside is not None:
        yield Topic.GPU_MEMORY, str(beside), subject


def read_smi(label: str, value: str) -> Iterator[Said]:
    """Yield the GPU, the driver and its CUDA version from a line about nvidia-smi."""
    yield from read_gpu(label, value)
    driver = pattern(r"(?:driver(?: version)?[ :=]{1,2})?v?([3-9]\d\d\.\d{2,3}(?:\.\d\d)?)\b", True).match(
        value
    )
    beside = driver or pattern(_DRIVER_BESIDE, True).search(value)
    if beside:
        yield Topic.DRIVER, beside[1] or beside[2], ""
    cuda = pattern(r"\bcuda(?: version)?[ :]{1,3}(\d\d?\.\d)\b", True).search(value)
    if cuda:
        yield Topic.DRIVER_CUDA, cuda[1], ""


def read_memory(label: str, value: str) -> Iterator[Said]:
    """Yield the memory of the machine in bytes."""
    # So many digits without a unit are bytes.
    is_bytes = pattern(r"\d{9,13}$").match(value) is not None
    modules = pattern(_MODULES, True).match(value)
    if modules:
        yield Topic.MEMORY, str(int(modules["count"]) * int(modules["size"]) << 30), ""
        return
    # A small number alone is one of gigabytes.
    is_plain = pattern(r"\d{1,3}$").match(value) is not None and 2 <= int(value) <= 768
    size = int(value) if is_bytes else values.read_bytes(value, "GB" if is_plain or "gb" in label else "")
    if size is not None and size >= 1 << 30:
        yield Topic.MEMORY, str(size), ""


def read_executable(label: str, value: str) -> Iterator[Said]:
    """Yield where Python is; a path with backslashes says that the system is Windows."""
    path = pattern(
        r"[A-Za-z]:[\\/][^\"*?<>|]{1,250}python[\w.]{0,8}\.exe|/[^\"*?<>|\s]{1,250}/python[\d.]{0,6}", True
    ).match(value)
    if path:
        yield Topic.PYTHON_EXECUTABLE, path[0].replace("\\\\", "\\"), ""
        if "\\" in path[0]:
            yield Topic.SYSTEM, "windows", ""


def read_package(label: str, value: str) -> Iterator[Said]:
    """Yield the version of the package that the label names."""
    name = label.partition("(")[0].strip().removesuffix(" version").strip()
    if not is_package(name):
        name = strip_label(normalise(name)) or name
    version = pattern(rf"(?:version )?v?({values.VERSION})(?![\w*])").match(value)
    if version:
        yield Topic.PACKAGE, version[1], name_distribution(name)
