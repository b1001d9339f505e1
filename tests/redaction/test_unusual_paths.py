"""Folders and files with unusual names are not shown in paths of other computers."""

from pathlib import Path

import pytest

from torchdoctor.redaction.paths.unusual_paths import (
    hide_name_of_text,
    hide_unknown_folders,
    hide_unknown_parts,
)
from torchdoctor.redaction.redaction import Identity, redact

ENTRIES = tuple((Path(__file__).parents[2] / "knowledge_base").glob("*.md"))


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
            "/.../venv/lib/python3.10/site-packages",
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
        (r"runs\May01_12:30:11_DESKTOP-FGMDPY4", r"runs\..."),
        ("~$Bewerbung Takahiroo Delacroixe.docx", "... ... ..."),
        ("C:/x/c10.dll", "C:/x/c10.dll"),
    ],
)
def test_unusual_parts_of_a_name_are_left_out(path: str, shown: str) -> None:
    assert hide_unknown_parts(path) == shown


NAMES = (
    "falcon", "hunter2", "13820894844", "4264", "PN11K-ZLVF8-NK1X8-Y4Q70-XXXKO", "rose_kowalski", "Ольга",
    "Łukasz", "محمد", "Ελένη", "דוד", "สมชาย", "राहुल", "王", "+kowalski", "#kowalski", "%FALCON%", ".kowalski",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "line",
    [
        "cannot open file {x}\\titan.lib", "file: {x}/titan.pt", "({x}\\titan.ckpt)", "{x}\\titan.lib:12",
        "path={x}\\titan.pt", "D:{x}\\model.pt", "open {x}\\titan\\model.pt", "{x}/models/model.pt",
        "in {x}\\ not found",
    ],
)  # fmt: skip
def test_first_folder_of_a_relative_path_is_left_out(line: str, name: str) -> None:
    shown = hide_unknown_folders(line.format(x=name))
    assert name.strip("+#%.") not in shown and "titan" not in shown


@pytest.mark.parametrize("name", ["Kowalski", "globex", "swordfish", "GBYZPZQRBWDAGHWY", "Ольга", "081547"])
@pytest.mark.parametrize(
    "file",
    [
        "model({x}).dll", "model[{x}].pt", "a={x}.yaml", "epoch=3-client={x}.ckpt", "model{{{x}}}.pt",
        "{x}*.lib", "a+{x}.lib", "model,{x}.pt", "model;{x}.pt",
    ],
)  # fmt: skip
@pytest.mark.parametrize("line", ["'C:\\work\\{f}'", "C:\\work\\{f}", "data/{f}: denied", "(data\\{f})"])
def test_name_in_brackets_of_a_file_is_left_out(line: str, file: str, name: str) -> None:
    assert name not in hide_unknown_folders(line.format(f=file.format(x=name)))


@pytest.mark.parametrize(
    "line",
    [
        "12/500 [00:01<00:09, 3.2it/s]", "models/model.pt", "see lib/site-packages/torch/lib/c10.dll.",
        "%APPDATA%\\pip\\pip.ini", "$env:PATH", "tcp://127.0.0.1:29500/", "(torch/lib/c10.dll)", "C:\\x\\train.py(12): error",
        "msvcp140*.dll", "C:\\Windows\\System32\\vcruntime140*.dll", "2026/11/29",
    ],
)  # fmt: skip
def test_path_of_programs_and_numbers_stay(line: str) -> None:
    assert hide_unknown_folders(line) == line


@pytest.mark.parametrize(
    "path",
    [
        "C:\\{x}\\model.pt", "data\\.{x}\\model.pt", "C:\\w\\...{x}.pt", "x\\{{{x}}}\\model.pt", "'{x}\\\\'", "'{x}/'",
        "!{x}!\\model.pt", "-I{x}\\include", "C:\\" + "a" * 70 + "{x}\\model.pt", "$env:{x}\\model.pt",
    ],
)  # fmt: skip
def test_name_with_signs_around_it_is_left_out(path: str) -> None:
    assert "falcon" not in hide_unknown_folders(path.format(x="falcon"))


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


# Behind the first blank of the last part of a path: names, passwords and keys.
TAILS = (
    "zqk Siobhan Zelkofari",
    "my letmein zelkofari",
    "key J1LIJ-LV6US-IU47K",
    "Zelkofari",
    "zelkofari hunter2",
)
AROUND = (
    "Permission denied: '{path}'", "could not open \"{path}\" again", "can't open file '{path}': [Errno 2] No such file",
    "denied: 'C:\\a\\zelkofari x' -> '{path}'", "(`{path}`)", "# packages in environment at {path}:", "cd {path}",
    "in {path}", "{path}",
)  # fmt: skip


