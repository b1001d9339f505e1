"""Lines of evidence: what stands beside an error, in a path or beside an index, and is nobody's business."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.explain.text.shown_lines import show_line, show_stated
from torchdoctor.explain.values.pip_commands import may_be_shared
from torchdoctor.redaction.redaction import Identity

KNOWLEDGE = load_knowledge()[0]
ERROR = "AssertionError: Torch not compiled with CUDA enabled"
SECRETS = ["Sommer2024!", "geheimnisvoll", "x8Kf2LmQ9zRt"]


@pytest.mark.parametrize(
    "line",
    [
        "Hi, my PC: win11, RTX 3060, AnyDesk 123456789 pw {}",
        "I am on win11 with a 3060 and my word is {}",
        "Device: cuda:0 NVIDIA GeForce RTX 3060 | Namespace(lr=0.1, token='{}', user='kowalski', epochs=3)",
        'config: {{"device": "NVIDIA GeForce RTX 3060", "db": {{"user": "bob", "pass": "{}"}}}}',
        "GPU 0: NVIDIA GeForce RTX 3060 | passphrase: {}",
        "python train.py -p {} --gpu RTX 3060",
        "GTX 1050 driver 452.39, login bob, pw {}",
        '{{"level":"error","message":"' + ERROR + '","code":"key = \\"{}\\"; login(x)"}}',
    ],
)
def test_line_that_names_a_card_shows_no_secret(line: str) -> None:
    for secret in SECRETS:
        explanation = explain(f"{line.format(secret)}\n{ERROR}", KNOWLEDGE)
        assert explanation.recognised
        assert secret not in repr((explanation.diagnoses, explanation.values, explanation.environments))


def test_line_that_states_something_keeps_what_it_states() -> None:
    line = "My setup: Windows 11, NVIDIA GeForce RTX 3060, torch 2.1.0+cpu, the cat is called Xyzzyplugh"
    shown = show_stated(line, ["NVIDIA GeForce RTX 3060", "2.1.0+cpu"])
    assert "NVIDIA GeForce RTX 3060, torch 2.1.0+cpu" in shown
    assert "Xyzzyplugh" not in shown


@pytest.mark.parametrize("width", [80, 100, 120, 1000])
@pytest.mark.parametrize(
    "path",
    [
        r"C:\proj\https:\bob:{}@data.example.net\model.pt",
        r"https:\bob:{}@data.example.net\model.pt",
        "C:\\proj\\https:/bob:{}@db/x.log",
        "model.safetensors?type=Model&format=SafeTensor&token={}",
        r"C:\proj\dl\model.pt?X-Amz-Credential=abc%2F2024&X-Amz-Signature={}9f86d081884c7d659a2feaa0c55ad0159f86d081",
    ],
)
def test_address_in_the_place_of_a_path_shows_no_secret(path: str, width: int) -> None:
    for secret in SECRETS:
        line = f"OSError: [Errno 22] Invalid argument: {path.format(secret)!r}"
        text = "\n".join(line[start : start + width] for start in range(0, len(line), width))
        explanation = explain(text, KNOWLEDGE)
        assert explanation.recognised or width < 1000
        printed = Identity().redact(repr(explanation))
        pieces = [secret[at : at + 8] for at in range(len(secret) - 7)]
        assert [piece for piece in (*pieces, "59a2feaa0c55ad") if piece in printed] == [], printed


@pytest.mark.parametrize(
    ("arguments", "shared"),
    [
        ("torch==1.7.0 --index-url https://download.pytorch.org/whl/cu121", True),
        ("torch==1.7.0 -i https://pypi.tuna.tsinghua.edu.cn/simple", True),
        ("torch --index-url https://bob:geheim@", False),
        ("torch --index-url https://bob:gehe", False),
        ("torch --index-url https://dl.example.io/aBcDeF1234567890/corp/simple/", False),
        ("--global-option=--password --global-option=geheim torch", False),
    ],
)
def test_arguments_of_pip_that_may_be_shared(arguments: str, shared: bool) -> None:
    assert may_be_shared(arguments) is shared


@pytest.mark.parametrize(
    "path",
    [
        r"C:\Users\kowalski\AppData\Local\Programs\Python\Python310\lib\site-packages\torch\lib\fbgemm.dll",
        r"C:\Users\kowalski\miniconda3\envs\ml\Lib\site-packages\torch\lib\fbgemm.dll",
    ],
)
@pytest.mark.parametrize("at", range(3, 22))
def test_no_piece_of_a_name_is_left_where_a_message_breaks_a_path(path: str, at: int) -> None:
    text = (
        "OSError: [WinError 126] The specified module could not be found. Error loading"
        f' "{path[:at]}\n{path[at:]}" or one of its dependencies.'
    )
    explanation = explain(text, KNOWLEDGE)
    assert explanation.recognised
    printed = Identity().redact(repr((explanation.diagnoses, explanation.values)))
    assert [each for each in ("kowal", "alski", "walsk") if each in printed] == []
    assert "fbgemm.dll" in "".join(each.text for each in explanation.diagnoses[0].evidence)


def test_path_of_a_home_in_one_line_stays() -> None:
    line = r'OSError: [WinError 126] The specified module could not be found. Error loading "C:\Users\bob\venv\c10.dll"'
    assert show_line(line, "WinError 126", r"cannot load D:\models\x.bin") == line
