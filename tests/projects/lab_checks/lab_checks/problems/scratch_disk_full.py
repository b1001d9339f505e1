"""The disk for temporary files has less room than a dataset's cache takes."""

from collections.abc import Iterator

from lab_checks.scratch import ScratchDisk
from torchdoctor.check import Finding, Passed, check, known
from torchdoctor.domain.sizes import MIB, describe_bytes

LEAST_BYTES = 64 * MIB


@check
def scratch_disk_full(disk: ScratchDisk) -> Iterator[Finding | Passed]:
    """Compare the room with what the lab's caches take."""
    free = known(disk.free_bytes)
    message = f"{describe_bytes(free)} are free for {disk.folder}"
    yield Finding(message, evidence={"folder": disk.folder}) if free < LEAST_BYTES else Passed(message)
