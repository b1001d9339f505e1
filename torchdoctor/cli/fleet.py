"""The command that examines many machines."""

from pathlib import Path
from typing import Annotated

from torchdoctor.actions.formats import parse_severity
from torchdoctor.cli.options import FailOn, Ignore, NoRedact, Outputs, Select, Trials, read_path, typer
from torchdoctor.core.usage import UsageError

Machines = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FACTS]...",
        parser=read_path,
        help="Saved facts of the machines: files, folders of them, or JSON lines.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Examine each host of this Dask scheduler."),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Examine each host of this Ray cluster; auto is the one that runs here.",
    ),
]
BeforeTraining = Annotated[
    bool,
    typer.Option(
        "--before-training",
        help="Exit with 1 if the machines cannot train together: torch, CUDA or NumPy's major version "
        "differ, one has errors, or one gives no answer.",
    ),
]
Seconds = Annotated[
    float,
    typer.Option("--seconds", metavar="N", min=1, max=86400, help="How long a host may take."),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        parser=read_path,
        help="Read this configuration, also for what machines have to have (default: the nearest).",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=0,
        max=256,
        help="Examine files in N processes (0: as many as useful).",
    ),
]
Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="text; json and markdown: the sums; html: a page with a table of the machines; jsonl and "
        "parquet: each machine. Can be repeated, with an --output for each.",
    ),
]


def fleet(
    paths: Machines = None,
    dask: Dask = None,
    ray: Ray = None,
    before_training: BeforeTraining = False,
    seconds: Seconds = 300,
    trials: Trials = True,
    select: Select = None,
    ignore: Ignore = None,
    fail_on: FailOn = None,
    config: Config = None,
    jobs: Jobs = 0,
    formats: Formats = None,
    outputs: Outputs = None,
    no_redact: NoRedact = False,
) -> None:
    """Examine many machines: which of them is sick, and what differs.

    torchdoctor facts --output pc-1.json writes the facts of one. With facts and a cluster, the cluster
    examines the facts, not its hosts. Exit codes: 0 well; 1 findings, a host without an answer, or not ready
    for training; 2 a wrong argument or a file that cannot be used; 3 the doctor itself failed.
    """
    from torchdoctor.actions import fleet as fleet_action
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
        fail_on=None if fail_on is None else parse_severity(fail_on),
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
    raise typer.Exit(fleet_action.fleet(request, formats or (), outputs or (), no_redact=no_redact))
