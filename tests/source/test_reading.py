"""Any bytes become a source file or configuration, or a reason why they cannot be read."""

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchdoctor.check import Finding
from torchdoctor.engine.registry import load_registry
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.files.configuration import read_settings
from torchdoctor.source.files.reading import parse_source, read_each, read_source
from torchdoctor.source.files.relevance import make_filter, may_matter_as_configuration
from torchdoctor.source.files.unreadable import UnreadableSource
from torchdoctor.source.idioms.worker_numbers.options import read_options
from torchdoctor.source.source_file import FoundWords

CHECKS = load_registry().checks
LOADERS = make_filter([((b"DataLoader", (b"num_workers",)),)])
BAD = (
    'from torch.utils.data import DataLoader\nfor x in DataLoader(größe, num_workers=2):\n    print("é", x)\n'
)


def find_problems(source: SourceFile) -> list[Finding]:
    checks = [check for check in CHECKS if SourceFile in check.facts]
    return [result for check in checks for result in check.function(source) if isinstance(result, Finding)]


def parse(raw: bytes, path: str = "a.py") -> SourceFile:
    source = parse_source(path, raw)
    assert isinstance(source, SourceFile), source
    return source


@pytest.mark.parametrize(
    "raw",
    [
        BAD.encode(),
        b"\xef\xbb\xbf" + BAD.encode(),
        BAD.replace("\n", "\r\n").encode(),
        BAD.replace("\n", "\r").encode(),
        b"# -*- coding: latin-1 -*-\n" + BAD.encode("latin-1"),
        b"# coding: cp1252\r\n" + BAD.replace("\n", "\r\n").encode("cp1252"),
        b"# coding: latin-1\r" + BAD.replace("\n", "\r").encode("latin-1"),
        b"\r# coding: cp1252\r" + BAD.replace("\n", "\r").encode("cp1252"),
    ],
    ids=["utf-8", "bom", "crlf", "cr", "latin-1", "cp1252", "latin-1-cr", "cp1252-cr"],
)
def test_reads_every_encoding_and_line_ending(raw: bytes) -> None:
    assert [
        (finding.location.column, finding.location.end_column) for finding in find_problems(parse(raw))
    ] == [(10, 42)]


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"print 1\n", "line 1: Missing parentheses"),
        (b"# coding: nonsense\n", "unknown encoding"),
        (b"x = '\xff'\n", "invalid or missing encoding"),
        (b"a\0b", "null bytes"),
        (b"x = " + b"(" * 5000, "too many nested parentheses"),
        (b"x = " + b"-" * 3000 + b"1", ""),
        ("s = 'é'\n".encode("utf-16"), ""),
    ],
    ids=["python-2", "unknown-encoding", "wrong-encoding", "null", "parentheses", "deep", "utf-16"],
)
def test_gives_the_reason_why_a_file_is_unreadable(raw: bytes, reason: str) -> None:
    source = parse_source("a.py", raw)
    assert isinstance(source, UnreadableSource)
    assert reason in source.reason
    assert "\n" not in source.reason


def test_skips_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1  # DataLoader num_workers\n" * 200_000)
    [unreadable] = read_each([tmp_path], LOADERS)
    assert isinstance(unreadable, UnreadableSource)
    assert "more than the" in unreadable.reason


def test_code_for_another_python_is_named() -> None:
    old = parse_source("a.py", b"print 'x'\n")
    assert isinstance(old, UnreadableSource) and old.reason.endswith("(it is code for Python 2)")
    new = parse_source("a.py", b"x = f'{'a'}'\n")
    if sys.version_info >= (3, 12):
        assert isinstance(new, SourceFile)
    else:
        assert isinstance(new, UnreadableSource) and "code for Python 3.12 or later" in new.reason


