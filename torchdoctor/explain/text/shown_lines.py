"""Show a line of a text as evidence, without what stands beside the error on it."""

import re
from collections.abc import Sequence
from itertools import takewhile

from torchdoctor.core.patterns import pattern
from torchdoctor.core.prompts import PROMPT
from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.around_errors import hide_around_error
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.people.private_hosts import leave_out_private_hosts
from torchdoctor.redaction.shown_commands import leave_out_private_texts
from torchdoctor.redaction.words.public_words import NO_NAMES, Names, leave_out_private
from torchdoctor.redaction.words.vocabulary import is_known_mixture

MAX_LENGTH = 300
# What is typed: behind a prompt, with options, in a pipe, or with a value.
_TYPED = re.compile(
    rf"{PROMPT}|^\s*[\w.@:~\\/ ()-]{{0,80}}[$#%>]\s|(?:^|\s)(?:--?|/|\+)[A-Za-z]|\s\|\s|\w=|\$\w"
)
# A path that does not end on its line.
_OPEN_PATH = r"(?:[A-Za-z]:[\\/]|\\\\|(?<![\w.])/)[^\"'<>|*?]{0,300}$"
# JSON, or a dictionary as Python shows it: what else it has is not of the error.
_DATA = ('{"', "{'", '[{"', "[{'")
# Letters and digits side by side, and numbers that a driver, a card or a build has.
_PART = r"[^\W_]+"
_NUMBER_OF_A_PART = r"\d{1,6}|\d{1,5}[a-z]{1,3}|[a-z]{1,2}"
_MIXED = r"[a-z]{1,4}\d{1,4}[a-z]{0,2}"
_PLAIN_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 5
# The name of an exception before its message.
_RAISED = r"(?<![\w.\\])[A-Za-z_][\w.]{0,80}(?:Error|Exception|Warning)\b(?=:)"


def show_line(
    line: str,
    proof: str,
    before: str = "",
    *,
    is_code: bool = False,
    own: Names = NO_NAMES,
    of_proof: frozenset[str] | None = None,
) -> str:
    """Return a line as it is shown: what stands beside the proof proves nothing, and may be a secret.

    `before` is the line that goes on in this one, because a console or a message has broken it. Of code, the
    texts in it are left out, unless anybody may see them. `own` are the names that the text defines.
    Of a line that is shared, `of_proof` are the words of the proof that the entry has, and beside them only
    words stay that messages have in such a place.
    """
    shown = _show_proof(line, proof, before, is_code=is_code, own=own)
    return shown if of_proof is None else _share(shown, of_proof)


def _show_proof(line: str, proof: str, before: str, *, is_code: bool, own: Names) -> str:
    line = _leave_out_rest_of_home(line, before)
    if is_code:
        line, proof = leave_out_private_texts(line), leave_out_private_texts(proof)
    if line.lstrip().startswith(_DATA):
        start, end = _find_proof(line, proof)
        return hide_around_error(line[start:end], 0, end - start, own=own).strip()[:MAX_LENGTH]
    start, end = _find_proof(line, proof)
    name = ""
    raised = pattern(_RAISED).search(line)
    if raised is not None and raised.start() <= start:
        # The name of the logger, of a rank or of a computer stands before that of the exception.
        name = raised[0] if raised.end() <= start else ""
        cut = raised.end() if name else raised.start()
        line, start, end = line[cut:], start - cut if name else 0, end - cut
    return f"{name}{hide_around_error(line, start, end, is_code=is_code, own=own)}".strip()[:MAX_LENGTH]


def _share(shown: str, of_proof: frozenset[str] = frozenset()) -> str:
    # Imported here: what is shown on a screen alone does not need the table of places.
    from torchdoctor.redaction.words.placed_words import leave_out_by_place

    return leave_out_by_place(shown, of_proof)


def show_stated(line: str, values: Sequence[str], *, is_shared: bool = False) -> str:
    """Return a line that states something of an environment: these values, and the words that say what it is.

    People write of other things on the same line, and a program may print a password there.
    """
    public = map(leave_out_private, values)
    parts = {part.lower() for value in public for part in pattern(_PART).findall(value)}

    def show(match: re.Match[str]) -> str:
        word = match[0]
        pieces = [piece.lower() for piece in pattern(_PART).findall(word)]
        is_known = all(piece in parts or piece in read_own_words() or _is_number(piece) for piece in pieces)
        return word if is_known else LEFT_OUT

    shown = pattern(r"[^\s\"'`,;|()\[\]{}]+").sub(show, leave_out_private_hosts(line))
    shown = pattern(r"\.{3}(?:[\s\"'`,;|()\[\]{}]{1,8}\.{3})+").sub(LEFT_OUT, shown).strip()[:MAX_LENGTH]
    return _share(shown) if is_shared else shown


def _is_number(word: str) -> bool:
    if pattern(_NUMBER_OF_A_PART).fullmatch(word) is not None:
        return True
    # A word and a number can be an account: kw87.
    return pattern(_MIXED).fullmatch(word) is not None and is_known_mixture(word)


def _leave_out_rest_of_home(line: str, before: str) -> str:
    """Leave out the rest of the path of a home that begins in the line before, up to the name in it."""
    path = pattern(_OPEN_PATH).search(before)
    if path is None:
        return line
    # Imported here: most errors stand on one line.
    from torchdoctor.redaction.redaction import Identity

    identity, joined = Identity(), path[0] + line
    shown = identity.redact_places(joined)
    if shown == identity.redact_places(path[0]) + identity.redact_places(line):
        return line
    pairs = zip(reversed(joined), reversed(shown), strict=False)
    length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return LEFT_OUT + line[len(line) - length :] if length < len(line) else line


def is_told(line: str) -> bool:
    """Return whether a line is a sentence that a person writes, and none that is typed into a console.

    Where a text only shares words with an entry, a line proves nothing, and what is typed may hold a secret.
    """
    return _TYPED.search(line) is None and len(_PLAIN_WORD.findall(line)) >= _LEAST_WORDS


def _find_proof(line: str, proof: str) -> tuple[int, int]:
    """Return where a proof, whose white space is folded, stands in a line; it may go on in the next one."""
    words = proof.split()
    while words:
        if found := re.search(r"\s+".join(map(re.escape, words)), line):
            return found.span()
        words.pop()
    return 0, 0
