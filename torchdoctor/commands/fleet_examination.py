"""Examine the facts of one machine after the other, in whatever process this is."""

import functools
import gc
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from torchdoctor.check import Severity
from torchdoctor.commands.scan import ScanRequest, make_narrowing, make_report, select_requested
from torchdoctor.commands.scan_arguments import ScanArguments, make_request
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.core.version import __version__
from torchdoctor.engine.code.examination import NO_CODE
from torchdoctor.engine.examiner import PROBE_FAILED
from torchdoctor.engine.installation import describe_installation
from torchdoctor.engine.own_key import read_own_key
from torchdoctor.engine.plugin_facts import load_plugin_facts
from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.stopwatch import Examination
from torchdoctor.facts import Absent, Facts, subject_of
from torchdoctor.facts.codec import FactsError, decode, decode_facts, encode, load_json
from torchdoctor.facts.partial import Unobserved
from torchdoctor.fleet.machine import (
    Configuration,
    Machine,
    MachineFinding,
    describe_configuration,
    find_import,
)
from torchdoctor.fleet.sources import Source
from torchdoctor.redaction.paths.unusual_paths import hide_name_of_text
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.renderers.json import replace_halves
from torchdoctor.report import Report


@record
class Examining:
    """What to examine facts for, and the names to remove from the results; None keeps them.

    `installation` tells apart the torchdoctor, with its plugins, that was asked, and has the key of the user.
    """

    request: ScanRequest
    installation: str
    identity: Identity | None = None
    version: str = __version__

    @property
    def settings(self) -> str:
        """A text that is the same only for the same settings and installation of torchdoctor."""
        request = self.request
        parts = (request.select, request.ignore, request.require, self.identity)
        return f"{self.installation}\n{parts!r}"


def make_examining(arguments: ScanArguments) -> Examining:
    """Return what the arguments and the configuration ask for; a baseline is that of one machine.

    Raises:
        UsageError: the configuration is not usable, or arguments exclude each other.
    """
    request = replace(make_request(arguments), python=None, baseline=None)
    return Examining(request, f"{read_own_key()} {describe_installation()}")


def examine_sources(examining: Examining, sources: Sequence[Source]) -> tuple[Machine, ...]:
    """Return the machine of each source; the checks are loaded once in a process.

    Raises:
        UsageError: this process, on another machine, has another version of torchdoctor.
    """
    if examining.version != __version__:
        raise UsageError(
            f"a worker of the cluster has torchdoctor {__version__}, and this is {examining.version}:"
            " install the same one"
        )
    return tuple(_examine_source(examining, source) for source in sources)


def make_unexamined(source: Source, reason: str, settings: str) -> Machine:
    """Return the machine of a source that could not be examined."""
    place = "" if source.file is None or str(source.file) in reason else f"{source.file}: "
    return Machine(source.name, problem=f"{place}{reason}", digest=source.make_digest(settings))


def _examine_source(examining: Examining, source: Source) -> Machine:
    machine = _examine_bare(examining, source.with_data())
    if examining.identity is None:
        return machine
    redacted = redact(machine, examining.identity)
    # The name of a machine is what the report is about; a path of this one is not.
    is_path = "/" in machine.name or "\\" in machine.name
    name = redact(machine.name, examining.identity, keeps_paths=True) if is_path else machine.name
    problem = machine.problem
    if problem is not None and source.file is not None:
        problem = problem.replace(str(source.file), hide_name_of_text(str(source.file), keeps_file=True))
    return replace(redacted, name=name, problem=redact(problem, examining.identity, keeps_paths=True))


def _examine_bare(examining: Examining, source: Source) -> Machine:
    """Return the machine of a source with its names."""
    if source.problem is not None or source.data is None:
        return make_unexamined(source, source.problem or "there is nothing in it", examining.settings)
    try:
        machine = _examine_data(examining, source.name, source.data)
    except FactsError as error:
        return make_unexamined(source, str(error), examining.settings)
    except RecursionError:
        return make_unexamined(source, "it is nested too deeply", examining.settings)
    return replace(machine, digest=source.make_digest(examining.settings))


