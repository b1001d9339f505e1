"""The formats that each command writes, and what else an option of the command line may name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchdoctor.core.files import follow_links
from torchdoctor.core.usage import UsageError, suggest

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.check import Severity

REPORT_FORMATS = ("text", "concise", "json", "sarif", "github", "junit", "gitlab", "markdown", "html")
LIST_FORMATS = ("text", "json", "markdown")
PLAIN_FORMATS = ("text", "json")
LOADER_FORMATS = ("text", "json", "html")
EXPLANATION_FORMATS = ("text", "json", "markdown")
TEXT_FORMATS = ("text", "json", "jsonl")
FLEET_FORMATS = ("text", "json", "jsonl", "markdown", "html", "parquet")


def check_format(form: str, formats: tuple[str, ...] = PLAIN_FORMATS) -> None:
    """Refuse a format that is not among these.

    Raises:
        UsageError: it is not; the message names the nearest.
    """
    if form not in formats:
        raise UsageError(f"{form} is not a format; choose from {', '.join(formats)}{suggest(form, formats)}")


def pair(
    formats: "Sequence[str]", outputs: "Sequence[Path | None]", known: tuple[str, ...]
) -> "tuple[tuple[str, Path | None], ...]":
    """Return each format with its output, None for the screen.

    Raises:
        UsageError: a format is unknown, or it is not clear which one goes where.
    """
    formats = tuple(formats) or ("text",)
    for form in formats:
        check_format(form, known)
    outputs = tuple(outputs) or (None,)
    if len(formats) != len(outputs):
        raise UsageError(
            "several formats need an --output each, in their order, as in "
            "--format text --output - --format html --output report.html"
        )
    files = [follow_links(output) for output in outputs if output is not None]
    if len(set(files)) < len(files) or outputs.count(None) > 1:
        raise UsageError("two formats would be written to the same place: name an --output for each")
    return tuple(zip(formats, outputs, strict=True))


def parse_severity(name: str) -> "Severity":
    """Return the severity of a name.

    Raises:
        UsageError: there is no such severity.
    """
    from torchdoctor.check import Severity

    try:
        return Severity(name.lower())
    except ValueError:
        names = [severity.value for severity in Severity]
        raise UsageError(
            f"{name} is not a severity; choose from {', '.join(names)}{suggest(name, names)}"
        ) from None
