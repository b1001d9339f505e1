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
    shortage = _describe_shortages(events)
    step = _choose_step(memory)
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
        severity = Severity.WARNING if "python" in shortage.lower() else Severity.NOTE
        message = f"{shortage.removeprefix('; ')}; there is room again now"
        yield Finding(message, evidence=evidence, severity=severity)
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
    }


def _choose_step(memory: Memory) -> str:
    is_managed = not isinstance(memory.page_files, Absent) and any(
        file.maximum_bytes is None for file in memory.page_files
    )
    return "custom" if is_managed else "managed"


def _describe_shortages(events: SystemEvents | Absent) -> str:
    if isinstance(events, Absent):
        return ""
    shortages = events.find(SHORTAGE_PROVIDER, SHORTAGE_EVENT)
    if not shortages:
        return ""
    names = dict.fromkeys(name for event in shortages for name in event.details)
    largest = f"; most was used by {', '.join(list(names)[:3])}" if names else ""
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