def test_old_name_that_is_a_keyword_today_is_read(tmp_path: Path, torchdoctor) -> None:
    code = (
        b"def f(x, async=True):\n    return x.cuda(async=async)\nasync def g(): pass\nimport os; os.fork()\n"
    )
    source = parse_source("a.py", code)
    assert isinstance(source, SourceFile) and source.text == code.decode()
    (tmp_path / "a.py").write_bytes(code)
    assert "a.py:4" in torchdoctor("scan", tmp_path, "--no-trials").stdout


def test_file_that_cannot_be_opened_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.py").mkdir()
    assert isinstance(read_source(tmp_path / "a.py", LOADERS), UnreadableSource)


def test_does_not_parse_a_file_that_cannot_matter(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import this is no python", encoding="utf-8")
    assert list(read_each([tmp_path], LOADERS)) == []


NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["%s"]}]}'


@pytest.mark.parametrize(
    ("name", "sound", "broken"),
    [("a.py", "x = 1\n", "def (\n"), ("a.ipynb", NOTEBOOK % "x = 1", NOTEBOOK % "def (")],
)
def test_named_file_that_cannot_be_parsed_is_told_whatever_it_is_about(
    torchdoctor, tmp_path: Path, name: str, sound: str, broken: str
) -> None:
    codes = {}
    for text in (sound, broken):
        (tmp_path / name).write_text(text, encoding="utf-8")
        for option in ((), ("--diff",)):
            result = torchdoctor("scan", name, "--no-trials", "--select", "source", *option)
            codes[text, option] = result.returncode, "not read" in result.stderr
    assert codes == {
        (text, option): (2, True) if text == broken else (0, False)
        for text in (sound, broken)
        for option in ((), ("--diff",))
    }


def test_check_without_words_has_every_file_parsed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    files = read_each([tmp_path], make_filter([((b"DataLoader", ()),), ()]))
    assert [Path(file.path).name for file in files] == ["a.py"]


@pytest.mark.parametrize(
    ("raw", "matters"),
    [
        (b"DataLoader(num_workers=2)", True),
        (b"DataLoader()", False),
        (b"num_workers", False),
        (b"os.fork()", True),
    ],
)
def test_file_matters_if_it_holds_the_words_of_any_check(raw: bytes, matters: bool) -> None:
    may_matter = make_filter(
        [((b"DataLoader", (b"num_workers",)),), ((b"fork", ()), (b"DataLoader", (b"x",)))]
    )
    assert may_matter(FoundWords(raw)) is matters


_PARTS = (b"open(", b"b.open(", b"b.", b"(", b"x(", b"x", b"]", b"fork", b" ", b"b.open", b"]x(")
_ROW = st.tuples(st.sampled_from(_PARTS), st.lists(st.sampled_from(_PARTS), max_size=2).map(tuple))


