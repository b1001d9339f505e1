"""Show which DLLs are missing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchdoctor.actions.formats import check_format
from torchdoctor.actions.showing import make_place_shareable, make_shareable, write
from torchdoctor.core.targets import keep_inputs

if TYPE_CHECKING:
    from pathlib import Path


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

    check_format(form)
    keep_inputs(output, (path, *search))
    folders = tuple(make_place_shareable(folder, form, no_redact) for folder in (path, *search))
    analysis = make_shareable(analyse_dlls(folders[0], folders[1:]), form, no_redact)
    if form == "json":
        text = json.render_dlls(analysis.closure, analysis.outcomes, analysis.knowledge, __version__)
    else:
        text = text_renderer.render(analysis.closure, analysis.outcomes)
    write(text, output)
    return analysis.exit_code
