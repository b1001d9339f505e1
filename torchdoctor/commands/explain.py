"""The `explain` command: read a text, explain it, and run the checks that can confirm it if asked to."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import Explanation, explain, explain_stream
from torchdoctor.knowledge import Entry, Knowledge, parse_head
from torchdoctor.knowledge.search import is_query, search_entries

if TYPE_CHECKING:
    from io import BufferedReader

    from torchdoctor.engine.stopwatch import Watcher

_CHUNK_BYTES = 1 << 16


@record
class ExplainRequest:
    """The arguments of `explain`."""

    text: str
    file: Path | None = None
    scan: bool = False
    list_names: bool = False
    python: str | None = None
    search: str = ""


@record
class ExplainResult:
    """The explanation of a text, or the entry that it names; neither if all entries are to be listed.

    `related` are the entries with the words of a short text that was not recognised, or of a search.
    """

    knowledge: Knowledge
    explanation: Explanation | None = None
    entry: Entry | None = None
    related: tuple[Entry, ...] | None = None

    @property
    def exit_code(self) -> int:
        """1 if a text was not recognised, or a search found nothing, else 0."""
        if self.explanation is None:
            return 1 if self.related == () else 0
        return 0 if self.explanation.recognised else 1


def explain_request(request: ExplainRequest, watcher: "Watcher | None" = None) -> ExplainResult:
    """Explain a text, or find the entry that it names.

    If checks run as well, the watcher is called with the name of each probe when it starts and ends.

    Raises:
        UsageError: there is no text, its file cannot be read, or the interpreter cannot be examined.
        RegistryError: no knowledge base is installed.
    """
    knowledge, _ = load_knowledge(parse_head)
    if request.list_names:
        return ExplainResult(knowledge)
    if request.search:
        return ExplainResult(knowledge, related=search_entries(knowledge, request.search))
    entry = knowledge.find(request.text) if request.text and request.file is None else None
    if entry is not None:
        return ExplainResult(knowledge, entry=entry)
    explanation = _explain(request, knowledge)
    if request.scan:
        # Imported here: most explanations need no checks.
        from torchdoctor.explain.confirmation import confirm

        explanation = confirm(explanation, request.python, watcher)
    is_short_query = request.file is None and not explanation.diagnoses and is_query(request.text)
    related = search_entries(knowledge, request.text) if is_short_query else None
    return ExplainResult(knowledge, explanation, related=related)


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
        # `read` would ask a terminal for more after the end of the text.
        while chunk := cast("BufferedReader", sys.stdin.buffer).read1(_CHUNK_BYTES):
            yield chunk
        return
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            yield chunk
