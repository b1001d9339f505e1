"""The labels of reports and forms, and what the value of each says."""

from collections.abc import Callable, Iterator, Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Topic
from torchdoctor.readers.values import Said

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
    r"\b(?:driver|драйвер|treiber|pilote|controlador|驱动|ドライバー?)(?: version)?[ :=v]{0,4}"
    r"(?P<version>[3-6]\d\d\.\d\d)\b"
)
# What is no part of the name of a card.
_NO_NAME = (
    r"windows|linux|ubuntu|python|torch|cuda|driver|[,;(/|]|\bvram\b|\b(?:and|with)\b|\d ?gb\b|\bx ?\d\b"
)
_ARCHITECTURE = r"(?:arch=|capability[^\d\n]{0,30}|arch )\(?(?P<major>\d{1,2})(?:\.|, )(?P<minor>\d)\)?"
_GPU_NUMBER = r"gpu ?(?P<number>\d{1,2})\b|cuda:(?P<device>\d{1,2})"
_GPU_ITEM = r"\b(?:GPU |\[?)(?P<first>\d)(?:,\d)*\]?: (?P<name>[^,\n]{3,60})"
_PACKAGES = (
    "accelerate", "bitsandbytes", "cuda-python", "deepspeed", "deepspeed info", "diffusers", "fastai",
    "flash-attn", "flax", "gradio", "huggingface-hub", "jax", "jaxlib", "kornia", "lightning", "mkl",
    "mmcv", "mmcv-full", "mmdet", "mmengine", "monai", "numpy", "onnx", "onnxruntime", "onnxruntime-gpu",
    "opencv", "pandas", "peft", "pillow", "protobuf", "pytorch-lightning", "safetensors", "sageattention",
    "scikit-image", "scikit-learn", "scipy", "tensorboard", "tensorflow", "timm", "tokenizers",
    "torchaudio", "torchdata", "torchmetrics", "torchtext", "torchvision", "transformers", "triton",
    "triton-windows", "ultralytics", "xformers",
)  # fmt: skip
_DISTRIBUTIONS = {"deepspeed-info": "deepspeed", "opencv": "opencv-python", "nibabel": "nibabel"}


def normalise(label: str) -> str:
    """Return a label in lower case, without the numbers of GPUs."""
    words = (
        label.lower()
        .replace("_", " ")
        .strip(" -*`\"'.?")
        .replace("(gpu?)", "")
        .replace("(accelerator?)", "")
        .replace("(cpu?/gpu?/tpu?)", "")
        .strip()
    )
    return " ".join(pattern(r"\bgpu ?\(?(?:index )?\d{1,2}(?:,\d{1,2}){0,15}\)?").sub("gpu", words).split())


def find_reader(name: str) -> ReadValue | None:
    """Return what reads the value of a normalised label; a place (`torch in .venv`) does not matter."""
    name = pattern(_PLACE).sub("", name)
    return _READERS.get(name) or _READERS.get(name.removesuffix(" version"))


def guess_reader(name: str) -> ReadValue | None:
    """Return what reads the value of a normalised label that only has a known word."""
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


def _read_torch(label: str, value: str) -> Iterator[Said]:
    yield from values.read_torch(value.removeprefix("torch=="))
    truth = pattern(r"\((True|False)\)\s*$").search(value)
    if truth and "gpu" in label:
        yield Topic.CUDA_AVAILABLE, "yes" if truth[1] == "True" else "no", ""


def _read_python(label: str, value: str) -> Iterator[Said]:
    yield from _read_executable(label, value)
    yield from values.read_python(value.removeprefix("Python ").removeprefix("python "))


def _read_system(label: str, value: str) -> Iterator[Said]:
    # The tag of a wheel is no system: uv prints those that there are, "platform: `manylinux_2_28_x86_64`".
    if "manylinux" in value:
        return
    yield from list(values.read_system(value)) or values.read_windows_build(value)


def _read_windows(label: str, value: str) -> Iterator[Said]:
    yield Topic.SYSTEM, "windows", ""
    yield from values.read_windows_build(value)


