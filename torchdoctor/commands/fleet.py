"""The `fleet` command: examine many machines, from saved facts or on a running cluster."""

import contextlib
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.commands.fleet_examination import (
    Examining,
    encode_line,
    examine_sources,
    load_request,
    make_unexamined,
    read_machine,
)
from torchdoctor.core.line_file import Lines, take_known_first
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.stopwatch import Watcher, read_clock
from torchdoctor.facts.codec import FactsError
from torchdoctor.fleet.hosts import Cluster, ask_hosts
from torchdoctor.fleet.machine import Machine
from torchdoctor.fleet.sources import Source, find_sources
from torchdoctor.fleet.summary import FleetReport, Summary
from torchdoctor.processes.mapping import Engine, map_in_order, open_engine_for

if TYPE_CHECKING:
    from torchdoctor.fleet.dask_cluster import DaskCluster
    from torchdoctor.fleet.ray_cluster import RayCluster

# Machines, and the line of JSON that is to be written of each: none if an earlier run has written it.
Examined = Generator[tuple[Machine, bytes], None, None]


@record
class FleetRequest:
    """The arguments of `fleet`: files, or the address of a cluster, or both: the cluster examines the files.

    `seconds` is how long the doctor on a host may take. `jobs` is the number of processes for files, 0 for
    as many as are useful. `is_gate` is whether machines that differ are an error.
    """

    examining: Examining
    paths: tuple[Path, ...] = ()
    dask: str | None = None
    ray: str | None = None
    seconds: float = 300.0
    trials: bool = True
    keeps_names: bool = False
    jobs: int = 0
    is_gate: bool = False


@record
class FleetResult:
    """The report, and the plugins of this installation that failed to load."""

    report: FleetReport
    broken: tuple[Broken, ...]

    @property
    def exit_code(self) -> int:
        """That of the report; 3 if a plugin failed and nothing else is wrong."""
        return self.report.exit_code or (3 if self.broken else 0)


def examine_fleet(
    request: FleetRequest,
    write: Callable[[Machine], None] = lambda machine: None,
    lines: Lines | None = None,
    watcher: Watcher | None = None,
    count: Callable[[int], None] = lambda done: None,
) -> FleetResult:
    """Examine all machines, and return what came of it; each is passed to `write` and written to `lines`.

    The watcher is called for each host of a cluster, `count` with the number of machines that are done.

    Raises:
        UsageError: an argument is not usable, or the cluster cannot be reached.
        RegistryError: the installation has no checks.
    """
    wanted = request.examining.request
    if request.is_gate and wanted.select:
        raise UsageError("--before-training judges all checks: leave out --select, also in the configuration")
    broken = load_request(wanted)
    summary = Summary()
    is_live = not request.paths
    machines = _examine_hosts(request, watcher) if is_live else _examine_files(request, lines)
    # Ctrl-C has to close the engine, not only the loop.
    number = 0
    with contextlib.closing(machines):
        for number, (machine, line) in enumerate(machines, 1):
            summary.add(machine)
            write(machine)
            if lines is not None and line:
                lines.write(line)
            count(number)
    if not number:
        # A gate must not pass because its list of machines is empty.
        raise UsageError(f"no machine is described in {', '.join(map(str, request.paths))}")
    ignored = f"these checks are left out: {', '.join(wanted.ignore)}"
    report = summary.finish(
        read_clock(),
        fail_on=wanted.fail_on,
        is_gate=request.is_gate,
        is_live=is_live,
        caveats=(ignored,) if wanted.ignore else (),
    )
    return FleetResult(report, broken)


def _open_cluster(request: FleetRequest) -> "DaskCluster | RayCluster | None":
    if request.dask is not None:
        from torchdoctor.fleet.dask_cluster import DaskCluster

        return DaskCluster(request.dask)
    if request.ray is not None:
        from torchdoctor.fleet.ray_cluster import RayCluster

        return RayCluster(request.ray)
    return None


def _examine_hosts(request: FleetRequest, watcher: Watcher | None) -> Examined:
    """Yield the machine of each host of the cluster, sorted by name, when all have answered."""
    cluster: Cluster | None = _open_cluster(request)
    if cluster is None:
        raise UsageError("name saved facts, or the cluster to examine: --dask ADDRESS or --ray ADDRESS")
    options = [] if request.trials else ["--no-trials"]
    options += ["--no-redact"] if request.keeps_names else []
    with cluster:
        answers = sorted(
            ask_hosts(cluster, options, request.seconds, watcher), key=lambda answer: answer.name
        )
    sources = [Source(answer.name, data=answer.data, problem=answer.problem) for answer in answers]
    for machine in examine_sources(request.examining, sources):
        yield machine, encode_line(machine)


def _examine_files(request: FleetRequest, lines: Lines | None) -> Examined:
    """Yield the machine of each source in order, and the line to write of it."""
    settings = request.examining.settings
    sources = yield from take_known_first(
        find_sources(request.paths), lambda source: _take_known(lines, source, settings)
    )
    cluster = _open_cluster(request)
    if cluster is not None:
        with cluster:
            yield from _map(cluster, request, sources, lines is not None)
        return
    with open_engine_for(sources, request.jobs) as (engine, all_sources):
        yield from _map(engine, request, all_sources, lines is not None)


def _map(engine: Engine, request: FleetRequest, sources: Iterable[Source], writes: bool) -> Examined:
    examining = request.examining
    on_cluster = request.dask is not None or request.ray is not None
    if on_cluster:
        # The files are here.
        sources = (source.with_data() for source in sources)
    examine = _Examine(examining, writes)
    try:
        yield from map_in_order(engine, examine, sources, examine.give_up)
    except (UsageError, GeneratorExit):
        raise
    except Exception as error:
        if not on_cluster:
            raise
        # Whatever the cluster raises, such as that its workers have no torchdoctor.
        text = " ".join(str(error).split())[:300]
        raise UsageError(f"the cluster could not examine the files: {type(error).__name__}: {text}") from None


class _Examine:
    """`examine_sources` with its first argument; the lines are made where the machines are examined, too."""

    def __init__(self, examining: Examining, writes: bool) -> None:
        self._examining, self._writes = examining, writes

    def __call__(self, sources: Sequence[Source]) -> tuple[tuple[Machine, bytes], ...]:
        machines = examine_sources(self._examining, sources)
        return tuple((machine, encode_line(machine) if self._writes else b"") for machine in machines)

    def give_up(self, source: Source, reason: str) -> tuple[Machine, bytes]:
        machine = make_unexamined(source, reason, self._examining.settings)
        # The next run tries again: without a digest, the line is not used.
        machine = replace(machine, digest="")
        return machine, encode_line(machine)


def _take_known(lines: Lines | None, source: Source, settings: str) -> tuple[Machine, bytes] | None:
    """Return the machine that an earlier run wrote for the same facts; None if it wrote another one."""
    if lines is None or not lines.has_more():
        return None
    machine = lines.take_known(source.with_data().make_digest(settings), _read_known)
    return None if machine is None else (machine, b"")


def _read_known(document: object) -> Machine | None:
    try:
        return read_machine(document)
    except FactsError:
        return None
