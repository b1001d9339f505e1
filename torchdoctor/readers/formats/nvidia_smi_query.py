"""What nvidia-smi says in other forms than its table: the report of `-q`, and the lines of `--query-gpu`."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "nvidia-smi-query"
_LOG = "NVSMI LOG"
_FIELD = r"(?P<indent> {0,24})(?P<name>[A-Za-z][\w .]{1,48}?)\s{1,48}:\s(?P<value>[^\n]{1,80}?)\s*$"
_GPU = r"GPU (?:[0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d)\s*$"
_DRIVER = r"\d{3}\.\d{1,3}(?:\.\d{1,3})?"
_SIZE = r"(?P<size>\d{1,7})\s?MiB"
# The columns of a query that say something, without their units.
_COLUMNS = frozenset(
    {"name", "gpu_name", "driver_version", "memory.total", "compute_cap", "index", "driver_model.current"}
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what the fields of a report, and the rows below the names of columns, say."""
    yield from _read_report(lines)
    yield from _read_rows(lines)


def _read_report(lines: Lines) -> Iterator[Statement]:
    """Yield what `nvidia-smi -q` says; a field without a value is the heading of those below it."""
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


def _read_rows(lines: Lines) -> Iterator[Statement]:
    """Yield what `nvidia-smi --query-gpu=... --format=csv` says: names of columns, and rows below them."""
    columns: Sequence[str] = ()
    row = 0
    for number, line in lines:
        cells = [cell.strip() for cell in line.split(",")]
        names = [cell.partition(" [")[0] for cell in cells]
        if len(_COLUMNS.intersection(names)) > 1 and "name" in "".join(names):
            columns, row = names, 0
        elif columns and len(cells) == len(columns):
            yield from _read_row(dict(zip(columns, cells, strict=True)), str(row), number)
            row += 1
        else:
            columns = ()


def _read_row(cells: Mapping[str, str], row: str, number: int) -> Iterator[Statement]:
    gpu = cells.get("index", row)
    size = pattern(_SIZE).match(cells.get("memory.total", ""))
    found = (
        (Topic.GPU, cells.get("name") or cells.get("gpu_name", ""), gpu),
        (Topic.GPU_MEMORY, str(int(size["size"]) << 20) if size else "", gpu),
        (Topic.GPU_CAPABILITY, _take(r"\d{1,2}\.\d", cells.get("compute_cap", "")), gpu),
        (Topic.GPU_MODEL, _take(r"WDDM|TCC|MCDM", cells.get("driver_model.current", "")), gpu),
        (Topic.DRIVER, _take(_DRIVER, cells.get("driver_version", "")), ""),
    )
    for topic, value, subject in found:
        if value:
            yield Statement(topic, value, number, _NAME, subject=subject)


def _take(regex: str, text: str) -> str:
    """Return a text if a regular expression matches the whole of it, else ""."""
    return text if pattern(regex).fullmatch(text) else ""
