"""The commit limit leaves no room for another process that imports torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.commit import find_commit_room_bytes, find_worker_bytes
from torchdoctor.facts import Absent, DllClosure, Memory, TorchImportTrial
from torchdoctor.sizes import describe_bytes

# The training process and a DataLoader with the usual two workers.
USUAL_PROCESSES = 3


@check
def paging_file_too_small(
    memory: Memory, trial: TorchImportTrial | Absent, closure: DllClosure | Absent
) -> Iterator[Finding | Passed]:
    """Compare what can still be committed with what one more process needs."""
    limit, used = known(memory.commit_limit_bytes), known(memory.commit_total_bytes)
    room = known(find_commit_room_bytes(memory, reserved_share=0))
    need, source = known(find_worker_bytes(trial, closure))
    figures = (
        f"commit limit {describe_bytes(limit)}, {describe_bytes(used)} in use; "
        f"one more process that imports torch needs {describe_bytes(need)} ({source})"
    )
    page_files = _describe_page_files(memory)
    evidence = {"commit_limit_bytes": limit, "commit_total_bytes": used, "worker_bytes": need}
    if room < need:
        # A page file that Windows manages may still grow; the allocation can fail while it does.
        severity = Severity.WARNING if _can_grow(memory, used + need) else None
        yield Finding(
            f"{figures}; {page_files}", evidence=evidence, severity=severity, step=_choose_step(memory)
        )
    elif room < need * USUAL_PROCESSES and not _can_grow(memory, used + need * USUAL_PROCESSES):
        message = f"{figures}: room for {room // need}; {page_files}"
        yield Finding(message, evidence=evidence, severity=Severity.WARNING, step=_choose_step(memory))
    else:
        yield Passed(f"{figures}: room for {room // need}; {page_files}")


def _choose_step(memory: Memory) -> str:
    is_managed = not isinstance(memory.page_files, Absent) and any(
        file.maximum_bytes is None for file in memory.page_files
    )
    return "custom" if is_managed else "managed"


def _can_grow(memory: Memory, wanted_bytes: int) -> bool:
    if isinstance(memory.page_files, Absent) or not memory.page_files:
        return False
    maxima = [file.maximum_bytes for file in memory.page_files]
    known_maxima = [size for size in maxima if size is not None]
    return len(known_maxima) < len(maxima) or memory.physical_bytes + sum(known_maxima) >= wanted_bytes


def _describe_page_files(memory: Memory) -> str:
    if isinstance(memory.page_files, Absent):
        return f"page files not known: {memory.page_files.reason}"
    if not memory.page_files:
        return "there is no page file"
    return "page file " + ", ".join(
        f"{file.path} (up to {describe_bytes(file.maximum_bytes)})"
        if file.maximum_bytes is not None
        else f"{file.path} (size managed by Windows)"
        for file in memory.page_files
    )
