"""What a shell was given in the place of an answer is hidden wherever it stands."""

import pytest

from torchdoctor.domain.secrets import hide_credentials
from torchdoctor.domain.typed_secrets import find_typed_secrets
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain

KNOWLEDGE = load_knowledge()[0]
UNKNOWN = (
    "PS C:\\app> {0}\n{0} : The term '{0}' is not recognized as the name of a cmdlet, function, script file, or"
    " operable program.",
    "C:\\app>{0}\n'{0}' is not recognized as an internal or external command,\noperable program or batch file.",
    'C:\\app>{0}\nDer Befehl "{0}" ist entweder falsch geschrieben oder\nkonnte nicht gefunden werden.',
)
ASKED = "C:\\app>huggingface-cli login\nEnter your token (input will not be visible):\n"


def explain_what_was_typed(said: str, word: str, before: str = "") -> str:
    body = "C:\\app>pip install torch\n{}{}\n\nPyTorch version: 2.6.0+cu126\nOS: Microsoft Windows 11 Pro\n"
    return repr(explain(body.format(before, said.format(word)), KNOWLEDGE))


@pytest.mark.parametrize("said", UNKNOWN)
@pytest.mark.parametrize(
    "secret", ["8f14e45fceea167a5a36dedd4bea2543", "kQ8vT2mZ9pLw4xYb", "rVbr9is0-4XZDjP"]
)
def test_generated_word_is_hidden(said: str, secret: str) -> None:
    assert secret in find_typed_secrets(said.format(secret))
    assert "sometool-cli" in explain_what_was_typed(said, "sometool-cli")
    assert secret not in explain_what_was_typed(said, secret)


@pytest.mark.parametrize("said", UNKNOWN)
@pytest.mark.parametrize("secret", ["correct-horse-battery", "Winter-2025", "hunter2"])
def test_word_below_a_question_is_hidden(said: str, secret: str) -> None:
    assert secret in find_typed_secrets(ASKED + said.format(secret))
    assert secret not in explain_what_was_typed(said, secret, ASKED)


@pytest.mark.parametrize("said", UNKNOWN)
@pytest.mark.parametrize(
    "command", ["torchrun", "nvidia-smi", "accelerate-launch", "python310", "webui-user"]
)
def test_command_stays(said: str, command: str) -> None:
    assert find_typed_secrets(said.format(command)) == frozenset()


@pytest.mark.parametrize(
    ("address", "hidden"),
    [
        ("https://dl.cloudsmith.io/kQ8vT2mZ9pLw4xYb/acme/x/", "https://dl.cloudsmith.io/<secret>/acme/x/"),
        (
            "https://civitai.com/api/download/12?token=letmein",
            "https://civitai.com/api/download/12?token=<secret>",
        ),
        ("https://a.example/x?a=1&hf_token=iloveyou#b", "https://a.example/x?a=1&hf_token=<secret>"),
        (
            "https://a.example/x?page_token=letmein&key=value",
            "https://a.example/x?page_token=<secret>&key=value",
        ),
    ],
)
def test_address_of_an_own_index_is_hidden(address: str, hidden: str) -> None:
    assert hide_credentials(f"pip install torch -i {address}") == f"pip install torch -i {hidden}"


@pytest.mark.parametrize(
    "address",
    [
        "https://download.pytorch.org/whl/cu128/torch-2.7.1%2Bcu128-cp312-cp312-win_amd64.whl",
        "https://github.com/openai/CLIP/archive/d50d76daa670286dd6cacf3bcd80b5e4823fc8e1.zip",
        "https://files.pythonhosted.org/packages/aa/bb/8f14e45fceea167a5a36dedd4bea2543/torch.whl#sha256=1a2b",
        "https://github.com/lllyasviel/stable-diffusion-webui-forge/blob/main/x.py?plain=1",
        "https://huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct-AWQ/resolve/main/model.safetensors?download=true",
    ],
)
def test_public_address_stays(address: str) -> None:
    assert hide_credentials(f"see {address} for it") == f"see {address} for it"
