"""Comments that suppress findings, and comments that do not."""

import pytest

from torchdoctor.engine.code.suppressions import is_suppressed
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source


@pytest.mark.parametrize(
    ("text", "line", "suppressed"),
    [
        ("f()  # torchdoctor: ignore[posix-only]\n", 1, True),
        ("f()  # torchdoctor: ignore\n", 1, True),
        ("f()  # noqa  # torchdoctor: ignore[a, posix-only]\n", 1, True),
        ("f()  # torchdoctor: ignore[missing-main-guard]\n", 1, False),
        ("f(  # torchdoctor: ignore[posix-only]\n    a,\n)\n", 2, True),
        ("for x in y:  # torchdoctor: ignore\n    f()\n", 2, False),
        ("def g():\n    f(\n        a)  # torchdoctor: ignore\n", 3, True),
        ("# torchdoctor: ignore\nf()\n", 2, False),
        ("f()  # torchdoctor: ignored\n", 1, False),
        ("f('# torchdoctor: ignore')\n", 1, False),
        ("f('# torchdoctor: ignore')  # torchdoctor: ignore\n", 1, True),
        ("f()\n", 99, False),
    ],
)
def test_is_suppressed(text: str, line: int, suppressed: bool) -> None:
    source = parse_source("a.py", text.encode())
    assert isinstance(source, SourceFile)
    assert is_suppressed(source, line, "posix-only") is suppressed