def _examine_data(examining: Examining, name: str, data: bytes) -> Machine:
    """Return the machine that the bytes of a facts file, a report or a line of `fleet` describe.

    Raises:
        FactsError: they are none of these.
    """
    try:
        value = load_json(data)
    except (ValueError, RecursionError) as error:
        raise FactsError(f"not JSON: {error}") from error
    if isinstance(value, dict) and "findings" in value and "configuration" in value:
        machine = read_machine(value)
        return machine if machine.name else replace(machine, name=name)
    facts = decode_facts(value, lambda: load_plugin_facts().probes)
    if all(isinstance(each, Absent) for each in facts.values.values()):
        raise FactsError("it states no fact, so nothing of the machine is known")
    texts = {key: value.get(key) for key in ("torchdoctor", "taken_at")} if isinstance(value, dict) else {}
    report = _load_judge(examining.request).judge(facts)
    return Machine(
        name=name,
        torchdoctor=str(texts.get("torchdoctor") or ""),
        taken_at=str(texts.get("taken_at") or ""),
        configuration=describe_configuration(facts),
        has_imported_torch=find_import(facts),
        findings=tuple(_list_findings(report)),
        failures=tuple(_list_failures(report)),
        points_to=_list_diagnoses(report),
    )


def read_machine(value: object) -> Machine:
    """Return the machine of a line that `fleet` wrote.

    Raises:
        FactsError: the line is not one of `fleet`.
    """
    machine = cast("Machine", decode(Machine, value, "machine"))
    try:
        parts = (machine, *machine.findings, machine.configuration)
        severities = {finding.severity for finding in machine.findings}
    except Unobserved as unobserved:
        raise FactsError(f"machine: {unobserved}") from unobserved
    if not all(type(part) in (Machine, MachineFinding, Configuration, type(None)) for part in parts):
        raise FactsError("machine: a field that has to be known is absent")
    if (machine.problem is None) == (machine.configuration is None):
        raise FactsError("machine: either a problem or a configuration belongs there")
    if unknown := severities - {severity.value for severity in Severity}:
        raise FactsError(f"machine.findings: {min(unknown)!r} is no severity")
    return machine


def _list_findings(report: Report) -> Iterator[MachineFinding]:
    for outcome, finding in report.findings():
        advice = report.advise(outcome.name, finding)
        yield MachineFinding(
            name=outcome.name,
            severity=(finding.severity or outcome.severity).value,
            message=finding.message,
            title=report.find_title(outcome.name, finding),
            fix=None if advice is None else advice.text,
            step="" if advice is None else advice.step,
            causes=report.causes_of(outcome.name),
        )


def _list_failures(report: Report) -> Iterator[str]:
    """Yield the checks that failed here, and the probes that failed on the machine."""
    for outcome in report.outcomes_of("errored"):
        yield f"{outcome.name}: {outcome.reason}"
    for fact, value in report.facts.values.items():
        if isinstance(value, Absent) and value.reason.startswith(PROBE_FAILED):
            yield f"probe {subject_of(fact)}: {value.reason}"


def _list_diagnoses(report: Report) -> tuple[str, ...]:
    return () if report.explanation is None else tuple(each.name for each in report.explanation.diagnoses)


class _Judge:
    """The checks that a request selects, loaded once."""

    def __init__(self, request: ScanRequest) -> None:
        self._request = request
        is_narrow = bool(request.select or request.ignore)
        # Every check is loaded, to know the names that may be selected.
        self._registry = load_registry(lambda entry: NO_CODE if entry.reads_code and not is_narrow else None)
        self._checks = select_requested(self._registry, request)
        self._narrowing = make_narrowing(request, self._registry)

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The plugins that failed to load."""
        return self._registry.broken

    def judge(self, facts: Facts) -> Report:
        """Run the checks on the facts of one machine."""
        return make_report(self._request, self._registry, self._checks, self._narrowing, Examination(facts))


@functools.lru_cache(maxsize=1)
def _load_judge(request: ScanRequest) -> _Judge:
    judge = _Judge(request)
    # The collector would look at the checks and the knowledge base again and again.
    gc.freeze()
    return judge


def load_request(request: ScanRequest) -> tuple[Broken, ...]:
    """Load the checks that a request selects; return the plugins that failed to load.

    Raises:
        UsageError: a name is neither a check nor a family.
        RegistryError: the installation has no checks.
    """
    return _load_judge(request).broken


def encode_line(machine: Machine) -> bytes:
    """Return a machine as a line of JSON."""
    data = encode(machine)
    text = json.dumps(data, ensure_ascii=True)
    if "\\ud" in text:
        text = json.dumps(replace_halves(data), ensure_ascii=True)
    return text.encode("ascii") + b"\n"
