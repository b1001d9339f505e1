"""Which files can matter to a source check, told from their bytes before they are parsed."""

# A file is parsed when one of these words occurs, and with it one of the words beside it, where there
# are any. A check that looks for something else adds its words here.
# What a dataset should not keep or do.
_KEPT = (
    b"cuda",
    b"lambda",
    b"h5py",
    b"lmdb",
    b"open(",
    b"np.random",
    b"connect(",
    b"device",
    b"Capture(",
    b"ZipFile(",
    b"TarFile(",
    b"Lock(",
    b"netCDF4",
    b"MongoClient",
)
_SYSTEM = (
    b"os.set",
    b"os.fork",
    b"killpg",
    b"os.system(",
    b"os.popen(",
    b"os.uname",
    b"os.getuid",
    b"os.geteuid",
    b"os.getpg",
    b"os.nice(",
    b"os.mkfifo",
    b"os.sched_set",
)
_WORDS = (
    (b"Loader", (b"num_workers", b"workers=")),
    (b"Dataset)", _KEPT),
    (b"__getitem__", _KEPT),
    (
        b"multiprocess",
        (b"Process", b"Pool", b"spawn", b"fork", b"Queue", b"Manager", b"Pipe(", b"share_memory"),
    ),
    (b"fork", (b"start_method", b"context=", b"ddp_fork")),
    (b"ddp_notebook", ()),
    (b"concurrent", (b"ProcessPool", b"process_map")),
    (b"LocalCluster", ()),
    (b"distributed import Client", ()),
    (b"num_proc", (b".map(",)),
    (b"from ultralytics import", (b".train(",)),
    (b".Stream(", (b"oader", b"etch", b"ataIter")),
    (b"nccl", (b"backend", b"BACKEND", b"process_group")),
    (b"NCCL", (b"backend", b"BACKEND", b"process_group")),
    (b" os", _SYSTEM),
    (b",os", _SYSTEM),
    (b"subprocess", (b"rm -", b"cp -", b"'rm'", b'"rm"', b"'cp'", b'"cp"', b"os.setsid")),
    (b"signal", (b"SIGKILL", b"SIGALRM", b"SIGHUP", b"SIGUSR1", b"SIGUSR2", b"SIGQUIT")),
    (b"import resource", ()),
    (b"import fcntl", ()),
    (b"import termios", ()),
    (b"import pwd", ()),
    (b"import grp", ()),
    (b"signal", (b".alarm(", b".setitimer(", b"signal.pause(")),
    (b"strftime", (b"%H:", b"%X", b"%T", b"%c", b"%R")),
    (b"datetime", (b"isoformat(", b".now()", b".today()", b".utcnow()")),
    (b"time.ctime(", ()),
    (b"asctime(", ()),
    (b"WORKERS", ()),
    (b"workers", (b'workers"', b"workers'", b"_per_gpu", b"WORKERS")),
)


def may_matter(raw: bytes) -> bool:
    """Tell whether any source check could find something in a file of these bytes."""
    for word, others in _WORDS:
        if word in raw and (not others or any(other in raw for other in others)):
            return True
    return False


def may_matter_as_configuration(raw: bytes) -> bool:
    """Tell whether a configuration file could hold a number of workers."""
    return b"workers" in raw or b"WORKERS" in raw
