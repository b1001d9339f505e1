"""Of a variable, what programs read from it is shared, and no word of a person."""

import pytest

from torchdoctor.facts import EnvironmentVariables
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.redaction.words.variable_values import leave_out_cards


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("CUDA_VISIBLE_DEVICES", "GPU-fdc71b73-7d48-b7ba-2b87-ee31b1e2f5c9", "GPU-..."),
        ("CUDA_VISIBLE_DEVICES", "MIG-GPU-fdc71b73-7d48-b7ba-2b87-ee31b1e2f5c9", "MIG-GPU-..."),
        ("CUDA_VISIBLE_DEVICES", "0,1", "0,1"),
        ("CUDA_DEVICE_ORDER", "PCI_BUS_ID", "PCI_BUS_ID"),
        ("KMP_AFFINITY", "granularity=fine,compact,1,0", "granularity=fine,compact,1,0"),
        ("KMP_DUPLICATE_LIB_OK", "TRUE", "TRUE"),
        ("NCCL_COMM_ID", "gpu17:29500", "<host>:29500"),
        ("PYTHONIOENCODING", "utf-8:replace", "utf-8:replace"),
        ("PYTHONWARNINGS", "ignore::DeprecationWarning", "ignore::DeprecationWarning"),
        ("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:512", "max_split_size_mb:512"),
        ("TORCH_CUDA_ARCH_LIST", "8.6+PTX", "8.6+PTX"),
        ("TORCH_EXTENSIONS_DIR", "globexo", "..."),
        ("TORCH_LOGS", "+dynamo,graph_breaks", "+dynamo,graph_breaks"),
        ("TORCH_X", r"AzureAD\RosalindQuux", r"<domain>\<user>"),
        ("TORCH_Y", r"\Device\HarddiskVolume2\Globexo\quux", "..."),
        ("TORCH_HOME", "http://rosalind:zepid735@globexo17:8080", "http://..."),
    ],
)
def test_value_is_shared_without_words_of_a_person(name: str, value: str, shown: str) -> None:
    redacted = redact(EnvironmentVariables(((name, value),)), Identity())
    assert redacted.values == ((name, shown),)


def test_card_is_not_identified_in_a_sentence() -> None:
    sentence = "CUDA_VISIBLE_DEVICES is 'GPU-fdc71b73-7d48-b7ba-2b87-ee31b1e2f5c9', and hides every GPU"
    assert leave_out_cards(sentence) == "CUDA_VISIBLE_DEVICES is 'GPU-...', and hides every GPU"
