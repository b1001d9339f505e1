"""The command line: parse arguments, call a command, and print what a renderer returns."""

import gc
import importlib
import os
import signal
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.core.vendored import import_vendored
from torchdoctor.core.version import __version__
from torchdoctor.knowledge.entries import FAMILIES
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    import typer

    from torchdoctor.check import Severity
    from torchdoctor.commands.explain import ExplainResult
    from torchdoctor.commands.scan import ScanRequest
    from torchdoctor.engine.plugins import Broken
    from torchdoctor.report import Report
else:
    typer = import_vendored("typer")

T = TypeVar("T")

REPORT_FORMATS = ("text", "json", "sarif", "github")
LIST_FORMATS = ("text", "json", "markdown")

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
    typer.Option("--python", metavar="PATH", help="The interpreter to examine (default: the project's)."),
]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")]
ReportFormat = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help=f"{', '.join(REPORT_FORMATS[:-1])} or {REPORT_FORMATS[-1]}."
    ),
]
FAMILY_LIST = ", ".join(FAMILIES)
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of the screen.")
]
NoRedact = Annotated[
    bool, typer.Option("--no-redact", help="Keep user names, host name and home folders in JSON.")
]


def main() -> NoReturn:
    """Run the command line; a failure is one line on stderr and exit code 2 (usage) or 3."""
    signals = _interrupt_on_termination()
    try:
        app()
    except BrokenPipeError:
        # The reader of the output is gone (`torchdoctor scan | more`), which is not an error.
        _discard_output()
        raise SystemExit(0) from None
    except screen.OutputError as error:
        _discard_output()
        screen.show_message(str(error))
        raise SystemExit(2) from None
    except SystemExit:
        if signals:
            raise SystemExit(128 + signals[0]) from None
        raise
    except Exception as error:
        from torchdoctor.engine.plugins import RegistryError

        expected = isinstance(error, (UsageError, RegistryError))
        screen.show_message(str(error) if expected else screen.describe_defect(error))
        raise SystemExit(2 if isinstance(error, UsageError) else 3) from None
    raise SystemExit(0)


def _interrupt_on_termination() -> list[int]:
    """End by SIGTERM and SIGHUP as by Ctrl-C, so that no child is left; return the list of those received."""
    received: list[int] = []

    def interrupt(number: int, frame: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, interrupt)
    return received


def _discard_output() -> None:
    # Python flushes standard output once more when it ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
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
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Training code to check as well.")
    ] = None,
    python: Python = None,
    facts: Annotated[
        list[Path] | None,
        typer.Option(
            "--facts",
            metavar="FILE",
            help="Examine saved facts instead of this machine; can be repeated, for a report of each file.",
        ),
    ] = None,
    trials: Annotated[
        bool,
        typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
    ] = True,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="NAME",
            help=f"Run only this check or family; can be repeated. The families: {FAMILY_LIST}.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="NAME", help="Skip this check or family; can be repeated."),
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar="SEVERITY",
            help="Exit with 1 for findings this bad or worse: error, warning or note.",
        ),
    ] = "error",
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change in the training code.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Make the safe, mechanical changes in the training code.")
    ] = False,
    form: ReportFormat = "text",
    output: Output = None,
    no_redact: NoRedact = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Show all findings in full, all checks, and their times."),
    ] = False,
) -> None:
    """Examine the environment (and training code): what is wrong, the proof, and the fix."""
    from torchdoctor.commands.scan import ScanRequest, scan_each
    from torchdoctor.report import find_exit_code

    request = ScanRequest(
        paths=tuple(paths or ()),
        python=python,
        trials=trials,
        select=tuple(select or ()),
        ignore=tuple(ignore or ()),
        fail_on=_parse_severity(fail_on),
        wants_timings=verbose,
    )
    _check_format(form, REPORT_FORMATS)
    if diff or fix:
        _change_code(request, output, diff)
    with ProgressLine() as progress:
        reports = scan_each(request, facts or (), progress.watch)
    for notice in dict.fromkeys(notice for report in reports for notice in report.notices):
        screen.show_message(notice)
    for report in reports:
        if report.timings is not None:
            _show_timings(report.timings.probes, report.timings.checks)
    shown_reports = reports if form == "text" or no_redact else _redact(reports)
    _write(_render_reports(shown_reports, form, _wants_colour(output), verbose), output)
    raise typer.Exit(find_exit_code(reports))


