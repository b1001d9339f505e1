"""The arguments of `scan` as they were given, and the request that they and the configuration make."""

from pathlib import Path
from typing import TypeVar

from torchdoctor.check import Severity
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.code.examination import CodeOptions
from torchdoctor.policy.baseline import Baseline, read_baseline
from torchdoctor.policy.configuration import Configuration, find_configuration
from torchdoctor.probes.identity import read_identity

T = TypeVar("T")


@record
class ScanArguments:
    """The command line of `scan`; None stands for what was not given, and is left to the configuration."""

    paths: tuple[Path, ...] = ()
    facts: tuple[Path, ...] = ()
    text: str | None = None
    python: str | None = None
    trials: bool | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: Severity | None = None
    jobs: int | None = None
    cache: bool | None = None
    config: Path | None = None
    baseline: Path | None = None
    writes_baseline: bool = False
    diff: bool = False
    fix: bool = False
    verbose: bool = False


def make_request(arguments: ScanArguments) -> ScanRequest:
    """Return what the arguments ask for; where one was not given, the configuration of the project counts.

    Raises:
        UsageError: the configuration or the baseline is not usable, or arguments exclude each other.
    """
    configuration = find_configuration(arguments.paths, arguments.config)
    # A text or saved facts are of another machine, whose interpreters are not here.
    is_here = arguments.text is None and not arguments.facts
    return ScanRequest(
        paths=arguments.paths,
        python=_choose(arguments.python, configuration.python if is_here else None, None),
        trials=_choose(arguments.trials, configuration.trials, True),
        select=_choose(arguments.select, configuration.select, ()),
        ignore=_choose(arguments.ignore, configuration.ignore, ()),
        fail_on=_choose(arguments.fail_on, configuration.fail_on, Severity.ERROR),
        wants_timings=arguments.verbose,
        code_options=CodeOptions(
            _choose(arguments.jobs, configuration.jobs, 0),
            _choose(arguments.cache, configuration.cache, True),
        ),
        config_file=configuration.file,
        names_file=configuration.file if arguments.select is None and arguments.ignore is None else None,
        per_path_ignores=configuration.per_path_ignores,
        require=configuration.require,
        baseline=_read_baseline(arguments, configuration),
    )


def _choose(given: T | None, configured: T | None, default: T) -> T:
    return given if given is not None else configured if configured is not None else default


def _read_baseline(arguments: ScanArguments, configuration: Configuration) -> Baseline | None:
    file = arguments.baseline or configuration.baseline
    if arguments.writes_baseline:
        if file is None:
            raise UsageError("--write-baseline writes the file of --baseline FILE: name one")
        if len(arguments.facts) > 1 or arguments.text is not None:
            raise UsageError(
                "--write-baseline writes what one machine has: leave out --from, and all but one --facts"
            )
    if file is None or arguments.text is not None:
        return None
    return read_baseline(file, read_identity(), is_rewritten=arguments.writes_baseline)
