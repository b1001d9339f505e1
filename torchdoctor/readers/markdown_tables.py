"""The tables of Markdown: rows that begin with a label, or below a row of labels."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.labels import find_reader, normalise
from torchdoctor.readers.statements import Lines

# The rows of tables that people write are shorter.
_LONGEST_ROW = 600


def read_tables(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, with the rows of Markdown's tables as labels and values.

    A row begins with its label, or the first row has the labels of the columns.
    """
    labels: list[str] = []
    above: list[str] = []
    for number, line in lines:
        cells = _split_row(line)
        if len(cells) < 2:
            labels = []
            yield number, line
        elif pattern(r"[\s|:-]+").fullmatch(line):
            labels = above if sum(find_reader(normalise(label)) is not None for label in above) > 1 else []
        elif labels and len(cells) == len(labels):
            for label, cell in zip(labels, cells, strict=True):
                yield number, f"{label}: {cell}"
        else:
            yield number, f"{cells[0].replace('`', '')}: {cells[1]}"
        above = cells


def _split_row(line: str) -> list[str]:
    """Return the cells of a row of a table; [] for any other line."""
    line = line.strip()
    if not line.startswith("|") or len(line) > _LONGEST_ROW:
        return []
    return [cell.strip(" *") for cell in line.strip("|").split("|")]
