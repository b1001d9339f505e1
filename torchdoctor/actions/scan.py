"""Show what a scan of this machine, of saved facts, of a text or of training code finds."""

import gc
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import REPORT_FORMATS, pair
from torchdoctor.actions.showing import (
    is_for_user,
    load_renderer,
    make_name_shareable,
    make_shareable,
    wants_colour,
    write,
)
from torchdoctor.core.targets import keep_inputs
from torchdoctor.core.usage import UsageError
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.commands.fix import PlannedChanges, WrittenChanges
    from torchdoctor.commands.scan import ScanRequest
    from torchdoctor.commands.scan_arguments import ScanArguments
    from torchdoctor.report import Report

# Below a report there is room for a few.
_MOST_TIMINGS = 5


def scan(
    arguments: "ScanArguments",
    formats: "Sequence[str]" = (),
    outputs: "Sequence[Path | None]" = (),
    *,
    no_redact: bool = False,
) -> int:
    """Examine the environment (or the one that a text describes) and training code, or change the code."""
    # A short process that makes many objects: garbage collection takes time and frees little.
    gc.disable()
    from torchdoctor.commands.scan import misses_a_named_path, scan_each
    from torchdoctor.commands.scan_arguments import make_request
    from torchdoctor.report import find_exit_code

    text, facts, writes_code = arguments.text, arguments.facts, arguments.diff or arguments.fix
    targets = _make_targets(arguments, formats, outputs)
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
            _show_diff(planned, targets[0][1])
            return planned.find_exit_code(request)
        written = _write_changes(planned)
    with ProgressLine() as progress:
        if text is None:
            reports, problems = scan_each(request, facts, progress.watch, progress.count)
        else:
            from torchdoctor.commands.described import scan_text

            is_for_one = all(is_for_user(form, no_redact) for form, _ in targets)
            reports, problems = scan_text(request, text, on_screen=is_for_one), ()
    notices = dict.fromkeys(notice for report in reports for notice in report.notices)
    for message in (*problems, *notices):
        screen.show_message(message)
    if request.baseline is not None and len(facts) < 2:
        _settle_baseline(request, reports, arguments.writes_baseline)
    is_single = len(facts) < 2 and len(reports) == 1
    for form, output in targets:
        shown_reports = make_shareable(reports, form, no_redact, is_pasted=text is not None)
        if text is not None:
            shown_reports = tuple(_name_shareable(report, form, no_redact) for report in shown_reports)
        colour = wants_colour(output)
        write(_render_reports(shown_reports, form, colour, arguments.verbose, is_single), output)
    for report in reports:
        if report.timings is not None:
            _show_timings(report.timings.probes, report.timings.checks)
    if written is not None:
        places = sum(finding.location is not None for _, finding in reports[0].findings())
        screen.show_message(written.summarise(places))
    is_incomplete = problems or misses_a_named_path(request, reports)
    return max(find_exit_code(reports), 2 if is_incomplete else 0)


def _make_targets(
    arguments: "ScanArguments", formats: "Sequence[str]", outputs: "Sequence[Path | None]"
) -> "tuple[tuple[str, Path | None], ...]":
    """Return each format with its output.

    Raises:
        UsageError: an option does not go with another one, or an output is one of the inputs.
    """
    targets = pair(formats, outputs, REPORT_FORMATS)
    text, facts, writes_code = arguments.text, arguments.facts, arguments.diff or arguments.fix
    for _, output in targets:
        keep_inputs(output, (*arguments.paths, *facts, *([text] if text else [])))
    if text is not None and (writes_code or facts):
        raise UsageError("--from reads a text in place of a machine: leave out --facts, --diff and --fix")
    if arguments.diff and [form for form, _ in targets] != ["text"]:
        raise UsageError("--diff writes a unified diff: leave out --format")
    return targets


def _name_shareable(report: "Report", form: str, no_redact: bool) -> "Report":
    """Return a report on a text with its name as it may be shown in a format."""
    if report.description is None:
        return report
    name = make_name_shareable(report.description.source, form, no_redact)
    return replace(report, description=replace(report.description, source=name))


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


def _show_diff(planned: "PlannedChanges", output: "Path | None") -> None:
    for each in planned.unread:
        screen.show_message(each.notice)
    for notice in planned.left:
        screen.show_message(f"not changed: {notice}")
    if count := len(planned.remaining):
        findings = "1 finding has" if count == 1 else f"{count} findings have"
        screen.show_message(f"{findings} no change: scan without --diff shows what to do")
    if output is not None:
        screen.write_output(output, planned.diff)
    elif sys.stdout.isatty():
        # A terminal would obey the control characters in strings; a patch has to keep them.
        screen.show(screen.escape_controls(planned.diff.decode("utf-8", "replace")))
    else:
        screen.show(planned.diff)


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


def _render_reports(
    reports: tuple["Report", ...], form: str, colour: bool, verbose: bool, is_single: bool
) -> str:
    renderer = load_renderer(form)
    options = {"width": screen.find_width(), "colour": colour, "verbose": verbose} if form == "text" else {}
    text: str = (
        renderer.render(reports[0], **options) if is_single else renderer.render_all(reports, **options)
    )
    return text


def _show_timings(probes: Mapping[str, float], checks: Mapping[str, float]) -> None:
    """Show what took longest; JSON has all times."""
    rows = [
        (seconds, f"{kind} {name}")
        for kind, times in (("probe", probes), ("check", checks))
        for name, seconds in times.items()
    ]
    for seconds, name in sorted(rows, key=lambda row: -row[0])[:_MOST_TIMINGS]:
        screen.show_message(f"{seconds:9.4f} s  {name}")
