"""The lines of what lost its line ends: reports, tables and lists that were pasted as one line, and HTML."""

from collections.abc import Iterable, Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values

# Where a line of collect_env begins.
_COLLECT_ENV_LABEL = (
    r"\s(?=(?:PyTorch version|Is debug build|CUDA used to build PyTorch|ROCM used to build PyTorch"
    r"|OS|GCC version|Clang version|CMake version|Libc version|Python version|Python platform"
    r"|Is CUDA available|CUDA runtime version|CUDA_MODULE_LOADING set to|GPU models and configuration"
    r"|Nvidia driver version|cuDNN version|HIP runtime version|MIOpen runtime version|Is XNNPACK available"
    r"|CPU|Versions of relevant libraries):|GPU [1-9]: |\[(?:pip3?|conda)\] )"
)
# The labels of the reports of OpenMMLab, and of detectron2, whose table has no colons.
_MMCV_LABEL = (
    r"(?:^|\s)(?P<label>sys\.platform|Python|(?:CUDA|MUSA) available|numpy_random_seed|GPU \d(?:,\d){0,15}"
    r"|CUDA_HOME|NVCC|GCC|MSVC|PyTorch|PyTorch compiling details|TorchVision|OpenCV|MM\w{2,16}"
    r"|MMCV (?:CUDA )?Compiler): "
)
_DETECTRON_LABEL = (
    r"(?:^|\s)(?P<label>sys\.platform|Python|numpy|detectron2(?: arch flags)?|(?:CUDA c|C)ompiler"
    r"|DETECTRON2_ENV_MODULE|PyTorch(?: debug build)?|GPU available|GPU \d(?:,\d){0,15}|Driver version"
    r"|CUDA_HOME|Pillow|torchvision(?: arch flags)?|fvcore|iopath|cv2|PyTorch built with)[ :]\s{0,30}(?=\S)"
)
_COMFYUI_LABEL = (
    r"\s(?=Total VRAM \d|(?:[Pp]ytorch|[Pp]ython|xformers|ComfyUI|ComfyUI frontend) version: |Set vram state"
    r" to: |Device: |VAE dtype: |Using (?:pytorch|xformers|sage|sub quadratic)\b)"
)
# An item of a list, in the reports of transformers, accelerate and Lightning.
_LISTED_LABEL = (
    r"\s(?=[-*•] {1,3}(?:[`\"]?[A-Za-z][\w ().?/`-]{1,44}:(?: |$)|(?:NVIDIA|GeForce|Quadro|Tesla|(?:32"
    r"|64)bit)\b))"
)
_LEAST_LABELS = 4
# What somebody typed into Python, before the answer in the same line.
_ASKED = (
    r"(>>> (?:print ?\()?(?:torch|sys|np|numpy|torchvision)\.[\w.]{1,40}(?:\([\w:'\"]{0,12}\))?\)?)"
    r" {1,4}(?=\S)"
)
# Where a row of the table of nvidia-smi begins, and the one below it.
_SMI_ROW = (
    r"\|(?=\s{1,6}\d{1,2}\s{1,4}(?:NVIDIA|GeForce|Quadro|Tesla|TITAN)|\s{0,3}(?:N/A"
    r"|\d{1,3}%)\s{1,4}\d{1,3}C)"
)
# What ends a line or a cell of HTML.
_HTML_LINE = r"</?(?:br|p|li|ul|ol|tr|div|pre|table|h\d|summary|details)\b[^<>\n]{0,80}>"
_HTML_CELL = r"</t[dh]>\s{0,4}<t[dh]\b[^<>\n]{0,80}>|</?(?:t[dh]|code|b|strong|em|span)\b[^<>\n]{0,80}>"
# The pairs of a mapping, as Python prints it.
_PYTHON_PAIR = (
    r"(?:\(|[{,] ?)'(?P<label>[A-Za-z][\w ().,-]{1,40})'(?:,|:) "
    r"(?:'(?P<text>(?:[^'\\\n]|\\.){0,400})'|(?P<word>True|False|None|[\d.]{1,12}))"
)
_JSON_PAIR = r"[{\[,]\s{0,3}(?=\")"
_CONDA_ROW = (
    rf"(?<!\S)(?P<name>[a-z_][\w.-]{{0,60}})\s{{1,30}}(?P<version>\d[\w.!+]{{0,39}})\s{{1,30}}"
    rf"(?P<build>\d{{1,4}}|mkl|{values.CONDA_BUILD})(?=\s|$)"
    rf"(?:\s{{1,30}}(?P<channel>pypi|pytorch|nvidia|defaults|conda-forge|anaconda)(?=\s|$)(?!\s{{1,30}}\d))?"
)
_PIP_ROW = (
    rf"(?<!\S)(?P<name>[A-Za-z][\w.-]{{0,60}})\s{{1,60}}(?P<version>{values.VERSION}|\d{{4,10}})(?=\s|$)"
)
_PIP_HEAD = r"\bPackage\s{1,60}Version\s{1,4}-{3,80}\s{1,4}-{3,40}\s"
_LEAST_ROWS = 3


