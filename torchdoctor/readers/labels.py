"""The labels of reports and forms, and what the value of each says."""

from collections.abc import Callable, Iterator, Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Topic
from torchdoctor.readers.values import Said
from torchdoctor.readers.wishes import WISH

# Yields what a value says; the label before it is in lower case.
ReadValue = Callable[[str, str], Iterator[Said]]

_PLACE = (
    r"(?<=[\w)]) (?:in|of|inside) (?!.*\b(?:base|global|other)\b)(?:the |my )?[\w. -]{1,30}$"
    r"| \((?:in )?(?:venv|conda)\)$"
)
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
_TORCH_NAME = r"(?:(?:py)?torch(?:==?|[ -]v?)|(?:stable|nightly|release|version) (?=v?\d))"
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
_GPU_NUMBER = r"gpu ?(?P<number>\d{1,2})\b|cuda:(?P<device>\d{1,2})"
_GPU_ITEM = r"\b(?:GPU |\[?)(?P<first>\d)(?:,\d)*\]?: (?P<name>[^,\n]{3,60})"
_PACKAGES = (
    "accelerate", "albumentations", "bitsandbytes", "ctranslate2", "cuda-python", "cupy", "datasets",
    "deepspeed info", "deepspeed", "detectron2", "diffusers", "einops", "faiss", "fastai", "faster-whisper",
    "flash-attn", "flax", "fvcore", "gradio", "huggingface-hub", "intel-openmp", "iopath", "jax", "jaxlib",
    "keras", "kornia", "librosa", "lightning", "matplotlib", "mkl", "mmcv", "mmcv-full", "mmdet",
    "mmengine", "monai", "networkx", "nibabel", "numba", "numpy", "onnx runtime", "onnx", "onnxruntime",
    "onnxruntime-directml", "onnxruntime-gpu", "open-clip-torch", "openai-whisper", "opencv",
    "opencv-python", "optimum", "pandas", "peft", "pillow", "protobuf", "pytorch-ignite",
    "pytorch-lightning", "safetensors", "sageattention", "scikit-image", "scikit-learn", "scipy",
    "sentence-transformers", "streamlit", "tensorboard", "tensorflow", "tensorrt", "timm", "tokenizers",
    "torch-audio", "torch-directml", "torch-geometric", "torch-vision", "torchao", "torchaudio",
    "torchcodec", "torchdata", "torchmetrics", "torchsde", "torchtext", "torchvision", "transformers",
    "triton", "triton-windows", "trl", "ultralytics", "unsloth", "vllm", "whisperx", "xformers",
)  # fmt: skip
_DISTRIBUTIONS = {
    "deepspeed-info": "deepspeed",
    "opencv": "opencv-python",
    "onnx-runtime": "onnxruntime",
    "torch-vision": "torchvision",
    "torch-audio": "torchaudio",
}
# Words of labels that say that something is there, before or after its name.
_LABEL_WORDS = frozenset((
    "version", "versions", "ver", "installed", "current", "currently", "used", "using", "detected",
    "present", "host", "local", "active", "existing", "actual", "main", "primary", "discrete",
    "dedicated", "build", "release", "stack", "runtime", "library", "env", "environment", "edition",
    "number", "details", "spec", "specs", "type", "model", "name", "package", "info", "my", "our", "the",
    "your", "user", "system", "cuda-enabled", "verified", "de", "del", "di", "do", "da", "du", "des",
    "la", "le", "el", "il", "der", "die", "das", "von", "of", "versión", "versione", "versão", "versie",
    "wersja", "sürümü", "verze", "verzió", "versi", "phiên", "bản", "версия", "текущая", "установленная",
    "installierte", "installé", "installée", "instalado", "instalada", "actuelle", "attuale", "aktuelle",
))  # fmt: skip
# Words of a field that asks, besides what it asks for.
_QUESTION_WORDS = frozenset((
    "what", "what's", "which", "how", "much", "many", "is", "are", "do", "does", "did", "you", "your",
    "we", "i", "my", "the", "this", "that", "it", "on", "in", "with", "of", "for", "to", "use", "using",
    "used", "run", "running", "have", "has", "problem", "issue", "bug", "seeing", "see", "experience",
    "experiencing", "occur", "occurs", "happen", "happening", "encounter", "encountered", "when", "where",
    "access", "ui", "program", "app", "application", "platforms", "welche", "welches", "welchen", "haben",
    "sie", "du", "quelle", "quel", "avez", "vous", "qué", "cuál", "es", "tu", "su", "tiene", "какая",
    "какой", "у", "вас",
))  # fmt: skip
_ASKING = frozenset((
    "what", "what's", "which", "how", "are", "do", "your", "my", "our", "welche", "welches", "welchen",
    "quel", "quelle", "qué", "cuál", "какая", "какой",
))  # fmt: skip
_ATTACHED_WORDS = (
    r"版本号?|バージョン|버전|型号|型號|型番|大小|容量|当前|目前|本机|本機|我的|使用的?|已?安装的?|名称|信息"
    r"|现在|現在の?|的|は|您|你|是?什么|哪个|お使いの|ご使用の|사용하는|사용 ?중인"
    r"|גרסת|נוכחי|версия|текущ[а-я]{2,3}|установленн[а-я]{2,3}"
)
_REMARK = r"\s{0,2}\((?!.{0,20}\b(?:min|req|rec|old|opt))[^()]{0,40}\)$"
_PHRASE = (
    r"(?<=\w) (?:in|at|on|bei|im|auf|dans|sur|within|inside|during|after) "
    r"(?!.*\b(?:base|global|other|required|old)\b).{1,40}$"
)
# The words of labels for what nvidia-smi calls the CUDA version, and for the CUDA that torch is built with.
_SMI_CUDA_WORDS = frozenset((
    "cuda", "nvidia-smi", "version", "reported", "shown", "in", "from", "by", "per", "via", "the", "of",
    "according", "to", "max", "driver", "supported", "output", "reports", "shows", "says", "as",
))  # fmt: skip
_TORCH_CUDA_WORDS = frozenset((
    "cuda", "torch", "pytorch", "version", "used", "by", "built", "build", "with", "for", "of", "in", "the",
    "compiled", "runtime", "wheel", "bundled", "from", "against", "s", "uses", "installed", "my",
))  # fmt: skip
# Of these with other words, it is not known what they are about.
_VAGUE_LABELS = frozenset(
    (
        "name",
        "device",
        "hardware",
        "version",
        "windows",
        "memory",
        "sm",
        "graphics",
        "accelerator",
        "system",
        "os",
        "ram",
    )
)


