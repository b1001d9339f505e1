"""Show a line of a text as evidence, without what stands beside the error on it."""

import re

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.around_errors import hide_around_error

MAX_LENGTH = 300
# The name of an exception before its message.
_RAISED = r"(?<![\w.\\])[A-Za-z_][\w.]{0,80}(?:Error|Exception|Warning)\b(?=:)"


def show_line(line: str, proof: str) -> str:
    """Return a line as it is shown: what stands beside the proof proves nothing, and may be a secret."""
    raised = pattern(_RAISED).search(line)
    start, end = _find_proof(line, proof)
    if raised is not None and raised.start() <= start:
        # The name of the logger, of a rank or of a computer stands before it.
        line, start, end = line[raised.start() :], 0, end - raised.start()
    return hide_around_error(line, start, end).strip()[:MAX_LENGTH]


def _find_proof(line: str, proof: str) -> tuple[int, int]:
    """Return where a proof, whose white space is folded, stands in a line; it may go on in the next one."""
    words = proof.split()
    while words:
        if found := re.search(r"\s+".join(map(re.escape, words)), line):
            return found.span()
        words.pop()
    return 0, 0
