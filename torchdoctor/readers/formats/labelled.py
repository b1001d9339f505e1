"""Lines with a label and a value: the reports of collect_env, mmengine, transformers, ComfyUI and others.

The labels are those of many programs, and of the forms of issue trackers. A line counts as printed by a
program if lines near it are, or if nobody would write its value by hand.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic
from torchdoctor.readers.values import Said

# What only the report of a program has.
_SIGNS = (
    r"is debug build|to build pytorch|sys\.platform|\(gpu\?\)|torch vram|^\*\* |torch env"
    r" info|torch_env_info|nvidia gpus"
    r"|python platform|pytorch debug build|monai version|collecting environment|total vram|embedded python"
    r"|launching web ui|`(?:transformers|accelerate|diffusers|peft)` version|=== software"
    r"|pytorch compiling details"
    r"|cuda_compiled_version|comfyui version:|prestartup times|cudnn version|^\s*\* cuda:|^\s*- architecture:"
)
# How many lines around such a line are part of the report.
_REPORT_LINES = 25
# Nobody writes these by hand.
_PRINTED_VALUE = r"\+cu\d|\+cpu|\[MSC v|\(tags/|packaged by|-SP0|\(main, |\bMiB\b|WindowsPE|10\.0\.\d{5}"
_LABELLED = (
    r"\s*(?:[-*+•>#]{1,4}\s{1,3}|\[[ xX]\] |\* |[・●■◆○•] ?|\d[.)] ){0,3}"
    r"[*`\"'_{]{0,4}(?P<label>[^\W\d_][\w ().?/-]{0,44}?)[*`\"'_]{0,4}"
    r"(?:\s{0,24}[:：=](?!=)[*`\"'_]{0,3}\s{0,3}|\s{2,40}(?=\S))(?P<value>\S.{0,400})"
)
_SEPARATOR = r" {1,4}[•|] {1,4}|[\u00a0 ]{0,4}•[\u00a0 ]{0,4}"
# A value that says what is wanted or missing, and none of the machine.
_NO_VALUE = (
    r"(?:n/?a\b|none\b|could not collect|not (?:found|installed|available|applicable"
    r"|detected|sure|relevant)|unknown"
    r"|no cuda\b|\?|-+$|no response|_no response_|latest|any\b|all\b|\[e\.?g|e\.g\.|[<>=~^!])"
)
_DEVICE_SUFFIX = (
    r"\s{0,2}(?::\s{0,2}(?:cudaMallocAsync|native)\b.{0,40}|\(arch=.{0,20}"
    r"|,\s?\d{3,6}\s?Mi?B.{0,40}|VRAM \d.{0,80}|\(\d{1,2}(?:\.\d)?\s?GB\).{0,20})$"
)
_ARCHITECTURE = r"(?:arch=|capability[^\d\n]{0,30}|arch )\(?(?P<major>\d{1,2})(?:\.|, )(?P<minor>\d)\)?"
_GPU_NUMBER = r"gpu ?(?P<number>\d{1,2})\b|cuda:(?P<device>\d{1,2})"
_GPU_ITEM = r"\b(?:GPU |\[?)(?P<first>\d)(?:,\d)*\]?: (?P<name>[^,\n]{3,60})"
_PACKAGES = (
    "accelerate", "bitsandbytes", "cuda-python", "deepspeed", "diffusers", "fastai", "flash-attn", "gradio",
    "kornia", "lightning", "mkl", "mmcv", "mmcv-full", "mmdet", "mmengine", "monai", "numpy", "onnx",
    "onnxruntime", "onnxruntime-gpu", "opencv", "pandas", "peft", "pillow", "protobuf", "pytorch-lightning",
    "safetensors", "sageattention", "scikit-image", "scikit-learn", "scipy", "tensorboard", "tensorflow",
    "timm", "tokenizers", "torchaudio", "torchdata", "torchmetrics", "torchtext", "torchvision",
    "transformers", "triton", "triton-windows", "ultralytics", "xformers",
)  # fmt: skip
_DISTRIBUTIONS = {"opencv": "opencv-python", "nibabel": "nibabel"}


class _Label(NamedTuple):
    """A pattern of labels, and the function from a value to what it says."""

    regex: str
    read: Callable[[str, str], Iterator[Said]]


def _join_headings(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, and for a heading of a form with one line below it, both as a label and its value."""
    filled = [(number, line.strip()) for number, line in lines if line.strip()]
    below = {number: (later, value) for (number, _), (later, value) in pairwise(filled)}
    for number, line in lines:
        yield number, line
        heading = pattern(r"#{2,4} (?P<label>[^\n:]{2,44}?)\s*\??\s*$").match(line.strip())
        if heading and number in below and not below[number][1].startswith(("#", "```")):
            later, value = below[number]
            yield later, f"{heading['label']}: {value}"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what labelled lines say."""
    lines = list(_join_headings(lines))
    signs = [index for index, (_, text) in enumerate(lines) if pattern(_SIGNS, True).search(text)]
    section = ""
    for index, (number, line) in enumerate(lines):
        is_report = any(abs(index - sign) <= _REPORT_LINES for sign in signs)
        heading = pattern(r"\s*[*-] (CUDA|Packages|Lightning|System):\s*$").match(line)
        section = heading[1] if heading else section if line[:1] in " \t*-" else ""
        for part in pattern(_SEPARATOR).split(line) if "•" in line or " | " in line else (line,):
            match = pattern(_LABELLED).match(part)
            if match is None:
                continue
            value = match["value"].strip().strip("`*\"',").strip()
            label = _normalise(match["label"])
            is_printed = is_report or pattern(_PRINTED_VALUE).search(value) is not None
            for topic, said, subject in _read_label(label, value, section if is_report else ""):
                yield Statement(topic, said, number, "labelled", is_printed, subject)


def _normalise(label: str) -> str:
    words = label.lower().replace("_", " ").strip(" -*`\"'.?")
    return " ".join(words.split())


def _read_label(label: str, value: str, section: str) -> Iterator[Said]:
    if section == "CUDA" and label in ("available", "version"):
        label = f"torch cuda {label}"
    if section == "System" and label == "version":
        yield from values.read_windows_build(value)
        return
    for each in _LABELS:
        if pattern(each.regex, True).fullmatch(label):
            if label in ("pytorch version", "torch version") and value.lower() in ("n/a", "none"):
                yield Topic.TORCH, "missing", ""
            elif pattern(_NO_VALUE, True).match(value) is None or each.read is _read_truth:
                yield from each.read(label, value)
            return


def _read_torch(label: str, value: str) -> Iterator[Said]:
    yield from values.read_torch(value.removeprefix("torch=="))
    truth = pattern(r"\((True|False)\)\s*$").search(value)
    if truth and "gpu?" in label:
        yield Topic.CUDA_AVAILABLE, "yes" if truth[1] == "True" else "no", ""


def _read_python(label: str, value: str) -> Iterator[Said]:
    yield from values.read_python(value.removeprefix("Python ").removeprefix("python "))


def _read_system(label: str, value: str) -> Iterator[Said]:
    yield from values.read_system(value)


def _read_windows(label: str, value: str) -> Iterator[Said]:
    yield Topic.SYSTEM, "windows", ""
    yield from values.read_windows_build(value)


def _read_build(label: str, value: str) -> Iterator[Said]:
    yield from values.read_windows_build(value)


def _read_truth(label: str, value: str) -> Iterator[Said]:
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


def _read_no_cuda(label: str, value: str) -> Iterator[Said]:
    yield from _read_torch_cuda(label, value)


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


def _read_driver_model(label: str, value: str) -> Iterator[Said]:
    model = pattern(r"(?:WDDM|TCC|MCDM)\b").match(value)
    if model:
        yield Topic.GPU_MODEL, model[0], "0"


def _read_gpu(label: str, value: str) -> Iterator[Said]:
    items = list(pattern(_GPU_ITEM).finditer(value))
    if items and "GPU" in value[:6]:
        for item in items:
            yield Topic.GPU, item["name"].strip(), item["first"]
        return
    number = pattern(_GPU_NUMBER).search(f"{label} {value}")
    subject = (number["number"] or number["device"]) if number else "0"
    capability = pattern(_ARCHITECTURE, True).search(value)
    if label.endswith("capability (maj.min)") or label.endswith("capability"):
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
    elif pattern(r"[,;(/]|\bVRAM\b|\b(?:and|with)\b|\d ?GB\b|\bx ?\d\b").search(name):
        name = values.find_gpu(name) or name.strip()
    yield Topic.GPU, name, subject
    if capability:
        yield Topic.GPU_CAPABILITY, f"{capability['major']}.{capability['minor']}", subject
    memory = pattern(r"(?:,\s?|VRAM )(\d{3,6})\s?(?:MiB|MB)?").search(value)
    if memory and int(memory[1]) >= 1000:
        yield Topic.GPU_MEMORY, str(int(memory[1]) << 20), subject


def _read_memory(label: str, value: str) -> Iterator[Said]:
    size = values.read_bytes(value)
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


def _read_package(label: str, value: str) -> Iterator[Said]:
    name = label.removesuffix(" version").strip().replace(" ", "-")
    version = pattern(rf"v?({values.VERSION})(?![\w*])").match(value)
    if version:
        yield Topic.PACKAGE, version[1], _DISTRIBUTIONS.get(name, name)


_NAMES = "|".join(name.replace("-", "[ -]") for name in _PACKAGES)
_LABELS = (
    _Label(
        r"(?:py)?torch(?: version| info)?(?: \(gpu\?\))?|torch ?version|version of"
        r" (?:py)?torch|pytorch v(?:ersion|er)?",
        _read_torch,
    ),
    _Label(
        r"(?:global )?python(?:3)?(?: version| info)?|python ?version|version of python|system"
        r" python|python v(?:er)?",
        _read_python,
    ),
    _Label(
        r"os|platform|operating system|operating system \(?os\)?|system|sys\.?platform|python"
        r" platform|os version|os name"
        r"|platform version|os platform|os info|my os|operating systems?|host os|system os"
        r"|system version|windows|操作系统|系统|系統|ос|betriebssystem|système(?: d'exploitation)?"
        r"|sistema(?: operativo)?|운영체제",
        _read_system,
    ),
    _Label(r"win(?:32|dows) version|windows build", _read_windows),
    _Label(r"version|os version", _read_build),
    _Label(
        r"(?:is )?cuda (?:is )?available|gpu available|has cuda|torch cuda available|cuda"
        r" available \(pytorch\)|is cuda available \(pytorch\)"
        r"|torch\.cuda\.is available(?:\(\))?",
        _read_truth,
    ),
    _Label(
        r"cuda used to build pytorch|torch cuda(?: version)?|pytorch cuda(?: version)?|cuda"
        r" compiled version|torch\.version\.cuda",
        _read_torch_cuda,
    ),
    _Label(
        r"cuda runtime version|nvcc|nvcc version|cuda toolkit(?: version)?|cuda compiler|nvidia cuda toolkit",
        _read_toolkit,
    ),
    _Label(r"cuda home|cuda path|cuda root", _read_toolkit_folder),
    _Label(
        r"(?:nvidia |gpu |graphics |cuda |geforce )?driver(?: version)?|nvidia driver|driver"
        r" ver|显卡驱动|treiber|ドライバー?",
        _read_driver,
    ),
    _Label(r"driver model", _read_driver_model),
    _Label(
        r"gpus?(?: ?\d{1,2})?(?: name| type| model| models and configuration| device| card|"
        r" used| info)?(?:,\d{1,2})*|graphics(?: card)?|video card"
        r"|accelerator|nvidia gpu(?: models)?|nvidia gpu models|cuda device(?: name)?|cuda gpu"
        r"|device(?: name)?|name|gpu \d{1,2} cuda capability \(maj\.min\)"
        r"|torch detected gpu|using torch device|gpu model and memory|graphic card|gpu name|显卡"
        r"|using device|hardware|grafikkarte|carte graphique|tarjeta gráfica|placa de vídeo|그래픽카드"
        r"|видеокарта|グラフィックボード|グラボ|nvidia gpu \(index \d{1,2}\)",
        _read_gpu,
    ),
    _Label(
        r"(?:system |total |physical |host )?(?:ram|memory)(?: size)?|system ram|total"
        r" physical memory|ram total|total ram|メモリ|内存|озу|arbeitsspeicher",
        _read_memory,
    ),
    _Label(
        r"(?:sys\.)?(?:python )?executable|python (?:path|executable|executable path)|python"
        r" bin|sys\.executable",
        _read_executable,
    ),
    _Label(rf"(?:{_NAMES})(?: version)?", _read_package),
)
