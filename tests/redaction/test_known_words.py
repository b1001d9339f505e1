"""Words that are no words of messages are not shown beside an error."""

import pytest

from torchdoctor.core.bundled import read_bundled
from torchdoctor.redaction.around_errors import hide_around_error
from torchdoctor.redaction.words.vocabulary import has_known_words

ERROR = "AssertionError: Torch not compiled with CUDA enabled"
# What programs, chats and logs write before and behind an error, with a name in it.
BEFORE = (
    "[01.05.24, 12:31:05] {n}: ", "{n} [12:31 PM] ", "12:31 <{n}> ", "{n}: ", "May 01 12:31:05 {n} trainer[8123]: ",
    "slurmstepd: error: {n}: ", "2024-05-01,{n},", "<td>{n}</td><td>", "| {n} | ", "Machine: {n} ", "level=error host={n} msg=\"",
    "^1f2e3d4c ({n} 2024-05-01 12:31:05 +0200 12) # ", "[{n}] ", "Computer {n}, ", "{n} wrote: ", "10.44.12.57 {n} - ",
)  # fmt: skip
BEHIND = (
    " (user={n}, rank=0)", " node={n} rank=0", " worker {n}:29500", " | {n} |", " mdp : {n}", " 密码{n}", " pass {n}",
    " at the computer of {n}", " [trainer] host={n}", " https://nexus.{n}.net/simple", " (ip=10.44.12.57) {n}", " {n}:abc",
)  # fmt: skip
NAMES = ("Wisniewska", "katarzyna.wisniewska", "zelkofari42", "KESUKO-PC", "rupe-lipu-gudi", "Bjørnhild")


@pytest.mark.parametrize(
    ("form", "is_before"), [*((each, True) for each in BEFORE), *((each, False) for each in BEHIND)]
)
def test_name_beside_an_error_is_left_out(form: str, is_before: bool) -> None:
    for name in NAMES:
        beside = form.format(n=name)
        line, start = (beside + ERROR, len(beside)) if is_before else (ERROR + beside, 0)
        shown = hide_around_error(line, start, start + len(ERROR))
        assert ERROR in shown
        assert name not in shown and "10.44" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-28 10:00:00 ERROR [rank0]: the worker could not load the model: ",
        "RuntimeError: Error(s) in loading state_dict, the module has no attribute, ",
        "torchvision::nms, at::native::embedding and cublasLt64_12.dll in cudnn 8.9.7 and torch-2.1.0+cu121, ",
        "运行时出现错误，无法加载模型, ",
        "RuntimeError of sm_120 on https://download.pytorch.org/whl/cu121 and http://localhost:8188 ",
    ],
)
def test_words_of_messages_stay(text: str) -> None:
    assert hide_around_error(text, len(text), len(text)) == text


@pytest.mark.parametrize(
    ("text", "is_known"), [("max_split_size_mb:512", True), ("kwisniewska", False), ("x8Kf2LmQ9zRt", False)]
)
def test_known_words(text: str, is_known: bool) -> None:
    assert has_known_words(text) is is_known


@pytest.mark.parametrize("name", ["KW1234", "WSNB0417", "nb12345"])
def test_numbered_computer_is_no_word(name: str) -> None:
    assert name not in hide_around_error(f"{name}: {ERROR}", len(name) + 2, len(name) + 2 + len(ERROR))


@pytest.mark.parametrize(
    "text", ["error C2872: ", "LNK1181 and MSB3721 ", "RTX4090, sm_120, h100, x64 ", "fp16 and win10 "]
)
def test_codes_and_cards_stay(text: str) -> None:
    assert hide_around_error(text, len(text), len(text)) == text


def test_names_of_packages_are_written_in_one_way_and_in_order() -> None:
    names = read_bundled("torchdoctor.redaction.words", "known_packages.txt").decode("utf-8").split()
    assert names == sorted({name.lower().replace("_", "-") for name in names})
