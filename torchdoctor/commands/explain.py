"""The `explain` command: read a text, explain it, and run the checks that can confirm it if asked to."""

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.commands.texts import CODE_PAGE, read_chunks
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.plugins import Broken
from torchdoctor.explain import Explanation, explain_stream
from torchdoctor.knowledge import Entry, Knowledge, parse_head
from torchdoctor.knowledge.search import is_query, search_entries

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.engine.stopwatch import Watcher


@record
class ExplainRequest:
    """The arguments of `explain`; `on_screen` is whether only whoever gave the text reads the answer."""

    text: str
    file: "Path | None" = None
    scan: bool = False
    list_names: bool = False
    python: str | None = None
    search: str | None = None
    clipboard: bool = False
    last: bool = False
    opens_reference: bool = False
    on_screen: bool = False


@record
class ExplainResult:
    """The explanation of a text, or the entry that it names; neither if all entries are to be listed.

    `related` are the entries with the words of a short text that was not recognised, or of a search.
    `notice` says which text was explained, where the user did not give it. `broken` are the entries that were
    left out.
    """

    knowledge: Knowledge
    explanation: Explanation | None = None
    entry: Entry | None = None
    related: tuple[Entry, ...] | None = None
    notice: str | None = None
    broken: tuple[Broken, ...] = ()

    @property
    def reference(self) -> str | None:
        """The first page that the entry refers to, or the entry of the first diagnosis if there is one."""
        entry = self.entry
        if entry is None and self.explanation is not None and self.explanation.recognised:
            entry = self.knowledge.find(self.explanation.diagnoses[0].name)
        references = entry.references if entry is not None else ()
        return next((page for page in references if page.startswith("https://")), None)

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
        UsageError: there is no text, it cannot be read, or the interpreter cannot be examined.
        RegistryError: no knowledge base is installed.
    """
    _check_combination(request)
    if request.search is not None and not request.search.strip():
        raise UsageError('--search has no words: give one or more, such as --search "paging file"')
    knowledge, broken = load_knowledge(parse_head)
    result = ExplainResult(knowledge, broken=broken)
    if request.list_names:
        return result
    if request.search is not None:
        return replace(result, related=search_entries(knowledge, request.search))
    entry = knowledge.find(request.text) if request.text else None
    if entry is not None:
        return replace(result, entry=entry)
    text = _read_text(request)
    try:
        explanation = explain_stream(text.chunks, knowledge, CODE_PAGE, on_screen=request.on_screen)
    except OSError as error:
        raise UsageError(f"{request.file or request.text}: {error.strerror or error}") from error
    if request.scan:
        # Imported here: most explanations need no checks.
        from torchdoctor.explain.confirmation import confirm

        explanation = confirm(explanation, request.python, watcher)
    is_short_query = not explanation.diagnoses and is_query(request.text) and text.notice is None
    related = find_related(knowledge, request.text) if is_short_query else None
    return replace(result, explanation=explanation, related=related, notice=text.notice)


def find_related(knowledge: Knowledge, query: str) -> tuple[Entry, ...]:
    """Return the entries that have the words of a query, else the one whose name is written nearly so."""
    found = search_entries(knowledge, query)
    if found or not re.fullmatch(r"[\w-]+", query):
        return found
    from difflib import get_close_matches

    names = get_close_matches(query.lower().replace("_", "-"), knowledge.entries, n=1, cutoff=0.8)
    return tuple(knowledge.entries[name] for name in names)


def _check_combination(request: ExplainRequest) -> None:
    given = {
        "a text": bool(request.text),
        "--file": request.file is not None,
        "--clipboard": request.clipboard,
        "--last": request.last,
        "--list": request.list_names,
        "--search": request.search is not None,
    }
    names = [name for name, is_given in given.items() if is_given]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(names)} cannot be combined: give only one of them")
    if request.opens_reference and names and names[0] in ("--list", "--search"):
        raise UsageError(f"--open opens the page of one problem: give its name or a text, not {names[0]}")


@record
class _Text:
    """The text to explain, and where it comes from if the user did not give it."""

    chunks: Iterable[bytes]
    notice: str | None = None


def _read_text(request: ExplainRequest) -> _Text:
    if request.text == "-":
        return _Text(read_chunks(None))
    if request.text and _is_file(request.text):
        return _Text(read_chunks(request.text), f"the text is that of the file {request.text}")
    if request.text:
        return _Text((request.text.encode("utf-8", errors="replace"),))
    if request.clipboard:
        # Imported here, as what follows: each run reads its text in one way.
        from torchdoctor.terminal.clipboard import read_clipboard

        return _Text((read_clipboard(),))
    if request.last:
        return _read_last_failure()
    if request.file is None and sys.stdin.isatty():
        return _Text((_read_pasted(),))
    return _Text(read_chunks(request.file))


def _is_file(text: str) -> bool:
    """Return whether a text is the name of a file, and so no error text."""
    try:
        return "\n" not in text and os.path.isfile(text)
    except (OSError, ValueError):
        return False


def _read_last_failure() -> _Text:
    from datetime import datetime

    from torchdoctor.terminal.last_failure import read_failure

    try:
        failure = read_failure()
    except OSError as error:
        raise UsageError(f"the output of the last failed run cannot be read: {error}") from error
    if failure is None:
        raise UsageError("there is no failed run to explain: torchdoctor run SCRIPT keeps the output of one")
    ended_at = datetime.fromtimestamp(failure.ended_at).isoformat(" ", "minutes")
    return _Text((failure.output,), f"this run failed at {ended_at}; its output is in {failure.file}")


def _read_pasted() -> bytes:
    if not sys.stdout.isatty():
        raise UsageError("nothing to explain: give a text, --file FILE, or pipe it in")
    from torchdoctor.terminal.pasting import read_paste

    text = read_paste()
    if not text.strip():
        raise UsageError("nothing was pasted: give a text, --file FILE or --clipboard, or pipe it in")
    return text
