"""The script starts processes when it is imported, and each new process imports it again."""

from collections.abc import Iterator
from pathlib import PurePath

from torchdoctor.check import Bound, Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.guards import make_guard_edit
from torchdoctor.source.idioms.processes.calls import PROCESS_WORD
from torchdoctor.source.idioms.processes.process_starts import find_starts
from torchdoctor.source.places import locate

# Words of code that starts processes, or creates an object that does.
_WORDS = (
    (b"Loader", (b"workers=",)),
    (b"num_workers", (b"Loader", b"DataModule", b"torch_geometric", b"loader_num_workers")),
    (b"loader_workers", (b"rainer(",)),
    (b"multiprocess", (PROCESS_WORD, b"spawn", b"fork")),
    (b"concurrent", (b"ProcessPool", b"process_map")),
    (b"LocalCluster", ()),
    (b"distributed import Client", ()),
    (b"num_proc", (b".map(",)),
    (b"from ultralytics import", (b".train(",)),
    (b"ddp_", (b"ddp_spawn", b"ddp_sharded_spawn")),
)


@check(words=_WORDS)
def missing_main_guard(source: SourceFile) -> Iterator[Finding]:
    """Find the first statement that starts processes at import, outside a main guard."""
    # multiprocessing.spawn imports neither a notebook nor a package's __main__.py again.
    if source.is_notebook or PurePath(source.path).name == "__main__.py":
        return
    starts = find_starts(source.module)
    if not starts:
        return
    first = starts[0]
    place = first.node if source.module.find_function(first.node) is None else first.statement
    message = f"{first.description} at import, outside a main guard"
    edit = make_guard_edit(source, first.statement)
    bound = Bound("main guard", 0, f"{source.path} starts workers without a main guard")
    yield Finding(message, locate(source, place), {"starts": len(starts)}, edit=edit, bound=bound)
