"""The Windows commit limit (RAM and page files) leaves no room for another process that imports torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.commit import (
    find_commit_ceiling_bytes,
    find_commit_room_bytes,
    find_free_memory_bytes,
    find_page_file_bytes,
    find_worker_bytes,
)
from torchdoctor.domain.sizes import MIB, describe_bytes
from torchdoctor.facts import Absent, DllClosure, Memory, PageFile, SystemEvents, TorchImportTrial

# The training process and a DataLoader with the usual two workers.
USUAL_PROCESSES = 3
OUT_OF_COMMIT = 1455
# Windows logs this event when commit runs out, and names the three processes that use most of it.
SHORTAGE_PROVIDER, SHORTAGE_EVENT = "Microsoft-Windows-Resource-Exhaustion-Detector", 2004


@check
def paging_file_too_small(
    memory: Memory,
    trial: TorchImportTrial | Absent,
    closure: DllClosure | Absent,
    events: SystemEvents | Absent,
) -> Iterator[Finding | Passed]:
    """Compare the memory that can still be committed with what another process that imports torch needs."""
    limit, used = known(memory.commit_limit_bytes), known(memory.commit_total_bytes)
    room = known(find_commit_room_bytes(memory, reserved_share=0))
    need, source = known(find_worker_bytes(trial, closure))
    figures = (
        f"commit limit {describe_bytes(limit)}, {describe_bytes(used)} in use; "
        f"one more process that imports torch needs {describe_bytes(need)} ({source})"
    )
    page_files = _describe_page_files(memory)
    evidence = _evidence(memory, limit, used, need)
    largest = _find_largest_users(events)
    shortage = _describe_shortages(events, largest)
    step = _choose_step(memory, used + need * USUAL_PROCESSES)
    if isinstance(trial, TorchImportTrial) and trial.winerror == OUT_OF_COMMIT:
        message = f"import torch has just failed for lack of commit (error {OUT_OF_COMMIT}); {figures}"
        yield Finding(f"{message}; {page_files}{shortage}", evidence=evidence, step=step)
    elif room < need:
        # A page file that Windows manages may still grow; the allocation can fail while it does.
        severity = Severity.WARNING if _can_grow(memory, used + need) else None
        yield Finding(f"{figures}; {page_files}{shortage}", evidence=evidence, severity=severity, step=step)
    elif room < need * USUAL_PROCESSES and not _can_grow(memory, used + need * USUAL_PROCESSES):
        message = f"{figures}, and training with two workers needs three; {page_files}{shortage}"
        yield Finding(message, evidence=evidence, severity=Severity.WARNING, step=step)
    elif shortage:
        others = [name for name in largest if not _is_python(name)]
        is_python = len(others) < len(largest)
        yield Finding(
            f"{shortage.removeprefix('; ')}; there is room again now",
            evidence=evidence | ({"largest": ", ".join(others)} if others else {}),
            severity=Severity.WARNING if is_python else Severity.NOTE,
            step="users-python" if is_python else "users",
        )
    else:
        yield Passed(f"{figures}: room for {room // need}; {page_files}")


def _can_grow(memory: Memory, wanted_bytes: int) -> bool:
    ceiling = find_commit_ceiling_bytes(memory)
    return not isinstance(ceiling, Absent) and ceiling >= wanted_bytes


def _evidence(memory: Memory, limit: int, used: int, need: int) -> dict[str, object]:
    """Return the figures as evidence, including those that the entry's advice shows."""
    room = find_commit_room_bytes(memory)
    # As in the loader plan; the training process itself needs as much as a worker does.
    room = 0 if isinstance(room, Absent) else min(room, find_free_memory_bytes(memory))
    fitting = max(0, room // need - 1)
    wanted = find_page_file_bytes(memory, used + need * USUAL_PROCESSES)
    return {
        "commit_limit_bytes": limit,
        "commit_total_bytes": used,
        "worker_bytes": need,
        "fitting_workers": fitting,
        "page_file_mib": wanted // MIB,
        **_describe_page_file_state(memory, wanted),
    }


def _describe_page_file_state(memory: Memory, wanted: int) -> dict[str, object]:
    """Return what the advice says of the page file: that it is off, its limit, or its full drive."""
    if isinstance(memory.page_files, Absent):
        return {}
    if not memory.page_files:
        return {"page_file": "is off"}
    managed = _find_managed(memory)
    if not managed:
        limit = sum(file.maximum_bytes or 0 for file in memory.page_files)
        return {"page_file": f"may have {describe_bytes(limit)} at most"}
    volume, free = managed[0].volume, managed[0].volume_free_bytes
    if isinstance(volume, Absent) or isinstance(free, Absent):
        return {}
    return {"volume": volume, "volume_free": describe_bytes(free), "page_file_size": describe_bytes(wanted)}


def _find_managed(memory: Memory) -> list[PageFile]:
    """Return the page files whose size Windows manages."""
    files = () if isinstance(memory.page_files, Absent) else memory.page_files
    return [file for file in files if file.maximum_bytes is None]


def _choose_step(memory: Memory, wanted_commit_bytes: int) -> str:
    managed = _find_managed(memory)
    if not managed:
        return "managed"
    wanted = find_page_file_bytes(memory, wanted_commit_bytes)
    return "full" if all(_is_drive_full(memory, file, wanted) for file in managed) else "size"


def _is_drive_full(memory: Memory, file: PageFile, wanted_bytes: int) -> bool:
    """Return whether the drive of a page file certainly has no room for one of this size."""
    if isinstance(file.volume, Absent) or isinstance(file.volume_free_bytes, Absent):
        return False
    # No page file is larger than all of them together.
    current = max(0, known(memory.commit_limit_bytes) - memory.physical_bytes)
    return current + file.volume_free_bytes < wanted_bytes


def _is_python(name: str) -> bool:
    return "python" in name.lower()


def _find_largest_users(events: SystemEvents | Absent) -> tuple[str, ...]:
    """Return the programs that Windows named as the largest users of commit when it ran out."""
    if isinstance(events, Absent):
        return ()
    shortages = events.find(SHORTAGE_PROVIDER, SHORTAGE_EVENT)
    return tuple(dict.fromkeys(name for event in shortages for name in event.details))[:3]


def _describe_shortages(events: SystemEvents | Absent, largest_users: tuple[str, ...]) -> str:
    if isinstance(events, Absent):
        return ""
    shortages = events.find(SHORTAGE_PROVIDER, SHORTAGE_EVENT)
    if not shortages:
        return ""
    largest = f"; most was used by {', '.join(largest_users)}" if largest_users else ""
    times = "once" if len(shortages) == 1 else f"{len(shortages)} times"
    last = shortages[0].written_time
    return f"; Windows ran out of commit {times} in {events.days} days, last at {last}{largest}"


def _describe_page_files(memory: Memory) -> str:
    if isinstance(memory.page_files, Absent):
        return f"page files not known: {memory.page_files.reason}"
    if not memory.page_files:
        return "there is no page file"
    return "page file " + ", ".join(_describe_page_file(file) for file in memory.page_files)


def _describe_page_file(file: PageFile) -> str:
    size = "size managed by Windows"
    if file.maximum_bytes is not None:
        size = f"up to {describe_bytes(file.maximum_bytes)}"
    if isinstance(file.volume_free_bytes, Absent) or isinstance(file.volume, Absent):
        return f"{file.path} ({size})"
    return f"{file.path} ({size}, {describe_bytes(file.volume_free_bytes)} free on {file.volume})"