@given(
    wanted=st.lists(st.lists(_ROW, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3),
    texts=st.lists(st.lists(st.sampled_from(_PARTS), max_size=6).map(b"".join), min_size=1, max_size=2),
)
def test_words_looked_for_together_are_those_looked_for_one_by_one(
    wanted: list[tuple[tuple[bytes, tuple[bytes, ...]], ...]], texts: list[bytes]
) -> None:
    def has(word: bytes) -> bool:
        return any(word in text for text in texts)

    expected = any(
        has(word) and (not others or any(map(has, others))) for words in wanted for word, others in words
    )
    assert make_filter(wanted)(FoundWords(*texts)) is expected


def test_a_file_matters_only_with_a_word_of_each_group() -> None:
    may_matter = make_filter([((b"open(", (re.compile(rb"'[wa]b?'"),), (b"{", b"%")),)])
    assert may_matter(FoundWords(b"open(name, 'wb') {"))
    assert not may_matter(FoundWords(b"open(name, 'wb')"))
    assert not may_matter(FoundWords(b"open(name, 'r') {"))


def test_reads_a_path_with_letters_beyond_ascii(tmp_path: Path) -> None:
    (tmp_path / "训练 données.py").write_text(BAD, encoding="utf-8")
    assert [Path(file.path).name for file in read_each([tmp_path], LOADERS)] == ["训练 données.py"]


def notebook(*cells: str) -> bytes:
    code_cells = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": "# hi"}, *code_cells]}).encode()


def test_location_names_the_cell_of_a_notebook() -> None:
    raw = notebook("!pip install torch\n%time x = 1", "import os\n\nos.setpgrp()\n")
    locations = [finding.location for finding in find_problems(parse(raw, "a.ipynb"))]
    assert [(place.path, place.cell, place.line, place.column) for place in locations] == [
        ("a.ipynb", 3, 3, 1)
    ]


@pytest.mark.parametrize("line", ["pip install torch", "cd data", "ls", "conda install numpy"])
def test_code_behind_a_magic_without_its_sign_is_read(line: str) -> None:
    source = parse(notebook(f"{line}\nimport os\nfrom os import sep\nos.setpgrp()\n"), "a.ipynb")
    assert [(each.location.cell, each.location.line) for each in find_problems(source)] == [(2, 4)]


@pytest.mark.parametrize(
    "cell",
    [
        "%%bash\nrm -rf /\n",
        "if True:\n    !ls\n",
        "files = !ls *.py\n",
        "torch?\n",
        "%%time\nx = 1\n",
        "not python\n",
        "%cd \\\n  a b\n",
    ],
    ids=["bash", "indented", "assigned", "help", "time", "broken", "continued"],
)
def test_ignores_magics_in_a_cell(cell: str) -> None:
    source = parse(notebook(cell, "import os\nos.setsid()\n"), "a.ipynb")
    assert [finding.location.cell for finding in find_problems(source)] == [3]


@pytest.mark.parametrize(
    "odd", [1, None, {}, {"cell_type": "code", "source": [1, 2]}, {"cell_type": "code", "source": {"a": 1}}]
)
def test_odd_cell_spoils_only_itself(odd: object) -> None:
    document = json.loads(notebook("import os\nos.setsid()\n"))
    raw = json.dumps({"cells": [odd, *document["cells"]]}).encode()
    assert [each.location.cell for each in find_problems(parse(raw, "a.ipynb"))] == [3]


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b'{"cells": 1}', b'{"cells": [1]}', b'{"cells": {}}', b"\xff"]
)
def test_file_that_is_not_a_notebook_is_unreadable(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.ipynb").write_bytes(raw)
    assert isinstance(read_source(tmp_path / "a.ipynb", LOADERS), UnreadableSource)


@pytest.mark.parametrize("cell", ["print 1", "# \ud800", "# \0"], ids=["Python 2", "surrogate", "null"])
def test_cell_that_is_not_read_is_named(tmp_path: Path, torchdoctor, cell: str) -> None:
    (tmp_path / "a.ipynb").write_bytes(notebook(cell, "import os\nos.setsid()\n"))
    result = torchdoctor("scan", "a.ipynb", "--no-trials", "--select", "posix-only", "--format", "concise")
    assert result.stderr.startswith("torchdoctor: a.ipynb: not read: cell 2: "), result.stderr
    assert "cell 3, line 2" in result.stdout


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_exception(raw: bytes) -> None:
    for path in ("a.py", "a.ipynb"):
        source = parse_source(path, raw)
        if isinstance(source, SourceFile):
            find_problems(source)
    assert isinstance(read_settings("a.yaml", raw), ConfigFile)


WORDS = (
    "DataLoader(", "Dataset", "class A", "(", ")", ":", "\n", "\n    ", "def f", "lambda x: x", "num_workers", "=", "4", ",",
    "for x in ", "if ", "os.name", "==", "'nt'", "self.x", "f()", "x", "return ", "with ", ".cuda()", "import os", "'nccl'", "*",
    "**", "strftime('%H:%M')", "open(", "@", "x = x\n", "async ", "await ", "yield ", "else:", "match x:", "case _:", "global x\n",
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_code_is_checked_without_an_exception(words: list[str]) -> None:
    source = parse_source("a.py", "".join(words).encode())
    if isinstance(source, SourceFile):
        find_problems(source)
        read_options(source)


BRANCHES = (
    "pass",
    "return",
    "n = {i}",
    "t = t.cuda()",
    "dist.init_process_group('nccl')",
    "DataLoader(d, num_workers={i})",
)


@pytest.mark.parametrize("branch", BRANCHES)
def test_elif_is_no_deeper_than_its_if(branch: str) -> None:
    chain = "".join(f"    elif a == {i}:\n        {branch.format(i=i)}\n" for i in range(400))
    start = "import torch.distributed as dist\nfrom torch.utils.data import DataLoader\n"
    end = "f()\nfor x in DataLoader(d, num_workers=2):\n    pass\n"
    text = f"{start}def f():\n    if a == -1:\n        pass\n{chain}{end}"
    problems = find_problems(parse(text.encode()))
    assert any("is iterated at import" in problem.message for problem in problems)


def test_options_that_nothing_reads_are_left_out() -> None:
    source = parse(b"p.add_argument('--workers', default=8)\n")
    assert read_options(source) is None


def test_options_that_are_read_are_settings() -> None:
    options = read_options(parse(b"p.add_argument('--workers', default=8)\nmake(args.workers)\n"))
    assert options is not None
    assert [(setting.shown, setting.value, setting.line) for setting in options.settings] == [
        ("--workers", 8, 1)
    ]


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        (
            "train: {size: 8, workers: 6, by: {order: x}}\n",
            [("train.size", 8), ("train.workers", 6), ("train.by.order", "x")],
        ),
        ("a:\n  - {workers: 6}\n", [("a.workers", 6)]),
        ("a: {size: 8,\n    workers: 6}\n", [("a.size", 8), ("workers", 6)]),
        ('{"a":{"b":{"workers":6}},"workers":7}', [("a.b.workers", 6), ("workers", 7)]),
        ('{\n  "workers": 6,  // as many as fit\n}\n', [("workers", 6)]),
        ("a = { workers = 6, pin = true }\n", [("a.workers", 6), ("a.pin", "true")]),
        ("a: 'text {workers: x y}'\n", []),
        ("a: 'nccl'\nb: \"cpu:gloo,cuda:nccl\"\nc: 'x y'\n", [("a", "nccl"), ("b", "cpu:gloo,cuda:nccl")]),
        ('{"a": "nccl", "b": "x y", "c": 1}', [("a", "nccl"), ("c", 1)]),
    ],
    ids=["yaml", "list", "two-lines", "minified", "comment", "toml", "text", "quoted", "quoted-inline"],
)
def test_reads_mappings_on_one_line(text: str, settings: list[tuple[str, object]]) -> None:
    found = read_settings("a.yaml", text.encode())
    assert [(setting.key, setting.value) for setting in found.settings] == settings


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("workers: 8  # of the loader\n", "# of the loader"),
        ("# threads of\n# the server\nworkers: 8\n", "# threads of # the server"),
        ("# of the file\n\nworkers: 8\n", ""),
        ("# of another\nx: 8\nworkers: 8\n", ""),
        ('{\n  // of the loader\n  "workers": 8,\n}\n', "// of the loader"),
    ],
    ids=["beside", "above", "apart", "another", "json"],
)
def test_reads_the_comment_of_a_setting(text: str, remark: str) -> None:
    settings = read_settings("a.yaml", text.encode()).settings
    assert settings[-1].remark.replace("  ", " ") == remark


