"""A value of a text is shown only if its words are known, have a shape that says nothing, or are defined by the text."""

import pytest

from torchdoctor.redaction.shown_values import ShownValues
from torchdoctor.redaction.words.public_words import is_public, leave_out_private, leave_out_private_in_line

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


LOCAL_PARTS = ("zelkofari", "letmein", "hunter2", "kw04", "Zelkofari.1", "cu118.zelkofari", "gitzelkofari")


@pytest.mark.parametrize("local", LOCAL_PARTS)
@pytest.mark.parametrize(
    "form", ["{x}", "torch=={x}", "torch {x}", "No matching distribution found for torch=={x}"]
)
def test_local_part_of_a_version_is_left_out_unless_it_is_a_build(local: str, form: str) -> None:
    text = form.format(x=f"2.0.1+{local}")
    for shown in (leave_out_private(text), leave_out_private_in_line(text)):
        assert shown == form.format(x="2.0.1+...")


@pytest.mark.parametrize(
    "version",
    [
        "2.6.0+cu126", "2.6.0+cpu", "2.0.1+rocm5.4.2", "2.6.0+xpu", "1.13.0a0+git7c98e70", "0.6.1+pt21cu118",
        "2.3.6+cu121torch2.1cxx11abiFALSE", "2.9.0.dev20250801+cu128", "2.0.0+cu118.post1", "0.2.0+torch2.1cu118",
    ],
)  # fmt: skip
def test_build_of_a_version_stays(version: str) -> None:
    assert leave_out_private(version) == version
    assert leave_out_private_in_line(f"torch=={version}") == f"torch=={version}"


@pytest.mark.parametrize(
    ("wheel", "shown"),
    [
        ("Kx7Pq2Lm9Ta_zelkofari-hunter2-cp39-cp39-linux_x86_64.whl", "...-...-cp39-cp39-linux_x86_64.whl"),
        ("zelkofari-1.0-py3-none-any.whl", "...-1.0-py3-none-any.whl"),
        ("torch-2.0.1+zelkofari-cp39-cp39-win_amd64.whl", "torch-...-cp39-cp39-win_amd64.whl"),
        ("torch-2.6.0+cu124-cp312-cp312-win_amd64.whl", None),
        ("flash_attn-2.3.6+cu121torch2.1cxx11abiFALSE-cp311-cp311-win_amd64.whl", None),
        ("torchvision-0.15.2%2Bcu118-cp310-cp310-win_amd64.whl", None),
        ("numpy-1.26.4-cp310-cp310-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", None),
    ],
)
def test_project_of_a_wheel_is_judged_like_a_package(wheel: str, shown: str | None) -> None:
    line = f"ERROR: {wheel} is not a supported wheel on this platform."
    assert leave_out_private_in_line(line) == line.replace(wheel, shown or wheel)
    assert leave_out_private(wheel) == (shown or wheel)


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
