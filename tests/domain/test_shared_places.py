"""No person, password, project or number that is a word comes into a shared output, wherever a text has it."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.domain.shared_forms import (
    FIRST_SECRET,
    FORMS,
    LAST_SECRET,
    MARKED_FRAMES,
    NAMES_LIKE_VALUES,
    NUMBERED_FOLDERS,
    PATHS,
    PLACES_OF_A_NAME,
    SECRETS,
    UNMARKED_FRAMES,
    list_paths,
    list_signs,
)
from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.actions.showing import load_renderer
from torchdoctor.commands.described import scan_text
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.domain.digit_groups import leave_out_groups
from torchdoctor.domain.gpu_names import show_card
from torchdoctor.domain.joined_masks import leave_out_joined
from torchdoctor.domain.known_places import FOLDER, FOLLOWS, hash_place, is_known_place
from torchdoctor.domain.path_parts import show_part
from torchdoctor.domain.placed_words import leave_out_by_place
from torchdoctor.domain.redaction import Identity, redact
from torchdoctor.domain.shared_names import is_package
from torchdoctor.domain.shared_values import show_value
from torchdoctor.domain.unusual_paths import hide_unknown_folders
from torchdoctor.domain.whole_paths import leave_out_odd_parts, leave_out_of_path, leave_out_parts
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge
from torchdoctor.renderers import explanation, markdown

KNOWLEDGE = load_knowledge()[0]
# Each form has so many of the secrets, which are others in the next one.
PLANTED = 8
# What an entry says by itself.
OWN_TEXTS = " ".join(entry.markdown for entry in KNOWLEDGE.entries.values()).lower()


def _choose_secrets(form: str) -> tuple[str, ...]:
    start = PLANTED * list(FORMS).index(form)
    return tuple(SECRETS[(start + number) % len(SECRETS)] for number in range(PLANTED))


def _find_words(secret: str) -> list[str]:
    words = {secret, *re.split(r"[ _]", secret)} - {"Project"}
    return [
        word
        for word in words
        if not re.search(rf"(?<![a-z0-9]){re.escape(word.lower())}(?![a-z0-9])", OWN_TEXTS)
    ]


def _find_left(outputs: dict[str, str], secret: str) -> list[tuple[str, str]]:
    return [
        (form, word)
        for form, output in outputs.items()
        for word in _find_words(secret)
        if re.search(rf"(?i)(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", output)
    ]


def test_secrets_are_more_than_500_in_more_than_40_forms() -> None:
    assert len(FORMS) >= 40 and len(FORMS) * PLANTED >= 500
    assert all(_find_words(secret) for secret in SECRETS)
    assert [form for form, text in FORMS.items() if "{x}" not in text] == []


@pytest.mark.parametrize("form", FORMS)
def test_no_planted_secret_is_in_a_shared_explanation(form: str) -> None:
    for secret in _choose_secrets(form):
        shared = redact(
            explain(FORMS[form].format(x=secret), KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True
        )
        outputs = {"json": explanation.render_json(shared), "markdown": markdown.render_explanation(shared)}
        assert _find_left(outputs, secret) == []


@pytest.mark.parametrize("form", FORMS)
def test_no_planted_secret_is_in_a_shared_report(form: str, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    for secret in _choose_secrets(form)[:3]:
        file.write_text(f"torch 2.0.1+cpu\n{FORMS[form].format(x=secret)}", encoding="utf-8")
        reports = scan_text(ScanRequest(), str(file))
        shared = redact(reports, Identity(), (Knowledge,), is_pasted=True)
        outputs = {name: load_renderer(name).render(shared[0]) for name in REPORT_FORMATS[1:]}
        assert _find_left(outputs, secret) == []


# Signs that a line of a program has around a path, and others that look like them.
SIGNS = "!\"#$%&'()*+,-.:;<=>?@[]^_`{|}~\u00a0\u00b4\u00bb\u2019\u201d\u2028\u200b\u2026\u3000\u300d\uff1a\uff0c\t\x01"
# One of so many texts is read, which are others for each sign.
ONE_OF = 29


@pytest.mark.parametrize("frame", [*MARKED_FRAMES.values(), *UNMARKED_FRAMES.values()])
def test_part_of_a_path_is_left_out_as_a_whole(frame: str) -> None:
    texts = [text for sign in SIGNS for text in list_paths(sign, frame=frame)][::ONE_OF]
    assert len(texts) >= 50
    for text in texts:
        shared = redact(explain(text, KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True)
        output = explanation.render_json(shared)
        assert FIRST_SECRET not in output and LAST_SECRET not in output, text


@pytest.mark.parametrize("sign", "\"'`´’:,;&!([{")
def test_last_part_in_no_quotes_is_left_out_up_to_a_blank(sign: str) -> None:
    shown = hide_unknown_folders(f"No Python at E:\\data\\{FIRST_SECRET}{sign}{LAST_SECRET} or below")
    assert shown == "No Python at E:\\data\\... or below"


def test_any_sign_can_be_in_a_part_of_a_marked_path() -> None:
    paths = [path for path in PATHS if not path.startswith(("data", "{x}"))]
    frames = list(MARKED_FRAMES.values())
    signs = list_signs()
    assert len(signs) > 8000
    for number, sign in enumerate(signs):
        path, frame = paths[number % len(paths)], frames[number % len(frames)]
        # What closes the quotes is told by the explanation above.
        texts = list_paths(sign, frame=frame, paths=(path,)) if sign not in frame else []
        shown = "".join(map(hide_unknown_folders, texts))
        assert FIRST_SECRET not in shown and LAST_SECRET not in shown, (sign, path)


@pytest.mark.parametrize(
    "part",
    [
        "C:\\a ", "'/a'/a ", "'a/b ", '"a\' ', "/a/ ", "12 ", "(12) ", "h1234567_", "<C:\\", "a:/usr/", "~/a' ", "`a b/c` ", "日a.com ", "{a|b}",
        "<user>a", "a<user>", "...-a", "12.", "1:", "ab:", "1 ", "1.1111 ", "12. ", "(C:\\a ", " /a", "12-34 ", "..\\a\"b'", "/", "\\", "'", "a.b/", "Users\\",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "leave_out",
    [leave_out_parts, leave_out_odd_parts, leave_out_of_path, leave_out_groups, leave_out_joined, show_card],
)
def test_time_is_linear(leave_out: Callable[[str], str], part: str) -> None:
    def measure(size: int) -> float:
        start = time.process_time()
        leave_out(part * (size // len(part)))
        return time.process_time() - start

    limit = 8 * measure(5_000) + 0.05
    # Once may be by chance: other programs share the caches of the processor.
    assert measure(20_000) < limit or measure(20_000) < limit


@pytest.mark.parametrize(
    "line",
    [
        r'Error loading "C:\Program Files (x86)\x\python_embeded\Lib\site-packages\torch\lib\c10.dll" or one',
        "[Errno 2] No such file: 'C:\\\\a\\\\train.py' -> 'D:\\\\b\\\\data'",
        r"C:\x\a.py:3: UserWarning: load or save",
        r"PS C:\work> findstr /s /n torch *.py",
        r"PATH=/usr/bin:/usr/local/bin",
        r"HKLM:\SYSTEM\CurrentControlSet\Control is read",
        r"open 'C:\work\train.py:12' and `D:\models\x.pt`, then write a/b",
        r'"C:\Program Files\Blender Foundation\Blender 4.2\4.2\python\bin\python.exe" -m pip install torch',
    ],
)
def test_path_of_programs_and_what_stands_around_it_stay(line: str) -> None:
    assert hide_unknown_folders(line) == line


NUMBERS = (
    "torch {x}.1.0", "pytorch {x}.1.0 is there", "PyTorch >= {x}.4", "torch==2.0.0+{x}", "torch=={x}", "15-{x}.92 GiB", "15.92_{x} GiB",
    'Error loading "D:\\e\\lib\\site-packages\\torch\\lib\\c10_{x}.dll"', "'C:\\torch\\mkl_intel_thread_{x}.dll'",
    "'C:\\site-packages\\torch.{x}\\lib\\c10.dll'", "'C:\\python{x}\\x'", "cu{x}", "cuda-{x}-1_0", "v{x}", "libc10.so.{x}",
)  # fmt: skip


@pytest.mark.parametrize("number", ["7351928", "48213907", "491712345678"])
@pytest.mark.parametrize("form", NUMBERS)
def test_long_number_is_left_out_as_a_part_of_a_name(form: str, number: str) -> None:
    line = form.replace("{x}", number)
    text = f"{line}\nOSError: [WinError 126] The specified module could not be found. {line}"
    shared = redact(explain(text, KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True)
    outputs = (
        explanation.render_json(shared),
        hide_unknown_folders(leave_out_by_place(line)),
        show_value(line, "version"),
    )
    assert number not in " ".join(outputs)


def check_no_group_is_shown(line: str, number: str, least: int) -> None:
    """Assert that no group of so many digits is left of a number, nor a number without such a group."""
    groups = [group for group in re.findall(r"[0-9a-fA-F]+", number) if len(group) >= least] or [number]
    for shown in (leave_out_by_place(line.format(x=number)), show_value(line.format(x=number), "reason")):
        assert not any(group in shown for group in groups), shown


@pytest.mark.parametrize(
    "phone",
    [
        "030 555 123",
        "0171 555 12 34",
        "(030) 555 1234",
        "+49 171 5551234",
        "0171-555 12 34",
        "555\u00a01234",
        "12 34 56 78",
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        "[WinError 126] {x} The specified module could not be found.",
        "Tried to allocate 2.00 GiB {x}",
        "{x}",
        "tel {x} torch",
    ],
)
def test_groups_of_digits_are_left_out(line: str, phone: str) -> None:
    check_no_group_is_shown(line, phone, least=3)


@pytest.mark.parametrize(
    "number",
    [
        "06.12.34.56.78", "645.142.7878", "123.456.789-09", "123.45.6789", "079.123.45.67", "4111.1111.1111.1111",
        "12 34 56", "0 6 1 2 3 4 5 6 7 8", "06. 12. 34. 56. 78", "06,12,34,56,78", "06:12:34:56:78", "4 7 1 1",
        "12.345.678", "1.234.567", "1 2 3 4, 5",
        "00:1A:2B:3C:4D:5E", "00-1A-2B-3C-4D-5E", "2b:3c:4d:5e:6f:7a:8b:9c:1a:0b", "fe80::1a2b:3c4d:5e6f:7a8b",
        "2001:db8:85a3::8a2e:370:7334", "52.520008 13.404954", "52.520008, 13.404954",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "line",
    [
        "CUDA out of memory on {x}",
        "My number is {x} and I get CUDA out of memory",
        "No module named 'torch' ({x})",
    ],
)
def test_numbers_of_persons_computers_and_places_are_left_out(line: str, number: str) -> None:
    check_no_group_is_shown(line, number, least=2)


@pytest.mark.parametrize(
    "number",
    [
        "10.0.22631.2861", "545.23.08", "2.1.2+cu121", "12.1.105", "2024.11.30", "30.11.2024", "04.10.2023",
        "31.0.15.3623", "27.21.14.5671", "120.0.6099.130", "127.0.0.1", "2023.1.0-46356", "12:34:56",
        "2024-11-30 12:34:56", "00000000:01:00.0", "CUDA_VISIBLE_DEVICES=0,1,2,3", "(3, 10, 11)",
        "50, 60, 61, 70, 75, 80", "train.py:12:34", "[00:12<02:30, 1.5it/s]", "0x7ffe12345678",
    ],
)  # fmt: skip
def test_versions_times_and_lists_stay(number: str) -> None:
    assert leave_out_groups(f"error {number} and") == f"error {number} and"


@pytest.mark.parametrize(
    "number",
    [
        "0341/4711222", "030/12345678", "12345678/1952", "1234567890/1234567890", "2/4155550187", "49341/4711222",
        "0341/4711222-0", "0341.4711222", "0049.3414711222",
    ],
)  # fmt: skip
def test_a_phone_with_a_slash_or_a_point_is_left_out(number: str) -> None:
    shown = leave_out_by_place(f"RuntimeError: CUDA error: out of memory {number}")
    assert shown.rstrip(".").endswith((" memory ", " of ")) and not any(map(str.isdecimal, shown))


@pytest.mark.parametrize(
    "count", ["12/500", "3/4", "0/1000", "2026/11/29", "1234/5678", "0.123456", "0.0012345678"]
)
def test_a_count_a_date_and_a_fraction_are_no_phone(count: str) -> None:
    assert leave_out_groups(f"step {count} done") == f"step {count} done"


@pytest.mark.parametrize(
    "word",
    [
        "...Rosalind-Quux", "...rosalind", "rosalind...quux", "(...rosalind)", "...Xk29dLq7", "...10.87.44.23", "...globexo.com",
        "...4711222", "any...rosalind", "torch...rosalind", "...#rosalind", "1234...rosalind", "..\\...rosalind",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "line",
    [
        "AssertionError: Torch not compiled with CUDA enabled {}", "ModuleNotFoundError: No module named '{}'",
        "ImportError: DLL load failed while importing {}: The specified module could not be found.",
        "RuntimeError: DataLoader worker (pid(s) {}) exited unexpectedly",
    ],
)  # fmt: skip
def test_what_stands_beside_three_dots_is_no_mark(line: str, word: str) -> None:
    shown = leave_out_by_place(line.format(word))
    assert not any(name in shown.lower() for name in ("rosalind", "quux", "dlq7", "87.44", "globexo", "4711"))


@pytest.mark.parametrize("word", ["torch...", "D:\\...\\torch", "...\\miniconda3\\python.exe", "(...)"])
def test_marks_and_the_names_of_many_beside_them_stay(word: str) -> None:
    assert show_value(f"open {word}") in (f"open {word}", f"... {word}")


@pytest.mark.parametrize(
    "account", ["U77583", "x989667", "X747563", "19b01234", "20a45678", "data462259", "py475373"]
)
@pytest.mark.parametrize(
    "text",
    [
        'OSError: [WinError 126] The specified module could not be found. Error loading "D:\\{x}\\torch\\lib\\shm.dll"',
        "FileNotFoundError: [Errno 2] No such file or directory: '/scratch/{x}/data/a.pt'",
        "PermissionError: [Errno 13] Permission denied: '\\\\\\\\srv01\\\\homes$\\\\{x}\\\\a.csv'",
        "({x}) D:\\>python -c 'import torch'\nModuleNotFoundError: No module named 'torch'",
        "AttributeError: Can't pickle local object '{x}.<locals>.f'",
    ],
)
def test_accounts_are_left_out_of_what_is_shared(text: str, account: str) -> None:
    explained = explain(text.format(x=account), KNOWLEDGE)
    for shared in (redact(explained, Identity(), (Knowledge,), is_pasted=True), explained):
        assert account not in repr(redact(shared, Identity(), (Knowledge,), is_pasted=True))


@pytest.mark.parametrize("codec", ["utf-8", "cp1252", "gbk", "charmap", "latin-1"])
def test_codec_of_a_message_stays(codec: str) -> None:
    line = f"UnicodeDecodeError: '{codec}' codec can't decode byte 0xff in position 0: invalid start byte"
    assert leave_out_by_place(line).startswith(f"UnicodeDecodeError: '{codec}' codec")
    assert "falcon" not in leave_out_by_place("UnicodeDecodeError: 'falcon' codec can't decode byte 0xff")


def test_environment_with_the_form_of_an_account_is_left_out() -> None:
    text = "(E5322) D:\\>python -c 'import torch'\nModuleNotFoundError: No module named 'torch'"
    shown = redact(explain(text, KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True)
    assert "E5322" not in str(dict(shown.values))


@pytest.mark.parametrize("name", ["Ray", "Li", "dev"])
@pytest.mark.parametrize("share", ["homes$", "users$"])
def test_homes_on_a_share_are_left_out_of_values(share: str, name: str) -> None:
    text = (
        f'Traceback (most recent call last):\n  File "\\\\srv01\\{share}\\{name}\\train.py", line 3, in main\n'
        "AssertionError: Torch not compiled with CUDA enabled"
    )
    shown = redact(explain(text, KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True)
    assert f"\\{name}\\" not in str(dict(shown.values))


@pytest.mark.parametrize(
    "line",
    [
        "CUDA out of memory in C:\\Users\\<user>\\<user>-falcon-welcome.",
        "C:\\Users\\<user>\\.cache\\huggingface\\hub\\models--<user>--falcon. Caching files",
        "custom_nodes\\<user>-falcon module",
        "key: ...-Falcon: CUDA out of memory",
        "falcon_<host>: CUDA out of memory",
    ],
)
def test_what_is_joined_to_a_mask_is_left_out(line: str) -> None:
    assert "falcon" not in leave_out_joined(line).lower()
    kept = r"C:\Users\<user>\data, \\<host>\share, https://<secret>@host and python ... done"
    assert leave_out_joined(kept) == kept


@pytest.mark.parametrize(
    "line",
    [
        "Tried to allocate 512.00 MiB (GPU 0; 8.00 GiB total capacity; 6.31 GiB already allocated)",
        "CUDA error 700 at line 148",
        "sizes [64, 3, 224, 224]",
    ],
)
def test_sizes_codes_and_lines_are_no_phone(line: str) -> None:
    assert leave_out_groups(line) == line


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
        ("my strange wombat says paging file too small again", "..."),
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


def test_place_is_found_by_its_number() -> None:
    assert is_known_place(FOLLOWS, "not", "compiled") and not is_known_place(FOLLOWS, "compiled", "dragon")
    assert hash_place("w", "a", "b") != hash_place("w", "ab", "")


@pytest.mark.parametrize("suffix", [".dev", ".post", "rc", "a", "b"])
@pytest.mark.parametrize("number", ["44118822", "4411882", "471105", "47110"])
def test_number_of_a_person_is_left_out_behind_a_suffix_of_a_version(suffix: str, number: str) -> None:
    version = f"2.1.0{suffix}{number}"
    for word in (version, f"{version}+cu118", f"torch-{version}-cp310-cp310-win_amd64.whl"):
        assert number not in leave_out_by_place(f"torch {word} is there")
        assert number not in show_value(word, "torch_version")


@pytest.mark.parametrize(
    "version", ["2.1.0.dev20250310", "0.2.5.dev240914", "2.1.0rc3", "0.0.23.dev700", "1.0.post4"]
)
def test_date_and_small_number_behind_a_suffix_of_a_version_stay(version: str) -> None:
    assert show_value(version, "torch_version") == version


@pytest.mark.parametrize(
    "number", ["47 11", "+33 6 12 34 56 78", "+49 (0) 89 / 12 34 56", "+1 (555) 010-1234"]
)
@pytest.mark.parametrize("line", ["CUDA out of memory, pin {x}", "call {x} torch", "{x}"])
def test_pairs_and_international_numbers_are_left_out(line: str, number: str) -> None:
    assert not re.search(r"\d", leave_out_by_place(line.format(x=number)))


@pytest.mark.parametrize(
    "name",
    [
        "nvfuser_codegen.dll", "libbitsandbytes_cuda121.dll", "ggml-cuda.dll", "python311.lib", "corecrt.h",
        "_arpacklib.cp311-win_amd64.pyd", "python312.dll",
    ],
)  # fmt: skip
def test_library_of_wheels_and_header_of_the_compiler_stay(name: str) -> None:
    assert hide_unknown_folders(leave_out_by_place(f"cannot open file '{name}'")).endswith(f"'{name}'")


@pytest.mark.parametrize("code", ["10013", "10049", "10112", "11001"])
@pytest.mark.parametrize(
    "before", ["errno: ", "Errno ", "system error: ", "WinError ", "WSAEACCES (", "WSAGetLastError() = "]
)
def test_code_of_a_socket_stays_behind_its_word(before: str, code: str) -> None:
    assert code in leave_out_by_place(f"failed ({before}{code})")


@pytest.mark.parametrize("code", ["10013", "10049", "11001"])
@pytest.mark.parametrize("before", ["pin ", "door code: ", "error=", "my error ", "hr=", "wsa club "])
def test_number_like_a_code_of_a_socket_is_left_out(before: str, code: str) -> None:
    assert code not in leave_out_by_place(f"failed, {before}{code}")


@pytest.mark.parametrize("code", ["10120", "11005", "11999", "12001"])
def test_number_that_no_error_of_a_socket_has_is_left_out(code: str) -> None:
    assert code not in leave_out_by_place(f"failed (system error: {code})")


@pytest.mark.parametrize("code", ["0x887A0005", "0x80070005", "0xC0000005"])
def test_code_of_windows_stays_behind_its_word(code: str) -> None:
    assert code in leave_out_by_place(f"failed: hr={code}")


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


@pytest.mark.parametrize("name", NUMBERED_FOLDERS)
def test_numbered_folder_of_programs_stays(name: str) -> None:
    assert show_part(name) == name


@pytest.mark.parametrize("amount", ["2.03s/it", "1.5/7.9GB", "12.3/12.8 MB", "3.41it/s"])
def test_speed_and_amount_are_no_path(amount: str) -> None:
    assert hide_unknown_folders(f"[00:12<02:30, {amount}]") == f"[00:12<02:30, {amount}]"


@pytest.mark.parametrize(
    ("value", "name", "shown"),
    [
        ("4711, 0815, 491512, 3456789", "pid", "4711, ..., ..., ..."),
        ("4711", "pid", "4711"),
        ("4155552671", "pid", "..."),
        ("19840512", "pid", "..."),
        ("4711,471147", "winerror", "4711,..."),
        ("sm88", "conda_environment", "..."),
        ("24GB", "module", "..."),
        ("py310", "conda_environment", "py310"),
    ],
)
def test_value_shows_one_number_and_names_of_programs(value: str, name: str, shown: str) -> None:
    assert show_value(value, name) == shown


def test_sentence_made_of_a_value_has_no_more_numbers_than_the_line() -> None:
    text = "RuntimeError: DataLoader worker (pid(s) 4711, 0815, 491512, 3456789) exited unexpectedly"
    shared = redact(explain(text, KNOWLEDGE), Identity(), (Knowledge,), is_pasted=True)
    output = f"{explanation.render_json(shared)}{markdown.render_explanation(shared)}"
    assert "4711" in output
    assert [number for number in ("0815", "491512", "3456789") if number in output] == []


def test_name_that_is_not_in_the_table_seems_to_be_in_it_for_no_reason() -> None:
    names = [f"{word}{number}" for word in ("run", "rose", "pc") for number in range(30_000, 60_000)]
    assert [name for name in names if is_known_place(FOLDER, name)] == []


@pytest.mark.parametrize("file", ["c10_4711.dll", "mkl_1984.dll", "python4711.lib"])
def test_number_in_the_name_of_a_library_has_no_four_digits(file: str) -> None:
    assert file not in hide_unknown_folders(f"cannot open 'C:\\x\\{file}'")


def test_three_numbers_stand_where_a_release_does() -> None:
    assert "84.157.33" not in leave_out_by_place("RuntimeError: CUDA error: out of memory 84.157.33")
    assert leave_out_by_place("torch 2.1.0 is installed") == "torch 2.1.0 is installed"
