"""The reader of entry heads agrees with tomllib."""

import sys
from pathlib import Path

import pytest

from torchdoctor.knowledge.heads import HeadError, read_head

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENTRIES = sorted((Path(__file__).resolve().parent.parent.parent / "knowledge_base").glob("*.md"))
HEADS = {
    "comments": 'a = [ # one, "two"\n 1, # it\'s\n] # end\n# last = 3',
    "trailing commas": 'a = [ { b = "x", c = 1.5 }, { b = "y" }, ]',
    "hexadecimal": "codes = { exit = [0xC000012D, 3] }",
    "literal strings": "a = 'C:\\new = [1,]'\nb = '''it's'''",
    "escapes": 'a = "tab\\t quote\\" \\u00e9 = [ ]"',
    "empty": "",
    "multi-line string": 'a = """\none\ntwo"""',
    "table": "[codes]\nexit = [1]",
}


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: path.stem)
def test_reads_the_head_of_an_entry(path: Path) -> None:
    head = path.read_text(encoding="utf-8").removeprefix("```toml\n").partition("\n```\n")[0]
    assert read_head(head) == tomllib.loads(head)


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_reads_toml(head: str) -> None:
    assert read_head(head) == tomllib.loads(head)


@pytest.mark.parametrize("head", ["a = ", "a = [1", "a = {b = 'x", "= 1"])
def test_refuses_invalid_toml(head: str) -> None:
    with pytest.raises(HeadError):
        read_head(head)