def normalise(label: str) -> str:
    """Return a label in lower case, without the numbers of GPUs."""
    words = (
        label.lower()
        .replace("_", " ")
        .replace("-version", " version")
        .strip(" -*`\"'.?")
        .replace("`", "")
        .replace("(gpu?)", "")
        .replace("(accelerator?)", "")
        .replace("(cpu?/gpu?/tpu?)", "")
        .strip()
    )
    return " ".join(pattern(r"\bgpu ?\(?(?:index )?\d{1,2}(?:,\d{1,2}){0,15}\)?").sub("gpu", words).split())


def find_reader(name: str) -> ReadValue | None:
    """Return what reads the value of a normalised label.

    A place ("torch in .venv") and words that say that it is there ("installed torch") do not matter.
    """
    whole, name = name, pattern(_PLACE).sub("", name)
    found = _READERS.get(name) or _READERS.get(name.removesuffix(" version"))
    if found:
        return found
    plain = _strip_label(_strip_question(name)).removesuffix(" gb")
    if plain == "cuda":
        return _read_cuda
    if "cuda" in whole and len(whole) < 60:
        words = frozenset(pattern(r"[^\w,/&+-]+").sub(" ", whole).split())
        if "nvidia-smi" in words and words <= _SMI_CUDA_WORDS:
            return _read_driver_cuda
        if "(cuda)" not in whole and words & {"torch", "pytorch"} and words <= _TORCH_CUDA_WORDS:
            return _read_torch_cuda
    return None if plain in _VAGUE_LABELS else _READERS.get(plain)


def _strip_question(name: str) -> str:
    """Return a normalised label without the words of a question ("what gpu are you running this on")."""
    words = name.split()
    if words[:1] and words[0] in _ASKING:
        return " ".join(word for word in words if word not in _QUESTION_WORDS)
    return name


def _strip_label(name: str) -> str:
    """Return a normalised label without the words that say that what it names is there."""
    if not name.isascii():
        name = pattern(_ATTACHED_WORDS).sub(" ", name)
    name = pattern(_REMARK).sub("", pattern(_PHRASE).sub("", name, count=1), count=1)
    words = name.split()
    while words and words[-1] in _LABEL_WORDS:
        words.pop()
    while words and words[0] in _LABEL_WORDS:
        words.pop(0)
    return " ".join(words)


