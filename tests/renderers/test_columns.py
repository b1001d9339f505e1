"""Text is laid out by the columns that it takes on a terminal."""

import json
import textwrap
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from torchdoctor.explain import explain
from torchdoctor.renderers.columns import count_columns, cut_middle, pad, wrap_columns
from torchdoctor.renderers.explanation import render_text
from torchdoctor.renderers.plain import wrap, wrap_markdown

CHINESE = "找不到指定的模块。请先安装运行库，然后再启动程序。"
JAPANESE = "ページングファイルが小さすぎるため、この操作を完了できません。"
KOREAN = "페이징 파일이 너무 작아서 이 작업을 완료할 수 없습니다."
WORDS = st.lists(st.text("ab-.:\\ 模块。が페é\u0301\U0001f600", min_size=1, max_size=30)).map(" ".join)
SAMPLES = Path(__file__).parents[1] / "samples" / "explain" / "variants.jsonl"
ASIAN_SAMPLES = [
    sample
    for sample in map(json.loads, SAMPLES.read_text(encoding="utf-8").splitlines())
    if any(unicodedata.east_asian_width(character) in "WF" for character in sample["text"])
]


@pytest.mark.parametrize(
    "text", [CHINESE, JAPANESE, KOREAN, "ｆｕｌｌ ﾊﾝｶｸ", "é ü ß", "e\u0301", "😀 ok", "abc", ""]
)
def test_counts_columns_as_rich_does(text: str) -> None:
    assert count_columns(text) == cell_len(text)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (unicodedata.normalize("NFD", "한글"), 4),
        ("a\u200bb", 2),
        ("⚠\ufe0f", 2),
        ("👩\u200d💻", 4),
        ("\u0928\u093f", 2),
    ],
    ids=["decomposed-korean", "zero-width-space", "emoji-by-selector", "joined-emoji", "devanagari"],
)
def test_counts_columns_of_what_consists_of_several(text: str, columns: int) -> None:
    assert count_columns(text) == columns


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("找不到指定的模块。请先安装运行库", ["找不到指定的", "模块。请先安", "装运行库"]),
        ("指定的模块找到。请", ["指定的模块找", "到。请"]),
        ("一二三四五六。七", ["一二三四五", "六。七"]),
        ("一二三四五（六）", ["一二三四五", "（六）"]),
        ("페이징 파일이 작아", ["페이징", "파일이 작아"]),
        ("error 找不到模块", ["error 找不到", "模块"]),
        ("见 C:\\用户\\张三\\python.exe 吧", ["见", "C:\\用户\\张三\\python.exe", "吧"]),
    ],
    ids=["chinese", "stop", "stop-at-the-edge", "bracket", "korean", "mixed", "path"],
)
def test_lines_end_where_a_reader_expects(text: str, lines: list[str]) -> None:
    assert wrap_columns(text, 13 if text.startswith(("error", "见")) else 12) == lines


@given(st.text("ab -.:\\/", max_size=200).map(lambda text: " ".join(text.split())), st.integers(5, 60))
def test_wraps_ascii_as_textwrap_does(text: str, width: int) -> None:
    expected = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    assert wrap_columns(text, width) == expected


@given(WORDS, st.integers(10, 60))
def test_no_cut_line_is_wider(text: str, width: int) -> None:
    assert [line for line in wrap_columns(text, width, cuts=True) if count_columns(line) > width] == []


@given(WORDS, st.integers(10, 60), st.booleans())
def test_wrapping_loses_nothing(text: str, width: int, cuts: bool) -> None:
    assert "".join("".join(wrap_columns(text, width, cuts=cuts)).split()) == "".join(text.split())


@given(WORDS, st.integers(20, 60))
def test_text_without_its_middle_fits(text: str, columns: int) -> None:
    assert count_columns(cut_middle(text, columns)) <= columns


def test_padding_counts_columns() -> None:
    assert [pad("模块", 6), pad("abc", 6), pad("模块", 2)] == ["模块  ", "abc   ", "模块"]


def test_paragraph_of_chinese_fits() -> None:
    assert max(map(count_columns, wrap(CHINESE * 6, 80, "    "))) <= 80


def test_table_columns_are_aligned() -> None:
    lines = list(wrap_markdown("| 名称 | b |\n|---|---|\n| x | 模块 |", 80, "", colour=False))
    assert lines == ["名称  b", "x     模块"]


@pytest.mark.parametrize("sample", ASIAN_SAMPLES, ids=lambda sample: sample["id"])
def test_quoted_lines_fit(sample: dict, knowledge) -> None:
    screen = render_text(explain(sample["text"], knowledge), 60, colour=False).partition("\nFix")[0]
    # A command stays on its line.
    lines = [line for line in screen.splitlines() if not line.startswith("       ")]
    too_wide = [line for line in lines if count_columns(line) > 60]
    assert [line for line in too_wide if len(line.split()) > 1] == []
