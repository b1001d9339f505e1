"""A process is given something that cannot be sent to it."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.lambdas import make_function_edit
from torchdoctor.source.idioms.processes.process_arguments import find_unsendable
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_WORDS = (
    (b"multiprocess", (b"Process(", b"Pool(", b"(Process", b".Process)", b"(mp.Process")),
    (b"ProcessPoolExecutor", (b"ProcessPoolExecutor(",)),
)


@check(words=_WORDS)
def unpicklable_process(source: SourceFile) -> Iterator[Finding]:
    """Find what processes and pools are given that cannot be sent, or reads what only the script sets."""
    module = source.module
    reported: set[ast.AST] = set()
    for node, message in find_unsendable(module, is_notebook=source.is_notebook):
        if node in reported or not runs_on_windows(module, node):
            continue
        reported.add(node)
        edit = make_function_edit(source, node, "target")
        yield Finding(message, locate(source, node), edit=edit, step=_choose_step(message))


def _choose_step(message: str) -> str:
    """Return the tag of the step that cures a problem."""
    if ", set only " in message:
        return "global"
    if "started processes" in message:
        return "list"
    if "in the notebook" in message:
        return "notebook"
    if "main guard" in message:
        return "guard"
    return "function" if "lambda" in message or "a function defined" in message else "keep"