def _render_reports(reports: tuple["Report", ...], form: str, colour: bool, verbose: bool) -> str:
    renderer = importlib.import_module(f"torchdoctor.renderers.{'terminal' if form == 'text' else form}")
    options = {"width": screen.find_width(), "colour": colour, "verbose": verbose} if form == "text" else {}
    text: str = (
        renderer.render(reports[0], **options)
        if len(reports) == 1
        else renderer.render_all(reports, **options)
    )
    return text


def _change_code(request: "ScanRequest", output: Path | None, only_shows: bool) -> None:
    """Make the safe changes in the training code, or show them and exit."""
    from torchdoctor.commands.fix import plan_changes, write_change

    planned = plan_changes(request.paths, request.select, request.ignore)
    if only_shows:
        _write(planned.diff, output)
        raise typer.Exit(planned.exit_code)
    for change in planned.changes:
        write_change(change)
    for change in planned.changes:
        screen.show_message(f"{change.path}: {'; '.join(change.descriptions)}")


@app.command()
def explain(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT | NAME]",
            help="An error text, a file of it, - for stdin, or the name of a problem.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", metavar="FILE", help="Read the text from a file; - is stdin."),
    ] = None,
    clipboard: Annotated[bool, typer.Option("--clipboard", help="Read the text from the clipboard.")] = False,
    last: Annotated[
        bool, typer.Option("--last", help="Explain the last failed program of torchdoctor run again.")
    ] = False,
    opens_reference: Annotated[
        bool, typer.Option("--open", help="Open the first page that the entry refers to in the browser.")
    ] = False,
    scan_too: Annotated[
        bool, typer.Option("--scan", help="Run the checks of the recognised problems on this machine.")
    ] = False,
    list_names: Annotated[bool, typer.Option("--list", help="List every problem that has an entry.")] = False,
    search: Annotated[
        str,
        typer.Option("--search", metavar="WORDS", help="List the entries that have these words."),
    ] = "",
    python: Python = None,
    form: Format = "text",
    output: Output = None,
) -> None:
    """Explain an error text, or show the entry of a problem.

    Without arguments, it asks on a terminal for the text to be pasted, and else reads stdin.
    """
    # A short process that makes many small objects: garbage collection takes time and frees nothing.
    gc.disable()
    from torchdoctor.commands.explain import ExplainRequest, explain_request

    _check_format(form)
    request = ExplainRequest(
        " ".join(text or ()), file, scan_too, list_names, python, search, clipboard, last, opens_reference
    )
    with ProgressLine() as progress:
        result = explain_request(request, progress.watch)
    if result.notice is not None:
        screen.show_message(result.notice)
    if scan_too and result.explanation is not None:
        _show_examined(python, form)
    rows = None if output else screen.find_rows()
    _write(_render_result(result, form, _wants_colour(output), rows), output)
    if opens_reference and result.reference is not None:
        _open_page(result.reference)
    raise typer.Exit(result.exit_code)


def _show_examined(python: str | None, form: str) -> None:
    """Say which interpreter was examined, if the user did not name it and the text has no line for it."""
    if python is None and form == "text":
        from torchdoctor.probes.project_python import find_project_python

        chosen = find_project_python()
        screen.show_message(f"examined: {chosen.executable} ({chosen.reason})")


def _open_page(address: str) -> None:
    from torchdoctor.terminal.browser import open_page

    is_open = open_page(address)
    screen.show_message(f"opened {address}" if is_open else f"no browser was found; the page is {address}")


def _render_result(result: "ExplainResult", form: str, colour: bool, rows: int | None) -> str:
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
    from torchdoctor.commands.facts import observe_facts
    from torchdoctor.renderers import json

    with ProgressLine() as progress:
        observation = observe_facts(python, trials=trials, watcher=progress.watch)
    shown_facts = observation.facts if no_redact else _redact(observation.facts)
    _write(json.render_facts(shown_facts, __version__, observation.taken_at), output)
    _show_broken(observation.broken)
    raise typer.Exit(observation.exit_code)


