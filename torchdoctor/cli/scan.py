"""The commands that examine a machine: scan and facts."""

from pathlib import Path
from typing import Annotated

from torchdoctor.actions.formats import parse_severity
from torchdoctor.cli.options import (
    FailOn,
    Ignore,
    NoRedact,
    Output,
    Outputs,
    Python,
    ReportFormats,
    Select,
    Trials,
    read_path,
    typer,
)

Code = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", parser=read_path, help="Training code to check as well."),
]
Facts = Annotated[
    list[Path] | None,
    typer.Option(
        "--facts",
        metavar="FILE",
        parser=read_path,
        help="Examine saved facts instead of this machine; can be repeated, for a report of each file.",
    ),
]
Text = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Examine the environment that a text describes, such as an issue; - is standard input.",
    ),
]
ScanTrials = Annotated[
    bool | None,
    typer.Option("--trials/--no-trials", help="Import torch in a child process, or read files only."),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        parser=read_path,
        help="Leave out the findings that this file knows, so that only new ones count.",
    ),
]
WriteBaseline = Annotated[
    bool, typer.Option("--write-baseline", help="Write what is found now to the file of --baseline.")
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        parser=read_path,
        help="Read this configuration (default: the nearest torchdoctor.toml or pyproject.toml).",
    ),
]
Diff = Annotated[bool, typer.Option("--diff", help="Show what --fix would change in the training code.")]
Fix = Annotated[bool, typer.Option("--fix", help="Make the safe, mechanical changes in the training code.")]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Show all findings in full, all checks, and what took longest."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=0,
        max=64,
        help="Read training code in N processes (default: as many as are useful, at most 4).",
    ),
]
Cache = Annotated[
    bool | None,
    typer.Option("--cache/--no-cache", help="Read only training code that changed, or all of it."),
]


def scan(
    paths: Code = None,
    python: Python = None,
    facts: Facts = None,
    text: Text = None,
    trials: ScanTrials = None,
    select: Select = None,
    ignore: Ignore = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    write_baseline: WriteBaseline = False,
    config: Config = None,
    diff: Diff = False,
    fix: Fix = False,
    formats: ReportFormats = None,
    outputs: Outputs = None,
    no_redact: NoRedact = False,
    verbose: Verbose = False,
    jobs: Jobs = None,
    cache: Cache = None,
) -> None:
    """Examine the environment (and training code): what is wrong, the proof, and the fix."""
    from torchdoctor.actions import scan as scan_action
    from torchdoctor.commands.scan_arguments import ScanArguments

    arguments = ScanArguments(
        paths=tuple(paths or ()),
        facts=tuple(facts or ()),
        text=text,
        python=python,
        trials=trials,
        select=tuple(select) if select else None,
        ignore=tuple(ignore) if ignore else None,
        fail_on=None if fail_on is None else parse_severity(fail_on),
        jobs=jobs,
        cache=cache,
        config=config,
        baseline=baseline,
        writes_baseline=write_baseline,
        diff=diff,
        fix=fix,
        verbose=verbose,
    )
    raise typer.Exit(scan_action.scan(arguments, formats or (), outputs or (), no_redact=no_redact))


def facts(
    python: Python = None,
    output: Output = None,
    trials: Trials = True,
    no_redact: NoRedact = False,
) -> None:
    """Observe the machine and print the facts as JSON, to be examined elsewhere."""
    from torchdoctor.actions import facts as facts_action

    raise typer.Exit(facts_action.facts(python, trials=trials, output=output, no_redact=no_redact))
