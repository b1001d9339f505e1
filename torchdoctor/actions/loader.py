"""Show the plan of a DataLoader."""

import importlib
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import LOADER_FORMATS, check_format
from torchdoctor.actions.showing import is_for_user, make_shareable, show_examined, wants_colour, write
from torchdoctor.core.targets import keep_inputs
from torchdoctor.terminal import screen
from torchdoctor.terminal.progress_line import ProgressLine

if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.commands.loader import LoaderRequest


def loader(
    request: "LoaderRequest", form: str = "text", output: "Path | None" = None, *, no_redact: bool = False
) -> int:
    """Show DataLoader settings that are safe here, and a script to paste."""
    from torchdoctor.commands.loader import plan_loader
    from torchdoctor.core.version import __version__
    from torchdoctor.renderers import loader as text_renderer

    check_format(form, LOADER_FORMATS)
    keep_inputs(output)
    with ProgressLine() as progress:
        planned = plan_loader(request, progress.watch)
    show_examined(request.python, form)
    plan = planned.plan
    if not is_for_user(form, no_redact):
        from torchdoctor.loader.sharing import share_plan

        plan = share_plan(plan, lambda each: make_shareable(each, form, no_redact))
    if form != "text":
        module = {"html": "html.plan"}.get(form, form)
        text = importlib.import_module(f"torchdoctor.renderers.{module}").render_plan(plan, __version__)
    else:
        text = text_renderer.render(plan, width=screen.find_width(), colour=wants_colour(output))
    write(text, output)
    return planned.exit_code
