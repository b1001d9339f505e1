"""Render the DLL analysis as text: what is missing, what needs it, and who supplies it."""

from collections.abc import Iterator, Sequence

from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import DllClosure
from torchdoctor.renderers.plain import wrap


def render(closure: DllClosure, outcomes: Sequence[Outcome], width: int = 80) -> str:
    """Render the DLLs that a folder lacks, then the outcomes of the checks."""
    lines = wrap(
        f"{closure.folder}: {len(closure.images)} images, {closure.edges} imports", width, "    ", ""
    )
    lines += ["", *_render_missing(closure, width), ""]
    for outcome in outcomes:
        for finding in outcome.findings:
            level = (finding.severity or outcome.severity).value.upper()
            lines += wrap(f"{level}  {outcome.name}: {finding.message}", width, "    ", "")
        for message in outcome.observations:
            lines += wrap(f"ok  {outcome.name}: {message}", width, "    ", "")
    return "\n".join(lines) + "\n"


def _render_missing(closure: DllClosure, width: int) -> Iterator[str]:
    for damaged in closure.damaged:
        yield from wrap(f"{damaged.path} could not be read: {damaged.reason}", width, "    ", "")
    if not closure.missing:
        if closure.images:
            yield "Nothing is missing." if not closure.damaged else "The others lack nothing."
        return
    if closure.system_listed:
        yield "Missing:"
    else:
        yield "Needed from elsewhere (--search DIR gives a folder that stands for System32):"
    for dll in closure.missing:
        supplier = dll.supplier or "supplier not known"
        delayed = ", only at first use" if dll.delayed else ""
        yield from wrap(f"{dll.name}  ({supplier}{delayed})", width, "      ", "  ")
        yield from wrap(f"needed by {' -> '.join(dll.chain[:-1])}", width, "      ", "      ")