def read_truth(label: str, value: str) -> Iterator[Said]:
    """Yield whether torch can use CUDA."""
    truth = values.read_truth(value)
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


def _read_toolkit(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"(?:.{0,60}\bV|.{0,60}release |v)?(\d{1,2}\.\d)\b").match(value)
    if version:
        yield Topic.TOOLKIT, version[1], ""


def _read_toolkit_folder(label: str, value: str) -> Iterator[Said]:
    if pattern(r"[A-Za-z]:[\\/]|/").match(value):
        yield Topic.TOOLKIT_FOLDER, value, ""
        version = pattern(r"[\\/]v(\d{1,2}\.\d)\b").search(value)
        if version:
            yield Topic.TOOLKIT, version[1], ""


def _read_driver(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"v?(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b").match(value)
    if version:
        yield Topic.DRIVER, version[1], ""
        yield from _read_driver_model(label, value)


def _read_driver_cuda(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"v?(\d{1,2}\.\d)\b").match(value)
    if version:
        yield Topic.DRIVER_CUDA, version[1], ""


def _read_capability(label: str, value: str) -> Iterator[Said]:
    version = pattern(r"(?:sm_?)?(\d{1,2})[.](\d)\b|sm_?(\d{1,2})(\d)\b", True).match(value)
    if version:
        yield Topic.GPU_CAPABILITY, f"{version[1] or version[3]}.{version[2] or version[4]}", "0"


def _read_gpu_memory(label: str, value: str) -> Iterator[Said]:
    yield from ((Topic.GPU_MEMORY, size, "0") for _, size, _ in _read_memory(label, value))


def _read_driver_model(label: str, value: str) -> Iterator[Said]:
    model = pattern(r"\b(?:WDDM|TCC|MCDM)\b").search(value)
    if model:
        yield Topic.GPU_MODEL, model[0], "0"


def _read_architectures(label: str, value: str) -> Iterator[Said]:
    listed = pattern(r"(?:sm|compute)_\d{2,3}a?").findall(value)
    if listed:
        yield Topic.ARCHITECTURES, " ".join(listed), ""


def _read_gpu(label: str, value: str) -> Iterator[Said]:
    items = list(pattern(_GPU_ITEM).finditer(value))
    if items and "GPU" in value[:6]:
        for item in items:
            yield Topic.GPU, item["name"].strip(), item["first"]
        return
    number = pattern(_GPU_NUMBER).search(f"{label} {value}")
    subject = (number["number"] or number["device"]) if number else "0"
    capability = pattern(_ARCHITECTURE, True).search(value)
    if "capability" in label:
        plain = pattern(r"(\d{1,2})\.(\d)").match(value)
        if plain:
            yield Topic.GPU_CAPABILITY, plain[0], subject
        return
    name = pattern(r"cuda(?::\d{1,2})? ").sub("", pattern(_DEVICE_SUFFIX).sub("", value), count=1)
    name = name.strip(" `*'\"")
    if not values.is_gpu(name) or len(name) > 70:
        found = values.find_gpu(value)
        if found is None:
            return
        name = found
    elif pattern(_NO_NAME, True).search(name):
        name = values.find_gpu(name) or name.strip()
    yield Topic.GPU, name, subject
    if capability:
        yield Topic.GPU_CAPABILITY, f"{capability['major']}.{capability['minor']}", subject
    driver = pattern(_DRIVER_BESIDE, True).search(value)
    if driver:
        yield Topic.DRIVER, driver["version"], ""
    memory = pattern(r"(?:,\s?|VRAM )(\d{3,6})\s?(?:MiB|MB)?").search(value)
    gigabytes = pattern(values.CARD_MEMORY, True).findall(value)
    if memory and int(memory[1]) >= 1000:
        yield Topic.GPU_MEMORY, str(int(memory[1]) << 20), subject
    elif len(gigabytes) == 1:
        yield Topic.GPU_MEMORY, str(round(float(gigabytes[0].replace(",", ".")) * (1 << 30))), subject


