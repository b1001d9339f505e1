"""The edits that the checks plan for a text."""

from torchdoctor.check import Check, Finding
from torchdoctor.engine.registry import load_registry
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.changes import Change, plan_change
from torchdoctor.source.files.reading import parse_source

CHECKS = {check.name: check for check in load_registry().checks}
HEAD = "from torch.utils.data import DataLoader\n"


def plan_edit(name: str, text: str, path: str = "a.py") -> Change | None:
    source = parse_source(path, text.encode())
    assert isinstance(source, SourceFile)
    check: Check = CHECKS[name]
    return plan_change(
        source,
        lambda each: [(check, result) for result in check.function(each) if isinstance(result, Finding)],
    )


def edit(name: str, text: str) -> str | None:
    change = plan_edit(name, text)
    return None if change is None else change.after
