"""What `explain` does: finds the text, explains it, and asks the machine where that was wanted."""

import sys
from collections.abc import Iterator
from pathlib import Path

from torchdoctor.explain import Explanation, explain, explain_stream
from torchdoctor.knowledge import Knowledge, parse_head
from torchdoctor.library import load_knowledge
from torchdoctor.record import record
from torchdoctor.renderers import explanation as renderer
from torchdoctor.screen import find_width, wants_colour
from torchdoctor.usage import UsageError

_CHUNK_BYTES = 1 << 16


@record
class ExplainRequest:
    """What `explain` was asked to do."""

    text: str
    file: Path | None = None
    scan: bool = False
    list_names: bool = False
    python: str | None = None
    as_json: bool = False


def answer(request: ExplainRequest, *, to_screen: bool) -> tuple[str, int]:
    """Give the text to show and the exit code: 0 recognised, 1 not recognised.

    Raises:
        UsageError: there is no text, or its file cannot be read.
        RegistryError: no knowledge base is installed.
    """
    knowledge, _ = load_knowledge(parse_head)
    as_json = request.as_json
    width, colour = find_width(), to_screen and wants_colour()
    if request.list_names:
        return renderer.render_list_json(knowledge) if as_json else renderer.render_list(knowledge), 0
    entry = knowledge.find(request.text) if request.text and request.file is None else None
    if entry is not None:
        shown = renderer.render_entry_json(entry) if as_json else renderer.render_entry(entry, width, colour)
        return shown, 0
    found = _explain(request, knowledge)
    if request.scan:
        from torchdoctor.commands import confirm

        found = confirm(found, request.python)
    text = renderer.render_json(found) if as_json else renderer.render_text(found, width, colour)
    return text, 0 if found.recognised else 1


def _explain(request: ExplainRequest, knowledge: Knowledge) -> Explanation:
    if request.text and request.file is None:
        return explain(request.text, knowledge)
    if request.file is None and sys.stdin.isatty():
        raise UsageError("nothing to explain: give a text, --file FILE, or pipe it in")
    try:
        return explain_stream(_read_chunks(request.file), knowledge)
    except OSError as error:
        raise UsageError(f"{request.file}: {error.strerror or error}") from error


def _read_chunks(file: Path | None) -> Iterator[bytes]:
    if file is None or str(file) == "-":
        while chunk := sys.stdin.buffer.read(_CHUNK_BYTES):
            yield chunk
        return
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            yield chunk