@pytest.mark.parametrize(
    ("text", "matters"),
    [
        ("num_worker_per_gpu: 6\n", True),
        ("n_worker: 16\n", True),
        ('{"DATA": {"NUM_WORKERS":10}}', True),
        ("[train]\nworkers = +8\n", True),
        ("num_workers: 4\n", False),
        ("# 8 workers\nnum_workers: 0\n", False),
        ("threads: 8\n", False),
    ],
)
def test_configuration_without_a_number_of_workers_is_not_read(text: str, matters: bool) -> None:
    assert may_matter_as_configuration(text.encode()) is matters


def test_table_of_numbers_is_not_a_configuration() -> None:
    rows = "".join(f'  "word{number}": {number},\n' for number in range(400))
    table = read_settings("words.json", f'{{\n{rows}  "workers": 1552\n}}\n'.encode())
    check = next(check for check in CHECKS if check.name == "workers-in-config")
    assert list(check.function(table)) == []


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("import torch\nNUM_WORKERS = 8\n", [("NUM_WORKERS", 8)]),
        ('cfg = {"data": {"num_workers": 16}}\n', [("cfg.num_workers", 16)]),
        ('bind = "x"\nworkers = 8\n', None),
        ("NUM_WORKERS = 8\nprint(NUM_WORKERS)\n", None),
    ],
    ids=["constant", "dictionary", "server", "script"],
)
def test_reads_settings_of_a_configuration_module(
    text: str, settings: list[tuple[str, object]] | None
) -> None:
    options = read_options(parse(text.encode()))
    found = None if options is None else [(setting.key, setting.value) for setting in options.settings]
    assert found == settings


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_file_in_utf_16_is_named(tmp_path: Path, encoding: str) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    (tmp_path / "a.py").write_bytes((mark + BAD).encode(encoding))
    [unreadable] = read_each([tmp_path], LOADERS)
    assert isinstance(unreadable, UnreadableSource)
    assert "UTF-8" in unreadable.reason


