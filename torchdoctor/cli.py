"""The command line: the commands, their arguments and their help."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from torchdoctor import actions
from torchdoctor.core.usage import UsageError
from torchdoctor.core.vendored import import_vendored
from torchdoctor.core.version import __version__
from torchdoctor.knowledge.entries import FAMILIES
from torchdoctor.terminal import screen

if TYPE_CHECKING:
    import typer
else:
    typer = import_vendored("typer")

app = typer.Typer(
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Finds out why PyTorch fails on Windows, proves it, and gives the fix that works.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _complete_names(incomplete: str) -> list[str]:
    """Return the entries and families that begin with what was typed."""
    from torchdoctor.engine.library import load_knowledge
    from torchdoctor.knowledge import parse_head

    names = [*load_knowledge(parse_head)[0].entries, *FAMILIES]
    return sorted(name for name in names if name.startswith(incomplete))


def _complete_format(incomplete: str) -> list[str]:
    """Return the formats of a report that begin with what was typed."""
    return [form for form in actions.REPORT_FORMATS if form.startswith(incomplete)]


Python = Annotated[
    str | None,
    typer.Option("--python", metavar="PATH", help="The interpreter to examine (default: the project's)."),
]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")]
ExplanationFormat = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(actions.EXPLANATION_FORMATS)}; of many texts text, json or jsonl.",
    ),
]


def _read_path(text: str) -> Path:
    """Return a path that was given; pathlib takes an empty one, of an unset variable, for this folder.

    Raises:
        UsageError: it is empty.
    """
    if not text:
        raise UsageError("a path that was given is empty: name a file or a folder")
    return Path(text)


def _read_output(text: str) -> Path | None:
    """Return the file to write, None for the screen; "-" is the screen."""
    return None if text == "-" else _read_path(text)


FAMILY_LIST = ", ".join(FAMILIES)
ReportFormats = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(actions.REPORT_FORMATS[:-1])} or {actions.REPORT_FORMATS[-1]}; can be repeated, "
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


@app.command()
def scan(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", parser=_read_path, help="Training code to check as well."),
    ] = None,
    python: Python = None,
    facts: Annotated[
        list[Path] | None,
        typer.Option(
            "--facts",
            metavar="FILE",
            parser=_read_path,
            help="Examine saved facts instead of this machine; can be repeated, for a report of each file.",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Examine the environment that a text describes, such as an issue; - is standard input.",
        ),
    ] = None,
    trials: Annotated[
        bool | None,
        typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="NAME",
            help=f"Run only this check or family; can be repeated. The families: {FAMILY_LIST}.",
            autocompletion=_complete_names,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="NAME",
            help="Skip this check or family; can be repeated.",
            autocompletion=_complete_names,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="SEVERITY",
            help="Exit with 1 for findings this bad or worse: error (the default), warning or note.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            parser=_read_path,
            help="Leave out the findings that this file knows, so that only new ones count.",
        ),
    ] = None,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Write what is found now to the file of --baseline.")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            parser=_read_path,
            help="Read this configuration (default: the nearest torchdoctor.toml or pyproject.toml).",
        ),
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change in the training code.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Make the safe, mechanical changes in the training code.")
    ] = False,
    formats: ReportFormats = None,
    outputs: Outputs = None,
    no_redact: NoRedact = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Show all findings in full, all checks, and their times."),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            min=0,
            max=64,
            help="Read training code in N processes (default: as many as are useful, at most 4).",
        ),
    ] = None,
    cache: Annotated[
        bool | None,
        typer.Option("--cache/--no-cache", help="Read only training code that changed, or all of it."),
    ] = None,
) -> None:
    """Examine the environment (and training code): what is wrong, the proof, and the fix."""
    from torchdoctor.commands.scan_arguments import ScanArguments

    arguments = ScanArguments(
        paths=tuple(paths or ()),
        facts=tuple(facts or ()),
        text=text,
        python=python,
        trials=trials,
        select=tuple(select) if select else None,
        ignore=tuple(ignore) if ignore else None,
        fail_on=None if fail_on is None else actions.parse_severity(fail_on),
        jobs=jobs,
        cache=cache,
        config=config,
        baseline=baseline,
        writes_baseline=write_baseline,
        diff=diff,
        fix=fix,
        verbose=verbose,
    )
    raise typer.Exit(actions.scan(arguments, formats or (), outputs or (), no_redact=no_redact))


@app.command()
def explain(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT | NAME]",
            help="An error text, a file of it, - for stdin, or the name of a problem.",
            autocompletion=_complete_names,
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            parser=_read_path,
            help="Read the text from a file (- is stdin), or those of a folder or .jsonl; can be repeated.",
        ),
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
        str | None,
        typer.Option("--search", metavar="WORDS", help="List the entries that have these words."),
    ] = None,
    python: Python = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", min=0, max=256, help="Explain many texts in N processes."),
    ] = 0,
    form: ExplanationFormat = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Explain an error text, or show the entry of a problem.

    Without arguments, it asks on a terminal for the text to be pasted, and else reads stdin.
    """
    from torchdoctor.commands.explain import ExplainRequest

    given = files or []
    is_many = len(given) > 1 or any(os.path.isdir(each) or each.suffix == ".jsonl" for each in given)
    if is_many or form == "jsonl":
        others = (text, clipboard, last, opens_reference, scan_too, list_names, search)
        if not given or any(others):
            raise UsageError("many texts are explained by --file alone, with --format and --output")
        raise typer.Exit(actions.explain_each(given, form, output, no_redact=no_redact, jobs=jobs))
    file = given[0] if given else None
    request = ExplainRequest(
        " ".join(text or ()), file, scan_too, list_names, python, search, clipboard, last, opens_reference
    )
    raise typer.Exit(actions.explain(request, form, output, no_redact=no_redact))


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
    raise typer.Exit(actions.facts(python, trials=trials, output=output, no_redact=no_redact))


