"""Parsing the command line: the commands in the order of their help."""

from typing import Annotated

from torchdoctor.cli import authors, explain, fleet, programs, repair, scan
from torchdoctor.cli.options import typer
from torchdoctor.core.usage import UsageError
from torchdoctor.core.vendored import import_vendored
from torchdoctor.core.version import __version__
from torchdoctor.terminal import screen

app = typer.Typer(
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Finds out why PyTorch fails on Windows, proves it, and gives the fix that works.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(scan.scan)
app.command()(explain.explain)
app.command()(scan.facts)
app.command()(authors.checks)
app.command()(fleet.fleet)
app.command()(repair.repair)
app.command(name="new-check")(authors.new_check)
app.command()(authors.schema)
app.command()(authors.dlls)
app.command()(programs.loader)
app.command(
    context_settings={
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
    },
    options_metavar="[--safe-loader] [--python PATH] [--write-launcher NAME.bat]",
)(programs.run)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        screen.show(f"torchdoctor {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def parse_and_run() -> int:
    """Run the command line, and return its exit code.

    Raises:
        UsageError: the arguments cannot be parsed; the message is one line.
    """
    errors = import_vendored("typer._click.exceptions")
    command = import_vendored("typer.main").get_command(app)
    # Typer's installer lets PowerShell run all scripts, and writes the profile of other shells anew.
    command.params = [each for each in command.params if each.name != "install_completion"]
    try:
        code: object = command(standalone_mode=False)
    except errors.NoArgsIsHelpError as error:
        error.show()
        return 2
    except SystemExit as error:
        # The parser ends with 1 where whoever reads its help has closed the pipe.
        if isinstance(error.__context__, BrokenPipeError):
            return 0
        raise
    except errors.ClickException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "torchdoctor"
        message = " ".join(error.format_message().split()).rstrip(".")
        raise UsageError(f"{message}; {path} --help says what is accepted") from None
    return code if isinstance(code, int) else 0