def test_place_in_a_notebook_has_the_path_and_the_cell(tmp_path: Path, torchdoctor) -> None:
    code = "import os\nos.fork()\n"
    (tmp_path / "a.ipynb").write_bytes(notebook("x = 1\n", f"{code}", "os.setsid()  # torchdoctor: ignore\n"))
    result = torchdoctor(
        "scan", tmp_path / "a.ipynb", "--no-trials", "--select", "source", "--format", "json"
    )
    [outcome] = [each for each in json.loads(result.stdout)["outcomes"] if each["findings"]]
    [place] = [each["location"] for each in outcome["findings"]]
    assert (Path(place["path"]).name, place["cell"], place["line"]) == ("a.ipynb", 3, 2)
    assert outcome["passed"] == ["1 suppressed by a comment"]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("class D(Dataset):\n  def __getitem__(self, i): ...\n", "DataLoader(D(), num_workers=2)\n"), [3]),
        (("class D(Dataset):\n  def __getitem__(self, i): ...\n", "DataLoader(D(), num_workers=0)\n"), []),
        (("from data import D\n", "DataLoader(D(), num_workers=2)\n"), []),
        (("def join(b): ...\n", "DataLoader(x, num_workers=2, collate_fn=join)\n"), [3]),
        (("from data import join\n", "DataLoader(x, num_workers=2, collate_fn=join)\n"), []),
    ],
)
def test_workers_cannot_import_what_a_notebook_defines(cells: tuple[str, ...], found: list[int]) -> None:
    head = "from torch.utils.data import DataLoader, Dataset\n"
    source = parse(notebook(head + cells[0], *cells[1:]), "a.ipynb")
    [check] = [each for each in CHECKS if each.name == "unpicklable-dataset"]
    problems = [each for each in check.function(source) if isinstance(each, Finding)]
    assert [each.location.cell for each in problems if each.location] == found
    assert {each.step for each in problems} <= {"class"}


def test_settings_with_the_comma_first_are_read() -> None:
    text = '{\n  "datasets": {\n    "train": {\n      "size": 2\n      , "num_workers": 8  // each\n    }\n  }\n}\n'
    settings = read_settings("a.json", text.encode()).settings
    assert [(each.value, each.line) for each in settings if "num_workers" in each.key] == [(8, 5)]
