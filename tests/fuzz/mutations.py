"""Hypothesis strategies that damage good inputs: bytes, texts and JSON values."""

import copy
from collections.abc import Sequence

from hypothesis import strategies as st

# What often breaks a reader: controls, bidirectional marks, numbers, openings without an end.
PIECES = (
    *("\0", "\x1b[31m", "\x1b]0;title\x07", "\x9b31m", "\r", "\n", "\r\n", "\t", "\x0c", "\x85", "\u2028"),
    *("\u202e", "\u2066", "\u200b", "\ufeff", "\ud800", "\U0001f600", "é", "中文", "²", "١", "ß", "İ"),
    *("-1", "1e999", "NaN", "9" * 5000, "0x" + "f" * 300, "1" + "0" * 400, "%s", "{}", "{0}", "%1"),
    *(
        "(" * 200,
        "[" * 3000,
        "{" * 200,
        '"',
        "'",
        '"""',
        "`",
        "```",
        "\\",
        "../",
        "C:\\",
        "\\\\?\\",
        "#",
        ",",
    ),
)
VALUES = (
    *(None, True, False, 0, -1, 1.5, 1e308, 2**63, 2**64, -(2**70), 10**400, "", " ", "\x1b[31m", "\ud800"),
    *([], {}, [[]], {"": None}, "x" * 10_000, "\u202e", "2.9.0+cu128", "9" * 5000, "²", "nan", "../..", "\n"),
)


@st.composite
def damaged_texts(draw: st.DrawFn, seeds: Sequence[str], pieces: Sequence[str] = PIECES) -> str:
    """Cut, repeat, join and overwrite parts of the seeds."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from((3, 40, 400))))))
        part = text[start:end]
        other = draw(st.sampled_from(seeds))
        middle = draw(st.integers(0, len(other)))
        new = draw(
            st.sampled_from(
                ("", part * 2, part * 50, other[middle : middle + 200], other, part[::-1], part.upper())
            )
            | st.sampled_from(pieces)
            | st.text(max_size=8)
        )
        text = text[:start] + new + text[end:]
    return text


@st.composite
def damaged_lines(draw: st.DrawFn, seeds: Sequence[str], pieces: Sequence[str] = PIECES) -> str:
    """Cut, repeat, move and join the lines of the seeds; what is left is often well-formed."""
    lines = draw(st.sampled_from(seeds)).split("\n")
    for _ in range(draw(st.integers(1, 6))):
        others = draw(st.sampled_from(seeds)).split("\n")
        start = draw(st.integers(0, len(lines)))
        end = draw(st.integers(start, min(len(lines), start + 4)))
        from_line = draw(st.integers(0, len(others)))
        indent = draw(st.sampled_from(("", "    ", "\t")))
        new = [indent + line for line in others[from_line : from_line + draw(st.integers(0, 12))]]
        if draw(st.integers(0, 9)) == 0:
            new = [draw(st.sampled_from(pieces))]
        lines[start:end] = draw(st.sampled_from((new, lines[start:end] * 2, [])))
    return "\n".join(lines)


@st.composite
def damaged_bytes(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Overwrite, cut and repeat bytes of the seeds, and numbers of 1 to 8 bytes in them."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 8))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.integers(0, 5))
        if kind < 3:
            number = draw(st.sampled_from((0, 1, 0xFF, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 63)))
            size = draw(st.sampled_from((1, 2, 4, 8)))
            data[place : place + size] = (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        elif kind == 3:
            data[place : place + draw(st.integers(0, 64))] = draw(st.binary(max_size=8))
        elif kind == 4:
            data = data[:place]
        else:
            data[place:place] = data[place : place + 40] * draw(st.integers(1, 20))
    return bytes(data)


def _values_like(value: object) -> st.SearchStrategy[object]:
    """Return odd values of the type of a value."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int):
        return st.sampled_from((0, 1, -1, 2, 3, 16, 64, 2**31, 2**40, 2**63, 2**64 - 1, value + 1, -value))
    if isinstance(value, float):
        return st.sampled_from((0.0, -1.0, 1e-9, 1e9, 1e308, 0.5, -0.0))
    if isinstance(value, str):
        texts = ("", " ", "0", "-1", "..", "9.9.9", "2.0", "x64", "C:\\", "a" * 300, value * 2, value[:-1])
        return st.sampled_from((*texts, *PIECES)) | st.text(max_size=20)
    return st.sampled_from((None, [], {}, [value]))


@st.composite
def damaged_json(draw: st.DrawFn, seeds: Sequence[object], values: Sequence[object] = VALUES) -> object:
    """Replace, remove and repeat values anywhere in a JSON value."""
    root = [copy.deepcopy(draw(st.sampled_from(seeds)))]
    for _ in range(draw(st.integers(1, 4))):
        container: list[object] | dict[str, object] = root
        while True:
            keys = list(container) if isinstance(container, dict) else list(range(len(container)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            value = container[key]
            if isinstance(value, (list, dict)) and value and draw(st.integers(0, 7)):
                container = value
                continue
            action = draw(st.integers(0, 9))
            if action == 0 and container is not root:
                del container[key]
            elif action == 1 and isinstance(container, list) and container is not root:
                container.append(value)
            elif action == 2 and isinstance(container, dict):
                container[draw(st.text(max_size=5))] = value
            else:
                container[key] = copy.deepcopy(
                    draw(_values_like(value) if action > 4 else st.sampled_from(values))
                )
            break
    return root[0]
