"""Processes are started while the script is imported, which every spawned child does again."""

from collections.abc import Iterator
from pathlib import PurePath

from torchdoctor.check import Finding, check
from torchdoctor.facts import SourceFile
from torchdoctor.source.guards import make_guard_edit
from torchdoctor.source.places import locate
from torchdoctor.source.startup import find_starts


@check
def missing_main_guard(source: SourceFile) -> Iterator[Finding]:
    """Find the first statement that starts processes at import, outside a main guard."""
    # multiprocessing.spawn imports neither a notebook nor a package's __main__.py again.
    if source.is_notebook or PurePath(source.path).name == "__main__.py":
        return
    starts = find_starts(source.view)
    if not starts:
        return
    first = starts[0]
    place = first.node if source.view.enclosing_function(first.node) is None else first.statement
    message = f"{first.what} at import, outside a main guard"
    edit = make_guard_edit(source, first.statement)
    yield Finding(message, locate(source, place), {"starts": len(starts)}, edit=edit)
