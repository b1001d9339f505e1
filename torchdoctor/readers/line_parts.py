"""Parts of a line, and a line without what it states of cards and releases."""

from collections.abc import Iterable, Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import find_cards

_RELEASES = (
    r"\b(?:py)?torch(?:vision|audio)? ?={0,2} ?\d[\d.]{2,9}(?:\+\w{2,12})?"
    r"|\b\d[\d.]{2,9}\+(?:cu\d{2,3}|cpu)\b|\bdriver(?: version)? ?[:=]? ?\d{3}\.\d{2,3}\b"
    r"|\b(?:nvidia|geforce|rtx|gtx)\b"
)


def split_line(text: str, ends: str) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a line are that a pattern ends."""
    start = 0
    for end in pattern(ends, True).finditer(text):
        yield start, end.end()
        start = end.end()
    yield start, len(text)


def find_stated(text: str) -> list[tuple[int, int]]:
    """Return where a line names cards, drivers, and releases of torch with their build."""
    cards = [(each.start, each.end) for each in find_cards(text)]
    return [*cards, *(match.span() for match in pattern(_RELEASES, True).finditer(text))]


def blank_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks in some places, so that the others stay where they are."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
