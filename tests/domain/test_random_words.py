"""What stands before an error on its line is not shown where it looks generated."""

import random
import string

import pytest

from torchdoctor.domain.random_words import hide_what_may_be_secret
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain

KNOWLEDGE = load_knowledge()[0]
ERROR = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
# Labels that no list of names has, in the tongues of Windows, and ways to set a value.
LABELS = (
    "clé", "jeton", "mdp", "Schlüssel", "llave", "chiave API", "klucz", "ключ доступа", "暗号", "암호", "anahtar",
    "sleutel", "nøkkel", "avain", "kulcs", "klíč", "chìa khóa", "กุญแจ", "מפתח", "مفتاح", "ĸey of mine",
    "Paste it here and hit enter", "Answer for 'https://example.com'", "setting the variable to", "logging in as me with",
)  # fmt: skip
JOINTS = (": ", "=", " = ", "\t", "    ", " -> ", "：", " <- ", ":\n", " =\n  ", "=^\n", "=`\n")


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-28 10:00:00,123 [rank0]: worker-3 12%|###  | 3/24 [00:12<00:00, 1.2it/s]",
        "ComfyUI-0/STDERR python3.11 cp311-cp311-win_amd64 x86_64-w64-mingw32 0x00007ff8",
        "Hy3DRenderMultiView LoadLibraryExW cudaGetDeviceCount FileNotFoundError DPMSolverMultistepScheduler Qwen2VLForConditionalGeneration"
        " RTX3060Ti GeForceRTX float8_e4m3fn",
        r"C:\\a1b2c3d4e5\\f6 /opt/a9F3kLm20QzXw81 D:/x/a9F3kLm20QzXw81TbV6n.py:12",
        "I upgraded with %pip install -U torch and python -u train.py in the notebook, and the tokens were right.",
        "PyTorch2 ComfyUI2 NVIDIA CUDA12 WindowsPowerShell AppData MultiprocessingDataLoaderIter",
    ],
)
def test_names_and_numbers_stay(text: str) -> None:
    assert hide_what_may_be_secret(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "10:00:01 ERROR svc password: letmein ",
        "passphrase: correct horse battery staple ",
        'login("bob", "letmein") ',
        "wandb login hunter2 ",
        "hf_token: iloveyou ",
        "train.py -u bob77 -p Sommer2024! 2>&1 | ",
        "PASSWORD=my dog 7 ",
    ],
)
def test_all_behind_the_name_of_a_secret_is_hidden(text: str) -> None:
    hidden = hide_what_may_be_secret(text)
    assert hidden.endswith("<secret> ")
    assert not any(
        word in hidden for word in ("letmein", "battery", "hunter2", "iloveyou", "Sommer", "dog", "bob")
    )


def test_random_words_are_hidden() -> None:
    chance = random.Random(7)
    kept = {}
    for length in (12, 20, 32, 40):
        words = ["".join(chance.choices(string.ascii_letters + string.digits, k=length)) for _ in range(2000)]
        kept[length] = sum(hide_what_may_be_secret(word) == word for word in words)
    # A word of twelve may look like a name by chance.
    assert kept[12] < 400
    assert kept[20] < 60
    assert kept[32] + kept[40] < 5


def test_word_that_is_nearly_a_name_takes_no_time() -> None:
    words = ("a" * 180 + "B1", "aB" * 95, "Aa1" * 60 + "é", "Ab" * 90 + "7A")
    assert hide_what_may_be_secret(" ".join(words)).count("<secret>") >= 1


@pytest.mark.parametrize("joint", JOINTS, ids=repr)
def test_no_label_is_needed_before_an_error(joint: str) -> None:
    chance = random.Random(joint)
    for label in LABELS:
        value = "".join(chance.choices(string.ascii_letters + string.digits, k=32))
        text = f"{label}{joint}{value} {ERROR}"
        diagnosis = explain(text, KNOWLEDGE).diagnoses[0]
        assert diagnosis.name == "paging-file-too-small"
        assert [each.text for each in diagnosis.evidence if value in each.text] == [], label
