"""The command line: arguments in, calls, text out; it decides nothing."""

import gc
import importlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NoReturn, TypeVar

import typer

T = TypeVar("T")

REPORT_FORMATS = ("text", "json", "sarif", "github")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Finds out why PyTorch fails on Windows, proves it, and gives the fix that works.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Python = Annotated[
    str | None,
    typer.Option("--python", metavar="PATH", help="The interpreter to examine (default: the active one)."),
]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead of to the screen.")
]
NoRedact = Annotated[
    bool, typer.Option("--no-redact", help="Keep user names, host name and home folders in JSON.")
]


def main() -> NoReturn:
    """Run the command line; every failure is one line on stderr and the right exit code."""
    try:
        app()
    except BrokenPipeError:
        # The reader has gone (`torchdoctor scan | more`): not a defect, and nothing left to tell it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except Exception as error:
        from torchdoctor.plugins import RegistryError
        from torchdoctor.screen import describe_defect
        from torchdoctor.usage import UsageError

        expected = isinstance(error, (UsageError, RegistryError))
        _complain(str(error) if expected else describe_defect(error))
        raise SystemExit(2 if isinstance(error, UsageError) else 3) from None
    raise SystemExit(0)


def _show_version(wanted: bool) -> None:
    if wanted:
        from torchdoctor import __version__

        typer.echo(f"torchdoctor {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command()
def scan(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Training code to read as well.")
    ] = None,
    python: Python = None,
    facts: Annotated[
        list[Path] | None,
        typer.Option("--facts", metavar="FILE", help="Examine saved facts, not this machine."),
    ] = None,
    trials: Annotated[
        bool,
        typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
    ] = True,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="NAME", help="Only these checks or families.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="NAME", help="Not these checks or families.")
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option("--fail-on", metavar="SEVERITY", help="error, warning or note: exit 1 from there on."),
    ] = "error",
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change in the training code.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Make the mechanical, safe changes in the training code.")
    ] = False,
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell how long each probe and check took.")
    ] = False,
) -> None:
    """Examine the environment (and training code): what is wrong, the proof, and the fix."""
    from torchdoctor import commands
    from torchdoctor.progress import Progress

    severity = commands.read_severity(fail_on)
    _check_format(form, REPORT_FORMATS)
    request = commands.ScanRequest(
        paths=tuple(paths or ()),
        python=python,
        facts_files=tuple(facts or ()),
        trials=trials,
        select=tuple(select or ()),
        ignore=tuple(ignore or ()),
        wants_timings=verbose,
    )
    if diff or fix:
        changes = commands.plan_changes(request)
        if diff:
            _deliver("".join(change.diff() for change in changes), output)
            raise typer.Exit(1 if changes else 0)
        commands.write_changes(changes)
        for change in changes:
            _complain(f"{change.path}: {'; '.join(change.descriptions)}")
    with Progress() as progress:
        report = commands.scan(request, progress.watch)
    for notice in report.notices:
        _complain(notice)
    if report.timings is not None:
        _tell_timings(report.timings.probes, report.timings.checks)
    if form == "text":
        from torchdoctor.renderers import terminal
        from torchdoctor.screen import find_width, wants_colour

        text = terminal.render(report, width=find_width(), colour=output is None and wants_colour())
    else:
        renderer = importlib.import_module(f"torchdoctor.renderers.{form}")
        text = renderer.render(report if no_redact else _redact(report))
    _deliver(text, output)
    raise typer.Exit(report.exit_code(severity))


@app.command()
def explain(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT | NAME]", help="An error text, or the name of a problem."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", metavar="FILE", help="Read the text from a file; - is stdin."),
    ] = None,
    scan_too: Annotated[
        bool, typer.Option("--scan", help="Run the checks of what was recognised on this machine.")
    ] = False,
    list_names: Annotated[bool, typer.Option("--list", help="List every problem that has an entry.")] = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
) -> None:
    """Explain a pasted error text, or show the entry of a problem."""
    # A short life with many small values: collecting cycles costs time and frees nothing.
    gc.disable()
    from torchdoctor import explaining

    _check_format(form)
    request = explaining.ExplainRequest(
        " ".join(text or ()), file, scan_too, list_names, python, form == "json"
    )
    answer, exit_code = explaining.answer(request, to_screen=output is None)
    _deliver(answer, output)
    raise typer.Exit(exit_code)


@app.command()
def facts(
    python: Python = None,
    output: Output = None,
    trials: Annotated[
        bool,
        typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
    ] = True,
    no_redact: NoRedact = False,
) -> None:
    """Observe the machine and print the facts as JSON, to be examined elsewhere."""
    from torchdoctor import __version__, commands
    from torchdoctor.facts import SUBJECTS
    from torchdoctor.progress import Progress
    from torchdoctor.renderers import json

    with Progress() as progress:
        observed, broken = commands.observe(python, SUBJECTS, trials=trials, watcher=progress.watch)
    shown = observed if no_redact else _redact(observed)
    _deliver(json.render_facts(shown, __version__, commands.now()), output)
    for item in broken:
        _complain(f"{item.name}: {item.reason}")
    raise typer.Exit(3 if broken else 0)


