"""Leave out the errors of a text that are solved, of an earlier stage, or of another computer."""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.clean import Line
from torchdoctor.readers.line_parts import blank_spans
from torchdoctor.readers.machines import find_parts_elsewhere
from torchdoctor.readers.printed_errors import FAILURE
from torchdoctor.readers.stages import clear_before, find_last_stage


def drop_settled(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without the errors that are not those of the writer's computer now.

    Where there is none of them, or no other error, these are the same lines.
    """
    texts = [line.text for line in lines]
    cleared = _clear_elsewhere(texts)
    place = find_last_stage(cleared)
    if place is not None:
        cleared = clear_before(cleared, place)
    if cleared == texts:
        return lines
    return [line._replace(text=text) for line, text in zip(lines, cleared, strict=True)]


def _clear_elsewhere(texts: Sequence[str]) -> list[str]:
    """Return lines without the errors that are told of another computer, if one is left."""
    cleared = list(texts)
    for number, start, end in find_parts_elsewhere(texts):
        if pattern(FAILURE).search(texts[number], start, end):
            cleared[number] = blank_spans(cleared[number], [(start, end)])
    if cleared == list(texts) or not any(map(pattern(FAILURE).search, cleared)):
        return list(texts)
    return cleared
