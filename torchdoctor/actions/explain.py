"""Show what an error text means, or an entry of the knowledge base."""

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import EXPLANATION_FORMATS, check_format
from torchdoctor.actions.showing import (
    is_for_user,
    make_shareable,
    show_broken,
    show_examined,
    wants_colour,
    write,
)
from torchdoctor.core.targets import keep_inputs
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.commands.explain import ExplainRequest, ExplainResult


def explain(
    request: "ExplainRequest", form: str = "text", output: "Path | None" = None, *, no_redact: bool = False
) -> int:
    """Explain an error text, or show the entry of a problem."""
    # A short process that makes many small objects: garbage collection takes time and frees nothing.
    gc.disable()
    from torchdoctor.commands.explain import explain_request

    check_format(form, EXPLANATION_FORMATS)
    keep_inputs(output, (_find_explained_file(request),))
    request = replace(request, on_screen=is_for_user(form, no_redact))
    with ProgressLine() as progress:
        result = explain_request(request, progress.watch)
    if result.notice is not None:
        screen.show_message(result.notice)
    show_broken(result.broken)
    if request.search is not None and not result.related:
        screen.show_message(f"no entry has all of these words: {request.search}")
    if request.scan and result.explanation is not None:
        show_examined(request.python, form)
    rows = None if output else screen.find_rows()
    shown_result = replace(
        result, explanation=make_shareable(result.explanation, form, no_redact, is_pasted=True)
    )
    write(_render_result(shown_result, form, wants_colour(output), rows), output)
    if request.opens_reference and result.reference is not None:
        _open_page(result.reference)
    return result.exit_code


def _find_explained_file(request: "ExplainRequest") -> "Path | str":
    """Return the file with the text that is explained, "" if it comes from elsewhere or is not known."""
    if not request.last:
        return request.file or request.text
    from torchdoctor.terminal.last_failure import find_failure_file

    try:
        return find_failure_file()
    except RuntimeError:
        # The user has no home folder.
        return ""


def _open_page(address: str) -> None:
    from torchdoctor.terminal.browser import open_page

    is_open = open_page(address)
    screen.show_message(f"opened {address}" if is_open else f"no browser was found; the page is {address}")


def _render_result(result: "ExplainResult", form: str, colour: bool, rows: int | None) -> str:
    if form == "markdown":
        return _render_result_for_issues(result)
    from torchdoctor.renderers import explanation as renderer

    as_json, width = form == "json", screen.find_width()
    if result.entry is not None:
        entry = result.entry
        return renderer.render_entry_json(entry) if as_json else renderer.render_entry(entry, width, colour)
    if result.explanation is not None:
        explanation = result.explanation
        if as_json:
            return renderer.render_json(explanation)
        return renderer.render_text(explanation, width, colour, result.related or (), rows)
    entries = result.knowledge.entries.values() if result.related is None else result.related
    return renderer.render_list_json(entries) if as_json else renderer.render_list(entries)


def _render_result_for_issues(result: "ExplainResult") -> str:
    from torchdoctor.renderers import markdown

    if result.entry is not None:
        return markdown.render_entry(result.entry)
    if result.explanation is not None:
        return markdown.render_explanation(result.explanation)
    entries = result.knowledge.entries.values() if result.related is None else result.related
    return markdown.render_list(entries)