@app.command()
def checks(
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, or markdown for the README.")
    ] = "text",
) -> None:
    """List the checks: family, severity, what they need, and whether they run here."""
    from torchdoctor.commands.checks import list_checks
    from torchdoctor.renderers import listing

    _check_format(form, LIST_FORMATS)
    check_list = list_checks()
    if form == "markdown":
        text = listing.render_markdown(check_list.registry)
    else:
        render = listing.render_json if form == "json" else listing.render_text
        text = render(check_list.registry, check_list.system)
    _write(text, None)
    _show_broken(check_list.registry.broken)
    raise typer.Exit(check_list.exit_code)


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
    from torchdoctor.commands.schema import read_schema

    json_schema = read_schema(name)
    _write(json_schema.text, None)
    raise typer.Exit(json_schema.exit_code)


@app.command()
def dlls(
    path: Annotated[Path, typer.Argument(metavar="FOLDER|WHEEL", help="The folder or wheel with the DLLs.")],
    search: Annotated[
        list[Path] | None,
        typer.Option(
            "--search",
            metavar="DIR",
            help="A folder to use in place of System32 and the search path; can be repeated.",
        ),
    ] = None,
    form: Format = "text",
    output: Output = None,
) -> None:
    """Show which DLLs a folder or wheel lacks, on any system."""
    from torchdoctor.commands.dlls import analyse_dlls
    from torchdoctor.renderers import dlls as text_renderer
    from torchdoctor.renderers import json

    _check_format(form)
    analysis = analyse_dlls(path, tuple(search or ()))
    if form == "json":
        text = json.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, __version__)
    else:
        text = text_renderer.render(analysis.closure, analysis.outcomes)
    _write(text, output)
    raise typer.Exit(analysis.exit_code)


@app.command()
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
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Suggest DataLoader settings that are safe here, and print a script to paste."""
    from torchdoctor.commands.loader import LoaderRequest, plan_loader
    from torchdoctor.renderers import json
    from torchdoctor.renderers import loader as text_renderer

    _check_format(form)
    request = LoaderRequest(target, tuple(arguments or ()), python, measures)
    with ProgressLine() as progress:
        planned = plan_loader(request, progress.watch)
    _show_examined(python, form)
    if form == "json":
        text = json.render_plan(planned.plan if no_redact else _redact(planned.plan), __version__)
    else:
        text = text_renderer.render(planned.plan, width=screen.find_width(), colour=_wants_colour(output))
    _write(text, output)
    raise typer.Exit(planned.exit_code)


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
    """Run a program unchanged, and explain why it failed if it does.

    --safe-loader limits the workers of its DataLoaders to the plan, and leaves out CUDA streams and
    background threads that have no use here. Its files and its batches stay the same, and each change is
    reported. --write-launcher writes a file to double-click instead of running the program. Processes
    that the program leaves running are ended.
    """
    # Declared only for its help: `__main__` runs programs without importing this module.
    raise UsageError("run must be the first argument: torchdoctor run SCRIPT")


def _redact(value: T) -> T:
    from torchdoctor.domain.redaction import redact
    from torchdoctor.probes.identity import read_identity

    return redact(value, read_identity())


def _check_format(form: str, formats: tuple[str, ...] = ("text", "json")) -> None:
    if form not in formats:
        raise UsageError(f"{form} is not a format; choose from {', '.join(formats)}{suggest(form, formats)}")


def _parse_severity(name: str) -> "Severity":
    from torchdoctor.check import Severity

    try:
        return Severity(name.lower())
    except ValueError:
        names = [severity.value for severity in Severity]
        raise UsageError(
            f"{name} is not a severity; choose from {', '.join(names)}{suggest(name, names)}"
        ) from None


def _wants_colour(output: Path | None) -> bool:
    return output is None and screen.wants_colour(sys.stdout)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        screen.show(text)
    else:
        screen.write_output(output, text)


def _show_timings(probes: Mapping[str, float], checks: Mapping[str, float]) -> None:
    for kind, seconds in (("probe", probes), ("check", checks)):
        for name in sorted(seconds, key=lambda name: -seconds[name]):
            screen.show_message(f"{seconds[name]:9.4f} s  {kind} {name}")


def _show_broken(broken: "Iterable[Broken]") -> None:
    for item in broken:
        screen.show_message(f"{item.name}: {item.reason}")
