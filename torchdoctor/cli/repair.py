"""The command that repairs an environment."""

from pathlib import Path
from typing import Annotated

from torchdoctor.cli.options import Format, NoRedact, Output, Python, complete_names, read_path, typer
from torchdoctor.core.usage import UsageError

Name = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="With --undo: which repair (default: the last one).")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan, and change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Run all steps without asking.")]
Checks = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="NAME",
        help="Mend only what this check or family finds; can be repeated.",
        autocompletion=complete_names,
    ),
]
Undo = Annotated[bool, typer.Option("--undo", help="Bring back everything that a repair changed.")]
Lists = Annotated[bool, typer.Option("--list", help="List the repairs.")]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--find-links",
        metavar="DIR",
        parser=read_path,
        help="Take packages from this folder, and none from the network (with --no-index).",
    ),
]
NoIndex = Annotated[bool, typer.Option("--no-index", help="Take no package from the network.")]
YesToSystem = Annotated[
    bool,
    typer.Option("--yes-to-system", help="Also change the base of conda, or a Python of the system."),
]


def repair(
    name: Name = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    select: Checks = None,
    python: Python = None,
    undo: Undo = False,
    lists: Lists = False,
    folder: Folder = None,
    no_index: NoIndex = False,
    yes_to_system: YesToSystem = False,
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Mend what scan finds: the plan, your consent, the change, and another look; --undo brings all back.

    Packages, variables of your account and files in the way are changed, each kept before. What needs an
    administrator is only shown.
    """
    from torchdoctor.actions import repair as repair_action
    from torchdoctor.repair.results import RepairRequest

    if lists or undo:
        others = (dry_run, yes, select, python, folder, no_index, yes_to_system, output, form != "text")
        if any(others) or (lists and undo):
            raise UsageError(f"--{'list' if lists else 'undo'} takes no other option")
        if lists and name is not None:
            raise UsageError("--list takes no ID")
        raise typer.Exit(repair_action.list_repairs() if lists else repair_action.undo_repair(name))
    if name is not None:
        raise UsageError(
            f"{name}: repair takes an ID only with --undo, and no file: scan --fix changes training code"
        )
    if no_index and folder is None:
        raise UsageError("--no-index needs --find-links DIR, the folder that has the packages")
    request = RepairRequest(python, tuple(select or ()), dry_run, yes, yes_to_system, folder)
    raise typer.Exit(repair_action.repair(request, form, output, no_redact=no_redact))
