"""The lines of a text that say something of its writer's computer."""

from collections.abc import Sequence

from torchdoctor.explain.clean import Line
from torchdoctor.explain.quotations import drop_advice
from torchdoctor.readers.cards_elsewhere import clear_cards_elsewhere


def find_own_lines(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without quoted advice, and without cards of which they say that they are elsewhere.

    Where there is none of it, these are the same lines.
    """
    own = drop_advice(lines)
    texts = [line.text for line in own]
    cleared = clear_cards_elsewhere(texts)
    if cleared == texts:
        return own
    return [line._replace(text=text) for line, text in zip(own, cleared, strict=True)]
