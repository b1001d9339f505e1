"""The name of a file or folder contains a colon, a bar or another character that Windows refuses in names."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, Words, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.paths.refused_texts import may_have_refused_path
from torchdoctor.source.idioms.paths.timestamps import find_option_path_use, find_path_use, find_time_texts
from torchdoctor.source.idioms.paths.written_names import find_refused_characters
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_MAKERS = (
    b"save(",
    b"savefig(",
    b"makedirs(",
    b"mkdir(",
    b"imwrite(",
    b"SummaryWriter(",
    b"to_csv(",
)
# A refused character before or behind a field of a text, the most frequent one first.
_BESIDE_BRACE = (b"}:", re.compile(rb"[{%](?<=[|?*<>:][{%])|\}[|?*<>]"))
_WRITING_MODE = re.compile(rb"""["'][bt]?[wax][bt+]{0,2}["']""")
_EXPECTED_ERRORS = ("OSError", "IOError", "EnvironmentError", "ValueError", "RuntimeError")
_WORDS: tuple[Words, ...] = (
    (b"strftime", (b"%H:", b"%X", b"%T", b"%c", b"%R")),
    (b"datetime", (b"isoformat(", b".now()", b".today()", b".utcnow()")),
    (b"time.ctime(", ()),
    (b"asctime(", ()),
    (b"open(", _BESIDE_BRACE, (may_have_refused_path,), (_WRITING_MODE,)),
    *((word, _BESIDE_BRACE, (may_have_refused_path,)) for word in _MAKERS),
)


@check(words=_WORDS)
def illegal_filename(source: SourceFile) -> Iterator[Finding]:
    """Find times with colons that become part of a path, and other characters that Windows refuses."""
    module = source.module
    for node, text in find_time_texts(module):
        use = find_path_use(module, node) or find_option_path_use(module, node)
        if use is not None and runs_on_windows(module, node):
            line = locate(source, use).line
            message = f"{text} holds colons and becomes part of a path in line {line}"
            yield Finding(message, locate(source, node), step="here")
    for call, character in find_refused_characters(module):
        if runs_on_windows(module, call) and not is_error_handled(module, call, _EXPECTED_ERRORS):
            name = module.find_dotted_name(call.func) or ast.unparse(call.func)
            message = f"{name}() makes a name with the character {character}, which Windows refuses"
            yield Finding(message, locate(source, call), step="replace")
