"""Put an update of the driver before a command for a build that the driver of a text cannot run."""

import re
from collections.abc import Iterable, Mapping

from torchdoctor.domain.capabilities import parse_sm
from torchdoctor.knowledge.interpreter import BLOCK

_PAGE = "https://www.nvidia.com/drivers"
_INDEX = re.compile(r"/whl/cu(?P<number>\d{2,3})\b")
# A command that chooses the build itself, of CUDA 12 for all but old releases.
_CHOSEN = re.compile(r"nvidia-smi --query-gpu=compute_cap.*'cu12\d'", re.DOTALL)
_CHOSEN_MAJOR = 12
# What tells to update the driver, and not only where something else fails.
_UPDATE = re.compile(
    r"\b(?:[Uu]pdate|[Ii]nstall)\b[^.]{0,60}\bdriver\b[^.]{0,20} from\s+https://www\.nvidia\.com/drivers"
)


def ask_for_driver(steps: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return steps of which the first one for too new a CUDA begins with an update of the driver.

    `driver_version` and `driver_cuda` are those of the text. Steps that tell it by themselves stay as they
    are.
    """
    steps = tuple(steps)
    if "driver_version" not in values and "driver_cuda" not in values:
        return steps
    for index, step in enumerate(steps):
        if _UPDATE.search(step):
            return steps
        needed = _find_needed(step, values)
        if needed is not None:
            return (*steps[:index], f"{_write_update(values, needed)} {step}", *steps[index + 1 :])
    return steps


def _find_needed(step: str, values: Mapping[str, str]) -> str | None:
    """Return the driver that the CUDA build of a step needs, where that of the text is older."""
    code = "\n".join(block[0] for block in BLOCK.finditer(step))
    numbers = [int(match["number"]) for match in _INDEX.finditer(code)]
    if not numbers and not _CHOSEN.search(code):
        return None
    # Imported here: few texts name a driver.
    from torchdoctor.domain.cuda_builds import find_cuda_of_driver, find_floor, read_needed
    from torchdoctor.domain.versions import VersionError, parse_release
    from torchdoctor.facts import Absent

    wanted = min(numbers, default=_CHOSEN_MAJOR * 10)
    needed = read_needed(f"{wanted // 10}.{wanted % 10}")
    floor = None if isinstance(needed, Absent) else find_floor("windows", needed)
    if isinstance(needed, Absent) or floor is None:
        return None
    driver, cuda = values.get("driver_version", ""), values.get("driver_cuda", "")
    try:
        newest = find_cuda_of_driver(driver) if driver else None
        if newest is None:
            is_older = parse_release(cuda)[: len(needed)] < needed
        elif len(needed) > 1:
            is_older = parse_release(driver) < floor.certain
        else:
            is_older = newest < needed[0]
    except VersionError:
        return None
    return ".".join(map(str, floor.advised)) if is_older and _exists_for(floor.advised, values) else None


def _exists_for(driver: tuple[int, ...], values: Mapping[str, str]) -> bool:
    """Return whether a driver exists for the card of a text; that of an unknown one is taken to."""
    from torchdoctor.domain.gpu_names import has_driver

    capability = parse_sm(values.get("sm"))
    return capability is None or has_driver(capability, driver[0])


def _write_update(values: Mapping[str, str], needed: str) -> str:
    driver = values.get("driver_version")
    shown = f"driver {driver}" if driver else f"a driver for CUDA {values['driver_cuda']}"
    return (
        f"Update the NVIDIA driver first, from {_PAGE}, and restart Windows: the text shows {shown}, and"
        f" the build below needs {needed} or newer."
    )
