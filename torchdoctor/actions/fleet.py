"""Show what is wrong on which of many machines."""

import importlib
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import FLEET_FORMATS, pair
from torchdoctor.actions.showing import show_broken, wants_colour, write
from torchdoctor.core.targets import keep_inputs, keep_out_of_folders
from torchdoctor.core.usage import UsageError
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.commands.fleet import FleetRequest
    from torchdoctor.fleet.summary import FleetReport

# So many machines that could not be examined are named on standard error.
_MOST_PROBLEMS = 20


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

    targets = pair(formats, outputs, FLEET_FORMATS)
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
    show_broken(result.broken)
    is_on_screen = ("text", None) in targets
    if not is_on_screen:
        _show_unexamined(result.report, _MOST_PROBLEMS)
    for form, output in targets:
        if form not in ("jsonl", "parquet"):
            write(_render_fleet(result.report, form, wants_colour(output)), output)
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
