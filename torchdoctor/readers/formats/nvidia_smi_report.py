"""The report of `nvidia-smi -q`: versions, and the name, driver model and memory of each GPU."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "nvidia-smi-report"
_LOG = "NVSMI LOG"
_FIELD = r"(?P<indent> {0,24})(?P<name>[A-Za-z][\w .]{1,48}?)\s{1,48}:\s(?P<value>[^\n]{1,80}?)\s*$"
_GPU = r"GPU (?:[0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d)\s*$"
_DRIVER = r"\d{3}\.\d{1,3}(?:\.\d{1,3})?"
_SIZE = r"(?P<size>\d{1,7})\s?MiB"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what the report says; a field without a value is the heading of those below it."""
    gpu, heading, is_report = -1, "", False
    for number, line in lines:
        is_report = is_report or _LOG in line
        if not is_report:
            continue
        if pattern(_GPU).match(line.strip()):
            gpu, heading = gpu + 1, ""
            continue
        field = pattern(_FIELD).match(line)
        if field is None:
            heading = line.strip()
            continue
        for topic, value in _read_field(heading, field["name"].rstrip(), field["value"], gpu >= 0):
            subject = str(gpu) if topic in (Topic.GPU, Topic.GPU_MODEL, Topic.GPU_MEMORY) else ""
            yield Statement(topic, value, number, _NAME, subject=subject)


def _read_field(heading: str, name: str, value: str, is_of_gpu: bool) -> Iterator[tuple[Topic, str]]:
    size = pattern(_SIZE).match(value)
    if name == "Driver Version" and pattern(_DRIVER).fullmatch(value):
        yield Topic.DRIVER_STATE, "working"
        yield Topic.DRIVER, value
    elif name in ("CUDA Version", "CUDA UMD Version") and pattern(r"\d{1,2}\.\d").fullmatch(value):
        yield Topic.DRIVER_CUDA, value
    elif name == "Product Name" and is_of_gpu:
        yield Topic.GPU, value
    elif heading == "Driver Model" and name == "Current" and value in ("WDDM", "TCC", "MCDM"):
        yield Topic.GPU_MODEL, value
        yield Topic.SYSTEM, "windows"
    elif heading == "FB Memory Usage" and name == "Total" and size:
        yield Topic.GPU_MEMORY, str(int(size["size"]) << 20)