def guess_reader(name: str) -> ReadValue | None:
    """Return what reads the value of a normalised label that only has a known word."""
    if pattern(WISH).search(name) or name.endswith((" free", " used")):
        return None
    if "python" in name and not name.startswith("set "):
        return _read_executable
    if name.endswith(" gpu"):
        return _read_gpu
    if name.startswith("vram "):
        return _read_gpu_memory
    return _read_memory if name.startswith("ram ") else None


def names_version(label: str) -> bool:
    """Return whether a label is that of torch, Python or a package."""
    read_value = _READERS.get(normalise(label).removesuffix(" version"))
    return read_value in (_read_torch, _read_python, read_package)


def is_package(name: str) -> bool:
    """Return whether a name in lower case is that of a package that everybody knows."""
    return _READERS.get(name.replace("_", " ")) is read_package


def name_distribution(name: str) -> str:
    """Return the name of the distribution that people call so."""
    name = name.lower().replace(" ", "-")
    return _DISTRIBUTIONS.get(name, name)


def _read_torch(label: str, value: str) -> Iterator[Said]:
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


def _read_python(label: str, value: str) -> Iterator[Said]:
    yield from _read_executable(label, value)
    said = list(values.read_python(pattern(_PYTHON_NAME, True).sub("", value, count=1)))
    yield from said
    if said:
        yield from _read_origin(label, value)


def _read_origin(label: str, value: str) -> Iterator[Said]:
    """Yield that a Python is conda's or that of a venv, if a value says so."""
    conda = pattern(_CONDA, True).search(value) if len(value) < 80 else None
    if conda and not pattern(_NO_CONDA, True).search(value):
        yield Topic.PYTHON_ORIGIN, "conda", ""
    elif pattern(_VENV, True).match(value):
        yield Topic.PYTHON_ORIGIN, "venv", ""


def _read_surroundings(label: str, value: str) -> Iterator[Said]:
    """Yield what the value of a label for the environment says: conda, and the Python in it."""
    yield from _read_origin(label, value)
    python = pattern(r"\bpython[ =:(]{0,3}v?(?=3\.\d)", True).search(value) if len(value) < 80 else None
    if python:
        yield from values.read_python(value[python.end() :])


def _read_system(label: str, value: str) -> Iterator[Said]:
    # The tag of a wheel is no system: uv prints those that there are, "platform: `manylinux_2_28_x86_64`".
    if "manylinux" in value:
        return
    if "windows" in label and pattern(r"(?:1[01]|[78])\b").match(value):
        value = f"Windows {value}"
    said = list(values.read_system(value)) or list(values.read_windows_build(value))
    if not said and pattern(_IN_WSL, True).search(value):
        said = [(Topic.SYSTEM, "linux", "")]
    yield from said


def _read_windows(label: str, value: str) -> Iterator[Said]:
    yield Topic.SYSTEM, "windows", ""
    yield from values.read_windows_build(value)


def read_truth(label: str, value: str) -> Iterator[Said]:
    """Yield whether torch can use CUDA."""
    truth = "yes" if values.is_nvidia(value[:60]) else values.read_truth(value)
    if truth is not None:
        yield Topic.CUDA_AVAILABLE, truth, ""


def _read_torch_cuda(label: str, value: str) -> Iterator[Said]:
    if value.lower() in ("none", "n/a", "cpu"):
        return
    version = pattern(r"v?(\d{1,2}\.\d)(?:\.\d{1,3})?(?![\w.])").match(value)
    if version:
        yield Topic.TORCH_CUDA, version[1], ""
    if value.rstrip(" /").endswith("is available"):
        yield Topic.CUDA_AVAILABLE, "yes", ""


def _read_cuda(label: str, value: str) -> Iterator[Said]:
    """Yield what the words beside a CUDA version say that it is of; without them, it is not known."""
    if pattern(r"[\W_]{0,4}(?:true|false|(?:not |un)?available|不?可用)\b", True).match(value):
        yield from read_truth(label, value)
        return
    sourced = list(pattern(_SOURCED).finditer(value)) if len(value) < 120 else []
    if len(sourced) > 1:
        for each in sourced:
            yield from _read_cuda(f"cuda ({each['source']})", each["version"])
        return
    beside = " ".join(
        match["inside"] or match["behind"]
        for text in (label, value)
        for match in pattern(_BESIDE, True).finditer(text)
    )
    if pattern(r"\d").search(beside):
        return
    readers = ((_OF_TORCH, _read_torch_cuda), (_OF_DRIVER, _read_driver_cuda), (_OF_TOOLKIT, _read_toolkit))
    found = [read_value for words, read_value in readers if pattern(words, True).search(beside)]
    if len(found) == 1:
        yield from found[0](label, value)


