"""The commands for who writes checks, packages or programs that read reports."""

from pathlib import Path
from typing import Annotated

from torchdoctor.cli.options import FAMILY_LIST, Format, NoRedact, Output, read_path, typer


def checks(
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, or markdown for the README.")
    ] = "text",
) -> None:
    """List the checks: family, severity, what they need, and whether they run here."""
    from torchdoctor.actions import checks as checks_action

    raise typer.Exit(checks_action.checks(form))


def new_check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, such as scratch-disk-full.")],
    family: Annotated[
        str, typer.Option("--family", metavar="FAMILY", help=f"One of {FAMILY_LIST}.")
    ] = "settings",
) -> None:
    """Write the files of a new check: here if this is a clone of torchdoctor, else as a package."""
    from torchdoctor.actions import new_check as new_check_action

    raise typer.Exit(new_check_action.new_check(name, family))


def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="report, facts, explanation, entry, entries, checks, dlls, loader, repair, repair-journal, "
            "fleet or fleet-machine.",
        ),
    ] = "report",
) -> None:
    """Print the JSON Schema of an output."""
    from torchdoctor.actions import schema as schema_action

    raise typer.Exit(schema_action.schema(name))


def dlls(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER|DLL|WHEEL",
            parser=read_path,
            help="The folder or wheel with the DLLs, or one DLL.",
        ),
    ],
    search: Annotated[
        list[Path] | None,
        typer.Option(
            "--search",
            metavar="DIR",
            parser=read_path,
            help="A folder to use in place of System32 and the search path; can be repeated.",
        ),
    ] = None,
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Show which DLLs a folder, a DLL or a wheel lacks, on any system."""
    from torchdoctor.actions import dlls as dlls_action

    raise typer.Exit(dlls_action.dlls(path, search or (), form, output, no_redact=no_redact))
