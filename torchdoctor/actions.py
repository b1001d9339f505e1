"""What each command does: call it, show what a renderer returns, and return the exit code."""

import gc
import importlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from torchdoctor.core.targets import keep_inputs, keep_out_of_folders
from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from torchdoctor.check import Severity
    from torchdoctor.commands.explain import ExplainRequest, ExplainResult
    from torchdoctor.commands.fix import PlannedChanges, WrittenChanges
    from torchdoctor.commands.fleet import FleetRequest
    from torchdoctor.commands.loader import LoaderRequest
    from torchdoctor.commands.scan import ScanRequest
    from torchdoctor.commands.scan_arguments import ScanArguments
    from torchdoctor.engine.plugins import Broken
    from torchdoctor.fleet.summary import FleetReport
    from torchdoctor.repair.results import RepairRequest, RepairResult
    from torchdoctor.report import Report

T = TypeVar("T")

REPORT_FORMATS = ("text", "concise", "json", "sarif", "github", "junit", "gitlab", "markdown", "html")
# Of a fleet, so many machines that could not be examined are named on standard error.
_MOST_PROBLEMS = 20
LIST_FORMATS = ("text", "json", "markdown")
PLAIN_FORMATS = ("text", "json")
LOADER_FORMATS = ("text", "json", "html")
EXPLANATION_FORMATS = ("text", "json", "markdown")
TEXT_FORMATS = ("text", "json", "jsonl")
FLEET_FORMATS = ("text", "json", "jsonl", "markdown", "html", "parquet")


def scan(
    arguments: "ScanArguments",
    formats: "Sequence[str]" = (),
    outputs: "Sequence[Path | None]" = (),
    *,
    no_redact: bool = False,
) -> int:
    """Examine the environment (or the one that a text describes) and training code, or change the code."""
    from torchdoctor.commands.scan import misses_a_named_path, scan_each
    from torchdoctor.commands.scan_arguments import make_request
    from torchdoctor.report import find_exit_code

    targets = _pair(formats, outputs, REPORT_FORMATS)
    text, facts, writes_code = arguments.text, arguments.facts, arguments.diff or arguments.fix
    for _, output in targets:
        keep_inputs(output, (*arguments.paths, *facts, *([text] if text else [])))
    if text is not None and (writes_code or facts):
        raise UsageError("--from reads a text in place of a machine: leave out --facts, --diff and --fix")
    request = make_request(arguments)
    for _, output in targets:
        keep_inputs(output, [request.config_file or "", request.baseline.file if request.baseline else ""])
    if request.baseline is not None and arguments.writes_baseline:
        keep_inputs(request.baseline.file, (*arguments.paths, *facts, *([text] if text else [])))
    written = None
    if writes_code:
        from torchdoctor.commands.fix import plan_changes

        planned = plan_changes(request)
        if arguments.diff:
            return _show_diff(planned, targets[0][1])
        written = _write_changes(planned)
    with ProgressLine() as progress:
        if text is None:
            reports, problems = scan_each(request, facts, progress.watch, progress.count)
        else:
            from torchdoctor.commands.described import scan_text

            reports, problems = scan_text(request, text), ()
    for problem in problems:
        screen.show_message(problem)
    for notice in dict.fromkeys(notice for report in reports for notice in report.notices):
        screen.show_message(notice)
    for report in reports:
        if report.timings is not None:
            _show_timings(report.timings.probes, report.timings.checks)
    if request.baseline is not None and len(facts) < 2:
        _settle_baseline(request, reports, arguments.writes_baseline)
    is_single = len(facts) < 2 and len(reports) == 1
    for form, output in targets:
        shown_reports = _make_shareable(reports, form, no_redact)
        colour = _wants_colour(output)
        _write(_render_reports(shown_reports, form, colour, arguments.verbose, is_single), output)
    if written is not None:
        places = sum(finding.location is not None for _, finding in reports[0].findings())
        screen.show_message(written.summarise(places))
    is_incomplete = problems or misses_a_named_path(request, reports)
    return max(find_exit_code(reports), 2 if is_incomplete else 0)


def _write_changes(planned: "PlannedChanges") -> "WrittenChanges":
    from torchdoctor.commands.fix import write_changes

    try:
        written = write_changes(planned)
    except KeyboardInterrupt as interrupt:
        screen.show_message(str(interrupt))
        raise
    for notice in written.lines:
        screen.show_message(notice)
    return written


