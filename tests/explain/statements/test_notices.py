"""A line after which the program goes on is not the answer to the error that ends it."""

import pytest

from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain
from torchdoctor.explain.answer import Confidence

KNOWLEDGE = load_heads()
NOTICES = {
    "flash-attention-not-built": "1Torch was not compiled with flash attention.",
    "hurtful-environment-variables": (
        "[W CUDAAllocatorConfig.h:30] Warning: expandable_segments not supported on this platform"
    ),
    "dependency-out-of-range": (
        "UserWarning: A NumPy version >=1.16.5 and <1.23.0 is required for this version of SciPy"
        " (detected version 1.26.4)"
    ),
    "triton-missing": "triton not found; flop counting will not work for triton kernels",
    "flash-attn-missing": "flash-attn is not installed. Will only run the manual PyTorch version",
    "torchaudio-no-backend": "DEBUG: Failed to initialize ffmpeg bindings",
}
UNKNOWN = (
    "ValueError: not enough values to unpack (expected 2, got 1)",
    "KeyError: 'state_dict'",
    "AttributeError: 'NoneType' object has no attribute 'shape'",
)
OF_PROGRAM = (
    "RuntimeError: The size of tensor a (32) must match the size of tensor b (64) at non-singleton dimension 1",
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 768x10)",
)
FRAME = 'Traceback (most recent call last):\n  File "D:\\proj\\train.py", line 31, in <module>\n    main()\n'
ORDERS = ("{notice}\n{error}", "{error}\n{notice}", "{notice}\n{frame}{error}", "{frame}{error}\n{notice}")


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES)
@pytest.mark.parametrize("error", UNKNOWN)
@pytest.mark.parametrize("order", ORDERS)
def test_notice_is_not_the_answer_to_an_unknown_error(notice: str, error: str, order: str) -> None:
    """What is not known is not recognised."""
    found = explain(order.format(notice=notice, error=error, frame=FRAME), KNOWLEDGE)
    assert not found.recognised


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES)
@pytest.mark.parametrize("error", OF_PROGRAM)
@pytest.mark.parametrize("order", ORDERS)
def test_error_of_program_is_told_beside_a_notice(notice: str, error: str, order: str) -> None:
    """The error that ends the program is the answer, where it is known."""
    found = explain(order.format(notice=notice, error=error, frame=FRAME), KNOWLEDGE)
    assert found.program_error is not None
    assert not found.recognised


@pytest.mark.parametrize("name", NOTICES)
def test_notice_alone_is_explained(name: str) -> None:
    """Who asks about the line gets its answer."""
    found = explain(NOTICES[name], KNOWLEDGE)
    assert found.diagnoses[0].name == name


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES)
def test_known_problem_comes_before_a_notice(notice: str) -> None:
    """A problem that is known is the answer, also on the line of a notice."""
    error = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"
    for order in ("{notice}\n{error}", "{error}\n{notice}", "{notice} {error}"):
        found = explain(order.format(notice=notice, error=error), KNOWLEDGE)
        assert found.diagnoses[0].name == "cuda-oom", order
        assert found.diagnoses[0].confidence is not Confidence.POSSIBLE


def test_warning_gives_way_to_an_error_of_the_program() -> None:
    """A warning that is only a hint hides no error that is known."""
    found = explain(
        "UserWarning: 'pin_memory' argument is set as true but no accelerator is found\n"
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 768x10)",
        KNOWLEDGE,
    )
    assert found.program_error is not None


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES)
@pytest.mark.parametrize(
    "log",
    [
        "Epoch 1/3 - loss: 0.6512\nEpoch 2/3 - loss: 0.4402\nTraining finished, model saved",
        "100%|##########| 20/20 [00:06<00:00,  3.21it/s]\nPrompt executed in 9.14 seconds",
        "2 epochs completed in 0.006 hours.\nResults saved to runs\\detect\\train4",
    ],
)
def test_log_that_ran_through_raises_no_alarm(notice: str, log: str) -> None:
    """Nobody asks about the line, and nothing failed."""
    assert not explain(f"{notice}\n{log}", KNOWLEDGE).recognised
    assert not explain(f"{log}\n{notice}", KNOWLEDGE).recognised