def _read_memory(label: str, value: str) -> Iterator[Said]:
    size = values.read_bytes(value, "GB" if "gb" in label else "")
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
    name = label.partition("(")[0].strip().removesuffix(" version").strip().replace(" ", "-")
    version = pattern(rf"v?({values.VERSION})(?![\w*])").match(value)
    if version:
        yield Topic.PACKAGE, version[1], _DISTRIBUTIONS.get(name, name)


def _make_labels() -> Mapping[str, ReadValue]:
    """Return the function for each label; " version" at the end of one does not matter."""
    labels = {name.replace("-", " "): read_package for name in _PACKAGES}
    labels.update((name, read_package) for name in _PACKAGES)
    for names, read_value in _LABELS:
        labels.update((name.strip(), read_value) for name in names.split("|"))
    return labels


_LABELS = (
    ("torch|pytorch|torch info|pytorch info|version of pytorch|pytorch ver", _read_torch),
    ("python|python3|global python|python info|version of python|system python|python ver", _read_python),
    (
        "os|platform|operating system|operating systems|operating system (os)|system|sys.platform|windows"
        "|python platform|os name|os platform|os info|my os|host os|system os|version|操作系统|系统|系統|ос"
        "|betriebssystem|système|système d'exploitation|sistema|sistema operativo|운영체제",
        _read_system,
    ),
    ("win32|windows build", _read_windows),
    (
        "cuda available|is cuda available|cuda is available|gpu available|has cuda|torch cuda available"
        "|cuda available (pytorch)|is cuda available (pytorch)|torch.cuda.is available()"
        "|torch.cuda.is available|torch cuda is",
        read_truth,
    ),
    (
        "cuda used to build pytorch|torch cuda|pytorch cuda|cuda compiled|torch.version.cuda",
        _read_torch_cuda,
    ),
    ("cuda runtime|nvcc|cuda toolkit|cuda compiler|nvidia cuda toolkit", _read_toolkit),
    ("cuda home|cuda path|cuda root", _read_toolkit_folder),
    (
        "driver|nvidia driver|gpu driver|graphics driver|cuda driver|geforce driver|driver ver|显卡驱动"
        "|treiber|ドライバ|ドライバー|nvidia driver version|gpu driver version|cuda driver version"
        "|pilote nvidia|controlador nvidia|nvidia treiber|nvidia-treiber|драйвер nvidia|nvidia 驱动|驱动"
        "|driver nvidia",
        _read_driver,
    ),
    (
        "cuda version reported by driver|driver cuda|driver cuda version|cuda version (driver)|max cuda"
        "|cuda (driver)|max cuda version|cuda version of driver|nvidia-smi cuda version|nvidia-smi cuda",
        _read_driver_cuda,
    ),
    (
        "compute capability|gpu compute capability|cuda compute capability|cuda capability|sm",
        _read_capability,
    ),
    ("vram|gpu vram|gpu memory|video memory|gpu ram|vram size|total vram|显存|gpu 显存", _read_gpu_memory),
    ("driver model", _read_driver_model),
    ("library compiled for cuda architectures|torch.cuda.get_arch_list()", _read_architectures),
    (
        "gpu|gpus|gpu name|gpu type|gpu model|gpu models and configuration|gpu device|gpu card|gpu used"
        "|gpu info|gpus used|graphics|graphics card|graphic card|video card|accelerator|nvidia gpu"
        "|nvidia gpu models|cuda device|cuda device name|cuda gpu|device|device name|name|hardware"
        "|torch detected gpu|using torch device|using device|gpu model and memory|nvidia (index)"
        "|gpu cuda capability (maj.min)|显卡|grafikkarte|carte graphique|tarjeta gráfica|placa de vídeo"
        "|그래픽카드|видеокарта|グラフィックボード|グラボ",
        _read_gpu,
    ),
    (
        "total physical memory (gb)|ram|memory|system ram|total ram|physical ram|host ram|ram size"
        "|system memory|total memory|physical memory|total physical memory|ram total|memory size|メモリ"
        "|内存|озу|arbeitsspeicher|mémoire|mémoire ram|memoria ram|ram détectée",
        _read_memory,
    ),
    (
        "executable|sys.executable|python executable|python path|python executable path|python bin",
        _read_executable,
    ),
)
_READERS = _make_labels()
