"""Read the lines of a pasted text as programs printed them, without its credentials."""

from collections.abc import Callable, Iterable

from torchdoctor.explain.match import fold_literal
from torchdoctor.explain.text.clean import Line, restore_lines
from torchdoctor.explain.text.fold import fold
from torchdoctor.explain.text.stream import read_lines
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.paths.homes import hide_broken_homes
from torchdoctor.redaction.people.carried_names import Carried, learn
from torchdoctor.redaction.secrets.hide import hide_credentials
from torchdoctor.redaction.secrets.typed_secrets import find_typed_secrets

# A shorter non-ASCII literal can appear by chance in text that is decoded with the wrong encoding.
_MIN_LITERAL_LENGTH = 4


def read_printed(chunks: Iterable[bytes], knowledge: Knowledge, code_page: str = "") -> tuple[Line, ...]:
    """Return the lines of a text as programs printed them; of a long text, the lines that may matter.

    Credentials are replaced here, where their names stand beside them: no value that is read has one.
    """
    has_known_literal = _make_literal_test(knowledge)
    lines = tuple(restore_lines(read_lines(chunks, has_known_literal, code_page), has_known_literal))
    return _hide_credentials(lines)


def _hide_credentials(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    text = "\n".join(line.text for line in lines)
    hidden = hide_broken_homes(hide_credentials(text))
    typed = find_typed_secrets(text)
    if hidden == text and not typed:
        return lines
    texts = hidden.split("\n")
    if len(texts) != len(lines):
        # A key of several lines became one word.
        texts = [hide_credentials(line.text) for line in lines]
    # An error repeats what a setting has named; users and hosts are parts of paths that are still read.
    carried = Carried(learn([(text, hidden)]).secrets | typed)
    texts = [carried.hide(each) for each in texts]
    return tuple(line._replace(text=text) for line, text in zip(lines, texts, strict=True))


def _make_literal_test(knowledge: Knowledge) -> Callable[[str], bool]:
    """Return a function that tests whether a text holds a non-ASCII literal of an entry.

    Text with one of these literals was decoded with the right encoding.
    """
    literals = {
        fold_literal(symptom.text)
        for entry in knowledge.entries.values()
        for symptom in entry.symptoms
        if not symptom.text.isascii() and len(symptom.text) >= _MIN_LITERAL_LENGTH
    }

    def has_known_literal(text: str) -> bool:
        folded = fold(text)
        return any(literal in folded for literal in literals)

    return has_known_literal
