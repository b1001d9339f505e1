"""Cleaning of pasted text: log prefixes, wrapped lines, encodings and mojibake."""

import pytest

from torchdoctor.explain.text.clean import clean, clean_line, number_lines
from torchdoctor.explain.text.decode import decode
from torchdoctor.explain.text.mojibake import repair

KNOWN = "找不到指定的模块"
MESSAGE = "OSError: [WinError 126] x"
LINES = {
    "timestamp": ("2025-01-26T21:09:49.625399 - OSError: x", "OSError: x"),
    "bracketed timestamp": ("[2025-01-26 21:09:49,625] OSError: x", "OSError: x"),
    "clock": ("21:39:33 OSError: x", "OSError: x"),
    "rank": ("[rank0]: OSError: x", "OSError: x"),
    "rank in words": ("rank 0: OSError: x", "OSError: x"),
    "pytest": ("E   OSError: x", "OSError: x"),
    "notebook arrow": ("----> 4 torch.cuda.set_device(1)", "torch.cuda.set_device(1)"),
    "docker": ("trainer_1  | OSError: x", "OSError: x"),
    "ray": ("(worker pid=123, ip=10.0.0.1) OSError: x", "OSError: x"),
    "box": ("│ OSError: x          │", "OSError: x"),
    "colour": ("\x1b[1;31mOSError\x1b[0m: x", "OSError: x"),
    "hyperlink": ("\x1b]8;;http://a\x07OSError\x1b]8;;\x07: x", "OSError: x"),
    "bidi": ("OSError\u202e: x", "OSError: x"),
    "soft hyphen": ("OS\xadError: x", "OSError: x"),
    "typographic": ("OSError: can’t “x”", 'OSError: can\'t "x"'),
    "escaped quote": ("OSError: can\\'t", "OSError: can't"),
    "bar": ("Epoch:  50%|#####     | 5/10 [00:01<00:02, 3it/s]OSError: x", "Epoch:   OSError: x"),
    "escaped letter": (r"d\u2019une biblioth\xe8que de", "d'une bibliothèque de"),
    "pip error stays": ("ERROR: No matching distribution", "ERROR: No matching distribution"),
    "code stays": ("    raise err", "    raise err"),
}


@pytest.mark.parametrize(("raw", "expected"), LINES.values(), ids=LINES)
def test_cleans_a_line(raw: str, expected: str) -> None:
    (line,) = clean([(1, raw)], lambda text: False)
    assert line.text == expected


JOINED = {
    "two frames": (
        'File "a.py", line 3, in f x = g() ^^^ File "C:\\b.py", line 5, in g raise E() ValueError: x',
        ['File "a.py", line 3, in f x = g() ^^^', 'File "C:\\b.py", line 5, in g raise E()', "ValueError: x"],
    ),
    "head": (
        'Traceback (most recent call last): File "a.py", line 3, in <module> f() m.OtherError: File "x" is a: b',
        [
            "Traceback (most recent call last):",
            'File "a.py", line 3, in <module> f()',
            'm.OtherError: File "x" is a: b',
        ],
    ),
    "chain": (
        'File "a.py", line 3, in f g() KeyError: 1 During handling of the above exception, another exception'
        ' occurred: File "b.py", line 5, in h i() OSError: y',
        [
            'File "a.py", line 3, in f g()',
            "KeyError: 1",
            "During handling of the above exception, another exception occurred:",
            'File "b.py", line 5, in h i()',
            "OSError: y",
        ],
    ),
    "a sentence with a frame": (
        'It stops in File "a.py", line 3, in f',
        ['It stops in File "a.py", line 3, in f'],
    ),
}


@pytest.mark.parametrize(("raw", "expected"), JOINED.values(), ids=JOINED)
def test_splits_a_traceback_that_was_joined_to_one_line(raw: str, expected: list[str]) -> None:
    assert [line.text for line in clean([(1, raw)], lambda text: False)] == expected


def test_removing_a_prefix_keeps_the_indent() -> None:
    assert clean_line('[rank0]:   File "a.py", line 1') == '  File "a.py", line 1'


def test_joined_lines_keep_the_numbers_of_later_lines() -> None:
    lines = clean(number_lines('x\n  File "C:\\a\\\nb.py", line 3, in f\nlast'), lambda text: False)
    assert [line.number for line in lines] == [1, 2, 4]


def test_joins_lines_that_an_80_column_console_wrapped() -> None:
    message = "OSError: [WinError 1455] " + "x" * 100
    lines = clean([(1, message[:80]), (2, message[80:])], lambda text: False)
    assert [line.text for line in lines] == [message]


@pytest.mark.parametrize(
    "following", ["Successfully installed torch-2.3.0", "C:\\app>py main.py", ">>> import torch"]
)
@pytest.mark.parametrize("width", [80, 100, 119, 120, 132])
def test_line_as_wide_as_a_console_is_not_joined_with_another_one(width: int, following: str) -> None:
    command = r"C:\app>pip install torch --index-url https://download.pytorch.org/whl/cu121".ljust(width, "1")
    lines = clean([(1, command), (2, following)], lambda text: False)
    assert [line.text for line in lines] == [command, following]


