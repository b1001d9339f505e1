"""The arguments of `scan` as they were given, and the request that they and the configuration make."""

from pathlib import Path
from typing import TypeVar

from torchdoctor.check import Severity
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.core.files import find_current_folder
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.code.examination import CodeOptions
from torchdoctor.policy.baseline import Baseline, read_baseline
from torchdoctor.policy.configuration import Configuration, find_configuration

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
    configured_python = configuration.python if is_here else None
    is_trusted = arguments.config is not None or _is_at_home(configuration)
    distrusted = configured_python if arguments.python is None and not is_trusted else None
    return ScanRequest(
        paths=arguments.paths,
        python=_choose(arguments.python, configured_python if is_trusted else None, None),
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
        notices=(_describe_distrusted(configuration),) if distrusted is not None else (),
    )


def _is_at_home(configuration: Configuration) -> bool:
    """Return whether the current folder is that of the configuration, or lies below it.

    Whoever reads the code of others from elsewhere does not want to run the interpreter that they name.
    """
    current = find_current_folder()
    return current is not None and current.resolve().is_relative_to(configuration.folder.resolve())


def _describe_distrusted(configuration: Configuration) -> str:
    return (
        f"{configuration.file}: its python is used in its own folder only; from elsewhere, give --python, or"
        " this file with --config"
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
    # What takes names out of texts is slow to import, and few scans have a baseline.
    from torchdoctor.probes.identity import read_identity

    return read_baseline(file, read_identity(), is_rewritten=arguments.writes_baseline)
