"""The `scan` command: run the checks on facts and training code, and make the report."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.check import Bound, Check, Severity
from torchdoctor.commands.scan_explanation import explain_trial
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.core.version import __version__
from torchdoctor.engine.code.examination import (
    IN_THIS_PROCESS,
    NO_CODE,
    NO_EXAMINED_CODE,
    CodeOptions,
    ExaminedCode,
    examine_code,
    reads_code,
)
from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.plugin_facts import load_plugin_facts
from torchdoctor.engine.registry import Registry, load_registry
from torchdoctor.engine.runner import Outcome, find_system_skip_reason, run_checks
from torchdoctor.engine.selection import is_selected, list_names, select_checks
from torchdoctor.engine.stopwatch import Examination, Progress, Stopwatch, Watcher, read_clock
from torchdoctor.facts import (
    Facts,
    OperatingSystem,
    occurs_many_times,
)
from torchdoctor.facts.codec import FactsError, read_facts
from torchdoctor.facts.partial import drop_partial
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.knowledge.entries import FAMILIES
from torchdoctor.loader.plan import PLAN_FACTS, make_plan
from torchdoctor.policy.baseline import Baseline
from torchdoctor.policy.narrowing import Narrowing
from torchdoctor.policy.path_ignores import PathIgnore
from torchdoctor.policy.requirements import ENTRY_NAME, Requirement, find_facts, find_unmet
from torchdoctor.probes.machine import name_system
from torchdoctor.report import Report, Timings

if TYPE_CHECKING:
    pass


@record
class ScanRequest:
    """The arguments of `scan`; `names_file` is the configuration if that selects and ignores checks."""

    paths: tuple[Path, ...] = ()
    python: str | None = None
    facts_file: Path | None = None
    trials: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity = Severity.ERROR
    wants_timings: bool = False
    code_options: CodeOptions = IN_THIS_PROCESS
    config_file: Path | None = None
    names_file: Path | None = None
    per_path_ignores: tuple[PathIgnore, ...] = ()
    require: tuple[Requirement, ...] = ()
    baseline: Baseline | None = None
    notices: tuple[str, ...] = ()


def scan(request: ScanRequest, watcher: Watcher | None = None, progress: Progress | None = None) -> Report:
    """Run the selected checks on the machine (or saved facts) and training code, and return the report.

    The watcher is called with the name of each probe when it starts and ends, `progress` while training
    code is read.

    Raises:
        UsageError: an argument is not usable.
        RegistryError: the installation has no checks.
    """
    with Examiner(request.python, runs_trials=request.trials) as examiner:
        if request.facts_file is None and not request.select:
            # The description of the interpreter is always needed: a thread reads it while checks are loaded.
            examiner.describe_ahead()
        # The entries that a scan shows are those of checks.
        registry = load_registry(_make_reason_finder(request), loads_all_entries=False)
        checks = select_requested(registry, request)
        narrowing = make_narrowing(request, registry)
        examination = _examine(request, examiner, checks, watcher)
    stopwatch = Stopwatch()
    with _watching("training code", watcher if request.paths else None):
        code_checks = [check for check in checks if reads_code(check)]
        # The times of checks are those of this process.
        options = IN_THIS_PROCESS if request.wants_timings else request.code_options
        code = examine_code(
            request.paths,
            code_checks,
            examination.facts,
            registry.knowledge,
            stopwatch.watch,
            options,
            progress,
            narrowing.narrow,
        )
    report = make_report(request, registry, checks, narrowing, examination, code, stopwatch.watch)
    timings = Timings(examination.seconds, stopwatch.seconds) if request.wants_timings else None
    return replace(report, timings=timings)


def make_report(
    request: ScanRequest,
    registry: Registry,
    checks: Iterable[Check],
    narrowing: Narrowing,
    examination: Examination,
    code: ExaminedCode = NO_EXAMINED_CODE,
    watcher: Watcher | None = None,
) -> Report:
    """Run the checks that read no code on the facts, and put the outcomes together; `code` has the others."""
    facts, knowledge = examination.facts, registry.knowledge
    others = run_checks(
        [check for check in checks if not reads_code(check)], facts, knowledge, watcher=watcher
    )
    skipped = (_make_skipped(name, reason, knowledge) for name, reason in registry.left_out)
    bounds = _find_bounds((*code.outcomes, *others), narrowing.known_bounds)
    narrowed = map(narrowing.narrow, others)
    report = Report(
        version=__version__,
        taken_at=read_clock(),
        facts=facts,
        outcomes=tuple(sorted((*code.outcomes, *narrowed, *skipped), key=lambda outcome: outcome.name)),
        knowledge=knowledge,
        plan=make_plan(drop_partial(facts), bounds),
        explanation=explain_trial(drop_partial(facts), knowledge, others),
        broken=registry.broken + examination.broken,
        notices=(*request.notices, *code.notices, *_describe_unread(code.outcomes)),
        unread=code.unread,
        fail_on=request.fail_on,
        facts_file=None if request.facts_file is None else str(request.facts_file),
        config_file=None if request.config_file is None else str(request.config_file),
    )
    return judge_requirements(report, request, narrowing)


def select_requested(registry: Registry, request: ScanRequest) -> tuple[Check, ...]:
    """Return the checks that a request selects.

    Raises:
        UsageError: as for `select_checks`; the message names the configuration if the name is from there.
    """
    try:
        return select_checks(registry, request.select, request.ignore, (ENTRY_NAME,))
    except UsageError as error:
        place = "" if request.names_file is None else f"{request.names_file}: "
        raise UsageError(f"{place}{error}") from None


def make_narrowing(request: ScanRequest, registry: Registry) -> Narrowing:
    """Return what the request leaves out of the findings.

    Raises:
        UsageError: a name that is ignored in a path is neither a check nor a family.
    """
    known = {*registry.knowledge.entries, *FAMILIES}
    for name in sorted(name for each in request.per_path_ignores for name in each.names):
        if name not in known:
            raise UsageError(
                f"{request.config_file}: {name} is neither a check nor a family{suggest(name, known)}"
            )
    return Narrowing(request.per_path_ignores, list_names(registry), request.baseline)


def judge_requirements(report: Report, request: ScanRequest, narrowing: Narrowing) -> Report:
    """Return the report with what the project requires of the machine, if that is selected."""
    names = (ENTRY_NAME, report.knowledge.entries[ENTRY_NAME].family)
    if not request.require or not is_selected(names, request.select, request.ignore):
        return report
    unmet = narrowing.narrow(find_unmet(request.require, report.facts, report.known_plan))
    outcomes = sorted((*report.outcomes, unmet), key=lambda outcome: outcome.name)
    return replace(report, outcomes=tuple(outcomes))


def scan_each(
    request: ScanRequest,
    facts_files: Sequence[Path],
    watcher: Watcher | None = None,
    progress: Progress | None = None,
) -> tuple[tuple[Report, ...], tuple[str, ...]]:
    """Return a report of each facts file, or of the machine if there is none, and why files are not usable.

    Raises:
        UsageError: an argument is not usable, or none of the files is.
        RegistryError: the installation has no checks.
    """
    if not facts_files:
        return (scan(request, watcher, progress),), ()
    reports: list[Report] = []
    problems: list[FactsError] = []
    for file in facts_files:
        try:
            baseline = request.baseline.renew() if len(facts_files) > 1 and request.baseline else None
            own = replace(request, facts_file=file, baseline=baseline or request.baseline)
            reports.append(scan(own, watcher, progress))
        except FactsError as error:
            problems.append(error)
    if not reports:
        raise problems[0]
    return tuple(reports), tuple(map(str, problems))


def misses_a_named_path(request: ScanRequest, reports: Iterable[Report]) -> bool:
    """Return whether a file or folder of training code that was named could not be read."""
    return names_one_of(request, (path for report in reports for path in report.unread))


def names_one_of(request: ScanRequest, paths: Iterable[str]) -> bool:
    """Return whether one of some files or folders was named, and not only found in a folder."""
    unread = set(map(os.path.abspath, paths))
    return any(os.path.abspath(path) in unread for path in request.paths)


def _describe_unread(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield a line for each file that was not read to the end."""
    checks: dict[str, list[str]] = {}
    for outcome in outcomes:
        for path in outcome.unread:
            checks.setdefault(path, []).append(outcome.name)
    for path, names in checks.items():
        others = f" and {len(names) - 1} more checks" if len(names) > 1 else ""
        yield f"{path}: not read to the end, because it took too long: {names[0]} was stopped{others}"