@app.command()
def checks(
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, or markdown for the README.")
    ] = "text",
) -> None:
    """List the checks: family, severity, what they need, and whether they run here."""
    raise typer.Exit(actions.checks(form))


@app.command()
def fleet(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FACTS]...",
            parser=_read_path,
            help="Saved facts of the machines: files, folders of them, or JSON lines.",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Examine each host of this Dask scheduler."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            "--ray",
            metavar="ADDRESS",
            help="Examine each host of this Ray cluster; auto is the one that runs here.",
        ),
    ] = None,
    before_training: Annotated[
        bool,
        typer.Option(
            "--before-training",
            help="Exit with 1 if the machines cannot train together: torch, CUDA or NumPy's major version "
            "differ, one has errors, or one gives no answer.",
        ),
    ] = False,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="N", min=1, max=86400, help="How long a host may take."),
    ] = 300,
    trials: Annotated[
        bool,
        typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
    ] = True,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="NAME",
            help="Run only this check or family; can be repeated.",
            autocompletion=_complete_names,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="NAME",
            help="Skip this check or family; can be repeated.",
            autocompletion=_complete_names,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="SEVERITY",
            help="Exit with 1 for findings this bad or worse: error (the default), warning or note.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            parser=_read_path,
            help="Read this configuration, also for what machines have to have (default: the nearest).",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            min=0,
            max=256,
            help="Examine files in N processes (0: as many as useful).",
        ),
    ] = 0,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="text; json and markdown: the sums; html: a page with a table of the machines; jsonl and "
            "parquet: each machine. Can be repeated, with an --output for each.",
        ),
    ] = None,
    outputs: Outputs = None,
    no_redact: NoRedact = False,
) -> None:
    """Examine many machines: which of them is sick, and what differs.

    torchdoctor facts --output pc-1.json writes the facts of one. With facts and a cluster, the cluster
    examines the facts, not its hosts. Exit codes: 0 well; 1 findings, a host without an answer, or not ready
    for training; 2 a wrong argument or a file that cannot be used; 3 the doctor itself failed.
    """
    from torchdoctor.commands.fleet import FleetRequest
    from torchdoctor.commands.fleet_examination import make_examining
    from torchdoctor.commands.scan_arguments import ScanArguments

    if dask is not None and ray is not None:
        raise UsageError("--dask and --ray are two clusters: name one")
    if not 1 <= seconds <= 86400:
        raise UsageError("--seconds is a number from 1 to 86400")
    arguments = ScanArguments(
        select=tuple(select) if select else None,
        ignore=tuple(ignore) if ignore else None,
        fail_on=None if fail_on is None else actions.parse_severity(fail_on),
        config=config,
    )
    request = FleetRequest(
        examining=make_examining(arguments),
        paths=tuple(paths or ()),
        dask=dask,
        ray=ray,
        seconds=seconds,
        trials=trials,
        keeps_names=no_redact,
        jobs=jobs,
        is_gate=before_training,
    )
    raise typer.Exit(actions.fleet(request, formats or (), outputs or (), no_redact=no_redact))