def _show_diff(planned: "PlannedChanges", output: "Path | None") -> int:
    for notice in planned.left:
        screen.show_message(f"not changed: {notice}")
    if output is not None:
        screen.write_output(output, planned.diff)
    elif sys.stdout.isatty():
        # A terminal would obey the control characters in strings; a patch has to keep them.
        screen.show(screen.escape_controls(planned.diff.decode("utf-8", "replace")))
    else:
        screen.show(planned.diff)
    return planned.exit_code


def _settle_baseline(request: "ScanRequest", reports: "Iterable[Report]", writes: bool) -> None:
    """Write the baseline, or say what of it is gone."""
    from torchdoctor.core.version import __version__

    baseline = request.baseline
    if baseline is None:
        return
    outcomes = [outcome for report in reports for outcome in report.outcomes]
    unread = [path for report in reports for path in report.unread]
    if writes:
        screen.write_output(baseline.file, baseline.write(outcomes, request.paths, __version__, unread))
        count = baseline.found_count
        screen.show_message(f"{baseline.file}: written, with {count} finding{'s' * (count != 1)}")
    elif gone := baseline.list_gone(outcomes, request.paths, unread):
        names = ", ".join(dict.fromkeys(known.check for known in gone))
        screen.show_message(
            f"{baseline.file}: known, and not found any more: {names}; --write-baseline takes that out"
        )


def _pair(
    formats: "Sequence[str]", outputs: "Sequence[Path | None]", known: tuple[str, ...]
) -> "tuple[tuple[str, Path | None], ...]":
    """Return each format with its output, None for the screen.

    Raises:
        UsageError: a format is unknown, or it is not clear which one goes where.
    """
    formats = tuple(formats) or ("text",)
    for form in formats:
        _check_format(form, known)
    outputs = tuple(outputs) or (None,)
    if len(formats) != len(outputs):
        raise UsageError(
            "several formats need an --output each, in their order, as in "
            "--format text --output - --format html --output report.html"
        )
    files = [os.path.realpath(output) for output in outputs if output is not None]
    if len(set(files)) < len(files) or outputs.count(None) > 1:
        raise UsageError("two formats would be written to the same place: name an --output for each")
    return tuple(zip(formats, outputs, strict=True))


def load_renderer(form: str) -> "ModuleType":
    """Return the module that renders a report in a format."""
    module = {"text": "terminal", "html": "html.report"}.get(form, form)
    return importlib.import_module(f"torchdoctor.renderers.{module}")


def _render_reports(
    reports: tuple["Report", ...], form: str, colour: bool, verbose: bool, is_single: bool
) -> str:
    renderer = load_renderer(form)
    options = {"width": screen.find_width(), "colour": colour, "verbose": verbose} if form == "text" else {}
    text: str = (
        renderer.render(reports[0], **options) if is_single else renderer.render_all(reports, **options)
    )
    return text


def explain(
    request: "ExplainRequest", form: str = "text", output: "Path | None" = None, *, no_redact: bool = False
) -> int:
    """Explain an error text, or show the entry of a problem."""
    # A short process that makes many small objects: garbage collection takes time and frees nothing.
    gc.disable()
    from torchdoctor.commands.explain import explain_request

    _check_format(form, EXPLANATION_FORMATS)
    keep_inputs(output, (_find_explained_file(request),))
    with ProgressLine() as progress:
        result = explain_request(request, progress.watch)
    if result.notice is not None:
        screen.show_message(result.notice)
    _show_broken(result.broken)
    if request.search is not None and not result.related:
        screen.show_message(f"no entry has all of these words: {request.search}")
    if request.scan and result.explanation is not None:
        _show_examined(request.python, form)
    rows = None if output else screen.find_rows()
    shown_result = replace(result, explanation=_make_shareable(result.explanation, form, no_redact))
    _write(_render_result(shown_result, form, _wants_colour(output), rows), output)
    if request.opens_reference and result.reference is not None:
        _open_page(result.reference)
    return result.exit_code


def _find_explained_file(request: "ExplainRequest") -> "Path | str":
    """Return the file with the text that is explained, "" if it comes from elsewhere or is not known."""
    if not request.last:
        return request.file or request.text
    from torchdoctor.terminal.last_failure import find_failure_file

    try:
        return find_failure_file()
    except RuntimeError:
        # The user has no home folder.
        return ""


