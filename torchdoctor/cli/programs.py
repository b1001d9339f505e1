"""The commands for programs that load data: loader and run."""

from typing import Annotated

from torchdoctor.cli.options import NoRedact, Output, Python, typer
from torchdoctor.core.usage import UsageError


def loader(
    target: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="A dataset to try: package.module:name or file.py:name."),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Option(
            "--arg", metavar="[NAME=]VALUE", help="An argument to call TARGET with; can be repeated."
        ),
    ] = None,
    measures: Annotated[
        bool, typer.Option("--measure", help="Measure the safe numbers of workers, and take the fastest.")
    ] = False,
    python: Python = None,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json or html.")] = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Suggest DataLoader settings that are safe here, and print a script to paste."""
    from torchdoctor.actions import loader as loader_action
    from torchdoctor.commands.loader import LoaderRequest

    request = LoaderRequest(target, tuple(arguments or ()), python, measures)
    raise typer.Exit(loader_action.loader(request, form, output, no_redact=no_redact))


def run(
    program: Annotated[list[str], typer.Argument(metavar="SCRIPT | -m MODULE | -- COMMAND ...")],
) -> None:
    """Run a program unchanged, and explain why it failed if it does.

    --safe-loader limits the workers of its DataLoaders to the plan, and leaves out CUDA streams and
    background threads that have no use here. Its files and its batches stay the same, and each change is
    reported. --write-launcher writes a file to double-click instead of running the program. Processes
    that the program leaves running are ended.
    """
    # Declared only for its help: `__main__` runs programs without importing this module.
    raise UsageError("run must be the first argument: torchdoctor run SCRIPT")
