"""The name of a file or folder contains a time with colons, which Windows does not allow in names."""

from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.timestamps import find_option_path_use, find_path_use, find_time_texts
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_WORDS = (
    (b"strftime", (b"%H:", b"%X", b"%T", b"%c", b"%R")),
    (b"datetime", (b"isoformat(", b".now()", b".today()", b".utcnow()")),
    (b"time.ctime(", ()),
    (b"asctime(", ()),
)


@check(words=_WORDS)
def illegal_filename(source: SourceFile) -> Iterator[Finding]:
    """Find timestamps with colons that become part of a path in the same file."""
    module = source.module
    for node, text in find_time_texts(module):
        use = find_path_use(module, node) or find_option_path_use(module, node)
        if use is not None and runs_on_windows(module, node):
            line = locate(source, use).line
            message = f"{text} holds colons and becomes part of a path in line {line}"
            yield Finding(message, locate(source, node), step="here")
