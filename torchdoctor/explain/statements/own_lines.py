"""The lines of a text that say something of its writer's computer."""

from collections.abc import Sequence

from torchdoctor.explain.statements.quotations import clear_quoted_places, drop_advice, drop_quoted
from torchdoctor.explain.text.clean import Line
from torchdoctor.readers.cards_elsewhere import clear_cards_elsewhere
from torchdoctor.readers.machines import clear_other_machines
from torchdoctor.readers.stages import clear_former_releases


def find_own_lines(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without what they quote of others, and without what they state of other computers.

    Where there is none of it, these are the same lines.
    """
    own = clear_quoted_places(drop_quoted(drop_advice(lines)))
    texts = [line.text for line in own]
    cleared = clear_former_releases(clear_other_machines(clear_cards_elsewhere(texts)))
    if cleared == texts:
        return own
    return [line._replace(text=text) for line, text in zip(own, cleared, strict=True)]
