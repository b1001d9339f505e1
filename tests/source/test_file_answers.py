"""What is read from ignore files, settings and notebooks, each a line of tests/answers/files.

    TORCHDOCTOR_ANSWERS=write python -m pytest tests/source/test_file_answers.py

writes the files.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from torchdoctor.source.files.configuration import read_settings
from torchdoctor.source.files.finding import _is_kept, find_sources
from torchdoctor.source.files.gitignore import is_ignored, read_ignore_file
from torchdoctor.source.files.notebooks import NotebookError, load_cells, read_cells
from torchdoctor.source.files.unreadable import UnreadableSource

Compare = Callable[[str, Sequence[str]], None]
RULES = [
    "a", "a/", "/a", "a/b", "/a/b", "a/b/", "*", "*.py", "a*", "*a", "*a*", "a*b", "?", "??", "a?", "[ab]", "[!a]", "[a-c]x",
    "[", "[]", "a[", "**", "**/a", "a/**", "a/**/b", "**/a/**", "a**", "**a", "a/*", "a/*/b", "*/b", "\\a", "\\*", "\\#a",
    "#a", "a ", "a\\ ", "!a", "!", "/", "//", "a//b", "A", "a.py", "*.p?", "a*b*c", "[[]a", "a\\", "**/a/**/b/**/c", "**/a/**/b/**/c/**/d",
]  # fmt: skip
PATHS = [
    "a",
    "b",
    "ab",
    "a/b",
    "b/a",
    "a/x/b",
    "x/a/b",
    "a b",
    "a ",
    "aXb",
    "a.py",
    "x/a.py",
    "#a",
    "*",
    "[a",
    "axbxc",
    "cx",
    "A",
    "x/a/y/b/z/c",
    "!a",
]


def test_paths_that_each_rule_ignores(tmp_path: Path, compare_answers: Compare) -> None:
    lines = [f"rule | of the files | of the folders: {', '.join(PATHS)}"]
    for rule in RULES:
        (tmp_path / ".gitignore").write_text(f"{rule}\n", encoding="utf-8")
        file = read_ignore_file(tmp_path / ".gitignore")
        ignored = [
            [path for path in PATHS if file and is_ignored((file,), f"{tmp_path}{os.sep}{path}", is_folder)]
            for is_folder in (False, True)
        ]
        lines.append(" | ".join([rule, *(", ".join(paths) for paths in ignored)]) + " |")
    compare_answers("files/ignored", lines)


@pytest.mark.parametrize(
    ("outer", "inner", "ignored"),
    [("a.py\n", "!a.py\n", False), ("!a.py\n", "a.py\n", True), ("a.py\n", "b.py\n", True), ("", "", False), ("b\n", "a\n", False)],
)  # fmt: skip
def test_inner_rules_win(tmp_path: Path, outer: str, inner: str, ignored: bool) -> None:
    (tmp_path / "sub").mkdir()
    files = []
    for folder, rules in ((tmp_path, outer), (tmp_path / "sub", inner)):
        (folder / ".gitignore").write_text(rules, encoding="utf-8")
        files += [file for file in [read_ignore_file(folder / ".gitignore")] if file]
    assert is_ignored(files, str(tmp_path / "sub" / "a.py"), False) is ignored
    assert not is_ignored(files, str(tmp_path / "other"), False)


def test_entry_that_cannot_be_looked_at_is_left_out() -> None:
    def refuse(**_: object) -> bool:
        raise PermissionError

    assert not _is_kept(SimpleNamespace(name="a.py", is_dir=refuse), "x", ())  # type: ignore[arg-type]


def test_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("torchdoctor.source.files.finding.os.scandir", refuse)
    assert list(find_sources([tmp_path])) == [UnreadableSource(str(tmp_path), "Permission denied")]


TEXTS = [
    "a: 1", "a: 1 # b", "a: 1 // b", "a = 1", "a=1", '"a": 1,', "'a': 1", "- a: 1", "  a: 1", "a:1", "a: +1", "a: -1", "a: 1.5", "a: true",
    "a: b c", 'a: "1"', "a: 123456789", "a: 1234567890", "# a: 1", "// a: 1", "a:\n  b: 1", "a:\n  b:\n    c: 1\n  d: 2\ne: 3",
    "a: {\n  b: 1\n}", "a: {b: 1, c: {d: 2}, e: 3}", "{a: 1}", '{"a": {"b": 1}, "c": 2}', "a: {b: [1, 2], c: 3}", "[a]\nb = 1", "a: 1}", "a: 1}}",
    "x {a: 1", "{}}{a: 1}", "a: {b: x y, c: 1}", "a: {b: 1", "a:\n- b: 1\n  c: 2\n- b: 3", "a: [1, 2]", "a: {}", "a/b: 1", "a.b: 1", "a b: 1",
    "a:\n    b: 1\n  c: 2", "\ufeffa: 1", "a: 1,", "a: 1 ,", "a: 1, ", "a: {b: 1, # c\n}", "a: b#c", "a: http://b", "x: 1\na:\n  b: 1\n\n  c: 2\n",
]  # fmt: skip


def test_settings_of_texts(compare_answers: Compare) -> None:
    lines = []
    for text in TEXTS:
        settings = read_settings("a.yaml", text.encode()).settings
        said = ", ".join(f"{each.key}={each.value!r} at {each.line}:{each.column}" for each in settings)
        lines.append(f"{text!r}: {said}")
    compare_answers("files/settings", lines)


def make_notebook(*sources: object, **cell: object) -> bytes:
    return json.dumps(
        {"cells": [{"cell_type": "code", "source": source, **cell} for source in sources]}
    ).encode()


NOTEBOOKS = {
    "one": make_notebook("a\nb"),
    "lines": make_notebook(["a\n", "b"], "c"),
    "markdown between": json.dumps({"cells": [{"cell_type": "code", "source": "a"}, {"cell_type": "markdown", "source": "x"}, {"cell_type": "code", "source": "b\nc"}]}).encode(),
    "no Python": make_notebook("a b\nc", "d"),
    "five that are no Python": make_notebook(*["a\nb c"] * 5),
    "form feed": make_notebook("\fa\n\fif b:\n    c"),
    "half a character": make_notebook("# \ud800", "a"),
    "magics": make_notebook("%time a\n!ls\nif c:\n    !d\n?e\nf?\ng.h??\ni = !j\nk, l = %m\nn"),
    "magic over lines": make_notebook("!a \\\nb \\\nc\nd", "%a \\\nb"),
    "automagic": make_notebook("pip install torch\na = 1", "cd data\nb = 2", "pip = 3\nls(4)", "pip install (\nc ="),
    "cell magics of Python": make_notebook("%%wandb\na = 1", "%%script python3\nb = 2", "%%script bash\nc"),
    "cell magics": make_notebook("%%bash\nls", "%%time\na", "\n%%capture x\nb", "%%writefile x\nc\nd"),
    "old": json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": "a"}]}]}).encode(),
    "old and empty": b'{"worksheets": []}',
    "source of numbers": make_notebook([1, "a"], None, 5),
    "line ends": make_notebook("a\r\nb\r\nc\rd +\fe"),
    "nothing": b"{}",
    "no cells": b'{"cells": [1, 2]}',
    "empty": b'{"cells": []}',
    "no bytes": b"",
    "cells of another kind": b'{"cells": {}}',
    "number": b"5",
    "damaged": b'{"cells":\n[',
    "bytes": b"\xff",
    "mark": b"\xef\xbb\xbf" + make_notebook("a"),
}  # fmt: skip


def test_cells_of_notebooks(compare_answers: Compare) -> None:
    lines = []
    for name, raw in NOTEBOOKS.items():
        try:
            cells = read_cells(load_cells(raw))
            unread = f" unread {cells.unread}" if cells.unread else ""
            lines.append(f"{name}: {cells.text!r} lines {cells.lines} cells {cells.numbers}{unread}")
        except NotebookError as error:
            lines.append(f"{name}: {error}")
    compare_answers("files/notebooks", lines)