@app.command()
def repair(
    name: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="With --undo: which repair (default: the last one).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Run all steps without asking.")] = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="NAME",
            help="Mend only what this check or family finds; can be repeated.",
            autocompletion=_complete_names,
        ),
    ] = None,
    python: Python = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Bring back everything that a repair changed.")
    ] = False,
    lists: Annotated[bool, typer.Option("--list", help="List the repairs.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--find-links",
            metavar="DIR",
            parser=_read_path,
            help="Take packages from this folder, and none from the network (with --no-index).",
        ),
    ] = None,
    no_index: Annotated[bool, typer.Option("--no-index", help="Take no package from the network.")] = False,
    yes_to_system: Annotated[
        bool,
        typer.Option("--yes-to-system", help="Also change the base of conda, or a Python of the system."),
    ] = False,
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Mend what scan finds: the plan, your consent, the change, and another look; --undo brings all back.

    Packages, variables of your account and files in the way are changed, each kept before. What needs an
    administrator is only shown.
    """
    from torchdoctor.repair.results import RepairRequest

    if lists or undo:
        others = (dry_run, yes, select, python, folder, no_index, yes_to_system, output, form != "text")
        if any(others) or (lists and undo):
            raise UsageError(f"--{'list' if lists else 'undo'} takes no other option")
        if lists and name is not None:
            raise UsageError("--list takes no ID")
        raise typer.Exit(actions.list_repairs() if lists else actions.undo_repair(name))
    if name is not None:
        raise UsageError(
            f"{name}: repair takes an ID only with --undo, and no file: scan --fix changes training code"
        )
    if no_index and folder is None:
        raise UsageError("--no-index needs --find-links DIR, the folder that has the packages")
    request = RepairRequest(python, tuple(select or ()), dry_run, yes, yes_to_system, folder)
    raise typer.Exit(actions.repair(request, form, output, no_redact=no_redact))


@app.command(name="new-check")
def new_check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, such as scratch-disk-full.")],
    family: Annotated[
        str, typer.Option("--family", metavar="FAMILY", help=f"One of {FAMILY_LIST}.")
    ] = "settings",
) -> None:
    """Write the files of a new check: here if this is a clone of torchdoctor, else as a package."""
    raise typer.Exit(actions.new_check(name, family))


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="report, facts, explanation, entry, entries, checks, dlls, loader, repair, repair-journal.",
        ),
    ] = "report",
) -> None:
    """Print the JSON Schema of an output."""
    raise typer.Exit(actions.schema(name))


@app.command()
def dlls(
    path: Annotated[
        Path,
        typer.Argument(metavar="FOLDER|WHEEL", parser=_read_path, help="The folder or wheel with the DLLs."),
    ],
    search: Annotated[
        list[Path] | None,
        typer.Option(
            "--search",
            metavar="DIR",
            parser=_read_path,
            help="A folder to use in place of System32 and the search path; can be repeated.",
        ),
    ] = None,
    form: Format = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Show which DLLs a folder or wheel lacks, on any system."""
    raise typer.Exit(actions.dlls(path, search or (), form, output, no_redact=no_redact))


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
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json or html.")] = "text",
    output: Output = None,
    no_redact: NoRedact = False,
) -> None:
    """Suggest DataLoader settings that are safe here, and print a script to paste."""
    from torchdoctor.commands.loader import LoaderRequest

    request = LoaderRequest(target, tuple(arguments or ()), python, measures)
    raise typer.Exit(actions.loader(request, form, output, no_redact=no_redact))


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
