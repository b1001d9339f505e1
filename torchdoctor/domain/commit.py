"""Calculate how much commit is available, and how much one more process that imports torch needs."""

from dataclasses import replace

from torchdoctor.domain.sizes import GIB, MIB
from torchdoctor.facts import Absent, DllClosure, Memory, PageFile, TorchImportTrial

# Windows begins to grow the page file at 90 % of the commit limit, and allocations fail if that takes too
# long (Microsoft, "Introduction to the page file" and KB 4055223), so stay below it.
RESERVED_SHARE = 0.10

# What a process commits besides the writable pages of torch's DLLs: interpreter, torch's Python modules,
# NumPy. An estimate for machines where the import trial did not succeed.
INTERPRETER_ALLOWANCE_BYTES = 300 * MIB


def find_worker_bytes(
    trial: TorchImportTrial | Absent, closure: DllClosure | Absent
) -> tuple[int, str] | Absent:
    """Return the commit of one more process that imports this torch, in bytes, and how it was determined.

    The private bytes of a process include the writable pages of its DLLs. If fewer bytes were measured than
    these pages have, they were not included, and are added.
    """
    writable = 0
    if isinstance(closure, DllClosure):
        writable = sum(max(0, image.writable_bytes) for image in closure.images)
    if isinstance(trial, TorchImportTrial) and trial.outcome == "imported":
        measured = trial.private_bytes_after
        if not isinstance(measured, Absent) and measured > 0:
            if measured >= writable:
                return measured, "measured"
            return measured + writable, "measured, with the writable pages of its DLLs"
    if isinstance(closure, DllClosure) and closure.images:
        return writable + INTERPRETER_ALLOWANCE_BYTES, "estimated from its DLLs"
    return Absent(f"what a worker needs is not known ({_describe_trial(trial)})")


def _describe_trial(trial: TorchImportTrial | Absent) -> str:
    """Return why a trial does not tell what a worker needs."""
    if isinstance(trial, Absent):
        return trial.reason
    if trial.outcome == "imported":
        return "the trial did not measure the memory of a process that imports torch"
    return f"in the trial, importing torch {trial.outcome}"


def find_commit_room_bytes(memory: Memory, *, reserved_share: float = RESERVED_SHARE) -> int | Absent:
    """Return the commit that is still available, minus a reserved share of the limit, in bytes."""
    limit, total = memory.commit_limit_bytes, memory.commit_total_bytes
    if isinstance(limit, Absent):
        return limit
    if isinstance(total, Absent):
        return total
    if not memory.commit_limit_enforced:
        return Absent("this system does not enforce its commit limit")
    room = int(limit * (1 - reserved_share)) - total
    if not isinstance(memory.process_commit_available_bytes, Absent):
        room = min(room, memory.process_commit_available_bytes)
    return max(0, room)


def find_free_memory_bytes(memory: Memory) -> int:
    """Return the physical memory that is available, minus a reserved share of all, in bytes."""
    return max(0, int(memory.physical_available_bytes - memory.physical_bytes * RESERVED_SHARE))


def leave_out_process(memory: Memory, private_bytes: int) -> Memory:
    """Return the memory as it is without a running process that holds these private bytes."""
    total, available = memory.commit_total_bytes, memory.process_commit_available_bytes
    return replace(
        memory,
        physical_available_bytes=memory.physical_available_bytes + private_bytes,
        commit_total_bytes=total if isinstance(total, Absent) else max(0, total - private_bytes),
        process_commit_available_bytes=(
            available if isinstance(available, Absent) else available + private_bytes
        ),
    )


def find_commit_ceiling_bytes(memory: Memory) -> int | Absent:
    """Return the commit limit when the page files have grown to their maximum, in bytes.

    A page file that Windows manages grows to at most three times the memory or 4 GiB, whichever is larger,
    but not above an eighth of the volume, nor beyond its free space (Microsoft, "How to determine the
    appropriate page file size").
    """
    limit = memory.commit_limit_bytes
    if isinstance(limit, Absent):
        return limit
    if isinstance(memory.page_files, Absent):
        return memory.page_files
    if not memory.page_files:
        return limit
    # The size of each file is not recorded, so assume that they are equal.
    current = max(0, limit - memory.physical_bytes) // len(memory.page_files)
    sizes = (_find_maximum_bytes(file, memory.physical_bytes, current) for file in memory.page_files)
    return max(limit, memory.physical_bytes + sum(sizes))


def find_page_file_bytes(memory: Memory, wanted_commit_bytes: int) -> int:
    """Return the size in bytes, a whole number of GiB, of a page file that allows a commit of this size."""
    missing = int(wanted_commit_bytes / (1 - RESERVED_SHARE)) - memory.physical_bytes
    return max(1, -(-missing // GIB)) * GIB


def _find_maximum_bytes(file: PageFile, physical_bytes: int, current_bytes: int) -> int:
    bounds = []
    if file.maximum_bytes is not None:
        bounds.append(file.maximum_bytes)
    else:
        bounds.append(max(3 * physical_bytes, 4 * GIB))
        if not isinstance(file.volume_bytes, Absent):
            bounds.append(file.volume_bytes // 8)
    if not isinstance(file.volume_free_bytes, Absent):
        bounds.append(current_bytes + file.volume_free_bytes)
    return max(current_bytes, min(bounds))
