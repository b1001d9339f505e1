"""Repair an environment, and show, list or take back repairs."""

from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import check_format
from torchdoctor.actions.showing import make_shareable, wants_colour, write
from torchdoctor.core.targets import keep_inputs
from torchdoctor.core.usage import UsageError
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.repair.results import RepairRequest, RepairResult


def repair(
    request: "RepairRequest", form: str = "text", output: "Path | None" = None, *, no_redact: bool = False
) -> int:
    """Mend what a scan finds, and show what came of it."""
    from torchdoctor.commands.repair import repair as run_repair
    from torchdoctor.commands.repair_dialogue import TerminalDialogue
    from torchdoctor.terminal.asking import is_somebody_there

    check_format(form)
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
            colour=wants_colour(output),
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
        text = renderer.render_json(make_shareable(result, form, no_redact), __version__)
    else:
        text = renderer.render_result(result, width=screen.find_width(), colour=wants_colour(output))
    write(text, output)


def undo_repair(name: str | None) -> int:
    """Take back what a repair changed."""
    from torchdoctor.renderers import repair as renderer
    from torchdoctor.repair.undoing import undo

    result = undo(name)
    write(renderer.render_undone(result, width=screen.find_width()), None)
    return result.exit_code


def list_repairs() -> int:
    """List the repairs that can be undone."""
    from torchdoctor.renderers import repair as renderer
    from torchdoctor.repair.journal import find_repairs_folder
    from torchdoctor.repair.undoing import list_repairs as find_repairs

    write(renderer.render_list(find_repairs(), str(find_repairs_folder()), width=screen.find_width()), None)
    return 0
