"""A word of a pasted text is shared only where messages have it, by its neighbours or by its name."""

import re
from pathlib import Path

import pytest

from tests.redaction.shared_forms import (
    NAMES_LIKE_VALUES,
    PLACES_OF_A_NAME,
)
from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.actions.showing import load_renderer
from torchdoctor.commands.described import scan_text
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.paths.unusual_paths import hide_unknown_folders
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.redaction.words.known_places import FOLDER, is_known_place
from torchdoctor.redaction.words.placed_words import leave_out_by_place
from torchdoctor.redaction.words.shared_names import is_package
from torchdoctor.redaction.words.shared_values import show_value
from torchdoctor.renderers import explanation, markdown

KNOWLEDGE = load_knowledge()[0]


@pytest.mark.parametrize("codec", ["utf-8", "cp1252", "gbk", "charmap", "latin-1"])
def test_codec_of_a_message_stays(codec: str) -> None:
    line = f"UnicodeDecodeError: '{codec}' codec can't decode byte 0xff in position 0: invalid start byte"
    assert leave_out_by_place(line).startswith(f"UnicodeDecodeError: '{codec}' codec")
    assert "falcon" not in leave_out_by_place("UnicodeDecodeError: 'falcon' codec can't decode byte 0xff")


def test_dots_behind_a_name_do_not_make_it_public() -> None:
    for line in (
        "Defaulting to libbitsandbytes_cpu.so_welcome...",
        "Loading bluebird_falcon...",
        "Loading rose.py...",
    ):
        shown = leave_out_by_place(line)
        assert not re.search("welcome|bluebird|rose", shown), shown


@pytest.mark.parametrize("local", ["acme", "qqzzx", "kowalski.1", "4711", "git12ab34cd"])
def test_local_part_of_a_version_is_in_no_sentence(local: str, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(
        f"torch                        2.1.0+{local}\n"
        f"torchvision                  0.16.0+{local}\n"
        "numpy                        1.24.3\n"
        "AssertionError: Torch not compiled with CUDA enabled\n",
        encoding="utf-8",
    )
    shared = redact(scan_text(ScanRequest(), str(file)), Identity(), (Knowledge,), is_pasted=True)
    for name in REPORT_FORMATS[1:]:
        output = load_renderer(name).render(shared[0])
        assert local not in output
        assert name != "json" or "torch 2.1.0+..." in output


LINES = (
    "AssertionError: Torch not compiled with CUDA enabled",
    "OSError: [WinError 1455] The paging file is too small for this operation to complete",
    "RuntimeError: DataLoader worker (pid(s) 1234) exited unexpectedly",
    "ModuleNotFoundError: No module named 'torch'",
)


@pytest.mark.parametrize("line", LINES)
def test_message_of_a_program_stays_whole(line: str) -> None:
    assert leave_out_by_place(line) == line


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("word", ["welcome", "Rose", "falcon", "4711", "butterfly"])
def test_word_is_known_by_its_neighbours_alone(line: str, word: str) -> None:
    words = line.split(" ")
    for index in range(1, len(words)):
        text = " ".join((*words[:index], word, *words[index:]))
        assert leave_out_by_place(text).split().count(word) <= line.split(" ").count(word), text


def test_words_that_an_entry_looks_for_stay() -> None:
    line = "my strange wombat says paging file too small again"
    assert (
        leave_out_by_place(line, frozenset(("paging", "file", "too", "small")))
        == "... paging file too small ..."
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        # A known word alone.
        ("my strange wombat says paging file anew", "..."),
        # A name has neighbours of its own.
        (
            "Wombat 1.0 requires torch==2.0.1, but you have torch 2.1.0 which is incompatible.",
            "... 1.0 requires torch==2.0.1, but you have torch 2.1.0 which is incompatible.",
        ),
        (
            "pip 2.1.0+wombat wombat 10.20.30.40 with CUDA enabled",
            "... 2.1.0+... ... with CUDA enabled",
        ),
    ],
    ids=["lone", "name", "numbers"],
)
def test_line_is_left_out_but_for_what_messages_say(line: str, shown: str) -> None:
    assert leave_out_by_place(line) == shown