@pytest.mark.parametrize(
    "root", ["D:\\", "E:\\data\\", "D:\\\\", "\\\\<host>\\data\\", "C:\\Users\\<user>\\anaconda3\\envs\\"]
)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("line", AROUND)
def test_no_unknown_word_stays_behind_a_blank_in_a_path(root: str, tail: str, line: str) -> None:
    shown = hide_unknown_folders(line.format(path=root + tail))
    assert not any(word in shown for word in ("elkofari", "Siobhan", "letmein", "J1LIJ", "hunter2")), shown


@pytest.mark.parametrize(
    "text",
    [
        "open 'C:\\Program Files' first",
        "run `C:\\Python310\\python.exe -m pip install torch` again",
        "ComfyUI is in D:\\ComfyUI and does not start",
        "don't use D:\\models and you can't fail",
    ],
)
def test_known_words_behind_a_path_stay(text: str) -> None:
    assert hide_unknown_folders(text) == text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/tmp/zelkofari/hunter2.txt", "/tmp/... .txt"),
        ("D:\\zelkofari\\key 7.log", "D:\\... .log"),
        ("zelkofari/error_12.txt", ".../error_12.txt"),
        ("田中太郎/x.txt", ".../x.txt"),
        ("Zelkofari Wisniewska.txt", "... .txt"),
        ("C:\\Users\\<user>\\hunter2.jsonl:12", "C:\\Users\\<user>\\... .jsonl:12"),
        ("zelkofari.txt, lines 1 to 3", "... .txt, lines 1 to 3"),
        ("zelkofari", "..."),
        ("texts/c.jsonl:2", "texts/c.jsonl:2"),
        ("https://github.com/pytorch/pytorch/issues/7", "https://github.com/pytorch/pytorch/issues/7"),
        ("standard input", "standard input"),
        ("-", "-"),
        ("7", "7"),
    ],
)
def test_name_of_a_text_has_known_words_and_its_ending(name: str, shown: str) -> None:
    assert hide_name_of_text(name) == shown


def test_sentences_repeat_no_unusual_part_of_a_path() -> None:
    path = r"runs\May01_12:30:11_KESUKO"
    value = ({"path": path}, f"`{path}` contains the colons of a time.")
    _, lead = shown = redact(value, Identity(), is_pasted=True)
    assert "KESUKO" not in str(shown) and "colons of a time" in lead


@pytest.mark.parametrize("name", ["conda_environment", "conda_name", "environment"])
def test_steps_repeat_no_unusual_name_of_an_environment(name: str) -> None:
    value = {name: "zelkofari", "step": "conda list -n zelkofari openmp"}
    assert "zelkofari" not in str(redact(value, Identity(), is_pasted=True))
    value = {name: "torch", "step": "conda list -n torch openmp"}
    assert redact(value, Identity(), is_pasted=True) == value


PRIVATE_FILES = (
    "hunter2.ckpt",
    "zelkofari.pt",
    "田中太郎.pt",
    "zelkofari.exe",
    "oluwaseun.dll",
    "iloveyou.h",
    "kw04-7.safetensors",
)
PUBLIC_FILES = (
    "c10.dll", "fbgemm.dll", "cudnn_ops_infer64_8.dll", "cublasLt64_11.dll", "nvrtc64_112_0.dll", "caffe2_nvrtc.dll", "model.safetensors",
    "torch_python.dll", "_C.cp39-win_amd64.pyd", "api-ms-win-core-path-l1-1-0.dll", "libssl-1_1-x64.dll", "TensorIterator.h", "cl.exe",
    "libomp140.x86_64.dll", "sd_xl_base_1.0.safetensors", "webui-user.bat", "yolov8n.pt", "resnet50.pth",
    "torch-2.6.0+cu124-cp312-cp312-win_amd64.whl", "libiomp5md.dll", "vcruntime140_1.dll", "zlibwapi.dll", "cuda_runtime.h",
)  # fmt: skip
LINES = (
    "No space left on device: 'D:\\runs\\{file}'", "Initializing {file}, but found x", "{file} exited with code 3",
    "cannot open include file: '{file}': No such file", "C:\\torch\\lib\\{file}", "(/data/{file})",
)  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_name_of_a_file_has_known_words_or_is_that_of_a_program(line: str) -> None:
    for file in PRIVATE_FILES:
        shown = hide_unknown_folders(line.format(file=file))
        # A name with .pt can be that of a host in Portugal.
        ending = "" if file.endswith(".pt") else f" .{file.partition('.')[2]}"
        assert file.partition(".")[0] not in shown and f"...{ending}" in shown
    for file in PUBLIC_FILES:
        assert hide_unknown_folders(line.format(file=file)) == line.format(file=file)


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


def test_part_of_a_word_is_no_path() -> None:
    shown = redact({"path": "ola", "lead": "solar, and ola"}, Identity(), is_pasted=True)
    assert shown["lead"] == "solar, and ..."


def test_path_that_no_file_can_have_is_left_out() -> None:
    assert hide_unknown_parts("a" * 200_000 + "/") == "..."


def test_owner_of_a_repository_is_left_out() -> None:
    assert hide_unknown_folders("load kwisniewska/model and torch/lib") == "load .../.../lib"
