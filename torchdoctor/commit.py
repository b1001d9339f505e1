"""How much commit there is to spare, and what one more process that imports torch takes of it."""

from torchdoctor.facts import Absent, DllClosure, Memory, TorchImportTrial
from torchdoctor.sizes import MIB

# Windows begins to grow the page file at 90 % of the commit limit, and a slow growth already makes
# allocations fail (Microsoft, "Introduction to the page file" and KB 4055223): keep below it.
RESERVED_SHARE = 0.10

# What a process holds besides the writable pages of torch's DLLs: interpreter, torch's Python
# modules, NumPy. An allowance for machines where the import trial could not be made.
INTERPRETER_ALLOWANCE_BYTES = 300 * MIB


def find_worker_bytes(
    trial: TorchImportTrial | Absent, closure: DllClosure | Absent
) -> tuple[int, str] | Absent:
    """Give what one more process that imports this torch commits, in bytes, and how that is known."""
    if isinstance(trial, TorchImportTrial) and trial.outcome == "imported":
        measured = trial.private_bytes_after
        if not isinstance(measured, Absent) and measured > 0:
            return measured, "measured"
    if isinstance(closure, DllClosure) and closure.images:
        writable = sum(image.writable_bytes for image in closure.images)
        return writable + INTERPRETER_ALLOWANCE_BYTES, "estimated from its DLLs"
    reason = trial.reason if isinstance(trial, Absent) else f"in the trial, importing torch {trial.outcome}"
    return Absent(f"what a worker needs is not known ({reason})")


def find_commit_room_bytes(memory: Memory, *, reserved_share: float = RESERVED_SHARE) -> int | Absent:
    """Give the commit that can still be used, less a reserved share of the limit, in bytes."""
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
