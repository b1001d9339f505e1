"""`scan --from`: a report on each environment that a text describes."""

from dataclasses import replace
from textwrap import shorten

from torchdoctor.check import Finding
from torchdoctor.commands.scan import ScanRequest, judge_requirements, make_narrowing, select_requested
from torchdoctor.commands.texts import CODE_PAGE, read_chunks
from torchdoctor.core.usage import UsageError
from torchdoctor.core.version import __version__
from torchdoctor.engine.code.examination import reads_code
from torchdoctor.engine.plugin_readers import load_formats
from torchdoctor.engine.registry import Registry, load_registry
from torchdoctor.engine.runner import Outcome
from torchdoctor.engine.stopwatch import read_clock
from torchdoctor.engine.texts import TextExamination, examine_environment
from torchdoctor.explain import Confidence, Explanation, explain_printed
from torchdoctor.explain.printed import read_printed
from torchdoctor.facts import Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.loader.plan import make_plan
from torchdoctor.readers import Environment, Topic, read_environments
from torchdoctor.readers.questions import ask
from torchdoctor.report import Description, Report

# Of a line that proves a problem.
_MOST_LETTERS = 200


def scan_text(request: ScanRequest, file: str, *, on_screen: bool = False) -> tuple[Report, ...]:
    """Return a report on each environment that a text describes; "-" is standard input.

    `on_screen` is whether only whoever gave the text reads the report.

    Raises:
        UsageError: the text cannot be read or describes no environment, or an argument is not usable.
        RegistryError: the installation has no checks.
    """
    if request.paths or request.facts_file or request.python:
        raise UsageError("--from reads a text in place of a machine: leave out PATH, --facts and --python")
    registry = load_registry()
    checks = [check for check in select_requested(registry, request) if not reads_code(check)]
    try:
        lines = read_printed(read_chunks(file), registry.knowledge, CODE_PAGE)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from error
    name = "standard input" if file == "-" else file
    formats, broken = load_formats()
    environments = read_environments(lines, formats)
    if not environments:
        raise UsageError(f"{name}: no line says anything about a Python, a torch or a GPU that is known here")
    examinations = [
        examine_environment(environment, checks, registry.knowledge) for environment in environments
    ]
    explanation = None
    if len(environments) == 1:
        # Of several machines, it is not known whose error it is.
        explanation = explain_printed(lines, registry.knowledge, described=environments, on_screen=on_screen)
        examinations = [_add_error(examinations[0], explanation, registry.knowledge)]
    names = [name] if len(environments) == 1 else [_name_part(name, each) for each in environments]
    registry = replace(registry, broken=(*registry.broken, *broken))
    return tuple(
        _make_report(request, registry, examination, source, explanation)
        for examination, source in zip(examinations, names, strict=True)
    )


def _add_error(
    examination: TextExamination, explanation: Explanation, knowledge: Knowledge
) -> TextExamination:
    """Return the examination with the problem that an error in the text proves, if its check lacks facts.

    A diagnosis with a title of its own is about another problem than the check.
    """
    first = next(iter(explanation.diagnoses), None)
    is_proven = first is not None and first.confidence is Confidence.CERTAIN and not first.examined
    if first is None or not is_proven or not first.evidence:
        return examination
    entry = knowledge.entries[first.name]
    if first.title != entry.fill(entry.title, first.values):
        return examination
    line = first.evidence[0]
    said = shorten(line.text, _MOST_LETTERS, placeholder=" ...")
    message = f"line {line.line} of the text says: {said}"

    def judge(outcome: Outcome) -> Outcome:
        if outcome.name != first.name or outcome.status != "skipped":
            return outcome
        finding = Finding(message, evidence={"line": line.line}, severity=outcome.severity)
        return replace(outcome, status="failed", reason=None, findings=(finding,))

    return replace(examination, outcomes=tuple(map(judge, examination.outcomes)))


def _name_part(name: str, environment: Environment) -> str:
    lines = [statement.line for statement in environment.statements]
    return f"{name}, lines {min(lines)} to {max(lines)}" if lines else name


def _make_report(
    request: ScanRequest,
    registry: Registry,
    examination: TextExamination,
    source: str,
    explanation: Explanation | None,
) -> Report:
    facts = examination.facts
    is_missing = examination.environment.find(Topic.TORCH)
    imports_torch = is_missing is None or is_missing.value != "missing"
    question = ask(examination.environment, imports_torch=imports_torch)
    report = Report(
        version=__version__,
        taken_at=read_clock(),
        facts=facts,
        outcomes=tuple(sorted(examination.outcomes, key=lambda outcome: outcome.name)),
        knowledge=registry.knowledge,
        plan=make_plan(Facts()),
        explanation=explanation if explanation is not None and explanation.recognised else None,
        broken=registry.broken,
        fail_on=request.fail_on,
        config_file=None if request.config_file is None else str(request.config_file),
        description=Description(source, examination.environment, question),
    )
    return judge_requirements(report, request, make_narrowing(request, registry))