def test_phrases_beside_the_proof_are_left_out_where_little_is_known() -> None:
    proof = frozenset(("paging", "file", "too", "small"))
    line = "this is my {} paging file too small"
    assert leave_out_by_place(line.format("big"), proof).startswith("this is my ")
    wombats = "Wombat Globex Orion Melody Kranich Wombat"
    assert leave_out_by_place(line.format(wombats), proof) == "... paging file too small"


@pytest.mark.parametrize(
    ("value", "name", "shown"),
    [
        ("torch", "module", "torch"),
        ("falcon", "module", "..."),
        ("4711", "module", "..."),
        ("2.1.0+acme", "torch_version", "2.1.0+..."),
        ("2.1.0a0+git12ab34cd", "torch_version", "2.1.0a0+..."),
        ("2.1.0+cu121", "torch_version", "2.1.0+cu121"),
        ("1350", "frame_line", "1350"),
        ("torch.nn", "module", "torch.nn"),
        ("torch.Rose", "module", "..."),
        ("certificate has expired", "reason", "certificate has expired"),
        ("purple monkey", "reason", "... ..."),
        ("https://github.com/rose/falcon", "package", "..."),
        ("https://download.pytorch.org/whl/cu126", "asked_set", "https://download.pytorch.org/whl/cu126"),
        ("https://download.pytorch.org/whl/27590305464", "asked_set", "..."),
        ("10.20.30.40", "host", "..."),
        ("127.0.0.1", "host", "127.0.0.1"),
        ("4917123456", "free_memory", "4917123456"),
        ("2024", "reason", "2024"),
        ("...ß!2023", "reason", "..."),
        # A word that the doctor itself says, and one that a pattern reads.
        ("access", "kind", "access"),
        ("access", "module", "..."),
        ("wombat-1.0-cp39-cp39-win_amd64.whl", "wheel", "...-1.0-cp39-cp39-win_amd64.whl"),
        (r"C:\lib\~orch I am Wombat D:\data\x.pt", "path", r"C:\lib\~orch I ... ... D:\data\x.pt"),
    ],
)
def test_value_is_public_by_its_name(value: str, name: str, shown: str) -> None:
    assert show_value(value, name) == shown


@pytest.mark.parametrize(
    ("name", "is_public"), [("numpy", True), ("flash-attn", True), ("falcon", False), ("rose", False)]
)
def test_package_that_is_a_word_is_public_only_in_an_entry(name: str, is_public: bool) -> None:
    assert is_package(name) is is_public


@pytest.mark.parametrize(
    "name",
    [
        "nvfuser_codegen.dll", "libbitsandbytes_cuda121.dll", "ggml-cuda.dll", "python311.lib", "corecrt.h",
        "_arpacklib.cp311-win_amd64.pyd", "python312.dll",
    ],
)  # fmt: skip
def test_library_of_wheels_and_header_of_the_compiler_stay(name: str) -> None:
    assert hide_unknown_folders(leave_out_by_place(f"cannot open file '{name}'")).endswith(f"'{name}'")


@pytest.mark.parametrize("number", range(len(PLACES_OF_A_NAME)), ids=list(PLACES_OF_A_NAME))
def test_name_is_not_public_by_the_shape_of_a_value(number: int) -> None:
    place = list(PLACES_OF_A_NAME.values())[number]
    # Each place has a third of the names, which are others in the next one.
    for name in NAMES_LIKE_VALUES[number % 3 :: 3]:
        shared = redact(
            explain(place.replace("{x}", name), KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True
        )
        output = f"{explanation.render_json(shared)}{markdown.render_explanation(shared)}"
        assert not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", output), name


def test_name_that_is_not_in_the_table_seems_to_be_in_it_for_no_reason() -> None:
    names = [f"{word}{number}" for word in ("run", "rose", "pc") for number in range(30_000, 60_000)]
    assert [name for name in names if is_known_place(FOLDER, name)] == []