def _read_toolkit(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"(?:.{0,60}\bV|.{0,60}release |v|CUDA )?(\d{1,2}\.\d)\b").match(value)
    if version:
        yield Topic.TOOLKIT, version[1], ""


def _read_toolkit_folder(label: str, value: str) -> Iterator[Said]:
    if pattern(r"[A-Za-z]:[\\/]|/").match(value):
        yield Topic.TOOLKIT_FOLDER, value, ""
        version = pattern(r"[\\/]v(\d{1,2}\.\d)\b").search(value)
        if version:
            yield Topic.TOOLKIT, version[1], ""


def _read_driver(label: str, value: str) -> Iterator[Said]:
    # Versions of Intel's drivers can look the same.
    windows_version = values.read_windows_driver(value) if "nvidia" in label else None
    if windows_version:
        yield Topic.DRIVER, windows_version, ""
    name = pattern(_DRIVER_NAME, True).match(value)
    value = value[name.end() :] if name else value
    version = pattern(r"v?(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b").match(value)
    if version:
        yield Topic.DRIVER, version[1], ""
        yield from _read_driver_model(label, value)
        cuda = pattern(_REPORTED_CUDA, True).match(value[version.end() :])
        yield from [(Topic.DRIVER_CUDA, cuda[1], "")] if cuda else []
    elif "cuda" in label:
        yield from _read_driver_cuda(label, value)


def _read_driver_cuda(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"v?(\d{1,2}\.\d)\b").match(value)
    if version:
        yield Topic.DRIVER_CUDA, version[1], ""


def _read_capability(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"(?:sm[_ ]?|\()?(\d{1,2})(?:[.]|, )(\d)\b|sm[_ ]?(\d{1,2})(\d)\b", True).match(value)
    if version:
        yield Topic.GPU_CAPABILITY, f"{version[1] or version[3]}.{version[2] or version[4]}", "0"


def _read_gpu_memory(label: str, value: str) -> Iterator[Said]:
    # "22.5 GB / 24 GB" is what is used of it.
    used = pattern(r"[\d.]{1,8} ?(?:[GM]i?B?)? ?(?:/|of|out of) ?(?=\d)", True).match(value)
    total = value[used.end() :] if used else value
    yield from ((Topic.GPU_MEMORY, size, "0") for _, size, _ in _read_memory(label, total))


def _read_driver_model(label: str, value: str) -> Iterator[Said]:
    model = pattern(r"\b(?:WDDM|TCC|MCDM)\b").search(value)
    if model:
        yield Topic.GPU_MODEL, model[0], "0"


def _read_architectures(label: str, value: str) -> Iterator[Said]:
    listed = pattern(r"(?:sm|compute)_\d{2,3}a?").findall(value)
    if listed:
        yield Topic.ARCHITECTURES, " ".join(listed), ""


def _read_gpu(label: str, value: str) -> Iterator[Said]:
    # "RTX 3060 or better" is what a program needs.
    if pattern(_LEAST, True).search(value):
        return
    value = pattern(_NO_NVIDIA, True).sub("", value)
    items = list(pattern(_GPU_ITEM).finditer(value))
    if items and "GPU" in value[:6]:
        for item in items:
            yield Topic.GPU, item["name"].strip(), item["first"]
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
    if not values.is_gpu(name) or len(name) > 70:
        found = values.find_gpu(value)
        if found is None:
            return
        name = found
    elif pattern(_NO_NAME, True).search(name):
        name = values.find_gpu(name) or name.strip()
    yield Topic.GPU, name, subject
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


def _read_smi(label: str, value: str) -> Iterator[Said]:
    yield from _read_gpu(label, value)
    driver = pattern(r"(?:driver(?: version)?[ :=]{1,2})?v?([3-9]\d\d\.\d{2,3}(?:\.\d\d)?)\b", True).match(
        value
    )
    beside = driver or pattern(_DRIVER_BESIDE, True).search(value)
    if beside:
        yield Topic.DRIVER, beside[1] or beside[2], ""
    cuda = pattern(r"\bcuda(?: version)?[ :]{1,3}(\d\d?\.\d)\b", True).search(value)
    if cuda:
        yield Topic.DRIVER_CUDA, cuda[1], ""


def _read_memory(label: str, value: str) -> Iterator[Said]:
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