@app.command()
def checks(form: Format = "text") -> None:
    """List the checks: family, severity, what they need, and whether they run here."""
    from torchdoctor.probes.machine import read_operating_system
    from torchdoctor.registry import load_registry
    from torchdoctor.renderers import listing

    _check_format(form)
    registry = load_registry()
    render = listing.render_json if form == "json" else listing.render_text
    _deliver(render(registry, read_operating_system().system), None)
    for item in registry.broken:
        _complain(f"{item.name}: {item.reason}")
    raise typer.Exit(3 if registry.broken else 0)


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", help="report, facts, explanation, entry, entries, checks, dlls or loader."
        ),
    ] = "report",
) -> None:
    """Print the JSON Schema of an output."""
    from torchdoctor import commands

    _deliver(commands.read_schema(name), None)


@app.command()
def dlls(
    path: Annotated[Path, typer.Argument(metavar="FOLDER|WHEEL", help="Where the DLLs are.")],
    search: Annotated[
        list[Path] | None,
        typer.Option(
            "--search", metavar="DIR", help="A folder that stands for System32 and the search path."
        ),
    ] = None,
    form: Format = "text",
    output: Output = None,
) -> None:
    """Tell what the DLLs of a folder or wheel lack, on any system."""
    from torchdoctor import __version__
    from torchdoctor.analysing import analyse_dlls
    from torchdoctor.renderers import dlls as text_renderer
    from torchdoctor.renderers import json

    _check_format(form)
    analysis = analyse_dlls(path, tuple(search or ()))
    if form == "json":
        text = json.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, __version__)
    else:
        text = text_renderer.render(analysis.closure, analysis.outcomes)
    _deliver(text, output)
    raise typer.Exit(analysis.exit_code)


@app.command()
def loader(
    target: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="A dataset to try: package.module:name or file.py:name."),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Option("--arg", metavar="[NAME=]VALUE", help="An argument for the TARGET that makes it."),
    ] = None,
    measures: Annotated[
        bool, typer.Option("--measure", help="Try the worker counts that are safe; take the fastest.")
    ] = False,
    python: Python = None,
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Suggest DataLoader settings that are safe here, and print a script to paste."""
    from torchdoctor import __version__, loading
    from torchdoctor.progress import Progress
    from torchdoctor.renderers import json
    from torchdoctor.renderers import loader as text_renderer
    from torchdoctor.screen import find_width, wants_colour

    _check_format(form)
    request = loading.LoaderRequest(target, tuple(arguments or ()), python, measures)
    with Progress() as progress:
        plan = loading.plan_loader(request, progress.watch)
    if form == "json":
        text = json.render_plan(plan if no_redact else _redact(plan), __version__)
    else:
        text = text_renderer.render(plan, width=find_width(), colour=output is None and wants_colour())
    _deliver(text, output)
    raise typer.Exit(loading.find_exit_code(plan))


def _tell_timings(probes: Mapping[str, float], checks: Mapping[str, float]) -> None:
    for kind, seconds in (("probe", probes), ("check", checks)):
        for name in sorted(seconds, key=lambda name: -seconds[name]):
            _complain(f"{seconds[name]:9.4f} s  {kind} {name}")


@app.command(
    context_settings={
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
    },
    options_metavar="[--safe-loader] [--python PATH] [--write-launcher NAME.bat]",
)
def run(
    program: Annotated[list[str], typer.Argument(metavar="SCRIPT | -m MODULE | -- COMMAND ...")],
) -> None:
    """Run a program as it is, and explain its end if it fails.

    --safe-loader makes its DataLoaders safe (workers within the plan, no CUDA streams or background
    threads where there is no use for them) without changing its files or its batches, and says what it
    changed. --write-launcher writes a file to double-click instead. Whatever the program leaves running
    is ended with it.
    """
    from torchdoctor.running import run as run_program

    # As typed: an expanded * or a -- that was taken away would change the program's arguments.
    raise typer.Exit(run_program(sys.argv[sys.argv.index("run") + 1 :] if "run" in sys.argv else program))


def _redact(value: T) -> T:
    from torchdoctor.probes.identity import read_identity
    from torchdoctor.redact import redact

    return redact(value, read_identity())


def _check_format(form: str, known: tuple[str, ...] = ("text", "json")) -> None:
    from torchdoctor.usage import UsageError

    if form not in known:
        raise UsageError(f"{form} is no format; there are {', '.join(known)}")


def _deliver(text: str, output: Path | None) -> None:
    from torchdoctor.screen import show, write_output

    if output is None:
        show(text)
    else:
        write_output(output, text)


def _complain(message: str) -> None:
    from torchdoctor.screen import complain

    complain(message)


if __name__ == "__main__":
    main()
