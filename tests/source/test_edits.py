"""Replacements and diffs hold for the bytes of a file."""

import subprocess
from pathlib import Path

import pytest

from torchdoctor.check import Replacement
from torchdoctor.source.edits.changes import Change, apply_replacements


def test_diff_is_unified() -> None:
    change = Change("src/a.py", "a\nb\n", "a\nc", ("",))
    assert (
        change.diff()
        == b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"
    )


ODD_LINES = ("\f", "\v", "\x1c", "\x85", "\u2028", "\u2029", "\r", "\r\n", "\n")


@pytest.mark.parametrize("start", ["", "\ufeff", "# coding: cp1251\n", "# coding: shift_jis\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_diff_applies_to_the_bytes_of_the_file(tmp_path: Path, start: str, line_end: str) -> None:
    encoding = start[10:-1] or "utf-8"
    odd = [each for each in ODD_LINES if each.isascii() or encoding == "utf-8"]
    text = f"{start}a = 'Ж'\nb\n" + "".join(f"# {each}#\n" for each in odd) + "c"
    before, after = (each.replace("\n", line_end) for each in (text, text.replace("\nb\n", "\nB\nЖ\n")))
    file = tmp_path / "a.py"
    file.write_bytes(before.encode(encoding))
    patch = Change("a.py", before, after, ("",), encoding).diff()
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True, capture_output=True)
    assert file.read_bytes() == after.encode(encoding)


def test_replacements_may_come_in_any_order() -> None:
    assert apply_replacements("abcd", [Replacement(3, 4, "D"), Replacement(0, 1, "AA")]) == "AAbcD"