def explain_each(
    files: "Sequence[Path]",
    form: str = "text",
    output: "Path | None" = None,
    *,
    no_redact: bool = False,
    jobs: int = 0,
) -> int:
    """Explain many texts, and show each explanation as soon as it is there."""
    if form == "jsonl":
        return _explain_to_lines(files, output, no_redact, jobs)
    from torchdoctor.commands.explain_each import explain_each as explain_all
    from torchdoctor.commands.explain_each import is_text_in_folder
    from torchdoctor.renderers import explanation as renderer

    _check_format(form, TEXT_FORMATS)
    keep_inputs(output, files)
    keep_out_of_folders(output, files, is_text_in_folder, "a text")
    codes = {0}
    with screen.open_output(output) as write:
        number = 0
        for each in explain_all(files):
            if each.explanation is None:
                screen.show_message(each.problem or each.name)
                codes.add(2)
                continue
            number += 1
            codes.add(0 if each.explanation.recognised else 1)
            name, explanation = _make_shareable((each.name, each.explanation), form, no_redact)
            width, colour = screen.find_width(), _wants_colour(output)
            write(renderer.render_part(name, explanation, form, number, width, colour))
        write(renderer.render_end(form, number))
    return max(codes)


def _explain_to_lines(files: "Sequence[Path]", output: "Path | None", no_redact: bool, jobs: int) -> int:
    from contextlib import ExitStack, closing

    from torchdoctor.commands.explain_each import LineWriting, explain_to_lines, is_text_in_folder
    from torchdoctor.core.line_file import open_lines
    from torchdoctor.engine.installation import describe_installation
    from torchdoctor.probes.identity import read_identity

    keep_inputs(output, files)
    keep_out_of_folders(output, files, is_text_in_folder, "a text")
    identity = None if no_redact else read_identity()
    writing = LineWriting(identity, f"{describe_installation()} {identity!r}")
    codes = {0}
    with ExitStack() as stack:
        lines = stack.enter_context(open_lines(output, screen.show))
        explained = stack.enter_context(closing(explain_to_lines(files, writing, lines, jobs)))
        for each in explained:
            if each.problem is not None:
                screen.show_message(each.problem)
                codes.add(2)
                continue
            codes.add(0 if each.recognised else 1)
            if each.line:
                lines.write(each.line)
    return max(codes)


def _show_examined(python: str | None, form: str) -> None:
    """Print which interpreter was examined, if the user did not name it and the text has no line for it."""
    if python is None and form == "text":
        from torchdoctor.probes.project_python import find_project_python

        chosen = find_project_python()
        screen.show_message(f"examined: {chosen.executable} ({chosen.reason})")


def _open_page(address: str) -> None:
    from torchdoctor.terminal.browser import open_page

    is_open = open_page(address)
    screen.show_message(f"opened {address}" if is_open else f"no browser was found; the page is {address}")


def _render_result(result: "ExplainResult", form: str, colour: bool, rows: int | None) -> str:
    if form == "markdown":
        return _render_result_for_issues(result)
    from torchdoctor.renderers import explanation as renderer

    as_json, width = form == "json", screen.find_width()
    if result.entry is not None:
        entry = result.entry
        return renderer.render_entry_json(entry) if as_json else renderer.render_entry(entry, width, colour)
    if result.explanation is not None:
        explanation = result.explanation
        if as_json:
            return renderer.render_json(explanation)
        return renderer.render_text(explanation, width, colour, result.related or (), rows)
    entries = result.knowledge.entries.values() if result.related is None else result.related
    return renderer.render_list_json(entries) if as_json else renderer.render_list(entries)


def _render_result_for_issues(result: "ExplainResult") -> str:
    from torchdoctor.renderers import markdown

    if result.entry is not None:
        return markdown.render_entry(result.entry)
    if result.explanation is not None:
        return markdown.render_explanation(result.explanation)
    entries = result.knowledge.entries.values() if result.related is None else result.related
    return markdown.render_list(entries)


def facts(python: str | None, *, trials: bool, output: "Path | None" = None, no_redact: bool = False) -> int:
    """Observe the machine, and show the facts as JSON."""
    from torchdoctor.commands.facts import observe_facts
    from torchdoctor.core.version import __version__
    from torchdoctor.renderers import json

    keep_inputs(output)
    with ProgressLine() as progress:
        observation = observe_facts(python, trials=trials, watcher=progress.watch)
    shown_facts = _make_shareable(observation.facts, "json", no_redact)
    _write(json.render_facts(shown_facts, __version__, observation.taken_at), output)
    _show_broken(observation.broken)
    return observation.exit_code


def checks(form: str = "text") -> int:
    """List the checks."""
    from torchdoctor.commands.checks import list_checks
    from torchdoctor.renderers import listing

    _check_format(form, LIST_FORMATS)
    check_list = list_checks()
    if form == "markdown":
        text = listing.render_markdown(check_list.registry)
    else:
        render = listing.render_json if form == "json" else listing.render_text
        text = render(check_list.registry, check_list.system)
    _write(text, None)
    _show_broken(check_list.registry.broken)
    return check_list.exit_code


