"""Numbers that can be those of a person, a computer or a place are left out of what is shared."""

import re

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.paths.unusual_paths import hide_unknown_folders
from torchdoctor.redaction.people.digit_groups import leave_out_groups
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.redaction.words.placed_words import leave_out_by_place
from torchdoctor.redaction.words.shared_values import show_value
from torchdoctor.renderers import explanation, markdown

KNOWLEDGE = load_knowledge()[0]


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
    "line",
    [
        "Tried to allocate 512.00 MiB (GPU 0; 8.00 GiB total capacity; 6.31 GiB already allocated)",
        "CUDA error 700 at line 148",
        "sizes [64, 3, 224, 224]",
    ],
)
def test_sizes_codes_and_lines_are_no_phone(line: str) -> None:
    assert leave_out_groups(line) == line


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


@pytest.mark.parametrize("file", ["c10_4711.dll", "mkl_1984.dll", "python4711.lib"])
def test_number_in_the_name_of_a_library_has_no_four_digits(file: str) -> None:
    assert file not in hide_unknown_folders(f"cannot open 'C:\\x\\{file}'")


def test_three_numbers_stand_where_a_release_does() -> None:
    assert "84.157.33" not in leave_out_by_place("RuntimeError: CUDA error: out of memory 84.157.33")
    assert leave_out_by_place("torch 2.1.0 is installed") == "torch 2.1.0 is installed"
