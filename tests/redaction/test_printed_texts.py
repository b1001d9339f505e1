"""What programs print on a machine is shared by the rule for pasted texts, wherever a report repeats it."""

from dataclasses import replace

import pytest

from torchdoctor.check import Finding
from torchdoctor.facts import CudaTrial, Facts, TorchImportTrial
from torchdoctor.redaction.printed_texts import share_printed
from torchdoctor.redaction.redaction import Identity, redact

# Names, hosts and numbers that no message has, in places where nothing marks them.
PLANTED = (
    r"AzureAD\RosalindQuux cannot write",
    "Globexo\\rosalind: Access is denied",
    "NCCL INFO Bootstrap : Using eth0:10.87.44.23<0>",
    "[local=10.87.44.23:1, remote=10.87.44.24:2] rosalind",
    "GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-fdc71b73-7d48-b7ba-2b87-ee31b1e2f5c9)",
    "tenantId: 0e7a6b1c-93d4-4f5a-8c2b-1d0e9f8a7b6c of globexo",
    "MASTER_ADDR: globexo17",
    "TCPStore(globexo17:29500)",
    "Volume Serial Number is 1A2B-3C4D of rosalind",
    "<Computer>GLOBEXO17</Computer>",
    "arn:aws:iam::123456789012:user/rosalind",
    "rosalind and quux work at globexo",
)
MARKS = (
    "rosalind", "quux", "globexo", "10.87", "fdc71b73", "0e7a6b1c", "1a2b", "123456789012",
)  # fmt: skip
TRIAL = TorchImportTrial("raised", 1.0, 60.0, exception_type="OSError", exception_message="x")


@pytest.mark.parametrize("text", PLANTED)
@pytest.mark.parametrize("field", ["exception_message", "traceback", "stderr_tail"])
def test_nothing_that_no_message_has_is_shared(field: str, text: str) -> None:
    trial = replace(TRIAL, **{field: text})
    evidence = {"stderr_tail": text, "exception_message": text}
    sentence = " ".join(text.split())
    findings = [
        Finding(f"import torch raises OSError: {sentence[:length]}", evidence=evidence)
        for length in (300, 40)
    ]
    shown = str(redact((Facts({TorchImportTrial: trial}), findings), Identity())).lower()
    assert [mark for mark in MARKS if mark in shown] == []


@pytest.mark.parametrize("field", ["error", "kernel_error", "refusal"])
def test_nothing_of_cuda_is_shared(field: str) -> None:
    trial = replace(CudaTrial("raised", 1.0, warnings=(PLANTED[-1],)), **{field: PLANTED[-1]})
    shown = str(redact(Facts({CudaTrial: trial}), Identity()))
    assert [mark for mark in MARKS if mark in shown] == []


MESSAGES = (
    "[WinError 126] The specified module could not be found. Error loading "
    '"C:\\Python311\\Lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.',
    "Fatal Python error: Aborted\n\nCurrent thread 0x00001234 (most recent call first):\n"
    '  File "<frozen importlib._bootstrap>", line 241 in _call_with_frames_removed\n'
    '  File "<frozen site>", line 626 in <module>',
    'Traceback (most recent call last):\n  File "C:\\Python311\\Lib\\site-packages\\torch\\_utils.py", line 3, in f\n'
    "    self.strange = odd(names, that, nobody, else_has)\n"
    "AttributeError: module 'numpy' has no attribute 'bool'",
    "KeyboardInterrupt",
    "CUDA initialization: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU",
)


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_of_programs_are_shared(message: str) -> None:
    assert share_printed(message) == message


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "StopIteration"])
def test_name_of_an_exception_is_shared_without_a_word_alone(name: str) -> None:
    assert share_printed(f"{name}: globexo") == f"{name}: ..."


def test_code_of_a_person_is_not_shared() -> None:
    text = 'Traceback (most recent call last):\n  File "C:\\Python311\\Lib\\site-packages\\globexo\\a.py", line 3, in f\n    quux()'
    shown = share_printed(text)
    assert "globexo" not in shown
    assert "quux" not in shown