@pytest.mark.parametrize("listed", ["projects (dlib, pesq)", "projects\n╰─> dlib, pesq"])
def test_wheels_that_pip_did_not_build_are_named_as_by_earlier_releases(listed: str) -> None:
    text = f"Failed to build installable wheels for some pyproject.toml based {listed}\nthe end"
    first, *_, last = clean(number_lines(text), lambda _: False)
    assert first.text.endswith("; Failed building wheel for dlib; Failed building wheel for pesq")
    assert last.text == "the end"


@pytest.mark.parametrize("following", ["", "\n", "\nnote: This is no problem with pip."])
def test_line_on_wheels_without_names_stays(following: str) -> None:
    text = "× Failed to build installable wheels for some pyproject.toml based projects"
    assert "\n".join(line.text for line in clean(number_lines(text + following), lambda _: False)) == (
        text + following
    )


def test_cuts_long_lines() -> None:
    first, last = clean([(1, "x" * 100_000)], lambda text: False)
    assert len(first.text) == len(last.text) == 4000


def test_splits_a_traceback_in_a_json_string() -> None:
    raw = r'"Traceback (most recent call last):\n  File \"a.py\", line 1\nOSError: x"'
    assert len(clean([(1, raw)], lambda text: False)) == 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gbk"])
def test_decodes_text(encoding: str) -> None:
    assert decode(f"{MESSAGE} {KNOWN}".encode(encoding), lambda text: KNOWN in text) == f"{MESSAGE} {KNOWN}"


def test_decodes_western_code_page() -> None:
    assert decode("Le module spécifié".encode("cp1252"), lambda text: False) == "Le module spécifié"


@pytest.mark.parametrize(
    ("encoding", "code_page", "text"),
    [
        ("cp1250", "cp1250", "Plik stronicowania jest za mały"),
        ("cp932", "cp932", "ページング ファイルが小さすぎる"),
        ("cp949", "cp949", "페이징 파일이 너무 작습니다"),
        ("cp1251", "cp1251", r"C:\Users\Иван\train.py: Ошибка"),
        ("cp1253", "cp1253", "Η σελιδοποίηση είναι μικρή"),
        # A text of another machine.
        ("gbk", "cp1250", "页面文件太小，无法完成操作。"),
        ("cp1252", "cp932", "Le module spécifié est introuvable"),
    ],
)
def test_decodes_in_the_code_page_of_the_machine_if_it_fits(encoding: str, code_page: str, text: str) -> None:
    assert decode(text.encode(encoding), lambda text: False, code_page) == text


def test_decodes_lines_of_different_encodings() -> None:
    data = f"é {MESSAGE}\n".encode() + KNOWN.encode("gbk")
    assert decode(data, lambda text: KNOWN in text).endswith(KNOWN)


@pytest.mark.parametrize(
    ("written", "read"),
    [("utf-8", "gbk"), ("utf-8", "cp437"), ("utf-8", "latin-1"), ("gbk", "latin-1"), ("gbk", "cp1252")],
)
def test_repairs_mojibake(written: str, read: str) -> None:
    garbled = f"{MESSAGE} {KNOWN}".encode(written).decode(read, errors="replace")
    if "\ufffd" not in garbled:
        assert KNOWN in repair(garbled, lambda text: KNOWN in text)


@pytest.mark.parametrize("text", ["Un café très cher", "训练数据", "Ошибка"])
def test_keeps_text_without_mojibake(text: str) -> None:
    assert repair(text, lambda text: KNOWN in text) == text


def test_a_paragraph_that_a_program_filled_at_its_words_is_not_joined() -> None:
    # Its first line happens to be as wide as the console.
    text = (
        "RuntimeError: Detected that PyTorch and torchvision were compiled with different\n"
        "CUDA versions. PyTorch has CUDA Version=11.7 and torchvision has CUDA \n"
        "Version=11.8. Please reinstall the torchvision that matches your PyTorch \n"
        "install."
    )
    assert [line.text[:12] for line in clean(number_lines(text), lambda _: False)] == [
        "RuntimeError", "CUDA version", "Version=11.8", "install.",
    ]  # fmt: skip


def test_joins_letters_that_a_console_showed_with_blanks_between_them() -> None:
    text = "[E:onnxruntime] LoadLibrary failed with error 126 when trying to load it"
    spaced = " ".join(text)
    assert [line.text for line in clean([(1, spaced)], lambda _: False)] == [text]
    table = "a b c d e f 1 2 3 4"
    assert [line.text for line in clean([(1, table)], lambda _: False)] == [table]


@pytest.mark.parametrize("name", ["make. <locals>. <lambda>", "make.<locals> .<lambda>"])
def test_takes_blanks_out_of_the_name_of_an_inner_function(name: str) -> None:
    text = f"AttributeError: Can't pickle local object '{name}'"
    assert clean_line(text).endswith("'make.<locals>.<lambda>'")
