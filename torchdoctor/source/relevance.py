"""Which files can matter to a source check, told from their bytes before they are parsed."""

# A file without any of these words is not parsed; a check that looks for something else adds its word.
_DECISIVE = (
    b"DataLoader",
    b"multiprocess",
    b"ProcessPool",
    b"process_map",
    b"LocalCluster",
    b"VecEnv",
    b"num_proc",
    b"ultralytics",
    b"LightningDataModule",
    b".Stream(",
    b"nccl",
    b"NCCL",
    b"setpgrp",
    b"killpg",
    b"setsid",
    b"SIGKILL",
    b"SIGALRM",
    b"import resource",
    b"import fcntl",
    b"os.system(",
    b"os.popen(",
    b"os.fork",
)
# Words that only matter together: each of a pair must occur.
_PAIRS = (
    (b"Dataset)", b"cuda"),
    (b"Dataset)", b"lambda"),
    (b"Dataset)", b"h5py"),
    (b"Dataset)", b"lmdb"),
    (b"Dataset)", b"open("),
    (b"strftime", b":%M"),
    (b"isoformat", b"open"),
    (b"datetime", b".now()"),
    (b"workers", b"add_argument"),
)


def may_matter(raw: bytes) -> bool:
    """Tell whether any source check could find something in a file of these bytes."""
    if any(word in raw for word in _DECISIVE):
        return True
    return any(first in raw and second in raw for first, second in _PAIRS)


def may_matter_as_configuration(raw: bytes) -> bool:
    """Tell whether a configuration file could hold a number of workers."""
    return b"workers" in raw or b"WORKERS" in raw
