"""What `scan` and `facts` do: arguments in, a value for the renderers out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor import __version__
from torchdoctor.bundled import read_bundled
from torchdoctor.check import Check, Severity
from torchdoctor.facts import (
    Absent,
    ConfigFile,
    DllClosure,
    Facts,
    Interpreter,
    Memory,
    OperatingSystem,
    Processor,
    SourceFile,
    TorchImportTrial,
    TorchInstall,
    occurs_many_times,
)
from torchdoctor.facts.codec import FactsError, read_facts
from torchdoctor.knowledge import Entry, Knowledge
from torchdoctor.loader.plan import make_plan
from torchdoctor.plugins import Broken
from torchdoctor.probes import machine
from torchdoctor.record import record
from torchdoctor.registry import Registry, load_registry
from torchdoctor.report import Report, Timings
from torchdoctor.runner import Outcome, name_foreign_system, run_checks
from torchdoctor.stopwatch import Examination, Stopwatch, Watcher
from torchdoctor.usage import UsageError

if TYPE_CHECKING:
    from torchdoctor.explain import Explanation
    from torchdoctor.probes.interpreter import Description
    from torchdoctor.source.edits import Change

# What the loader plan and the head of the report are made of.
PLAN_FACTS = (
    OperatingSystem, Processor, Memory, Interpreter, TorchInstall, TorchImportTrial, DllClosure,
)  # fmt: skip

NO_CODE = "no training code was given; torchdoctor scan PATH reads it"
SCHEMAS = ("report", "facts", "explanation", "entry", "entries", "checks", "dlls", "loader")


@record
class ScanRequest:
    """What `scan` was asked to do."""

    paths: tuple[Path, ...] = ()
    python: str | None = None
    facts_files: tuple[Path, ...] = ()
    trials: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    wants_timings: bool = False


def scan(request: ScanRequest, watcher: Watcher | None = None) -> Report:
    """Examine the machine (or saved facts) and training code, and run the selected checks.

    The watcher is called with the name of each probe when it starts and ends.

    Raises:
        UsageError: an argument is not usable.
        RegistryError: the installation has no checks.
    """
    describe = _describe_ahead(request)
    registry = load_registry(_find_reason(request))
    checks = select_checks(registry, request.select, request.ignore)
    examined = _gather(request, checks, watcher, describe)
    facts, stopwatch = examined.facts, Stopwatch()
    facts, notices = _add_sources(facts, request.paths)
    found = run_checks(checks, facts, registry.knowledge, watcher=stopwatch.watch)
    left_out = (_skip(name, reason, registry.knowledge) for name, reason in registry.left_out)
    outcomes = tuple(sorted((*_drop_suppressed(found, facts), *left_out), key=lambda item: item.name))
    return Report(
        version=__version__,
        taken_at=now(),
        facts=facts,
        outcomes=outcomes,
        knowledge=registry.knowledge,
        plan=make_plan(facts, _find_unguarded(outcomes)),
        explanation=_explain_trial(facts, registry.knowledge),
        broken=registry.broken + examined.broken,
        notices=notices,
        timings=Timings(examined.seconds, stopwatch.seconds) if request.wants_timings else None,
    )


def _describe_ahead(request: ScanRequest) -> "Callable[[], Description] | None":
    """Let the interpreter describe itself while the checks load, where that is sure to be asked."""
    if request.facts_files or request.select:
        return None
    from torchdoctor.probes.active import find_active_python
    from torchdoctor.probes.interpreter import describe_ahead

    return describe_ahead(request.python or find_active_python())


def _find_reason(request: ScanRequest) -> Callable[[Entry], str | None]:
    """Give what tells of an entry why its check needs not be loaded, nor its facts observed."""
    system = None if request.facts_files else machine.name_system()

    def find_reason(entry: Entry) -> str | None:
        if request.select or request.ignore:
            # The names have to be known then.
            return None
        if entry.reads_code:
            return None if request.paths else NO_CODE
        return name_foreign_system(entry, system) if system else None

    return find_reason


def _skip(name: str, reason: str, knowledge: Knowledge) -> Outcome:
    return Outcome(name, "skipped", knowledge.entries[name].severity, reason=reason)


def _explain_trial(facts: Facts, knowledge: Knowledge) -> "Explanation | None":
    trial = facts.get(TorchImportTrial)
    if isinstance(trial, Absent) or trial.outcome == "imported":
        return None
    # Imported here: torch imports in most scans, and nothing is explained.
    from torchdoctor.explain import explain

    ending = f"exit code {trial.exit_code}" if trial.exit_code is not None else ""
    found = explain("\n".join((trial.stderr_tail, trial.traceback or "", ending)), knowledge)
    return found if found.recognised else None


def plan_changes(request: ScanRequest) -> "tuple[Change, ...]":
    """Give what the edits of the selected checks would make of the training code.

    Raises:
        UsageError: there is no training code, or an argument is not usable.
    """
    from torchdoctor.source.edits import plan_change

    if not request.paths:
        raise UsageError("--fix and --diff change training code: give a file or folder")
    registry = load_registry()
    checks = [
        check
        for check in select_checks(registry, request.select, request.ignore)
        if check.facts == (SourceFile,)
    ]
    facts, _ = _add_sources(Facts(), request.paths)
    outcomes = _drop_suppressed(run_checks(checks, facts, registry.knowledge), facts)
    found = [
        (check, finding)
        for check, outcome in zip(checks, outcomes, strict=True)
        for finding in outcome.findings
        if finding.edit is not None
    ]
    planned = (plan_change(source, found) for source in _list_sources(facts))
    return tuple(change for change in planned if change is not None)


def write_changes(changes: "Iterable[Change]") -> None:
    """Write changes to their files, each whole or not at all.

    Raises:
        UsageError: a file cannot be written.
    """
    from torchdoctor.source.edits import EditError, write_change

    for change in changes:
        try:
            write_change(change)
        except EditError as error:
            raise UsageError(str(error)) from error


def _drop_suppressed(outcomes: tuple[Outcome, ...], facts: Facts) -> tuple[Outcome, ...]:
    sources = _list_sources(facts)
    if not sources:
        return outcomes
    from torchdoctor.source.suppressions import drop_suppressed

    return drop_suppressed(outcomes, sources)


def _list_sources(facts: Facts) -> tuple[SourceFile, ...]:
    sources = facts.all(SourceFile)
    return () if isinstance(sources, Absent) else sources


def select_checks(registry: Registry, select: Iterable[str], ignore: Iterable[str]) -> tuple[Check, ...]:
    """Give the checks that are selected by name or family, less the ignored ones.

    A check that reads training code alone answers to "source" as well, whatever its family.

    Raises:
        UsageError: a name is neither a check nor a family.
    """
    families = {check.name: registry.knowledge.entries[check.name].family for check in registry.checks}
    wanted, unwanted = _read_names(select), _read_names(ignore)
    for name in (*wanted, *unwanted):
        if name not in families and name not in families.values():
            raise UsageError(f"{name} is neither a check nor a family; torchdoctor checks lists them")
    return tuple(
        check
        for check in registry.checks
        if (not wanted or _names_of(check, families) & wanted) and not _names_of(check, families) & unwanted
    )


def _names_of(check: Check, families: dict[str, str]) -> set[str]:
    reads_code = set(check.facts) <= {SourceFile, ConfigFile}
    return {check.name, families[check.name], "source" if reads_code else check.name}


def _read_names(names: Iterable[str]) -> set[str]:
    return {name.strip().replace("_", "-") for group in names for name in group.split(",") if name.strip()}


def _gather(
    request: ScanRequest,
    checks: Sequence[Check],
    watcher: Watcher | None = None,
    describe: "Callable[[], Description] | None" = None,
) -> Examination:
    if request.facts_files:
        return Examination(load_facts(request.facts_files))
    wanted = {fact for check in checks for fact in check.facts if not occurs_many_times(fact)}
    if not wanted:
        return Examination(Facts())
    # The system decides which checks apply at all. A scan of the environment also makes the plan; one that
    # was narrowed down does not probe for it.
    wanted |= {OperatingSystem} if request.select else set(PLAN_FACTS)
    return _examine(request.python, wanted, trials=request.trials, watcher=watcher, describe=describe)


def observe(
    python: str | None, wanted: Iterable[type], *, trials: bool, watcher: Watcher | None = None
) -> tuple[Facts, tuple[Broken, ...]]:
    """Run the probes.

    Raises:
        UsageError: the interpreter cannot be examined.
    """
    examination = _examine(python, wanted, trials=trials, watcher=watcher)
    return examination.facts, examination.broken


def _examine(
    python: str | None,
    wanted: Iterable[type],
    *,
    trials: bool,
    watcher: Watcher | None,
    describe: "Callable[[], Description] | None" = None,
) -> Examination:
    from torchdoctor.probes.examine import examine
    from torchdoctor.probes.interpreter import InterpreterError

    try:
        return examine(python, wanted, trials=trials, watcher=watcher, describe=describe)
    except InterpreterError as error:
        raise UsageError(str(error)) from error


def load_facts(files: Iterable[Path]) -> Facts:
    """Read saved facts; a later file overrides an earlier one, subject by subject.

    Raises:
        UsageError: a file is no facts file.
    """
    facts = Facts()
    for file in files:
        try:
            facts = facts.with_values(read_facts(file).values)
        except FactsError as error:
            raise UsageError(str(error)) from error
    return facts


def _add_sources(facts: Facts, paths: Sequence[Path]) -> tuple[Facts, tuple[str, ...]]:
    if not paths:
        none = Absent(NO_CODE)
        return facts.with_values({SourceFile: none, ConfigFile: none}), ()
    from torchdoctor.source.reading import read_sources

    missing = [path for path in paths if not path.exists()]
    if missing:
        raise UsageError(f"{missing[0]}: no such file or folder")
    sources = read_sources(paths)
    return facts.with_values(sources.values), sources.notices


def _find_unguarded(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    return tuple(
        finding.location.path
        for outcome in outcomes
        for finding in outcome.findings
        if outcome.name == "missing-main-guard" and finding.location is not None
    )


def confirm(found: "Explanation", python: str | None) -> "Explanation":
    """Run the checks of the diagnosed entries; each diagnosis then tells whether it was confirmed here.

    Raises:
        UsageError: the interpreter cannot be examined.
    """
    registry = load_registry()
    names = {diagnosis.name for diagnosis in found.diagnoses}
    checks = [check for check in registry.checks if check.name in names]
    wanted = {OperatingSystem, *(fact for check in checks for fact in check.facts)}
    facts, _ = observe(python, wanted, trials=True)
    outcomes = {outcome.name: outcome for outcome in run_checks(checks, facts, registry.knowledge)}
    diagnoses = (
        replace(each, confirmed=_read_confirmation(outcomes.get(each.name))) for each in found.diagnoses
    )
    return replace(found, diagnoses=tuple(diagnoses))


def _read_confirmation(outcome: Outcome | None) -> bool | None:
    if outcome is None or outcome.status not in ("passed", "failed"):
        return None
    return outcome.status == "failed"


def read_schema(name: str) -> str:
    """Give a published JSON Schema.

    Raises:
        UsageError: there is none of this name.
    """
    if name not in SCHEMAS:
        raise UsageError(f"{name} is no schema; there are {', '.join(SCHEMAS[:-1])} and {SCHEMAS[-1]}")
    return read_bundled("torchdoctor.schemas", f"{name}.json").decode("utf-8")


def read_severity(name: str) -> Severity:
    """Read a severity as people write it.

    Raises:
        UsageError: there is no such severity.
    """
    try:
        return Severity(name.lower())
    except ValueError:
        known = ", ".join(severity.value for severity in Severity)
        raise UsageError(f"{name} is no severity; there are {known}") from None


def now() -> str:
    """Give the time in ISO 8601, to the second, in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
