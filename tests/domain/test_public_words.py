"""A value of a text is shown only if its words are known, have a shape that says nothing, or are defined by the text."""

import pytest

from torchdoctor.domain.public_words import is_public, leave_out_private, leave_out_private_in_line
from torchdoctor.domain.shown_values import ShownValues

# Passwords, phrases, keys, accounts, computers and people.
PRIVATE = (
    "hunter2", "kw04", "Xk9pQ2mZ7vLw", "correct-horse-battery-staple", "purple monkey", "Winter-2025", "Summer2024!",
    "butterfly", "letmein", "qwerty123", "p4ssw0rd", "tr0ub4dor&3", "kowalewska", "DESKTOP-9F3K2LM", "password: model",
    "token train model", "blue_tulip", "CorrectHorse", "admin123", "s3cr3t", "AKIAIOSFODNN7EXAMPLE", "xkcd936",
    "Sonnenschein", "hf_QwErTyUiOpAsDfGhJkLz", "HF_TOKEN model train",
)  # fmt: skip
# What makes an answer good.
PUBLIC = (
    "torch", "torchvision.ops", "_C", "cv2", "flash-attn", "opencv-python", "scipy._lib._ccallback_c", "einops", "pyvista",
    "onnxruntime_pybind11_state", "libiomp5md.dll", "cudnn_ops_infer64_8.dll", "torch==2.6.0+cu124", "sm_120", "3.10.6",
    "torch torchvision --index-url https://download.pytorch.org/whl/cu126", "0xC0000005", "512.00 MiB", "NVIDIA GeForce RTX 5070 Ti (12.0)",
    "SIGALRM", "_IncompatibleKeys", "main.<locals>.collate", "MyDataset", "HagridDataset", "KowalskiLoader", "build_node_feats",
    "my_utils", "train_one_epoch", "nvidia-smi", "torchrun", "sometool-cli", "certificate has expired", "unable to get local issuer certificate",
    "torchvision::nms", "numpy.core.multiarray._reconstruct", "self signed certificate in certificate chain", "C:\\proj\\kowal\\x.py", "gbk",
    "-r requirements.txt", "git+https://github.com/NVlabs/tiny-cuda-nn/#subdirectory=bindings/torch", "num_workers", "persistent_workers",
)  # fmt: skip


@pytest.mark.parametrize("value", PRIVATE)
def test_private_value_is_left_out(value: str) -> None:
    assert not is_public(value)
    assert value not in leave_out_private_in_line(f"ModuleNotFoundError: No module named '{value}'")


@pytest.mark.parametrize("value", PUBLIC)
def test_public_value_stays(value: str) -> None:
    assert leave_out_private(value) == value


@pytest.mark.parametrize(
    ("name", "is_shown"), [("zelkofari", True), ("kw04", False), ("x8Kf2LmQ9zRt", False), ("net2", True)]
)
def test_name_that_the_text_defines_stays_unless_it_looks_like_a_key(name: str, is_shown: bool) -> None:
    assert is_public(name, frozenset({name.lower()})) is is_shown


def test_sentence_keeps_words_of_messages_and_loses_what_it_quotes() -> None:
    line = "RuntimeError: the summer model could not be loaded from 'butterfly' on cuda:0 (512x512, 1660Ti)"
    shown = "RuntimeError: the ... model could not be loaded from '...' on cuda:0 (512x512, 1660Ti)"
    assert leave_out_private_in_line(line) in (line.replace("butterfly", "..."), shown)


def test_words_behind_a_password_are_left_out() -> None:
    assert leave_out_private_in_line("failed: password train model") == "failed: password ..."


def test_values_have_no_half_of_a_name() -> None:
    values = ShownValues({"module": "torch", "object": "kowalewska of torch"})
    assert (dict(values), values.whole) == (
        {"module": "torch", "object": "... of torch"},
        {"module": "torch"},
    )