def new_check(name: str, family: str) -> int:
    """Write the files of a new check, and say what to do next."""
    from pathlib import Path

    from torchdoctor.commands.new_check import make_check

    made = make_check(name, family, Path())
    for path, text in made.files.items():
        os.makedirs(path.parent, exist_ok=True)
        screen.write_output(path, text)
    lines = [*map(str, made.files), "", "Next:", *(f"  {step}" for step in made.next_steps)]
    _write("".join(f"{line}\n" for line in lines), None)
    return 0


def schema(name: str) -> int:
    """Show the JSON Schema of an output."""
    from torchdoctor.commands.schema import read_schema

    json_schema = read_schema(name)
    _write(json_schema.text, None)
    return json_schema.exit_code


def dlls(
    path: "Path",
    search: "Sequence[Path]" = (),
    form: str = "text",
    output: "Path | None" = None,
    *,
    no_redact: bool = False,
) -> int:
    """Show which DLLs a folder or wheel lacks."""
    from torchdoctor.commands.dlls import analyse_dlls
    from torchdoctor.core.version import __version__
    from torchdoctor.renderers import dlls as text_renderer
    from torchdoctor.renderers import json

    _check_format(form)
    keep_inputs(output, (path, *search))
    analysis = _make_shareable(analyse_dlls(path, tuple(search)), form, no_redact)
    if form == "json":
        text = json.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, __version__)
    else:
        text = text_renderer.render(analysis.closure, analysis.outcomes)
    _write(text, output)
    return analysis.exit_code


def loader(
    request: "LoaderRequest", form: str = "text", output: "Path | None" = None, *, no_redact: bool = False
) -> int:
    """Show DataLoader settings that are safe here, and a script to paste."""
    from torchdoctor.commands.loader import plan_loader
    from torchdoctor.core.version import __version__
    from torchdoctor.renderers import loader as text_renderer

    _check_format(form, LOADER_FORMATS)
    keep_inputs(output)
    with ProgressLine() as progress:
        planned = plan_loader(request, progress.watch)
    _show_examined(request.python, form)
    plan = _make_shareable(planned.plan, form, no_redact)
    if form != "text":
        module = {"html": "html.plan"}.get(form, form)
        text = importlib.import_module(f"torchdoctor.renderers.{module}").render_plan(plan, __version__)
    else:
        text = text_renderer.render(plan, width=screen.find_width(), colour=_wants_colour(output))
    _write(text, output)
    return planned.exit_code


def repair(
    request: "RepairRequest", form: str = "text", output: "Path | None" = None, *, no_redact: bool = False
) -> int:
    """Mend what a scan finds, and show what came of it."""
    from torchdoctor.commands.repair import repair as run_repair
    from torchdoctor.commands.repair_dialogue import TerminalDialogue
    from torchdoctor.terminal.asking import is_somebody_there

    _check_format(form)
    asks = is_somebody_there() and not request.says_yes and not request.is_dry_run
    if asks and (form != "text" or output is not None):
        raise UsageError("repair asks on the screen: --format and --output need --yes or --dry-run")
    if not (asks or request.says_yes or request.is_dry_run):
        raise UsageError("repair asks before each step, and nobody is here to answer: add --yes or --dry-run")
    keep_inputs(output)
    with ProgressLine() as progress:
        dialogue = TerminalDialogue(
            progress.watch,
            width=screen.find_width(),
            colour=_wants_colour(output),
            asks=asks,
            shows=form == "text" and output is None,
        )
        result = run_repair(request, dialogue)
    if result.refused is not None:
        screen.show_message(result.refused)
    # On a terminal, each step for the person was shown, and waited for.
    _show_repair(replace(result, manual=()) if asks else result, form, output, no_redact)
    return result.exit_code


def _show_repair(result: "RepairResult", form: str, output: "Path | None", no_redact: bool) -> None:
    from torchdoctor.core.version import __version__
    from torchdoctor.renderers import repair as renderer

    if form == "json":
        text = renderer.render_json(_make_shareable(result, form, no_redact), __version__)
    else:
        text = renderer.render_result(result, width=screen.find_width(), colour=_wants_colour(output))
    _write(text, output)


