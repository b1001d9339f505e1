"""Words that are no words of messages are not shown beside an error, and in paths of other computers."""

import itertools
from pathlib import Path

import pytest

from torchdoctor.domain.around_errors import hide_around_error
from torchdoctor.domain.known_words import has_known_words, hide_unknown_folders, hide_unknown_parts
from torchdoctor.domain.redaction import Identity, redact

ENTRIES = tuple((Path(__file__).parents[2] / "knowledge_base").glob("*.md"))
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
    ("path", "shown"),
    [
        (
            r"D:\Katarzyna Wisniewska\p\Lib\site-packages\torch\lib\fbgemm.dll",
            r"D:\...\p\Lib\site-packages\torch\lib\fbgemm.dll",
        ),
        (r"\\<host>\UserData\zelkofari\p\Lib", r"\\<host>\...\p\Lib"),
        (
            "/home01/zelkofari/venv/lib/python3.10/site-packages",
            "/home01/.../venv/lib/python3.10/site-packages",
        ),
        (
            r"D:\AI\ComfyUI_windows_portable\python_embeded\python.exe",
            r"D:\AI\ComfyUI_windows_portable\python_embeded\python.exe",
        ),
        ("read https://huggingface.co/docs/hub/models", "read https://huggingface.co/docs/hub/models"),
        (r"...sekimok\miniconda3\python.exe", r"...\miniconda3\python.exe"),
    ],
)
def test_unusual_folders_of_other_computers_are_left_out(path: str, shown: str) -> None:
    assert hide_unknown_folders(path) == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (r"runs\May01_12:30:11_DESKTOP-FGMDPY4", r"runs\May01_12:30:11_DESKTOP-..."),
        ("~$Bewerbung Takahiroo Delacroixe.docx", "~$... ... ......."),
        ("C:/x/c10.dll", "C:/x/c10.dll"),
    ],
)
def test_unusual_parts_of_a_name_are_left_out(path: str, shown: str) -> None:
    assert hide_unknown_parts(path) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("HTTPSConnectionPool(host='95.217.33.104', port=443)", "HTTPSConnectionPool(host='...', port=443)"),
        ("network address of (95.217.33.104, 29500)", "network address of (..., 29500)"),
        ("Cannot connect to host 10.44.12.57:443", "Cannot connect to host ...:443"),
        (
            "(ec2-18-195-33-104.eu-central-1.compute.amazonaws.com, 29500)",
            "(....eu-central-1.compute.amazonaws.com, 29500)",
        ),
        ("--trusted-host nexus.zelkofari.com", "--trusted-host ..."),
        ("FROM registry.zelkofari.internal/ml/base:latest", "FROM .../ml/base:latest"),
        (
            "--index-url https://download.pytorch.org/whl/cu121",
            "--index-url https://download.pytorch.org/whl/cu121",
        ),
        (
            "cudart 10.1.243.0 and torch.cuda.is_available()",
            "cudart 10.1.243.0 and torch.cuda.is_available()",
        ),
        ("http://127.0.0.1:7860 and localhost:8188", "http://127.0.0.1:7860 and localhost:8188"),
    ],
)
def test_hosts_that_are_not_public_are_left_out(text: str, shown: str) -> None:
    assert hide_unknown_folders(text) == shown


ROOTS = (
    "C:\\msys64\\home\\", "/autofs/site_home1/", "/rds/user/", "/storage/home/x/2/", "sftp://x@h:22//Users/", "C:\\Users.old\\",
    "\\\\h\\Roaming\\", "/home/groups/lab/", "/pfs/home/", "D:\\",
)  # fmt: skip


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("name", ["jdoe42", "zelkofari", "k.wisniewska", "Katarzyna Wisniewska"])
def test_name_below_any_folder_is_left_out(root: str, name: str) -> None:
    separator = "\\" if "\\" in root else "/"
    shown = hide_unknown_folders(f'File "{root}{name}{separator}train.py", line 3')
    assert name not in shown and "train.py" in shown


def test_sentences_repeat_no_unusual_part_of_a_path() -> None:
    path = r"runs\May01_12:30:11_KESUKO"
    value = {"path": path, "lead": f"`{path}` contains the colons of a time."}
    shown = redact(value, Identity(), is_pasted=True)
    assert "KESUKO" not in "".join(shown.values()) and "colons of a time" in shown["lead"]


@pytest.mark.parametrize(
    ("text", "is_known"), [("max_split_size_mb:512", True), ("kwisniewska", False), ("x8Kf2LmQ9zRt", False)]
)
def test_known_words(text: str, is_known: bool) -> None:
    assert has_known_words(text) is is_known


def test_forms_are_not_all_alike() -> None:
    assert len(set(itertools.chain(BEFORE, BEHIND))) == len(BEFORE) + len(BEHIND)


# A placeholder, and an address that is cut off.
NO_HOSTS = ("https://git-lfs",)


def test_steps_of_entries_stay_as_they_are() -> None:
    lines = [
        line
        for path in ENTRIES
        for line in path.read_text(encoding="utf-8").partition("## Fix")[2].splitlines()
    ]
    assert len(lines) > 5000
    changed = [line for line in lines if hide_unknown_folders(line) != line]
    assert [line for line in changed if not any(host in line for host in NO_HOSTS)] == []


@pytest.mark.parametrize(
    "text", ["nvidia-cudnn-cu12==9.1.0.70", "cudnn '8.9.2.26'", "No module named 'foobarlib.io'"]
)
def test_release_and_module_are_no_host(text: str) -> None:
    assert hide_unknown_folders(text) == text


def test_part_of_a_word_is_no_path() -> None:
    shown = redact({"path": "ola", "lead": "solar, and ola"}, Identity(), is_pasted=True)
    assert shown["lead"] == "solar, and ..."


def test_time_of_a_long_path_is_linear() -> None:
    assert hide_unknown_parts("a" * 200_000 + "/") == "..."


@pytest.mark.parametrize("name", ["KW1234", "WSNB0417", "nb12345"])
def test_numbered_computer_is_no_word(name: str) -> None:
    assert name not in hide_around_error(f"{name}: {ERROR}", len(name) + 2, len(name) + 2 + len(ERROR))


@pytest.mark.parametrize(
    "text", ["error C2872: ", "LNK1181 and MSB3721 ", "RTX4090, sm_120, h100, x64 ", "fp16 and win10 "]
)
def test_codes_and_cards_stay(text: str) -> None:
    assert hide_around_error(text, len(text), len(text)) == text


def test_owner_of_a_repository_is_left_out() -> None:
    assert hide_unknown_folders("load kwisniewska/model and torch/lib") == "load .../model and torch/lib"