def split_run_on(line: str) -> Iterable[str]:
    """Return the lines of what lost its line ends, and those of HTML; any other line as it is."""
    if "</" in line or "<br" in line:
        line = pattern(_HTML_LINE, True).sub("\n", pattern(_HTML_CELL, True).sub(" | ", line))
        return [part for each in line.split("\n") for part in _split_line(each)]
    return _split_line(line)


def _split_line(line: str) -> Iterable[str]:
    if "NVIDIA-SMI" in line and "MiB /" in line:
        return pattern(_SMI_ROW).sub("\n|", line).split("\n")
    if line.lstrip()[:2] == '{"' and line.count('": ') > 1:
        parts = pattern(_JSON_PAIR).split(line)
        return [f"  {part.strip('{}[] ')}" for part in parts if part.strip("{}[] ")]
    if ">>> " in line[1:]:
        line = pattern(_ASKED).sub(r"\1\n", line.replace(" >>> ", "\n>>> "))
        return line.split("\n")
    if len(line) < 80:
        return (line,)
    return _split_report(line) or _split_packages(line) or (line,)


def _split_report(line: str) -> list[str]:
    """Return the lines of a report; [] for any other line."""
    if "PyTorch version: " in line and " Is debug build: " in line:
        return pattern(_COLLECT_ENV_LABEL).split(line)
    if "sys.platform" in line and "', " in line and line.count("'") > 2 * _LEAST_LABELS:
        pairs = pattern(_PYTHON_PAIR).finditer(line)
        return [f"{pair['label']}: {pair['text'] or pair['word'] or ''}" for pair in pairs]
    if "sys.platform: " in line and " PyTorch: " in line:
        return list(_split_at_labels(line, _MMCV_LABEL))
    if "sys.platform " in line and " PyTorch " in line and "detectron2" in line:
        return list(_split_at_labels(line, _DETECTRON_LABEL))
    if "Total VRAM " in line and "ytorch version: " in line:
        return pattern(_COMFYUI_LABEL).split(line)
    parts = pattern(_LISTED_LABEL).split(line) if ": " in line else []
    return parts if len(parts) > _LEAST_LABELS else []


def _split_at_labels(line: str, regex: str) -> Iterator[str]:
    """Yield a line for each label of a run-on line, with a colon behind the label."""
    found = list(pattern(regex).finditer(line))
    ends = [*(match.start() for match in found[1:]), len(line)]
    for match, end in zip(found, ends, strict=True):
        yield f"{match['label']}: {line[match.end() : end].strip()}"


def _split_packages(line: str) -> list[str]:
    """Return the rows of a list of packages; [] for any other line."""
    head = pattern(_PIP_HEAD).search(line)
    if head:
        rows = [match[0] for match in pattern(_PIP_ROW).finditer(line[head.end() :])]
        return [line[: head.start()], "Package Version", "------- -------", *rows]
    if "==" in line:
        words = line.split()
        pins = sum("==" in word for word in words)
        return words if pins == len(words) and pins > 2 * _LEAST_ROWS else []
    if "_" not in line:
        return []
    rows = [match[0] for match in pattern(_CONDA_ROW).finditer(line)]
    return [line[: line.find(rows[0])], *rows] if len(rows) >= _LEAST_ROWS else []
