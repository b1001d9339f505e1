"""The tables of Markdown: rows that begin with a label, or below a row of labels."""

from collections.abc import Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.label_words import normalise
from torchdoctor.readers.labels import find_reader
from torchdoctor.readers.statements import Lines
from torchdoctor.readers.wishes import is_needed

# The rows of tables that people write are shorter.
_LONGEST_ROW = 600
# The first row of a table of anything has these.
# The column of what is there.
_OWN = (
    r"\b(?:yours?|mine|my|actual|current|installed|detected|found|have|here|vorhanden|actuel|instalado"
    r"|present)\b"
    r"|您的|你的|我的|本机|当前|实际|実際|現在|현재|текущ"
)
_GENERAL = ("name", "version", "device", "hardware", "system", "platform", "memory", "model", "library")


def read_tables(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, with the rows of Markdown's tables as labels and values.

    A row begins with its label, or the first row has the labels of the columns.
    """
    labels: list[str] = []
    above: list[str] = []
    compared = set(find_comparisons(lines))
    for number, line in lines:
        if number in compared:
            continue
        cells = _split_row(line)
        if len(cells) < 2:
            labels = []
            yield number, line
        elif pattern(r"[\s|:-]+").fullmatch(line):
            labels = above if _count_labels(above) > 1 else []
        elif labels and len(cells) == len(labels):
            for label, cell in zip(labels, cells, strict=True):
                yield number, f"{label}: {cell}"
        else:
            yield number, f"{cells[0].replace('`', '').rstrip(': ')}: {cells[1]}"
        above = cells


def drop_columns(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, without the columns of a table that say what is needed or was there before."""
    kept: list[int] = []
    above: list[str] = []
    for number, line in lines:
        cells = _split_row(line)
        is_rule = len(cells) > 2 and pattern(r"[\s|:-]+").fullmatch(line) is not None
        if len(cells) < 3:
            kept = []
        elif is_rule:
            kept = [0, *(place for place, name in enumerate(above) if place and not is_needed(name))]
            kept = kept if len(kept) < len(above) else []
        above = cells
        if kept and not is_rule and len(cells) > max(kept):
            line = f"| {' | '.join(cells[place] for place in kept)} |"
        yield number, line


def find_own_rows(lines: Lines) -> Iterator[int]:
    """Yield the numbers of the rows of tables that put what is there beside what is needed."""
    above: list[str] = []
    is_inside = False
    for number, line in lines:
        cells = _split_row(line)
        if len(cells) < 3:
            is_inside = False
        elif pattern(r"[\s|:-]+").fullmatch(line):
            is_inside = any(map(is_needed, above)) and any(pattern(_OWN, True).search(name) for name in above)
        elif is_inside:
            yield number
        above = cells


def find_comparisons(lines: Lines) -> Iterator[int]:
    """Yield the numbers of the rows of tables with a machine, a card or a release in each row."""
    above: list[str] = []
    rows: list[int] = []
    is_inside = False
    for number, line in [*lines, (0, "")]:
        cells = _split_row(line)
        if len(cells) < 2:
            if len(rows) > 1:
                yield from rows
            rows, is_inside = [], False
        elif pattern(r"[\s|:-]+").fullmatch(line):
            is_inside = _count_labels(above) > 1
        elif is_inside:
            rows.append(number)
        above = cells


def _count_labels(cells: Sequence[str]) -> int:
    names = (normalise(cell) for cell in cells)
    return sum(name not in _GENERAL and find_reader(name) is not None for name in names)


def _split_row(line: str) -> list[str]:
    """Return the cells of a row of a table; [] for any other line."""
    line = line.strip()
    if not line.startswith("|") or len(line) > _LONGEST_ROW:
        return []
    return [cell.strip(" *") for cell in line.strip("|").split("|")]
