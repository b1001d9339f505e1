"""The arguments and options that several commands have."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from torchdoctor.actions.formats import EXPLANATION_FORMATS, REPORT_FORMATS
from torchdoctor.core.usage import UsageError
from torchdoctor.core.vendored import import_vendored
from torchdoctor.knowledge.entries import FAMILIES

if TYPE_CHECKING:
    import typer as typer
else:
    typer = import_vendored("typer")

FAMILY_LIST = ", ".join(FAMILIES)


def complete_names(incomplete: str) -> list[str]:
    """Return the entries and families that begin with what was typed."""
    from torchdoctor.engine.library import load_heads

    names = [*load_heads().entries, *FAMILIES]
    return sorted(name for name in names if name.startswith(incomplete))


def _complete_format(incomplete: str) -> list[str]:
    """Return the formats of a report that begin with what was typed."""
    return [form for form in REPORT_FORMATS if form.startswith(incomplete)]


def read_path(text: str) -> Path:
    """Return a path that was given; pathlib takes an empty one, of an unset variable, for this folder.

    Raises:
        UsageError: it is empty.
    """
    if not text:
        raise UsageError("a path that was given is empty: name a file or a folder")
    return Path(text)


def _read_output(text: str) -> Path | None:
    """Return the file to write, None for the screen; "-" is the screen."""
    return None if text == "-" else read_path(text)


Python = Annotated[
    str | None,
    typer.Option(
        "--python", metavar="PATH", help="The interpreter to examine, also py -3.12 (default: the project's)."
    ),
]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")]
ExplanationFormat = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(EXPLANATION_FORMATS)}; of many texts text, json or jsonl.",
    ),
]
Trials = Annotated[
    bool,
    typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="NAME",
        help=f"Run only this check or family; can be repeated. The families: {FAMILY_LIST}.",
        autocompletion=complete_names,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="NAME",
        help="Skip this check or family; can be repeated.",
        autocompletion=complete_names,
    ),
]
FailOn = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        metavar="SEVERITY",
        help="Exit with 1 for findings this bad or worse: error (the default), warning or note.",
    ),
]
ReportFormats = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(REPORT_FORMATS[:-1])} or {REPORT_FORMATS[-1]}; can be repeated, "
        "with an --output for each.",
        autocompletion=_complete_format,
    ),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        parser=_read_output,
        help="Write to a file instead of the screen (-); can be repeated, one for each --format.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", parser=_read_output, help="Write to a file instead of the screen."
    ),
]
NoRedact = Annotated[
    bool,
    typer.Option(
        "--no-redact",
        help="Keep user names, host names, home folders and secrets (but not those of explained texts) in "
        "formats that are made to be shared.",
    ),
]
