"""The command that explains an error text."""

import os
from pathlib import Path
from typing import Annotated

from torchdoctor.cli.options import (
    ExplanationFormat,
    NoRedact,
    Output,
    Python,
    complete_names,
    read_path,
    typer,
)
from torchdoctor.core.usage import UsageError

Text = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TEXT | NAME]",
        help="An error text, a file of it, - for stdin, or the name of a problem.",
        autocompletion=complete_names,
    ),
]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        "--file",
        "-f",
        metavar="FILE",
        parser=read_path,
        help="Read the text from a file (- is stdin), or those of a folder or .jsonl; can be repeated.",
    ),
]
Clipboard = Annotated[bool, typer.Option("--clipboard", help="Read the text from the clipboard.")]
Last = Annotated[
    bool, typer.Option("--last", help="Explain the last failed program of torchdoctor run again.")
]
OpensReference = Annotated[
    bool, typer.Option("--open", help="Open the first page that the entry refers to in the browser.")
]
ScanToo = Annotated[
    bool, typer.Option("--scan", help="Run the checks of the recognised problems on this machine.")
]
ListNames = Annotated[bool, typer.Option("--list", help="List every problem that has an entry.")]
Search = Annotated[
    str | None,
    typer.Option("--search", metavar="WORDS", help="List the entries that have these words."),
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", metavar="N", min=0, max=256, help="Explain many texts in N processes."),
]


def explain(
    text: Text = None,
    files: Files = None,
    clipboard: Clipboard = False,
    last: Last = False,
    opens_reference: OpensReference = False,
    scan_too: ScanToo = False,
    list_names: ListNames = False,
    search: Search = None,
    python: Python = None,
    jobs: Jobs = 0,
    form: ExplanationFormat = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Explain an error text, or show the entry of a problem.

    Without arguments, it asks on a terminal for the text to be pasted, and else reads stdin.
    """
    from torchdoctor.actions import explain as explain_action
    from torchdoctor.actions import explain_each as explain_each_action
    from torchdoctor.commands.explain import ExplainRequest

    given = files or []
    is_many = len(given) > 1 or any(os.path.isdir(each) or each.suffix == ".jsonl" for each in given)
    if is_many or form == "jsonl":
        others = (text, clipboard, last, opens_reference, scan_too, list_names, search)
        if not given or any(others):
            raise UsageError("many texts are explained by --file alone, with --format and --output")
        raise typer.Exit(
            explain_each_action.explain_each(given, form, output, no_redact=no_redact, jobs=jobs)
        )
    file = given[0] if given else None
    request = ExplainRequest(
        " ".join(text or ()), file, scan_too, list_names, python, search, clipboard, last, opens_reference
    )
    raise typer.Exit(explain_action.explain(request, form, output, no_redact=no_redact))