def fleet(
    request: "FleetRequest",
    formats: "Sequence[str]" = (),
    outputs: "Sequence[Path | None]" = (),
    *,
    no_redact: bool = False,
) -> int:
    """Examine many machines, and show what is wrong on which of them, and what differs."""
    from torchdoctor.commands.fleet import examine_fleet
    from torchdoctor.commands.fleet_outputs import open_outputs
    from torchdoctor.fleet.sources import is_read_in_folder, list_paths

    targets = _pair(formats, outputs, FLEET_FORMATS)
    for _, output in targets:
        inputs = list_paths(request.paths)
        keep_inputs(output, [*inputs, request.examining.request.config_file or ""])
        keep_out_of_folders(output, inputs, is_read_in_folder, "a machine")
        if output is not None and not os.path.isdir(output.parent):
            raise UsageError(f"{output}: cannot be written: there is no folder {output.parent}")
    if not no_redact and any(form != "text" for form, _ in targets):
        from torchdoctor.probes.identity import read_identity

        request = replace(request, examining=replace(request.examining, identity=read_identity()))
    with open_outputs(targets, screen.show) as streams, ProgressLine() as progress:
        result = examine_fleet(request, streams.write, streams.lines, progress.watch, progress.count_machines)
    _show_broken(result.broken)
    is_on_screen = ("text", None) in targets
    if not is_on_screen:
        _show_unexamined(result.report, _MOST_PROBLEMS)
    for form, output in targets:
        if form not in ("jsonl", "parquet"):
            _write(_render_fleet(result.report, form, _wants_colour(output)), output)
    if is_on_screen and result.exit_code == 2:
        # The text says it all, but may have gone into a file.
        _show_unexamined(result.report, 1)
    return result.exit_code


def _show_unexamined(report: "FleetReport", most: int) -> None:
    """Print the machines that are not examined; the last line has the number of the others."""
    lines = [f"{machine.name}: not examined: {machine.problem}" for machine in report.unexamined[:most]]
    if more := report.unexamined_count - len(lines):
        lines[-1:] = [f"{lines[-1]}; and {more:,} more"] if lines else []
    for line in lines:
        screen.show_message(line)


def _render_fleet(report: "FleetReport", form: str, colour: bool) -> str:
    module = importlib.import_module(f"torchdoctor.renderers.{'html.' if form == 'html' else ''}fleet")
    if form in ("json", "markdown"):
        render = getattr(module, f"render_{form}")
        text: str = render(report)
        return text
    options = {"width": screen.find_width(), "colour": colour} if form == "text" else {}
    text = module.render(report, **options)
    return text


def undo_repair(name: str | None) -> int:
    """Take back what a repair changed."""
    from torchdoctor.renderers import repair as renderer
    from torchdoctor.repair.undoing import undo

    result = undo(name)
    _write(renderer.render_undone(result, width=screen.find_width()), None)
    return result.exit_code


def list_repairs() -> int:
    """List the repairs that can be undone."""
    from torchdoctor.renderers import repair as renderer
    from torchdoctor.repair.journal import find_repairs_folder
    from torchdoctor.repair.undoing import list_repairs as find_repairs

    _write(renderer.render_list(find_repairs(), str(find_repairs_folder()), width=screen.find_width()), None)
    return 0


def parse_severity(name: str) -> "Severity":
    """Return the severity of a name.

    Raises:
        UsageError: there is no such severity.
    """
    from torchdoctor.check import Severity

    try:
        return Severity(name.lower())
    except ValueError:
        names = [severity.value for severity in Severity]
        raise UsageError(
            f"{name} is not a severity; choose from {', '.join(names)}{suggest(name, names)}"
        ) from None


def _make_shareable(value: T, form: str, no_redact: bool) -> T:
    """Return a value for an output format, redacted unless the format is text, which only the user sees.

    Every command passes what it renders through here. Entries are the same on every machine, and stay as they
    are.
    """
    if form == "text" or no_redact:
        return value
    from torchdoctor.domain.redaction import redact
    from torchdoctor.knowledge import Knowledge
    from torchdoctor.probes.identity import read_identity

    return redact(value, read_identity(), (Knowledge,))


def _check_format(form: str, formats: tuple[str, ...] = PLAIN_FORMATS) -> None:
    if form not in formats:
        raise UsageError(f"{form} is not a format; choose from {', '.join(formats)}{suggest(form, formats)}")


def _wants_colour(output: "Path | None") -> bool:
    return output is None and screen.wants_colour(sys.stdout)


def _write(text: str, output: "Path | None") -> None:
    if output is None:
        screen.show(text)
    else:
        screen.write_output(output, text)


def _show_timings(probes: Mapping[str, float], checks: Mapping[str, float]) -> None:
    for kind, seconds in (("probe", probes), ("check", checks)):
        for name in sorted(seconds, key=lambda name: -seconds[name]):
            screen.show_message(f"{seconds[name]:9.4f} s  {kind} {name}")


def _show_broken(broken: "Iterable[Broken]") -> None:
    for item in broken:
        screen.show_message(f"{item.name}: {item.reason}")
