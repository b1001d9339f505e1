"""The table of nvidia-smi, in its layouts: versions, and the name, driver model and memory of each GPU."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.gpu_names import find_capability
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "nvidia-smi"
_HEAD = (
    r"NVIDIA-SMI \d[\d.]{2,12}\s{1,40}(?:Driver|KMD)"
    r" Version:\s{1,3}(?P<driver>\d{3}\.\d{1,3}(?:\.\d{1,3})?)(?:\s{1,40}CUDA (?:UMD"
    r" )?Version:\s{1,3}(?P<cuda>\d{1,2}\.\d))?"
)
_GPU = (
    r"\|?\s{1,6}(?P<number>\d{1,2})\s{1,4}(?P<name>\S.{2,40}?)\s{1,24}(?P<model>WDDM|TCC"
    r"|MCDM|On|Off|N/A)\s{1,4}\|"
)
# The same where a log has made one space of several.
_NARROW_GPU = (
    r"\| (?P<number>\d{1,2}) (?P<name>(?:NVIDIA|GeForce|Quadro|Tesla) [^|\n]{2,40}?)"
    r" (?P<model>WDDM|TCC|MCDM) \|"
)
_MEMORY = r"(?P<used>\d{1,7})Mi?B\s{0,6}/\s{0,6}(?P<total>\d{1,7})Mi?B"
_LIST = r"\s*GPU (?P<number>\d{1,2}): (?P<name>[^(\n]{3,80}?) \(UUID: GPU-"
# A row of `nvidia-smi --query-gpu=...`.
_QUERIED = (
    r"(?:^|[\"'`>|\s])(?:(?P<number>\d{1,2}), ?)?"
    r"(?P<name>(?:NVIDIA|GeForce|Quadro|Tesla|TITAN)(?: [\w.()-]{1,20}){1,8}), ?"
    r"(?P<rest>[^,\n]{1,30}(?:, ?[^,\n]{1,30}){0,6})"
)
# On Windows this column has the driver model; in WSL it is as on Linux.
_LINUX_COLUMN = r"\|\s{1,4}GPU\s{1,4}Name\s{1,30}Persistence-M\s?\|"
_FAILED = r"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what the head and the rows of the table say."""
    gpu = ""
    for number, line in lines:
        if pattern(_FAILED).search(line):
            yield Statement(Topic.DRIVER_STATE, "not loaded", number, _NAME)
        head = pattern(_HEAD).search(line)
        # Drivers for Windows have two numbers.
        if (head and head["driver"].count(".") > 1) or pattern(_LINUX_COLUMN).match(line):
            yield Statement(Topic.SYSTEM, "linux", number, _NAME)
        if head:
            gpu = ""
            yield Statement(Topic.DRIVER_STATE, "working", number, _NAME)
            yield Statement(Topic.DRIVER, head["driver"], number, _NAME)
            if head["cuda"]:
                yield Statement(Topic.DRIVER_CUDA, head["cuda"], number, _NAME)
        listed = pattern(_LIST).match(line)
        if listed:
            yield Statement(Topic.GPU, listed["name"], number, _NAME, subject=listed["number"])
        queried = pattern(_QUERIED).search(line) if "MiB" in line and "," in line else None
        if queried:
            yield from _read_queried(queried["name"], queried["rest"], queried["number"] or "0", number)
        row = pattern(_GPU).match(line) or pattern(_NARROW_GPU).search(line)
        if row:
            gpu = row["number"]
            yield Statement(Topic.GPU, _read_name(row["name"]), number, _NAME, subject=gpu)
            if row["model"] in ("WDDM", "TCC", "MCDM"):
                yield Statement(Topic.GPU_MODEL, row["model"], number, _NAME, subject=gpu)
                yield Statement(Topic.SYSTEM, "windows", number, _NAME)
        memory = pattern(_MEMORY).search(line)
        if memory and gpu:
            yield Statement(Topic.GPU_MEMORY, str(int(memory["total"]) << 20), number, _NAME, subject=gpu)
            gpu = ""


def _read_name(text: str) -> str:
    """Return the name of a card; older drivers cut it off in its number, and three dots say so."""
    name = text.rstrip(". ")
    is_cut = text.rstrip().endswith("..") and find_capability(name) is None
    return f"{name}..." if is_cut else name


def _read_queried(name: str, rest: str, gpu: str, number: int) -> Iterator[Statement]:
    """Yield what the fields of a row say by their shape; of several sizes, the largest is the total."""
    fields = [field.strip(" \"'`|") for field in rest.split(",")]
    sizes = [int(field[:-4]) for field in fields if pattern(r"\d{1,7} MiB").fullmatch(field)]
    driver = next((field for field in fields if pattern(r"\d{3}\.\d{2,3}(?:\.\d\d)?").fullmatch(field)), None)
    capability = next((field for field in fields if pattern(r"\d{1,2}\.\d").fullmatch(field)), None)
    model = next((field for field in fields if field in ("WDDM", "TCC", "MCDM")), None)
    if not sizes or (driver is None and len(fields) > len(sizes)):
        return
    yield Statement(Topic.GPU, name, number, _NAME, subject=gpu)
    yield Statement(Topic.GPU_MEMORY, str(max(sizes) << 20), number, _NAME, subject=gpu)
    if model:
        yield Statement(Topic.GPU_MODEL, model, number, _NAME, subject=gpu)
        yield Statement(Topic.SYSTEM, "windows", number, _NAME)
    if driver:
        yield Statement(Topic.DRIVER_STATE, "working", number, _NAME)
        yield Statement(Topic.DRIVER, driver, number, _NAME)
    if capability:
        yield Statement(Topic.GPU_CAPABILITY, capability, number, _NAME, subject=gpu)