def _read_executable(label: str, value: str) -> Iterator[Said]:
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
        name = _strip_label(normalise(name)) or name
    version = pattern(rf"(?:version )?v?({values.VERSION})(?![\w*])").match(value)
    if version:
        yield Topic.PACKAGE, version[1], name_distribution(name)


def _make_labels() -> Mapping[str, ReadValue]:
    """Return the function for each label; " version" at the end of one does not matter."""
    labels = {name.replace("-", " "): read_package for name in _PACKAGES}
    labels.update((name, read_package) for name in _PACKAGES)
    for names, read_value in _LABELS:
        labels.update((name.strip(), read_value) for name in names.split("|"))
    return labels


_LABELS = (
    ("torch|pytorch|torch info|pytorch info|pytorch framework|torch. version", _read_torch),
    ("python|python3|sys.version|global python|python interpreter|파이썬|питон", _read_python),
    (
        "os|platform|operating system|operating systems|operating system (os)|system|sys.platform|windows"
        "|python platform|os name|os platform|os info|my os|host os|system os|version|操作系统|系统|系統"
        "|作業系統|ос"
        "|betriebssystem|système|système d'exploitation|sistema|sistema operativo|운영체제|os version|os"
        " build"
        "|windows version|system version|操作系统版本|系统版本|операционная система|система|os バージョン"
        "|sistema operacional|système exploitation|besturingssysteem|system operacyjny|işletim sistemi"
        "|hệ điều hành|os (windows)|os & version|environment os|client os|desktop os|dev os|host system"
        "|host platform|runtime os|operating system and version|os and version|os/platform|작업 환경|マシン"
        " os",
        _read_system,
    ),
    ("win32|windows build", _read_windows),
    (
        "cuda available|is cuda available|cuda is available|gpu available|has cuda|torch cuda available"
        "|cuda available (pytorch)|is cuda available (pytorch)|torch.cuda.is available()"
        "|torch.cuda.is available|torch cuda is|cuda 是否可用|是否可用 cuda|cuda可用|cuda 可用|gpu"
        " 可用|cuda 利用可能|cuda使用可能"
        "|cuda доступна|доступность cuda|cuda verfügbar|cuda disponible|cuda disponível|cuda"
        " disponibile|cuda 사용 가능"
        "|cuda status|cuda support|cuda enabled|cuda is enabled|cuda.is available()|is available()"
        "|is available|torch cuda is available",
        read_truth,
    ),
    (
        "cuda used to build pytorch|torch cuda|pytorch cuda|cuda compiled|torch.version.cuda",
        _read_torch_cuda,
    ),
    (
        "cuda runtime|nvcc|cuda toolkit|cuda compiler|nvidia cuda toolkit|nvcc -v|nvcc - version|nvcc release"
        "|cuda sdk|local cuda toolkit|cuda toolkit (nvcc)",
        _read_toolkit,
    ),
    ("cuda home|cuda path|cuda root", _read_toolkit_folder),
    (
        "driver|nvidia driver|gpu driver|graphics driver|cuda driver|geforce driver|driver ver|显卡驱动"
        "|treiber|ドライバ|ドライバー|nvidia driver version|gpu driver version|cuda driver version"
        "|pilote nvidia|controlador nvidia|nvidia treiber|nvidia-treiber|драйвер nvidia|nvidia 驱动|驱动"
        "|driver nvidia|nvidia驱动|显卡驱动程序|驱动程序|驅動程式|顯卡驅動|nvidia ドライバー|nvidia ドライバ"
        "|グラフィックドライバー"
        "|grafiktreiber|treiberversion|treiber version|драйвера|драйвера nvidia|controlador"
        "|controlador nvidia|pilote gpu"
        "|gpu treiber|gpu-treiber|grafikkartentreiber|pilote|pilote graphique|драйвер"
        "|драйвер видеокарты|드라이버|nvidia 드라이버|nvidia graphics driver|nvidia gpu driver|display"
        " driver"
        "|video driver|gpu drivers|nvidia drivers|drivers|driver gpu|nvidia-driver|windows nvidia driver",
        _read_driver,
    ),
    (
        "cuda version reported by driver|driver cuda|driver cuda version|cuda version (driver)|max cuda"
        "|cuda max supported by driver|max supported cuda (driver)|max supported cuda"
        "|cuda supported by driver"
        "|driver max cuda|cuda supported|highest supported cuda|maximum cuda version|cuda driver api"
        "|cuda (driver)|max cuda version|cuda version of driver|nvidia-smi cuda version|nvidia-smi cuda",
        _read_driver_cuda,
    ),
    (
        "cuda compute|cuda compute level|compute cap|sm version|gpu architecture|cuda arch|gpu arch"
        "|compute capability|gpu compute capability|cuda compute capability|cuda capability|sm|capability"
        "|device capability|torch.cuda.get device capability()|torch.cuda.get device capability(0)",
        _read_capability,
    ),
    (
        "vram|gpu vram|gpu memory|video memory|gpu ram|vram size|total vram|显存|gpu 显存|显卡显存|gpu显存"
        "|顯存"
        "|gpu memory total|total gpu memory|graphics memory|dedicated video memory|dedicated gpu memory"
        "|видеопамять|ビデオメモリ|grafikspeicher|videospeicher|mémoire vidéo|memoria de video|memória de"
        " vídeo"
        "|gpu total memory|device memory|cuda memory|vram total|memoria de vídeo|memoria vídeo"
        "|비디오 메모리|그래픽 메모리"
        "|グラフィックスメモリ|gpu メモリ|gpuメモリ|gpu 内存|mémoire gpu|memoria gpu|memória gpu"
        "|gpu speicher|память gpu",
        _read_gpu_memory,
    ),
    ("driver model", _read_driver_model),
    ("nvidia-smi|nvidia smi", _read_smi),
    ("library compiled for cuda architectures|torch.cuda.get_arch_list()", _read_architectures),
    (
        "gpu|gpus|gpu name|gpu type|gpu model|gpu models and configuration|gpu device|gpu card|gpu used"
        "|gpu info|gpus used|graphics|graphics card|graphic card|video card|accelerator|nvidia gpu"
        "|nvidia gpu models|cuda device|cuda device name|cuda gpu|device|device name|name|hardware"
        "|torch detected gpu|using torch device|using device|gpu model and memory|nvidia (index)"
        "|gpu cuda capability (maj.min)|显卡|grafikkarte|carte graphique|tarjeta gráfica|placa de vídeo"
        "|그래픽카드|видеокарта|グラフィックボード|グラボ|グラフィックカード|グラフィックス|顯卡|顯示卡"
        "|独立显卡"
        "|显卡 gpu|그래픽 카드"
        "|tarjeta grafica|tarjeta de video|tarjeta de vídeo|placa de video|scheda video|scheda grafica"
        "|karta graficzna|grafische kaart|ekran kartı|card đồ họa|gpu adapter|display adapter|video adapter"
        "|graphics adapter|graphics processor|nvidia card|nvidia graphics card|gpu hardware|gpu 0|gpu unit"
        "|gpu present|target gpu|dev gpu|training gpu|local gpu|test gpu|gpu(s)|gpu/accelerator|gpu device"
        " name"
        "|torch.cuda.get device name(0)|torch.cuda.get device name",
        _read_gpu,
    ),
    (
        "total physical memory (gb)|ram|memory|system ram|total ram|physical ram|host ram|ram size"
        "|system memory|primary memory|total memory|physical memory"
        "|total physical memory|ram total|memory size|メモリ"
        "|内存|озу|оперативная память|память|mémoire vive|speicher ram|系统内存大小"
        "|arbeitsspeicher|mémoire|mémoire ram|memoria ram|ram détectée|installed memory|記憶體"
        "|installed memory (ram)|物理内存|系统内存|运行内存|memória ram|pamięć ram|メモリー|메모리|램|host"
        " memory|cpu ram|cpu memory|total system ram"
        "|total system memory|main memory|werkgeheugen|hauptspeicher|system ram total|mem",
        _read_memory,
    ),
    (
        "environment|env|python environment|python env|virtual environment|virtual env|virtualenv"
        "|package manager"
        "|environment manager|env manager|env type|environment type|installation method|install method"
        "|installation type|installed via|installed with|installed using|how you installed pytorch"
        "|how did you install|how did you install pytorch|how you installed pytorch (conda, pip, source)"
        "|installation|conda env|conda environment|conda version|conda"
        "|安装方式|虚拟环境|python 环境|环境|環境"
        "|umgebung|entorno|environnement|ambiente|окружение|виртуальное окружение|virtuelle umgebung"
        "|entorno virtual|environnement virtuel|ambiente virtual|ambiente virtuale|仮想環境",
        _read_surroundings,
    ),
    (
        "executable|sys.executable|python executable|python path|python executable path|python bin",
        _read_executable,
    ),
)
_READERS = _make_labels()
