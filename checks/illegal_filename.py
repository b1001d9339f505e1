"""A file or folder is named with the time of day, whose colons Windows does not allow in names."""

from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.facts import SourceFile
from torchdoctor.source.places import locate
from torchdoctor.source.platforms import runs_on_windows
from torchdoctor.source.timestamps import find_clock_texts, find_path_use, follow_option


@check
def illegal_filename(source: SourceFile) -> Iterator[Finding]:
    """Find times with colons that become part of a path in the same file."""
    view = source.view
    for text, written in find_clock_texts(view):
        use = find_path_use(view, text) or follow_option(view, text)
        if use is not None and runs_on_windows(view, text):
            line = locate(source, use).line
            yield Finding(
                f"{written} holds colons and becomes part of a path in line {line}", locate(source, text)
            )