@contextmanager
def _watching(subject: str, watcher: Watcher | None) -> Iterator[None]:
    """Call the watcher, if there is one, at the start and the end of the context."""
    if watcher is not None:
        watcher(subject, True)
    yield
    if watcher is not None:
        watcher(subject, False)


def _make_reason_finder(request: ScanRequest) -> Callable[[Entry], str | None]:
    """Return a function that says why an entry's check need not be loaded, or None."""
    system = name_system() if request.facts_file is None else None

    def find_reason(entry: Entry) -> str | None:
        if request.select or request.ignore:
            # Every check is loaded, to know the names that may be selected.
            return None
        if entry.reads_code:
            return None if request.paths else NO_CODE
        return find_system_skip_reason(entry, system) if system else None

    return find_reason


def _make_skipped(name: str, reason: str, knowledge: Knowledge) -> Outcome:
    return Outcome(name, "skipped", knowledge.entries[name].severity, reason=reason)


def _examine(
    request: ScanRequest, examiner: Examiner, checks: Iterable[Check], watcher: Watcher | None
) -> Examination:
    if request.facts_file is not None:
        return Examination(read_facts(request.facts_file, lambda: load_plugin_facts().probes))
    needed = {fact for check in checks for fact in check.facts if not occurs_many_times(fact)}
    needed |= find_facts(request.require)
    if not needed:
        return Examination(Facts())
    # The system decides which checks apply. The plan is part of a full scan; a scan of selected checks does
    # not run probes for it.
    needed |= {OperatingSystem} if request.select else set(PLAN_FACTS)
    return examiner.examine(needed, watcher)


def _find_bounds(outcomes: Iterable[Outcome], more: Iterable[Bound]) -> tuple[Bound, ...]:
    """Return the bounds that findings set, the first of each name, and more of other names."""
    bounds: dict[str, Bound] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            if finding.bound is not None:
                bounds.setdefault(finding.bound.name, finding.bound)
    for bound in more:
        bounds.setdefault(bound.name, bound)
    return tuple(bounds.values())
