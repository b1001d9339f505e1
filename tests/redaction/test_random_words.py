"""Words that look generated are told from names."""

import random
import string

import pytest

from torchdoctor.redaction.secrets.random_words import hide_random_words


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-28 10:00:00,123 [rank0]: worker-3 12%|###  | 3/24 [00:12<00:00, 1.2it/s]",
        "ComfyUI-0/STDERR python3.11 cp311-cp311-win_amd64 x86_64-w64-mingw32 0x00007ff8",
        "Hy3DRenderMultiView LoadLibraryExW cudaGetDeviceCount FileNotFoundError DPMSolverMultistepScheduler Qwen2VLForConditionalGeneration"
        " RTX3060Ti GeForceRTX float8_e4m3fn",
        r"C:\\a1b2c3d4e5\\f6 /opt/a9F3kLm20QzXw81 D:/x/a9F3kLm20QzXw81TbV6n.py:12",
        "PyTorch2 ComfyUI2 NVIDIA CUDA12 WindowsPowerShell AppData MultiprocessingDataLoaderIter",
    ],
)
def test_names_and_numbers_stay(text: str) -> None:
    assert hide_random_words(text) == text


def test_random_words_are_hidden() -> None:
    chance = random.Random(7)
    kept = {}
    for length in (12, 20, 32, 40):
        words = ["".join(chance.choices(string.ascii_letters + string.digits, k=length)) for _ in range(2000)]
        kept[length] = sum(hide_random_words(word) == word for word in words)
    # A word of twelve may look like a name by chance.
    assert kept[12] < 400
    assert kept[20] < 60
    assert kept[32] + kept[40] < 5


def test_word_that_is_nearly_a_name_takes_no_time() -> None:
    words = ("a" * 180 + "B1", "aB" * 95, "Aa1" * 60 + "é", "Ab" * 90 + "7A")
    assert hide_random_words(" ".join(words)).count("<secret>") >= 1
