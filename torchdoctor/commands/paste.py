"""What the web page does with what is pasted: a facts file is examined, any other text is explained."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.commands.explain import find_related
from torchdoctor.commands.texts import CODE_PAGE, read_chunks
from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import Explanation, explain_stream
from torchdoctor.knowledge import Entry, Knowledge, parse_head
from torchdoctor.knowledge.search import is_query
from torchdoctor.renderers.html.explanation import render_entries, render_explanation

if TYPE_CHECKING:
    from torchdoctor.report import Report

# Larger files are logs.
_MOST_FACTS_BYTES = 16 << 20
_MOST_QUERY_BYTES = 200


@record
class PasteAnswer:
    """The answer to what was pasted.

    `names` are the entries, best first, and `html` is a part of a page. `is_answered` is whether the first
    one is more than a similar text. `exit_code` is that of the command which gives the same answer.
    """

    title: str
    names: tuple[str, ...]
    html: str
    exit_code: int
    is_answered: bool = True

    def to_json(self) -> str:
        """Return the answer as one JSON object."""
        names = ("title", "names", "html", "exit_code", "is_answered")
        return json.dumps({name: getattr(self, name) for name in names})


class Desk:
    """Answers one text after the other with the same knowledge base, and keeps the last answer.

    `entry_address` is the address of the page of an entry, with `{}` in place of its name.
    """

    def __init__(self, entry_address: str) -> None:
        self._knowledge = load_knowledge(parse_head)[0]
        self._entry_address = entry_address
        self._last: Explanation | Report | None = None

    def answer(self, file: Path) -> PasteAnswer:
        """Return the answer to the text or the facts in a file.

        Raises:
            UsageError: it cannot be read, or its facts are damaged or of another version.
        """
        try:
            if _has_facts(file):
                return self._examine(file)
            explanation = explain_stream(read_chunks(file), self._knowledge, CODE_PAGE)
            related = () if explanation.diagnoses else self._find_related(file)
        except OSError as error:
            raise UsageError(f"the text cannot be read: {error.strerror or error}") from error
        self._last = explanation
        return PasteAnswer(
            title=explanation.headline,
            names=tuple(each.name for each in explanation.diagnoses),
            html=self._render(explanation, related),
            exit_code=0 if explanation.recognised else 1,
            is_answered=explanation.has_answer,
        )

    def describe_for_issue(self) -> str:
        """Return the last answer as Markdown for an issue, without names of persons and secrets."""
        # Imported here: not every answer is copied.
        from torchdoctor.redaction.redaction import Identity, redact
        from torchdoctor.renderers import markdown

        last = redact(self._last, Identity(), (Knowledge,), is_pasted=True)
        if last is None:
            return ""
        return markdown.render_explanation(last) if isinstance(last, Explanation) else markdown.render(last)

    def _render(self, explanation: Explanation, related: Sequence[Entry]) -> str:
        answer = render_explanation(explanation, self._knowledge, self._entry_address)
        return answer + render_entries(related, self._entry_address) if related else answer

    def _find_related(self, file: Path) -> tuple[Entry, ...]:
        """Return the entries that a few words find; the text may be no more than these."""
        query = read_bytes(file)[:_MOST_QUERY_BYTES].decode("utf-8", errors="replace").strip()
        return find_related(self._knowledge, query) if is_query(query) else ()

    def _examine(self, file: Path) -> PasteAnswer:
        # Imported here: few paste facts, and this imports all checks.
        from torchdoctor.commands.scan import ScanRequest, scan
        from torchdoctor.renderers.html.report import render_part
        from torchdoctor.report import find_exit_code

        # The file has no name that anybody knows.
        self._last = report = replace(scan(ScanRequest(facts_file=file)), facts_file=None)
        names = tuple(dict.fromkeys(outcome.name for outcome, _ in report.findings()))
        return PasteAnswer(
            title="The report on these facts",
            names=names,
            html=render_part(report),
            exit_code=find_exit_code((report,)),
            is_answered=bool(names),
        )


def _has_facts(file: Path) -> bool:
    """Return whether a file is JSON with facts: a facts file, or a report."""
    with open(file, "rb") as stream:
        start = stream.read(_MOST_QUERY_BYTES).lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \r\n\t")
    if not start.startswith(b"{"):
        return False
    # Imported here: it also imports every kind of fact.
    from torchdoctor.facts.codec import read_json

    try:
        data = read_json(file, _MOST_FACTS_BYTES)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and isinstance(data.get("facts"), dict)
